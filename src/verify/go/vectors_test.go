package main

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// vector is one of test/vectors: what it does not name is left empty.
type vector struct {
	Message, Text, Vkey, Cosignature, Signature string
	Type                                        any
	PublicKey                                   string `json:"public_key"`
	Hex                                         string `json:"message_hex"`
	LeafHash                                    string `json:"leaf_hash"`
	RootHash                                    string `json:"root_hash"`
	FromRoot                                    string `json:"from_root"`
	ToRoot                                      string `json:"to_root"`
	Vkeys, Proof                                []string
	From, To                                    json.Number
	LeafIndex                                   json.Number `json:"leaf_index"`
	TreeSize                                    json.Number `json:"tree_size"`
}

func bytesOf(text string) []byte { data, _ := hex.DecodeString(text); return data }

func hashOf(text string) tlog.Hash {
	demand(len(text) == 64, "proof", "a hash has 32 bytes")
	return tlog.Hash(bytesOf(text))
}

func size(number json.Number) int64 {
	found, err := number.Int64()
	demand(err == nil && found >= 0 && found < 1<<53, "proof", "no size")
	return found
}

func (v vector) holds(kind string) bool {
	switch kind {
	case "ed25519":
		return verifyEd25519(bytesOf(v.Message), bytesOf(v.Signature), bytesOf(v.PublicKey))
	case "vkey":
		parseVkey(v.Vkey, kind)
		return true
	case "checkpoint":
		parseCheckpoint(v.Text, kind)
		return true
	case "cosignature":
		key := parseVkey(v.Vkey, kind)
		_, isRight := key.signedAt([]byte(v.Text), bytesOf(v.Cosignature))
		return key.isUsable(4, 6) && isRight
	case "note":
		keys := []key{}
		for _, vkey := range v.Vkeys {
			keys = append(keys, parseVkey(vkey, kind))
		}
		_, signed := openNote(v.Message+string(bytesOf(v.Hex)), keys, kind)
		return len(signed) > 0
	}
	path := []tlog.Hash{}
	for _, hash := range v.Proof {
		path = append(path, hashOf(hash))
	}
	if v.Type == "inclusion" {
		at, end := size(v.LeafIndex), size(v.TreeSize)
		return at < end && tlog.CheckRecord(path, end, hashOf(v.RootHash), at, hashOf(v.LeafHash)) == nil
	}
	from, to := size(v.From), size(v.To)
	return 0 < from && from <= to &&
		tlog.CheckTree(path, to, hashOf(v.ToRoot), from, hashOf(v.FromRoot)) == nil
}

func TestVectors(t *testing.T) {
	files, _ := filepath.Glob("../../../test/vectors/*/*valid/*.json")
	read := 0
	for _, file := range files {
		folder := filepath.Dir(file)
		kind := filepath.Base(filepath.Dir(folder))
		if kind == "ark" || kind == "tlog_proof" || kind == "tree" || kind == "half_sip_hash" {
			continue
		}
		data, err := os.ReadFile(file)
		found := vector{}
		if err == nil {
			err = json.Unmarshal(data, &found)
		}
		if err != nil {
			t.Fatal(file, err)
		}
		read++
		isRight := false
		attempt(func() { isRight = found.holds(kind) })
		if isRight != (filepath.Base(folder) == "valid") {
			t.Error(file)
		}
	}
	if read < 250 {
		t.Errorf("there are %d vectors", read)
	}
}
