"""The server as the openai package sees it. Argument: the address, such as http://127.0.0.1:8000.

Prints a line for each thing that was tried and ends with an error at the first that is not as OpenAI's interface says.
"""

import sys

import openai

base = sys.argv[1]
client = openai.OpenAI(base_url=base + "/v1", api_key="not-needed", max_retries=0, timeout=120)
QUESTION = [{"role": "user", "content": "What is a KV cache?"}]


def tried(what, fine):
    assert fine, what
    print("fine:", what)


models = client.models.list()
tried("models.list", [model.id for model in models.data] == ["tiny"])
tried("models.retrieve", client.models.retrieve("tiny").id == "tiny")

whole = client.chat.completions.create(model="tiny", messages=QUESTION, temperature=0, max_completion_tokens=40)
text = whole.choices[0].message.content
tried("chat", len(text) > 20 and whole.choices[0].finish_reason in ("stop", "length"))
tried("usage", whole.usage.total_tokens == whole.usage.prompt_tokens + whole.usage.completion_tokens)

pieces = list(
    client.chat.completions.create(
        model="tiny", messages=QUESTION, temperature=0, max_completion_tokens=40, stream=True,
        stream_options={"include_usage": True},
    )
)
streamed = "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)
tried("chat, streamed: the same text", streamed == text)
tried("chat, streamed: the role first", pieces[0].choices[0].delta.role == "assistant")
tried("chat, streamed: usage last", pieces[-1].usage == whole.usage and not pieces[-1].choices)

# An answer's own message goes back as it came.
again = client.chat.completions.create(
    model="tiny", messages=QUESTION + [whole.choices[0].message, {"role": "user", "content": "Why?"}], max_tokens=5, seed=1
)
tried("a second turn", again.usage.prompt_tokens > whole.usage.prompt_tokens)

drawn = [
    client.completions.create(model="tiny", prompt="The KV cache", max_tokens=12, temperature=1.2, seed=5, n=2)
    for _ in range(2)
]
tried("completions: two choices", [choice.index for choice in drawn[0].choices] == [0, 1])
tried("completions: the same seed", [c.text for c in drawn[0].choices] == [c.text for c in drawn[1].choices])

stopped = client.completions.create(model="tiny", prompt="The KV cache", max_tokens=30, temperature=0, stop=[" "])
tried("stop", " " not in stopped.choices[0].text.lstrip() and stopped.choices[0].finish_reason == "stop")

scored = client.chat.completions.create(
    model="tiny", messages=QUESTION, max_tokens=4, temperature=0, logprobs=True, top_logprobs=3
)
content = scored.choices[0].logprobs.content
tried("logprobs", len(content) == 4 and all(t.logprob == t.top_logprobs[0].logprob <= 0 for t in content))
legacy = client.completions.create(model="tiny", prompt="The", max_tokens=3, temperature=0, logprobs=2).choices[0].logprobs
tried("logprobs of completions", len(legacy.tokens) == len(legacy.token_logprobs) == len(legacy.top_logprobs) == 3)

penalised = client.chat.completions.create(
    model="tiny", messages=QUESTION, max_tokens=8, presence_penalty=0.5, frequency_penalty=0.5, seed=2
)
tried("penalties", penalised.usage.completion_tokens <= 8)
lawful = client.completions.create(
    model="tiny", prompt="The", max_tokens=4, seed=2, extra_body={"law": "filter-first", "top_k": 5}
)
tried("the other law as an extra field", lawful.usage.completion_tokens <= 4)

for error, arguments in [
    (openai.BadRequestError, {"model": "tiny", "prompt": "a", "temperature": 9}),
    (openai.BadRequestError, {"model": "tiny", "prompt": "a", "max_tokens": 100_000}),
    (openai.NotFoundError, {"model": "huge", "prompt": "a"}),
]:
    try:
        client.completions.create(**arguments)
    except error as caught:
        tried(f"{error.__name__}: {caught.body['message']}", caught.body["code"])
    else:
        raise AssertionError(f"{arguments} was answered")

with client.completions.create(model="tiny", prompt="Once", max_tokens=900, temperature=2, stream=True) as stream:
    next(iter(stream))
tried("a stream that is left early", True)
print("all fine")
