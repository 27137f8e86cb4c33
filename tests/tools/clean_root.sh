#!/bin/sh
# The one file in a system with nothing installed: a fresh Debian root, the executable copied in, a person without
# rights, and a session in a pseudo-terminal. Run by hand, as root; CONTRIBUTING.md says how.
#   tests/tools/clean_root.sh [EXECUTABLE]      else dist/trifold, else dist/trifold-portable
#   CLEAN_ROOT=DIRECTORY    a root made before, used again; else one is made with debootstrap and removed
set -eu

fail() {
  printf 'clean_root.sh: %s\n' "$*" >&2
  exit 1
}

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
executable=${1-}
for built in "$project/dist/trifold" "$project/dist/trifold-portable"; do
  if [ -z "$executable" ] && [ -f "$built" ]; then executable=$built; fi
done
[ -f "$executable" ] || fail "no executable: deno task compile --portable makes one"
[ "$(id -u)" = 0 ] || fail "chroot needs root"

made=
root=${CLEAN_ROOT-}
if [ -z "$root" ]; then
  command -v debootstrap >/dev/null || fail "debootstrap is not installed; CLEAN_ROOT names a root instead"
  made=$(mktemp -d)
  root=$made/root
  debootstrap --variant=minbase stable "$root" >"$made/log" 2>&1 || fail "debootstrap failed: $(tail -n 3 "$made/log")"
fi
trap 'umount "$root/proc" "$root/dev/pts" 2>/dev/null || :; [ -z "$made" ] || rm -rf "$made"' EXIT
trap 'exit 130' INT TERM HUP
for program in deno node npm; do
  if chroot "$root" sh -c "command -v $program" >/dev/null; then fail "$program is in $root: it is not clean"; fi
done

# A person without rights, with nothing in the home directory.
chroot "$root" sh -c 'id person >/dev/null 2>&1 || useradd --uid 4242 --no-create-home person'
rm -rf "$root/home/person" "$root/tmp/trifold-4242"
install -d -o 4242 -m 700 "$root/home/person" "$root/home/person/project"
install -m 755 "$executable" "$root/usr/local/bin/trifold"
install -m 644 "$project/testdata/first-turn/events.jsonl" "$root/srv/session.jsonl"
install -m 755 "$here/clean_root_agent.sh" "$root/srv/agent.sh"
mount -t proc proc "$root/proc"
# Where programs find the pseudo-terminal by name.
mount -t devpts devpts "$root/dev/pts" 2>/dev/null || :

deno run -A --no-check "$here/clean_root.ts" "$root"
