//! C identifiers: the user's own names wherever C and the runtime allow it.
//!
//! Invariant: within a scope no name is given twice, and none is a word of C, a common library
//! function (compilers know the types of those and warn) or a name of the runtime.

use rustc_hash::FxHashSet;

const WORDS: &str = "auto break case char const continue default do double else enum extern float for goto if \
    inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void \
    volatile while bool true false nullptr constexpr typeof thread_local asm fortran main assert abort exit \
    malloc calloc realloc free memcpy memmove memset memcmp memchr strlen strcpy strncpy strcat strncat strcmp \
    strncmp strchr strrchr strstr strdup printf fprintf sprintf snprintf vprintf puts fputs putchar fputc scanf \
    abs labs llabs div rand srand time clock sin cos tan exp log log2 log10 pow sqrt floor ceil round trunc fabs \
    fmin fmax fmod index rindex bcmp bcopy bzero y0 y1 yn j0 j1 jn gamma isalpha isdigit isspace tolower toupper \
    u8 u16 u32 u64 u128 s8 s16 s32 s64 s128 reach_error linux unix _Bool _Alignas _Alignof _Atomic _Complex \
    _Generic _Imaginary _Noreturn _Static_assert _Thread_local creator result read write open close wait";

/// The names of one scope.
#[derive(Clone)]
pub(crate) struct Names {
    taken: FxHashSet<String>,
}

impl Names {
    /// A scope with the words of C only.
    pub(crate) fn new() -> Names {
        Names { taken: WORDS.split_whitespace().map(String::from).collect() }
    }

    /// Gives a name like the wanted one.
    pub(crate) fn take(&mut self, wanted: &str) -> String {
        let base = identifier(wanted);
        let mut name = base.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }
}

/// The text with everything replaced that C does not allow; names that belong to compilers,
/// verifiers and the runtime get a letter in front.
fn identifier(text: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    let name: String = text.chars().map(letter).collect();
    let own = ["_", "raddle_", "RADDLE_", "at_", "nondet_", "pthread_"];
    if name.is_empty()
        || name.starts_with(|c: char| c.is_ascii_digit())
        || own.iter().any(|p| name.starts_with(p))
    {
        format!("v{name}")
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_legal_and_distinct() {
        let mut names = Names::new();
        let cases = [
            ("x", "x"),
            ("x", "x_2"),
            ("int", "int_2"),
            (".str.1", "v_str_1"),
            ("__VERIFIER_assert", "v__VERIFIER_assert"),
            ("raddle_now", "vraddle_now"),
            ("", "v"),
            ("2nd", "v2nd"),
            ("größe", "gr__e"),
        ];
        for (wanted, given) in cases {
            assert_eq!(names.take(wanted), given);
        }
    }
}
