#!/bin/sh
# Trifold @VERSION@, portable, for @PLATFORM@: this head, then the program and Deno, both compressed. They unpack once
# into $XDG_CACHE_HOME/trifold/@HASH@ and run from there. That directory may be removed when nothing of it runs.

fail() {
  printf 'trifold: %s\n' "$1" >&2
  exit 1
}

elsewhere="XDG_CACHE_HOME=DIRECTORY names another place"
case ${XDG_CACHE_HOME-} in
/*) cache=$XDG_CACHE_HOME/trifold ;;
*)
  case ${HOME-} in
  /*) cache=$HOME/@CACHE@/trifold ;;
  *) fail "Cannot unpack: neither XDG_CACHE_HOME nor HOME names a directory" ;;
  esac
  ;;
esac
home=$cache/@HASH@
if [ ! -e "$home/trifold" ]; then
  [ -r "$0" ] || fail "Cannot unpack: $0 cannot be read"
  new=$cache/.new-@HASH@-$$
  before=$(umask)
  umask 077
  mkdir -p "$cache" 2>/dev/null && mkdir "$new" 2>/dev/null ||
    fail "Cannot unpack into $cache: it cannot be written to; $elsewhere"
  trap 'rm -rf "$new"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
  { tail -c +@DENO_AT@ "$0" | gzip -dc >"$new/deno"; } 2>/dev/null ||
    fail "Cannot unpack into $cache: $0 is cut off, or the disk is full"
  chmod 0700 "$new/deno"
  [ -x "$new/deno" ] || fail "Cannot run programs from $cache: it is mounted noexec; $elsewhere"
  # Deno unpacks the rest: its rename puts all in place at once, or not at all where another start was first.
  DENO_DIR=$new/first DENO_NO_UPDATE_CHECK=1 "$new/deno" eval --quiet --no-config --no-lock '@PLACE@' \
    "$0" @APP_AT@ @APP_LENGTH@ "$new" "$home" || fail "Cannot unpack into $cache: see above"
  rm -rf "$new"
  trap - EXIT HUP INT TERM
  umask "$before"
fi
[ -x "$home/deno" ] || fail "Cannot run programs from $cache: it is mounted noexec; $elsewhere"
exec "$home/trifold" "$@"
