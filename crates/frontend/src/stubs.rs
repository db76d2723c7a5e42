//! Stubs for functions without a body: what a call of something unknown may do, as C.
//!
//! Idea: the compiler knows the declared types, so clang is asked for its syntax tree of each missing
//! function. Its stub gives any result; what a parameter points to has any content afterwards, unless it
//! is constant; a pointer that comes back is null or points to a new object (a string, for characters).
//! The text stands alone: it repeats the `#include` lines of the program. What does not compile with these
//! (a type that only a source file defines) is taken out again, with a remark: first the statement, then
//! the stub.
//! Limits: the stub does nothing to global variables, calls no function it is given, keeps no pointer and
//! never blocks. Of an array only the first element changes; what has an unknown size is left alone. So a
//! verdict that rests on stubs is BOUNDED at best.

use serde_json::Value;

use crate::clang::Plan;
use crate::lower::Missing;

/// Declarations that stubs need.
const PRELUDE: &str = "\
void __VERIFIER_nondet_memory(void *object, unsigned long size);
_Bool __VERIFIER_nondet_bool(void);
void *malloc(__SIZE_TYPE__ size);
static void *null_or_object(__SIZE_TYPE__ size) {
    return __VERIFIER_nondet_bool() ? malloc(size) : 0;
}
static char *null_or_string(void) {
    char *text = null_or_object(8);
    if (text)
        text[7] = 0;
    return text;
}
";

/// How often a text is compiled to find out what has to go.
const ATTEMPTS: usize = 8;

/// A function as it is declared.
struct Declaration {
    result: String,
    /// Name (if any) and type.
    parameters: Vec<(Option<String>, String)>,
    variadic: bool,
}

/// A line of the text, and the stub it belongs to.
struct Line {
    text: String,
    stub: Option<usize>,
    /// Whether the stub is complete without it.
    optional: bool,
}

/// The stubs, and the names of those that could be made.
pub(crate) fn text(plan: &Plan<'_>, missing: &[Missing]) -> (String, Vec<String>) {
    let functions: Vec<(&str, &Missing)> =
        missing.iter().filter_map(|m| Some((m.function.as_deref()?, m))).collect();
    let mut lines: Vec<Line> = Vec::new();
    let mut plain = |text: &str| {
        let line = |l: &str| Line { text: l.to_string(), stub: None, optional: false };
        lines.extend(text.lines().map(line));
    };
    plain(
        "/* Stubs for functions without a body: any result, any content of the object that a pointer leads to. */",
    );
    for include in plan.includes() {
        plain(&include);
    }
    plain(PRELUDE);
    for (index, (name, missing)) in functions.iter().enumerate() {
        let declaration = plan.syntax_of(name).and_then(|json| declaration(&json, name));
        stub(&mut lines, index, name, missing, declaration);
    }
    let left_out = compile_away(plan, &mut lines, functions.len());
    let names = functions.iter().enumerate().filter(|(i, _)| !left_out[*i]);
    let names = names.map(|(_, (name, _))| name.to_string()).collect();
    let text: Vec<&str> = lines.iter().map(|l| l.text.as_str()).collect();
    (text.join("\n") + "\n", names)
}

/// Takes out what does not compile; tells for each stub whether it is gone.
fn compile_away(plan: &Plan<'_>, lines: &mut Vec<Line>, stubs: usize) -> Vec<bool> {
    let mut left_out = vec![false; stubs];
    for _ in 0..ATTEMPTS {
        let text: Vec<&str> = lines.iter().map(|l| l.text.as_str()).collect();
        let wrong = plan.errors_in(&(text.join("\n") + "\n"));
        if wrong.is_empty() {
            return left_out;
        }
        let mut gone: Vec<usize> = Vec::new();
        for number in wrong {
            let Some(line) = lines.get_mut(number.wrapping_sub(1)) else { continue };
            match line.stub {
                // An object of unknown size can only be handed back.
                Some(_) if line.optional && line.text.starts_with("    return") => {
                    line.text = "    return null_or_object(1);".into();
                }
                Some(_) if line.optional => {
                    line.text = format!("    /* not known here: {} */", line.text.trim());
                }
                Some(stub) => gone.push(stub),
                None => line.text = format!("/* {} */", line.text.trim()),
            }
        }
        for line in lines.iter_mut() {
            if let Some(stub) = line.stub.filter(|s| gone.contains(s)) {
                left_out[stub] = true;
                line.text = format!("// types are not known here: {}", line.text);
                line.stub = None;
            }
        }
    }
    left_out.fill(true);
    lines.clear();
    left_out
}

