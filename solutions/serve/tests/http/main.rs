//! The server as its clients see it: a real socket, the embedded model, OpenAI's addresses.

mod answers;
mod client;
mod guarding;
mod place;
mod stopping;
