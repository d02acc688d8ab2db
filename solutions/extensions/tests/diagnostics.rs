//! The compiler's words, as the build script shows them.

#[path = "../build/diagnostics.rs"]
mod diagnostics;

const SAID: &str = "\
a.cpp: In instantiation of 'void f(T*) [with T = float]':
a.cpp:45:25:   required from here
a.cpp:28:7: warning: unused variable 'y' [-Wunused-variable]
   28 |   int y = 3;
      |       ^
a.cpp:30:14: error: 'sumz' was not declared in this scope
   30 |   store(out, sumz[0]);
      |              ^~~~
a.cpp:8:1: note: a note about it
a.cpp: In instantiation of 'void f(T*) [with T = Float16]':
a.cpp:45:25:   required from here
a.cpp:28:7: warning: unused variable 'y' [-Wunused-variable]
   28 |   int y = 3;
      |       ^
a.cpp:30:14: error: 'sumz' was not declared in this scope
   30 |   store(out, sumz[0]);
      |              ^~~~
a.cpp:8:1: note: a note about it
";

#[test]
fn a_message_is_shown_once_with_its_place_its_code_and_its_notes() {
    let half: String = SAID.split_inclusive('\n').take(9).collect();
    assert_eq!(diagnostics::once(SAID, false), half);
}

#[test]
fn beside_an_error_there_are_no_warnings() {
    let error: String = SAID.split_inclusive('\n').skip(5).take(4).collect();
    assert_eq!(diagnostics::once(SAID, true), error);
}
