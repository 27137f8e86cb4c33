#!/bin/sh
# Installs Trifold: one file for this system, downloaded, its checksum verified, put into a directory of yours.
# Needs curl or wget, and sha256sum, shasum or openssl. Settings, all optional:
#   TRIFOLD_VERSION      such as 0.1.0; else the newest
#   TRIFOLD_INSTALL_DIR  where the program goes; else ~/.local/bin
#   TRIFOLD_DOWNLOADS    address of a folder with the files of one release
set -eu

# The release puts its own repository here.
repository='@REPOSITORY@'

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

platform() {
  system=$(uname -s)
  machine=$(uname -m)
  case $system in
  Linux)
    name=linux
    # Alpine and its like: the program is linked against glibc.
    if has ldd && ldd --version 2>&1 | grep -qi musl; then
      fail "Cannot install for musl: Trifold needs glibc here; run it from source instead"
    fi
    ;;
  Darwin)
    name=macos
    # A shell under Rosetta says x86_64 on Apple's own processors.
    if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || :)" = 1 ]; then machine=arm64; fi
    ;;
  MINGW* | MSYS* | CYGWIN*) fail "Cannot install for Windows: install.ps1 does that" ;;
  *) fail "Cannot install for $system: there are files for Linux, macOS and Windows" ;;
  esac
  case $machine in
  x86_64 | amd64) say "$name-x64" ;;
  aarch64 | arm64) say "$name-arm64" ;;
  *) fail "Cannot install for $machine: there are files for x64 and arm64" ;;
  esac
}

downloads() {
  if [ -n "${TRIFOLD_DOWNLOADS-}" ]; then
    say "${TRIFOLD_DOWNLOADS%/}"
    return
  fi
  case $repository in
  @*) fail "Cannot download: this copy belongs to no release; TRIFOLD_DOWNLOADS names an address" ;;
  esac
  base=https://github.com/$repository/releases
  if [ -n "${TRIFOLD_VERSION-}" ]; then
    say "$base/download/v${TRIFOLD_VERSION#v}"
  else
    say "$base/latest/download"
  fi
}

# download ADDRESS FILE
download() {
  if has curl; then
    curl -fsSL --retry 2 -o "$2" "$1"
  elif has wget; then
    wget -q -O "$2" "$1"
  else
    fail "Cannot download: neither curl nor wget is there"
  fi || fail "Cannot download $1"
}

checksum() {
  if has sha256sum; then
    sum=$(sha256sum "$1")
  elif has shasum; then
    sum=$(shasum -a 256 "$1")
  elif has openssl; then
    sum=$(openssl dgst -sha256 -r "$1")
  else
    fail "Cannot verify the download: none of sha256sum, shasum and openssl is there"
  fi
  say "${sum%% *}"
}

main() {
  file=trifold-$(platform)
  from=$(downloads)
  if [ -n "${TRIFOLD_INSTALL_DIR-}" ]; then
    directory=$TRIFOLD_INSTALL_DIR
  else
    [ -n "${HOME-}" ] || fail "Cannot install: HOME is not set; TRIFOLD_INSTALL_DIR names a directory"
    directory=$HOME/.local/bin
  fi
  mkdir -p "$directory" 2>/dev/null && [ -w "$directory" ] ||
    fail "Cannot write to $directory: TRIFOLD_INSTALL_DIR names another directory"

  # In the same directory, so that it is put in place in one step.
  made=$directory/.trifold-$$
  trap 'rm -f "$made" "$made.sums"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  say "downloading $file from $from"
  download "$from/SHA256SUMS" "$made.sums"
  expected=
  while read -r sum name; do
    if [ "${name#\*}" = "$file" ]; then expected=$sum; fi
  done <"$made.sums"
  [ -n "$expected" ] || fail "Cannot verify $file: SHA256SUMS does not name it"
  download "$from/$file" "$made"
  found=$(checksum "$made")
  [ "$found" = "$expected" ] ||
    fail "Refused $file: its checksum is $found, and SHA256SUMS says $expected. Nothing was installed"
  chmod 755 "$made"
  mv -f "$made" "$directory/trifold"

  say "installed $directory/trifold"
  case :${PATH-}: in
  *:"$directory":*) say "next: trifold" ;;
  *)
    say "next: $directory/trifold"
    say "$directory is not in PATH; this line in your shell's profile puts it there:"
    say "  export PATH=\"$directory:\$PATH\""
    ;;
  esac
}

# At the very end: a script that was cut off on its way into a shell does nothing.
main
