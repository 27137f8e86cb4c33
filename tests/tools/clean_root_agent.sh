#!/bin/sh
# An agent for the clean root, where there is neither Node nor Deno: pod JSONL in plain shell. Says what it is told.
say() { printf '{"event":"%s","data":%s}\n' "$1" "$2"; }

turn=0
say hello '{"protocol":"pod-jsonl","version":1,"agent":"shell","capabilities":[]}'
say history '{"session_id":"shell","status":"idle","greeting":{"pod_name":"shell","cwd":"/srv"}}'
while read -r line; do
  case $line in
  *'"method":"run"'*)
    turn=$((turn + 1))
    text=$(printf '%s\n' "$line" | sed 's/.*"input":"\([^"]*\)".*/\1/')
    id=$(printf '%s\n' "$line" | sed -n 's/.*"message_id":"\([^"]*\)".*/\1/p')
    say user_message "{\"message_id\":\"$id\",\"text\":\"$text\",\"kind\":\"run\"}"
    say turn_start "{\"turn\":$turn}"
    say text_done "{\"text\":\"the shell heard: $text\"}"
    say turn_end "{\"turn\":$turn,\"result\":\"finished\",\"requests\":0}"
    ;;
  *'"method":"shutdown"'*)
    say shutdown '{"reason":"requested"}'
    exit 0
    ;;
  esac
done
