#!/usr/bin/env bash
# Installs the Debian packages that the tests use: z3 and cvc5, two solvers that check the answers of
# Gainsay's own, and python3, in which the adapters of the book are written. Nothing else is installed
# or changed. Needs root, or sudo without a password.
#
# Without them everything works, and the tests that need them say that they were skipped.
set -euo pipefail

missing=()
for package in z3 cvc5 python3; do
  command -v "$package" > /dev/null || missing+=("$package")
done
if [ "${#missing[@]}" -eq 0 ]; then
  echo "z3, cvc5 and python3 are installed"
  exit 0
fi
if ! command -v apt-get > /dev/null; then
  echo "not installed: ${missing[*]} (there is no apt-get; use your package manager)" >&2
  exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  as_root=(sudo -n)
fi
export DEBIAN_FRONTEND=noninteractive
# The package lists of a fresh machine may be missing or old.
timeout 300 "${as_root[@]}" apt-get update -qq || true
timeout 300 "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}"
