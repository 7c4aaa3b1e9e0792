/* The layers in the widths that machines have, and which of them this one has. */
#include "network.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#ifdef __clang__
#define UNROLLED _Pragma("clang loop unroll(full)")
#define ONE_LOOP
#else
#define UNROLLED _Pragma("GCC unroll 8")
/* GCC would make a second loop for inputs that lie one after the other, and spill in both. */
#define ONE_LOOP __attribute__((optimize("no-version-loops-for-strides")))
#endif
enum { MOST_VECTORS = 5 };

/* Return e to the power of x, -87 <= x <= 88 (beyond: that of the bound), within 2 ulp; NaN stays.
 *
 * 2^n times e^r with |r| <= log(2) / 2: Cephes' expf, Moshier 1992, without branches. */
ALWAYS_INLINE float exponential(float x)
{
    const float to_integer = 12582912.0f; /* 1.5 * 2^23: the sum's lowest bits are n */
    x = x < -87.0f ? -87.0f : x;
    x = x > 88.0f ? 88.0f : x;
    float shifted = x * 1.44269504f + to_integer, n = shifted - to_integer, power;
    float r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    float series = 1.9875691500e-4f;
    series = series * r + 1.3981999507e-3f;
    series = series * r + 8.3334519073e-3f;
    series = series * r + 4.1665795894e-2f;
    series = series * r + 1.6666665459e-1f;
    series = series * r + 5.0000001201e-1f;
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 127) << 23;
    memcpy(&power, &bits, sizeof power);
    return (series * r * r + r + 1.0f) * power;
}

#ifdef __aarch64__
#include <arm_neon.h>
#define ROWS 4
#define ADDED(sum, a, b) vfmaq_n_f32(sum, b, a)
#else
#define ROWS 2
#define ADDED(sum, a, b) ((sum) + (a) * (b))
#endif
#define NAMED(name) name##_plain
#define TARGET ONE_LOOP
#define LANES 4
#include "network_layers.h"
#undef NAMED
#undef TARGET
#undef LANES
#undef ROWS
#undef ADDED

#ifdef __x86_64__
#include <immintrin.h>
#define ADDED(sum, a, b) _mm256_fmadd_ps(_mm256_set1_ps(a), b, sum)
#define LANES 8

#define NAMED(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma"))) ONE_LOOP
#define ROWS 2
#include "network_layers.h"
#undef NAMED
#undef TARGET
#undef ROWS

/* Twice the registers, of the same width: 40 columns are five vectors of 8. */
#define NAMED(name) name##_avx512
#define TARGET __attribute__((target("avx2,fma,avx512f,avx512vl"))) ONE_LOOP
#define ROWS 4
#include "network_layers.h"
#endif

const Target *chaffinch_target(long most)
{
    static const Target targets[] = {
        {layer_plain, exponentials_plain},
#ifdef __x86_64__
        {layer_avx2, exponentials_avx2},
        {layer_avx512, exponentials_avx512},
#endif
    };
#ifdef __x86_64__
    if (most >= 1 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return &targets[most >= 2 && __builtin_cpu_supports("avx512vl") ? 2 : 1];
#endif
    (void)most;
    return &targets[0];
}
