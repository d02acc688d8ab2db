//! The addresses of the server: HTTP requests in, answers out. Who may ask is decided before anything is read.

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{DefaultBodyLimit, FromRequest, Path, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

use crate::{
    answers,
    fault::{Answer, Fault},
    job::{Job, Wording},
    site::Site,
};

/// A body that takes longer to arrive is given up.
const BODY_TIME: Duration = Duration::from_secs(30);

/// The chat page, all in one file.
const PAGE: &str = include_str!("page.html");

/// The page loads nothing from elsewhere, and no other site may show it.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
    connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Every address.
pub fn router(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/health", get(health))
        .route("/metrics", get(metrics))
        .route("/v1/models", get(models))
        .route("/v1/models/{model}", get(model))
        .route("/v1/completions", post(completions))
        .route("/v1/chat/completions", post(chat_completions))
        .fallback(nowhere)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(site.body_limit))
        .layer(middleware::from_fn_with_state(Arc::clone(&site), door))
        .with_state(site)
}

/// A JSON answer.
pub fn json(status: StatusCode, value: &Value) -> Response {
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (status, kind, value.to_string()).into_response()
}

/// Before all addresses: who asks, and what is counted.
async fn door(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let path = known_path(request.uri().path());
    let open = matches!(path, "/" | "/health");
    let response = match may_ask(&site, request.headers(), open) {
        Err(fault) => fault.into_response(),
        Ok(()) if site.is_closing() && request.method() == Method::POST => Fault::closing().into_response(),
        Ok(()) => next.run(request).await,
    };
    site.metrics.request(path, response.status().as_u16());
    response
}

/// The address as it is counted: whatever is asked for elsewhere must not fill the memory.
fn known_path(path: &str) -> &'static str {
    match path {
        "/" => "/",
        "/health" => "/health",
        "/metrics" => "/metrics",
        "/v1/completions" => "/v1/completions",
        "/v1/chat/completions" => "/v1/chat/completions",
        _ if path.starts_with("/v1/models") => "/v1/models",
        _ => "other",
    }
}

/// With a key: whoever has it. Without one: only programs of this machine, and no page of another site whose name leads here.
fn may_ask(site: &Site, headers: &HeaderMap, open: bool) -> Answer<()> {
    let Some(key) = &site.key else {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        if is_loopback(host) {
            return Ok(());
        }
        let message = format!(
            "the host is {host:?}, but without a key this server answers to localhost alone; \
             start it with TINY_LLM_API_KEY to be asked by other names"
        );
        return Err(Fault::of(StatusCode::FORBIDDEN, "wrong_host", message));
    };
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let given = given.strip_prefix("Bearer ").or(given.strip_prefix("bearer ")).unwrap_or_default();
    if open || is_same(given.as_bytes(), key.as_bytes()) {
        return Ok(());
    }
    let message = match given {
        "" => "this server asks for its key; send it as Authorization: Bearer KEY",
        _ => "the key in Authorization is not this server's (TINY_LLM_API_KEY where it was started)",
    };
    Err(Fault::of(StatusCode::UNAUTHORIZED, "invalid_api_key", message))
}

/// Whether a Host header names this machine by itself.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let address = name.parse::<std::net::IpAddr>();
    name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// Compares all bytes whatever they are, so that the time says nothing of the key.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let differences = a.iter().zip(b).fold(0, |seen, (a, b)| seen | (a ^ b));
    a.len() == b.len() && std::hint::black_box(differences) == 0
}

async fn page() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, PAGE_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, PAGE).into_response()
}

async fn health(State(site): State<Arc<Site>>) -> Response {
    match site.is_closing() {
        false => json(StatusCode::OK, &json!({ "status": "ok", "model": site.model })),
        true => json(StatusCode::SERVICE_UNAVAILABLE, &json!({ "status": "shutting down", "model": site.model })),
    }
}

async fn metrics(State(site): State<Arc<Site>>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, site.metrics.text(site.load(), site.settings.pages)).into_response()
}

fn model_of(site: &Site) -> Value {
    json!({
        "id": site.model, "object": "model", "created": site.began, "owned_by": "tiny-llm",
        "max_model_len": site.room().positions,
    })
}

async fn models(State(site): State<Arc<Site>>) -> Response {
    json(StatusCode::OK, &json!({ "object": "list", "data": [model_of(&site)] }))
}

async fn model(State(site): State<Arc<Site>>, Path(name): Path<String>) -> Answer<Response> {
    if name == site.model {
        return Ok(json(StatusCode::OK, &model_of(&site)));
    }
    let message = format!("the model {name:?} is not here; this server has {:?}", site.model);
    Err(Fault::not_found("model_not_found", message))
}

async fn completions(State(site): State<Arc<Site>>, request: Request) -> Answer<Response> {
    answers::answer(&site, job(&site, request, Wording::Text).await?).await
}

async fn chat_completions(State(site): State<Arc<Site>>, request: Request) -> Answer<Response> {
    answers::answer(&site, job(&site, request, Wording::Chat).await?).await
}

/// The body of a request, checked.
async fn job(site: &Arc<Site>, request: Request, wording: Wording) -> Answer<Job> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
        let message = format!("the content type is {kind:?}, but it must be application/json");
        return Err(Fault::of(StatusCode::UNSUPPORTED_MEDIA_TYPE, "wrong_content_type", message));
    }
    let body = body(site, request).await?;
    let checking = Arc::clone(site);
    // A long text takes a while to become ids; sockets need not wait for that.
    let job = tokio::task::spawn_blocking(move || {
        Job::read(&body, wording, &checking.tokenizer, &checking.known(), checking.room())
    });
    job.await.map_err(|error| Fault::engine(&format!("the body could not be checked: {error}")))?
}

async fn body(site: &Site, request: Request<Body>) -> Answer<Bytes> {
    let most = site.body_limit;
    match tokio::time::timeout(BODY_TIME, Bytes::from_request(request, &())).await {
        Ok(Ok(body)) => Ok(body),
        Ok(Err(refused)) if refused.status() == StatusCode::PAYLOAD_TOO_LARGE => {
            let message = format!("the body has more than {most} bytes (--body-limit); send a shorter one");
            Err(Fault::of(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", message))
        }
        Ok(Err(refused)) => Err(Fault::body(format!("the body did not arrive whole: {}", refused.body_text()))),
        Err(_) => {
            let message = format!("the body did not arrive within {} seconds", BODY_TIME.as_secs());
            Err(Fault::of(StatusCode::REQUEST_TIMEOUT, "body_timeout", message))
        }
    }
}

async fn nowhere(request: Request) -> Fault {
    let path: String = request.uri().path().chars().take(60).collect();
    let message = format!(
        "there is no {path}; this server has /v1/models, /v1/completions, /v1/chat/completions, /health, /metrics and /"
    );
    Fault::not_found("unknown_url", message)
}

async fn wrong_method(request: Request) -> Fault {
    let (method, path) = (request.method().clone(), request.uri().path().to_string());
    let right = if path.ends_with("completions") { "POST" } else { "GET" };
    Fault::of(StatusCode::METHOD_NOT_ALLOWED, "wrong_method", format!("{path} answers to {right}, not to {method}"))
}
