// SPDX-License-Identifier: MIT
// skin.glsl — vertices of a mesh that follows bones, by the weighted mean of their maps (linear blend skinning); nothing is drawn.
#ifdef VERTEX
// a MeshVertex as it was bound; in place of its tangent the weights of four bones
in vec4 in_position;
in vec3 in_normal, in_inset, in_uv;
in vec4 in_tangent;
in uvec4 in_records0;       // the numbers of these bones
uniform sampler2D bones;    // three texels each, 64 in a row: what x, y and z become of
uniform int first_bone;
uniform vec4 ball;          // its centre, and one over its radius

// in the order of MeshVertex
out vec4 out_position;  // and no end
out vec3 out_normal, out_inset, out_uv;
out vec4 out_tangent;

void main() {
    vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
    for (int k = 0; k < 4; ++k) {
        int bone = first_bone + int(in_records0[k]);
        ivec2 at = ivec2(bone % 64 * 3, bone / 64);
        x += in_tangent[k] * texelFetch(bones, at, 0);
        y += in_tangent[k] * texelFetch(bones, at + ivec2(1, 0), 0);
        z += in_tangent[k] * texelFetch(bones, at + ivec2(2, 0), 0);
    }
    vec4 from = vec4(in_position.xyz, 1.0);
    vec3 position = vec3(dot(x, from), dot(y, from), dot(z, from));
    // a normal stands across what the map makes of the surface: by its cofactors
    vec3 a = vec3(x.x, y.x, z.x), b = vec3(x.y, y.y, z.y), c = vec3(x.z, y.z, z.z);
    vec3 bc = cross(b, c);
    vec3 normal = in_normal.x * bc + in_normal.y * cross(c, a) + in_normal.z * cross(a, b);
    float size = length(normal);
    normal = size > 0.0 ? normal / size : vec3(0.0, 1.0, 0.0);
    out_position = vec4((position - ball.xyz) * ball.w, 0.0);
    out_normal = dot(a, bc) < 0.0 ? -normal : normal;
    out_inset = in_inset;
    out_uv = in_uv;
    out_tangent = vec4(0.0);
    gl_Position = vec4(0.0);
}
#endif
#ifdef FRAGMENT
void main() {}
#endif
