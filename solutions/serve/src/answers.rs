//! From a job to its answer: all at once, or as a stream of events.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use kit::serving::News;
use std::{collections::VecDeque, convert::Infallible, sync::Arc};

use crate::{
    fault::{Answer, Fault},
    job::Job,
    routes,
    site::Site,
    ticket::{Ticket, Told},
    wording::{Choice, DrawnToken, Words, usage},
};

/// Answers a job as it asks for it. Errors: as [`Ticket::take`] and, without a stream, [`Ticket::next`].
pub async fn answer(site: &Arc<Site>, job: Job) -> Answer<Response> {
    let ticket = Ticket::take(site, &job).await?;
    let answering = Answering::of(ticket, job, site);
    if answering.job.settings.stream { Ok(answering.stream()) } else { answering.whole().await }
}

/// An answer on its way.
struct Answering {
    ticket: Ticket,
    job: Job,
    site: Arc<Site>,
    words: Words,
    /// Characters of each choice so far.
    lengths: Vec<usize>,
    /// Tokens of all choices so far.
    tokens: usize,
    /// Events that are to be sent.
    pending: VecDeque<String>,
    ended: bool,
}

impl Answering {
    fn of(ticket: Ticket, job: Job, site: &Arc<Site>) -> Self {
        let words = Words::of(&job, site);
        let lengths = vec![0; job.texts()];
        Self { ticket, job, site: Arc::clone(site), words, lengths, tokens: 0, pending: VecDeque::new(), ended: false }
    }

    /// The text of a token, and the token where log probabilities are told.
    fn heard(&mut self, index: usize, news: News) -> (String, Option<DrawnToken>) {
        let News::Token { token, text, logprobs, .. } = news else { return (String::new(), None) };
        self.tokens += 1;
        let offset = self.lengths[index];
        self.lengths[index] += text.chars().count();
        (text, logprobs.map(|logprobs| DrawnToken { token, offset, logprobs }))
    }

    async fn whole(mut self) -> Answer<Response> {
        let mut choices = vec![Choice::default(); self.job.texts()];
        while let Some((index, told)) = self.ticket.next().await? {
            match told {
                Told::Token(news) => {
                    let (text, drawn) = self.heard(index, news);
                    choices[index].text.push_str(&text);
                    choices[index].drawn.extend(drawn);
                }
                Told::End(reason) => choices[index].finish = reason,
            }
        }
        let usage = usage(self.job.prompt_tokens(), self.tokens);
        Ok(routes::json(StatusCode::OK, &self.words.whole(&choices, usage, &self.site.tokenizer)))
    }

    fn stream(mut self) -> Response {
        let openings = (0..self.job.texts()).filter_map(|index| self.words.opening(index));
        self.pending = openings.map(|piece| piece.to_string()).collect();
        let events = futures_util::stream::unfold(self, |mut answering| async move {
            let data = answering.next_event().await?;
            Some((Ok::<_, Infallible>(Event::default().data(data)), answering))
        });
        let mut response = Sse::new(events).keep_alive(KeepAlive::default()).into_response();
        // A proxy in between must not collect the pieces.
        response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        response
    }

    /// The data of the next event; `None` behind the last.
    async fn next_event(&mut self) -> Option<String> {
        while self.pending.is_empty() && !self.ended {
            match self.ticket.next().await {
                Ok(Some((index, Told::Token(news)))) => {
                    let (text, drawn) = self.heard(index, news);
                    if !text.is_empty() || drawn.is_some() {
                        let drawn: Vec<DrawnToken> = drawn.into_iter().collect();
                        let piece = self.words.text(index, &text, &drawn, &self.site.tokenizer);
                        self.pending.push_back(piece.to_string());
                    }
                }
                Ok(Some((index, Told::End(reason)))) => {
                    self.pending.push_back(self.words.end(index, reason).to_string());
                }
                Ok(None) => {
                    if self.job.settings.include_usage {
                        let usage = usage(self.job.prompt_tokens(), self.tokens);
                        self.pending.push_back(self.words.usage(usage).to_string());
                    }
                    self.pending.push_back("[DONE]".into());
                    self.ended = true;
                }
                Err(fault) => self.fail(&fault),
            }
        }
        self.pending.pop_front()
    }

    /// The status is sent already, so the fault is the last event.
    fn fail(&mut self, fault: &Fault) {
        self.pending.push_back(fault.json().to_string());
        self.ended = true;
    }
}
