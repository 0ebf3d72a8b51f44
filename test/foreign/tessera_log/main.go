// A Tessera log on files whose checkpoints are witnessed before they are published. It adds entries
// from standard input, one a line, and prints the checkpoint that covers each, as one line of JSON.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"os"
	"time"

	"github.com/transparency-dev/tessera"
	"github.com/transparency-dev/tessera/storage/posix"
	"golang.org/x/mod/sumdb/note"
	"k8s.io/klog/v2"
)

type added struct {
	Index      uint64 `json:"index"`
	Checkpoint string `json:"checkpoint"`
}

func main() {
	dir := flag.String("dir", "", "folder of the log")
	key := flag.String("key", "", "private key of its checkpoints, as package note writes it")
	policyFile := flag.String("policy", "", "file of the policy of witnesses")
	flag.Parse()
	ctx := context.Background()

	signer, err := note.NewSigner(*key)
	check(err)
	policy, err := os.ReadFile(*policyFile)
	check(err)
	witnesses, err := tessera.NewWitnessGroupFromPolicy(policy)
	check(err)
	driver, err := posix.New(ctx, posix.Config{Path: *dir})
	check(err)
	options := tessera.NewAppendOptions().
		WithCheckpointSigner(signer).
		WithCheckpointInterval(100*time.Millisecond).
		WithBatching(1, 10*time.Millisecond).
		WithWitnesses(witnesses, nil)
	appender, shutdown, reader, err := tessera.NewAppender(ctx, driver, options)
	check(err)

	awaiter := tessera.NewPublicationAwaiter(ctx, reader.ReadCheckpoint, 10*time.Millisecond)
	out := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		future := appender.Add(ctx, tessera.NewEntry([]byte(lines.Text())))
		index, checkpoint, err := awaiter.Await(ctx, future)
		check(err)
		check(out.Encode(added{Index: index.Index, Checkpoint: string(checkpoint)}))
	}
	check(lines.Err())
	check(shutdown(ctx))
}

func check(err error) {
	if err != nil {
		klog.Exit(err)
	}
}
