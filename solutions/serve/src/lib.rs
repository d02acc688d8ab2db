//! An HTTP server over the engine of Week 3, with OpenAI's addresses.
//!
//! In: requests on a socket. Out: text, whole or as it comes. A request flows through the files in this order: `routes`
//! looks at who asks; `job`, `settings` and `fields` turn a body into checked work, or into a `fault`; `ticket` hands it to
//! the engine, which `engine_room` keeps on a thread of its own; `answers` and `wording` turn its news into what is sent.
//! `site` is what all requests share, `metrics` what is counted, `server` the life from start to stop;
//! `load_test` is the other side, a crowd of clients.

mod answers;
mod engine_room;
mod fault;
mod fields;
mod job;
pub mod load_test;
mod message;
mod metrics;
mod routes;
pub mod server;
mod settings;
mod site;
mod ticket;
mod wording;

pub use engine_room::EngineRoom;
