#!/usr/bin/env bash
# A policy (C2SP tlog-policy) names witnesses by keys of a type that tlog-cosignature has, and that is
# ML-DSA-44 (06), too, which it recommends for new witnesses. omniwitness makes such keys
# (`generate_keys -mldsa`). Tessera 1.0.4, by the same makers, refuses a whole policy with one of them, even
# where the quorum is reached without it; so a log on Tessera cannot be witnessed by both kinds.
# Seen with Go 1.26. Fails if this changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
export GOFLAGS=-mod=mod
go mod init seen >init.txt 2>&1
go get github.com/transparency-dev/tessera@v1.0.4 >get.txt 2>&1
makes=github.com/transparency-dev/witness/cmd/generate_keys@v0.0.0-20260720115447-2e1c6971d19e
GOFLAGS='' go run "$makes" -origin w.example/one -out_priv one -out_pub one.pub 2>>get.txt
GOFLAGS='' go run "$makes" -mldsa -origin w.example/two -out_priv two -out_pub two.pub 2>>get.txt
cat >seen.go <<'GO'
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/transparency-dev/tessera"
)

func main() {
	for _, witnesses := range []string{"one", "one two"} {
		policy := ""
		for _, name := range strings.Fields(witnesses) {
			key, _ := os.ReadFile(name + ".pub")
			policy += fmt.Sprintf("witness %s %s https://w.example\n", name, strings.TrimSpace(string(key)))
		}
		_, err := tessera.NewWitnessGroupFromPolicy([]byte(policy + "quorum one\n"))
		reason := "is read"
		if err != nil {
			reason = err.Error()
			reason = reason[strings.LastIndex(reason, ": ")+2:]
		}
		fmt.Printf("%s: %s\n", witnesses, reason)
	}
}
GO
seen=$(go run seen.go)
printf '%s\n' "$seen"
expected=$(cat <<'TEXT'
one: is read
one two: unknown verifier algorithm
TEXT
)
[ "$seen" = "$expected" ] || { printf 'this has changed; it was:\n%s\n' "$expected"; exit 1; }
