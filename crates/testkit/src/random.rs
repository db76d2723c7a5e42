//! Random numbers that are the same everywhere: xorshift (Marsaglia, 2003), seeded by a multiplication
//! so that neighbouring seeds have nothing in common.

/// A generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..4 {
            random.below(2);
        }
        random
    }

    /// 64 bits, of which the low ones are the least random.
    fn step(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.step().wrapping_mul(0x2545_f491_4f6c_dd1d).swap_bytes()
    }

    /// A value near the interesting ones (small, minus small, powers of two) as often as any other.
    pub fn value(&mut self) -> u128 {
        let wide = (u128::from(self.bits()) << 64) | u128::from(self.bits());
        let power = |at: u64| 1_u128 << at;
        match self.below(6) {
            0 => wide,
            1 => (wide & 7).wrapping_sub(3),
            2 => power(self.below(128)),
            3 => power(self.below(128)) - 1,
            4 => wide & 0xff,
            _five => (wide & 0xff).wrapping_sub(0x80),
        }
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        (self.step() >> 11) % n
    }

    /// A position in a list of `n`.
    pub fn index(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// True so many times in a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.index(all.len())]
    }
}
