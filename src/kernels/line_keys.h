// SPDX-License-Identifier: MIT
// line_keys.h — after which share of a translation bounds that move with it first meet others: never later than they do.
// compiles as: host, cuda, in floats and doubles (include it after dialect_double.h)

#define LINE_ROUNDING 4.76837158203125e-7f // 2^-21: more than a few operations round
#define LINE_NOTHING 3e38f                 // the key of bounds that are not met

/// bounds that reach from low to high at the start, with room for rounding
struct LineWay_t {
    f32 low[3], high[3], inverse[3];
};
typedef struct LineWay_t LineWay;

KERNEL_FN void line_axis(PRIVATE LineWay* line, u32 axis, real low, real high, f32 translation) {
    real slack = LINE_ROUNDING * (magnitude(low) + magnitude(high)) + 1e-30;
    line->low[axis] = (f32)(low - slack);
    line->high[axis] = (f32)(high + slack);
    // never infinite: 0 times infinity would be no number
    f32 smallest = 1e-30f;
    f32 speed = translation < 0 ? (translation < -smallest ? translation : -smallest)
                                : (translation > smallest ? translation : smallest);
    line->inverse[axis] = 1 / speed;
}
KERNEL_FN LineWay line_way(real3 low, real3 high, f32 x, f32 y, f32 z) {
    LineWay line;
    line_axis(&line, 0, low.x, high.x, x);
    line_axis(&line, 1, low.y, high.y, y);
    line_axis(&line, 2, low.z, high.z, z);
    return line;
}

KERNEL_FN f32 line_enters(PRIVATE const LineWay* line, u32 axis, f32 low, f32 high, PRIVATE f32* leave,
                          f32 enter) {
    f32 a = (low - line->high[axis]) * line->inverse[axis],
        b = (high - line->low[axis]) * line->inverse[axis];
    f32 first = a < b ? a : b, last = a < b ? b : a;
    *leave = last < *leave ? last : *leave;
    return first > enter ? first : enter;
}
/// Bounds of NaN are not met.
KERNEL_FN f32 line_key(PRIVATE const LineWay* line, f32 low_x, f32 low_y, f32 low_z, f32 high_x, f32 high_y,
                       f32 high_z) {
    f32 leave = 1;
    f32 enter = line_enters(line, 0, low_x, high_x, &leave, 0);
    enter = line_enters(line, 1, low_y, high_y, &leave, enter);
    enter = line_enters(line, 2, low_z, high_z, &leave, enter);
    f32 key = enter * (1 - LINE_ROUNDING);
    key = key <= leave * (1 + LINE_ROUNDING) ? key : LINE_NOTHING;
    return low_x == low_x ? key : LINE_NOTHING;
}
