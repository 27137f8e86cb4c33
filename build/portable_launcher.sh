#!/bin/sh
# Runs the program that stands beside this file. Deno's own files stay here as well; what the person had in DENO_DIR
# is handed on, for programs that Trifold starts.
home=${0%/*}
export TRIFOLD_DENO_DIR="${DENO_DIR-}" DENO_DIR="$home/deno_dir" DENO_NO_UPDATE_CHECK=1
exec "$home/deno" run @FLAGS@ "$home/app/main.mjs" "$@"
