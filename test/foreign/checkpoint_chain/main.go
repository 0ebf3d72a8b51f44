// Holds checkpoints against copies of a log by the packages of Go's checksum database: each is signed
// by the log's key, and leads to the next one by a consistency proof that is made from a copy's tiles.
// Checkpoints come as a JSON array on standard input; what was found is printed as one line of JSON.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Tiles of the log's tree have 2^8 hashes (c2sp.org/tlog-tiles).
const tileHeight = 8

type tiles struct{ url string }

func (t tiles) Height() int { return tileHeight }

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	read := make([][]byte, len(wanted))
	for i, tile := range wanted {
		// The path of the checksum database names the height as well.
		path := "tile/" + strings.TrimPrefix(tile.Path(), fmt.Sprintf("tile/%d/", tileHeight))
		data, err := fetch(t.url + "/" + path)
		if err != nil {
			return nil, err
		}
		read[i] = data
	}
	return read, nil
}

func fetch(url string) ([]byte, error) {
	reply, err := http.Get(url)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, reply.Status)
	}
	return io.ReadAll(reply.Body)
}

func main() {
	if len(os.Args) < 3 {
		log.Fatal("usage: checkpoint_chain VKEY LOG_URL... < CHECKPOINTS")
	}
	verifier, err := note.NewVerifier(os.Args[1])
	check(err)
	trees := readTrees(verifier)
	if len(trees) == 0 {
		log.Fatal("there are no checkpoints")
	}
	proofs := 0
	for _, url := range os.Args[2:] {
		proofs += prove(trees, url)
	}
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"checkpoints": len(trees), "proofs": proofs, "tree_size": trees[len(trees)-1].N,
	}))
}

// Proves that each tree leads to the next one by what a copy of the log holds: how many proofs.
func prove(trees []tlog.Tree, url string) int {
	newest := trees[len(trees)-1]
	hashes := tlog.TileHashReader(newest, tiles{url})
	proofs := 0
	for i, older := range trees[:len(trees)-1] {
		newer := trees[i+1]
		if newer.N == older.N {
			if newer.Hash != older.Hash {
				log.Fatalf("two roots of size %d: %v and %v", older.N, older.Hash, newer.Hash)
			}
			continue
		}
		proof, err := tlog.ProveTree(newer.N, older.N, hashes)
		check(err)
		if err := tlog.CheckTree(proof, newer.N, newer.Hash, older.N, older.Hash); err != nil {
			log.Fatalf("size %d does not lead to size %d: %v", older.N, newer.N, err)
		}
		proofs++
	}
	return proofs
}

// The trees of signed checkpoints, the smallest one first.
func readTrees(verifier note.Verifier) []tlog.Tree {
	var texts []string
	check(json.NewDecoder(os.Stdin).Decode(&texts))
	var trees []tlog.Tree
	for _, text := range texts {
		opened, err := note.Open([]byte(text), note.VerifierList(verifier))
		check(err)
		// A checkpoint begins with the log's origin, where a tree of the checksum database has its name.
		_, rest, _ := strings.Cut(opened.Text, "\n")
		tree, err := tlog.ParseTree([]byte("go.sum database tree\n" + rest))
		check(err)
		trees = append(trees, tree)
	}
	slices.SortFunc(trees, func(a, b tlog.Tree) int { return int(a.N - b.N) })
	return trees
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
