// SPDX-License-Identifier: MIT
// deform.glsl — vertices of a mesh from the positions and normals that a world's device wrote; nothing is drawn.
#ifdef VERTEX
in vec4 in_position, in_normal;
in vec3 in_inset;
uniform vec4 ball;  // its centre, and one over its radius

// in the order of MeshVertex
out vec4 out_position;  // and no end
out vec3 out_normal, out_inset, out_uv;
out vec4 out_tangent;

void main() {
    out_position = vec4((in_position.xyz - ball.xyz) * ball.w, 0.0);
    out_normal = in_normal.xyz;
    out_inset = in_inset;
    out_uv = vec3(0.0);  // and the copy
    out_tangent = vec4(0.0);
    gl_Position = vec4(0.0);
}
#endif
#ifdef FRAGMENT
void main() {}
#endif
