// SPDX-License-Identifier: MIT
// copy.glsl — rows of a texture from a buffer. COLOURS: of four bytes a texel, else of four floats. Drivers may take the way through the
// host for that; here every multiprocessor of the GPU copies.
layout(local_size_x = 128) in;

#ifdef COLOURS
layout(std430, binding = 0) readonly buffer From { uint texels[]; };
layout(rgba8, binding = 0) uniform writeonly image2D to;
vec4 texel(uint number) { return unpackUnorm4x8(texels[number]); }
#else
layout(std430, binding = 0) readonly buffer From { vec4 texels[]; };
layout(rgba32f, binding = 0) uniform writeonly image2D to;
vec4 texel(uint number) { return texels[number]; }
#endif

layout(location = 0) uniform uvec3 part;  // first texel of the buffer, texels, first row of the texture

void main() {
    uint number = gl_WorkGroupID.y * 32768u * 128u + gl_GlobalInvocationID.x, width = uint(imageSize(to).x);
    if (number < part.y) imageStore(to, ivec2(number % width, part.z + number / width), texel(part.x + number));
}
