#!/bin/sh
# Signs a bundle or program with the identity in APPLE_IDENTITY. `cargo xtask dist` calls it for each where URTO_SIGN names it.
set -eu
codesign --force --options runtime --timestamp --sign "$APPLE_IDENTITY" "$1"
