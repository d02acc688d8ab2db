//! What a request is told when it cannot be answered: a status and a body in the form that OpenAI's clients read.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

/// A sentence, and what a program needs to know of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The status of the answer.
    pub status: StatusCode,
    /// For people: the offending value and what to do.
    pub message: String,
    /// The field that is meant.
    pub field: Option<String>,
    /// A name for programs.
    pub code: &'static str,
    /// Seconds after which to ask again.
    pub retry_after: Option<u32>,
}

/// What handlers return.
pub type Answer<T> = std::result::Result<T, Fault>;

impl Fault {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, message: message.into(), field: None, code, retry_after: None }
    }

    /// A field whose value will not do.
    pub fn field(name: &str, message: impl Into<String>) -> Self {
        Self { field: Some(name.to_string()), ..Self::new(StatusCode::BAD_REQUEST, "invalid_value", message) }
    }

    /// A body that is no request.
    pub fn body(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_body", message)
    }

    /// A text that outgrows the model's positions.
    pub fn too_long(message: impl Into<String>) -> Self {
        Self { code: "context_length_exceeded", ..Self::field("max_tokens", message) }
    }

    /// Something that is not here.
    pub fn not_found(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, message)
    }

    /// A status of its own.
    pub fn of(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self::new(status, code, message)
    }

    /// The queue is full, which passes.
    pub fn busy(message: impl Into<String>) -> Self {
        Self { retry_after: Some(1), ..Self::new(StatusCode::TOO_MANY_REQUESTS, "queue_full", message) }
    }

    /// The server is about to end.
    pub fn closing() -> Self {
        let message = "the server is shutting down; ask again once it is back";
        Self { retry_after: Some(5), ..Self::new(StatusCode::SERVICE_UNAVAILABLE, "shutting_down", message) }
    }

    /// The engine failed.
    pub fn engine(why: &str) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "engine_failed", format!("the engine has failed: {why}"))
    }

    /// The body.
    pub fn json(&self) -> Value {
        let kind = match self.status.as_u16() {
            401 => "authentication_error",
            429 => "rate_limit_error",
            500.. => "server_error",
            _ => "invalid_request_error",
        };
        json!({ "error": { "message": self.message, "type": kind, "param": self.field, "code": self.code } })
    }
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        let mut response = crate::routes::json(self.status, &self.json());
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}