/// Adds the stub of a function.
fn stub(
    lines: &mut Vec<Line>,
    stub: usize,
    name: &str,
    missing: &Missing,
    declaration: Option<Declaration>,
) {
    let mut add = |text: String, optional: bool| {
        lines.push(Line { text, stub: Some(stub), optional });
    };
    let at: Vec<String> = missing.places.iter().map(|p| format!("{}:{}", p.0, p.1)).collect();
    add(String::new(), false);
    add(format!("// {}", at.join(", ")), false);
    let Some(Declaration { result, parameters, variadic }) = declaration else {
        add(format!("int {name}() {{"), false);
        add("    int result;".into(), false);
        add("    __VERIFIER_nondet_memory(&result, sizeof result);".into(), false);
        add("    return result;".into(), false);
        add("}".into(), false);
        return;
    };
    let names: Vec<String> = parameters
        .iter()
        .enumerate()
        .map(|(i, (name, _))| name.clone().unwrap_or(format!("argument{}", i + 1)))
        .collect();
    let types = parameters.iter().map(|(_, ty)| ty);
    let mut list: Vec<String> = types.clone().zip(&names).map(|(ty, n)| declared(ty, n)).collect();
    if variadic {
        list.push("...".into());
    }
    if list.is_empty() {
        list.push("void".into());
    }
    add(format!("{} {{", declared(&result, &format!("{name}({})", list.join(", ")))), false);
    for (ty, name) in types.zip(&names) {
        let Some(to) = pointee(ty).filter(|to| !is_constant(to)) else { continue };
        if to == "void" {
            add(format!("    /* {name} points to something of unknown size */"), false);
            continue;
        }
        let write = match pointee(to) {
            Some(object) => format!("*{name} = {};", new_object(object)),
            None => format!("__VERIFIER_nondet_memory({name}, sizeof *{name});"),
        };
        add(format!("    if ({name}) {write}"), true);
    }
    match pointee(&result) {
        _ if result == "void" => {}
        Some(to) => add(format!("    return {};", new_object(to)), true),
        None if matches!(result.as_str(), "_Bool" | "bool") => {
            add("    return __VERIFIER_nondet_bool();".into(), false);
        }
        None => {
            add(format!("    {};", declared(&result, "result")), false);
            add("    __VERIFIER_nondet_memory(&result, sizeof result);".into(), false);
            add("    return result;".into(), false);
        }
    }
    add("}".into(), false);
}

/// `type name`, in a form that takes all types.
fn declared(ty: &str, name: &str) -> String {
    match ty.contains("(*") || ty.contains('[') || ty.contains("(^") {
        true => format!("__typeof__({ty}) {name}"),
        false if ty.ends_with('*') => format!("{ty}{name}"),
        false => format!("{ty} {name}"),
    }
}

/// An expression for null or a new object of a type.
fn new_object(ty: &str) -> String {
    match ty.trim_start_matches("const ").trim() {
        "char" => "null_or_string()".into(),
        "void" => "null_or_object(1)".into(),
        _ => format!("null_or_object(sizeof({ty}))"),
    }
}

/// What a pointer type points to; nothing for functions.
fn pointee(ty: &str) -> Option<&str> {
    let ty = ["restrict", "__restrict", "const", "volatile"]
        .iter()
        .fold(ty.trim(), |ty, word| ty.strip_suffix(word).unwrap_or(ty).trim_end());
    if ty.contains("(*") {
        return None;
    }
    ty.strip_suffix('*').map(str::trim_end)
}

/// Whether the type itself is constant, not only what it points to.
fn is_constant(ty: &str) -> bool {
    ty.ends_with("const") || (ty.starts_with("const ") && !ty.ends_with('*'))
}

/// Finds a function in syntax trees, one after the other.
fn declaration(json: &str, name: &str) -> Option<Declaration> {
    let mut trees = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    let tree = trees
        .by_ref()
        .map_while(Result::ok)
        .find(|tree| tree["kind"] == "FunctionDecl" && tree["name"] == name)?;
    let whole = tree["type"]["qualType"].as_str()?;
    let result = result_type(whole)?;
    let children = tree["inner"].as_array().map_or(&[][..], Vec::as_slice);
    let parameter = |p: &Value| {
        let ty = p["type"]["qualType"].as_str()?.to_string();
        Some((p["name"].as_str().map(str::to_string), ty))
    };
    let parameters =
        children.iter().filter(|p| p["kind"] == "ParmVarDecl").filter_map(parameter).collect();
    let variadic = tree["variadic"].as_bool().unwrap_or(false);
    Some(Declaration { result, parameters, variadic })
}

/// The type of the result of a function type: all but the last list in parentheses.
fn result_type(whole: &str) -> Option<String> {
    let mut depth = 0;
    for (at, c) in whole.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 && c == '(' {
            return Some(whole[..at].trim().to_string());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_in_words() {
        assert_eq!(result_type("int (struct s *, void (*)(int))").as_deref(), Some("int"));
        assert_eq!(result_type("char *(void)").as_deref(), Some("char *"));
        assert_eq!(pointee("int *restrict"), Some("int"));
        assert_eq!(pointee("char **"), Some("char *"));
        assert_eq!(pointee("void (*)(int)"), None);
        assert_eq!(pointee("long"), None);
        assert!(is_constant("const char") && is_constant("char *const"));
        assert!(!is_constant("const char *") && !is_constant("struct constant"));
        assert_eq!(declared("char *", "p"), "char *p");
        assert_eq!(declared("int (*)(int)", "f"), "__typeof__(int (*)(int)) f");
    }
}
