//! The macro that stands in a starter where the learner's code will be.

/// Refuses with the task's id, the function's name and the line, and borrows the arguments so that no lint asks for `_`.
///
/// ```
/// fn twice(x: f32) -> kit::Result<f32> {
///     kit::stub!("1.1.1", x)
/// }
/// assert!(twice(1.0).unwrap_err().to_string().starts_with("not implemented: task 1.1.1, "));
/// ```
#[macro_export]
macro_rules! stub {
    ($task:literal $(, $argument:expr)* $(,)?) => {{
        $(let _ = &$argument;)*
        fn here() {}
        Err($crate::Error::NotImplemented {
            task: $task.to_string(),
            item: std::any::type_name_of_val(&here).trim_end_matches("::here").to_string(),
            at: format!("{}:{}", file!(), line!()),
        })
    }};
}
