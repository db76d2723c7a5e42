//! Reads what the user wants checked: a list of names, or a property file of SV-COMP.
//!
//! Names are ours (`races,memory`), groups (`default`, `all`), or those of SV-COMP
//! (`no-data-race`). A property file consists of lines `CHECK( init(main()), LTL(…) )`; the formula
//! must be one of the fixed ones of the competition's rules, nothing else is guessed.

use raddle_ir::{Property, PropertySet};

/// A specification that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// An unknown name.
    #[error("unknown property `{name}`; known are {known}")]
    UnknownName {
        /// As given.
        name: String,
        /// All names.
        known: String,
    },
    /// A formula that is not one of the fixed ones.
    #[error("the formula `{0}` of the property file is not one that raddle can check")]
    UnknownFormula(String),
    /// Nothing named.
    #[error("no property is named")]
    Nothing,
}

const GROUPS: &[(&str, &[Property])] = &[
    ("assertions", &[Property::Assertions, Property::Unreach]),
    ("valid-memsafety", &[Property::Memory, Property::LostMemory]),
    ("valid-deref", &[Property::Memory]),
    ("valid-free", &[Property::Memory]),
];

const FORMULAS: &[(&str, Property)] = &[
    ("G!call(reach_error())", Property::Unreach),
    ("G!call(__VERIFIER_error())", Property::Unreach),
    ("Gvalid-free", Property::Memory),
    ("Gvalid-deref", Property::Memory),
    ("Gvalid-memtrack", Property::LostMemory),
    ("Gvalid-memcleanup", Property::Leaks),
    ("G!overflow", Property::Overflow),
    ("G!data-race", Property::Races),
    ("G!deadlock", Property::Deadlocks),
];

/// Reads a list of names or the text of an SV-COMP property file.
pub fn parse(spec: &str) -> Result<PropertySet, SpecError> {
    let set = if spec.contains("CHECK") || spec.contains("COVER") {
        property_file(spec)?
    } else {
        names(spec)?
    };
    if set == PropertySet::EMPTY { Err(SpecError::Nothing) } else { Ok(set) }
}

fn names(spec: &str) -> Result<PropertySet, SpecError> {
    let mut set = PropertySet::EMPTY;
    for name in spec.split(|c: char| c == ',' || c.is_whitespace()).filter(|n| !n.is_empty()) {
        for property in named(name)?.iter() {
            set = set.with(property);
        }
    }
    Ok(set)
}

fn named(name: &str) -> Result<PropertySet, SpecError> {
    if name == "all" {
        return Ok(Property::SAFETY.into_iter().collect());
    }
    if name == "default" {
        return Ok(crate::default_set());
    }
    if let Some((_, group)) = GROUPS.iter().find(|(n, _)| *n == name) {
        return Ok(group.iter().copied().collect());
    }
    let row = crate::PROPERTIES.iter().find(|r| r.property.name() == name || r.svcomp == name);
    match row {
        Some(row) => Ok(PropertySet::EMPTY.with(row.property)),
        None => Err(SpecError::UnknownName { name: name.to_string(), known: known() }),
    }
}

fn known() -> String {
    let mut all: Vec<&str> = vec!["default", "all"];
    all.extend(crate::PROPERTIES.iter().map(|r| r.property.name()));
    all.extend(crate::PROPERTIES.iter().map(|r| r.svcomp).filter(|n| !n.is_empty()));
    all.join(", ")
}

fn property_file(text: &str) -> Result<PropertySet, SpecError> {
    let mut set = PropertySet::EMPTY;
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
        let plain: String = line.chars().filter(|c| !c.is_whitespace()).collect();
        let formula = plain
            .strip_prefix("CHECK(init(main()),LTL(")
            .and_then(|rest| rest.strip_suffix("))"))
            .ok_or_else(|| SpecError::UnknownFormula(line.to_string()))?;
        let (_, property) = FORMULAS
            .iter()
            .find(|(f, _)| *f == formula)
            .ok_or_else(|| SpecError::UnknownFormula(line.to_string()))?;
        set = set.with(*property);
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(spec: &str, expected: &[Property]) {
        assert_eq!(parse(spec), Ok(expected.iter().copied().collect()), "{spec}");
    }

    #[test]
    fn specifications_are_read() {
        use Property::*;
        check("races", &[Races]);
        check("races, memory", &[Races, Memory]);
        check("assertions", &[Assertions, Unreach]);
        check("reach-error", &[Unreach]);
        check("unreach-call", &[Unreach]);
        check("valid-memsafety", &[Memory, LostMemory]);
        check("valid-memcleanup", &[Leaks]);
        check("no-overflow", &[Overflow]);
        check("default", &[Assertions, Unreach, Races, Deadlocks, Memory, Locks]);
        check("CHECK( init(main()), LTL(G ! call(reach_error())) )", &[Unreach]);
        check("CHECK( init(main()), LTL(G ! call(__VERIFIER_error())) )\n", &[Unreach]);
        check(
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
             CHECK( init(main()), LTL(G valid-memtrack) )\n",
            &[Memory, LostMemory],
        );
        check("CHECK( init(main()), LTL(G ! data-race) )", &[Races]);
    }

    #[test]
    fn nonsense_is_refused() {
        for spec in ["", " , ", "race", "CHECK( init(main()), LTL(F end) )", "COVER( x )", "CHECK"]
        {
            assert!(parse(spec).is_err(), "{spec}");
        }
    }
}
