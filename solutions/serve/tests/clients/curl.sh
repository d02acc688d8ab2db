#!/bin/sh
# The server as curl sees it. Argument: the address, such as http://127.0.0.1:8000.
set -eu
base=$1
json='content-type: application/json'

says() { # what, expected piece, answer
    case $3 in
    *"$2"*) echo "fine: $1" ;;
    *) echo "$1: $2 is not in $3" >&2; exit 1 ;;
    esac
}

says models '"id":"tiny"' "$(curl -sS "$base/v1/models")"
body='{"model":"tiny","prompt":"The KV cache","max_tokens":8,"temperature":0}'
says completion '"finish_reason":"length"' "$(curl -sS "$base/v1/completions" -H "$json" -d "$body")"
body='{"model":"tiny","messages":[{"role":"user","content":"Hello"}],"max_tokens":8,"temperature":0,"stream":true}'
says stream 'data: [DONE]' "$(curl -sSN "$base/v1/chat/completions" -H "$json" -d "$body")"
says 'a form instead of JSON' 'must be application/json' "$(curl -sS "$base/v1/completions" -d 'prompt=a')"
says health '"status":"ok"' "$(curl -sS "$base/health")"
says metrics 'tiny_llm_pages_live 0' "$(curl -sS "$base/metrics")"
says page '<title>Tiny LLM</title>' "$(curl -sS "$base/")"
status=$(curl -sS -o /dev/null -w '%{http_code}' "$base/v1/nothing")
says 'an unknown address' 404 "$status"
echo "all fine"
