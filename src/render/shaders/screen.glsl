// SPDX-License-Identifier: MIT
// screen.glsl — a triangle over the whole picture.
#ifdef VERTEX
out vec2 v_uv;
void main() {
    v_uv = vec2(float((gl_VertexID & 1) * 2), float((gl_VertexID >> 1) * 2));
    gl_Position = vec4(v_uv * 2.0 - 1.0, 1.0, 1.0);
}
#endif
#ifdef FRAGMENT
in vec2 v_uv;
#endif
