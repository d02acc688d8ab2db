//! A C++ compiler's sentences, reworded for who writes Metal.

/// A message in Metal's names for types, without what only a C++ compiler's reader needs.
pub(super) fn in_metal(text: &str) -> String {
    let mut text =
        text.replace("_Float16", "half").replace("long unsigned int", "ulong").replace("unsigned int", "uint");
    for name in ["mh::vec<", "vec<"] {
        while let Some(start) = text.find(name) {
            let Some(length) = text[start..].find('>') else { break };
            let short = text[start + name.len()..start + length].replace([',', ' '], "");
            text.replace_range(start..start + length + 1, &short);
        }
    }
    // The other name of a type; an expression as the compiler sees it after lowering.
    let parts = [
        (" {aka ", "}", ""),
        (" (aka '", "')", ""),
        (" in '", "'", "sizetype"),
        (" '", "'", "sizetype"),
        (" [-", "]", ""),
    ];
    for (open, close, sign) in parts {
        while let Some(start) = text.find(open) {
            let Some(length) = text[start + open.len()..].find(close) else { break };
            let end = start + open.len() + length + close.len();
            if !text[start..end].contains(sign) {
                break;
            }
            text.replace_range(start..end, "");
        }
    }
    // Where a function was called is a parameter that nobody writes.
    let text = text.replace("mh::", "").replace("metal::", "").replace(", int, const char*)", ")");
    if text.contains("variable length array") {
        return "an array of variable length".to_string();
    }
    if text.starts_with("static assertion failed") {
        return text.rsplit(": ").next().unwrap_or(&text).to_string();
    }
    // g++ and clang on an assignment that the type does not have.
    let assignment = ["no match for 'operator='", "no viable overloaded '='"].iter().any(|t| text.starts_with(t));
    match text.split("operand types are '").nth(1).and_then(|t| t.trim_end_matches("')").split_once("' and '")) {
        Some((to, from)) if assignment => format!("a `{from}` cannot be assigned to a `{to}`"),
        _ => text,
    }
}

/// For errors whose text says less than Metal's programmers need.
pub(super) fn hint(text: &str) -> Option<&'static str> {
    if text.contains("read-only") || text.contains("const-qualified") || text.contains("discards qualifiers") {
        return Some("`constant` and `const` memory cannot be written; results go to a `device` pointer without const");
    }
    let converts = ["convert", "conversion", "incompatible", "operator=", "overloaded '='"];
    if text.contains("No such file") || text.contains("file not found") {
        return Some("Metal has no headers of C++: all that there is comes with <metal_stdlib>");
    }
    if text.contains("bfloat") && converts.iter().any(|word| text.contains(word)) {
        return Some("a float becomes a bfloat only where it is said: `bfloat(value)`");
    }
    if text.contains("variably modified") || text.contains("variable length array") {
        return Some("the length of an array must be a constant that the compiler knows");
    }
    let same_type = ["'max", "'min", "'clamp", "'mix", "'pow", "'fma"];
    if text.starts_with("no matching function") && same_type.iter().any(|name| text.contains(name)) {
        return Some("its arguments must have one type: `max(x, 1.0f)`, not `max(x, 1)`");
    }
    None
}
