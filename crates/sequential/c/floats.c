/* Floating-point numbers are kept as their encodings. */
float raddle_f32(u32 bits) {
    union { u32 bits; float value; } both;
    both.bits = bits;
    return both.value;
}
double raddle_f64(u64 bits) {
    union { u64 bits; double value; } both;
    both.bits = bits;
    return both.value;
}
u32 raddle_f32_bits(float value) {
    union { u32 bits; float value; } both;
    both.value = value;
    return both.bits;
}
u64 raddle_f64_bits(double value) {
    union { u64 bits; double value; } both;
    both.value = value;
    return both.bits;
}
