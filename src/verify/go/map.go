package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// The map of all ARKs (docs/map.md): its leaves, values and proofs.
const (
	mapStep = "map_proof"
	nothing = "SPARSE_MERKLE_PLACEHOLDER_HASH__"
	odd     = "not a proof of the map in its one form"
)

var states = map[byte]string{1: "registered", 2: "tombstoned", 255: "contradictory"}

type mapValue struct {
	state                            string
	version, versionLeaf, newestLeaf int64
	// When a quorum had seen the map; -1 if nobody says so.
	seen int64
}

func bit(data []byte, at int) byte { return data[at/8] >> (7 - at%8) & 1 }

func nodeHash(label string, parts ...[]byte) []byte {
	digest := sha256.Sum256(append([]byte(label), bytes.Join(parts, nil)...))
	return digest[:]
}

// checkMapProof gives the value of an ARK in the map of a root; nil if a proof shows that it has none.
func checkMapProof(ark string, proof, root []byte) *mapValue {
	key := nodeHash("", []byte(ark))
	demand(len(proof) > 1 && proof[0] < 3 && proof[1] <= 128, mapStep, odd)
	kind, depth := proof[0], int(proof[1])
	width := (depth + 7) / 8
	demand(len(proof) >= 2+width, mapStep, odd)
	bitmap, rest, siblings := proof[2:2+width], proof[2+width:], make([][]byte, depth)
	for level := range 8 * width {
		isThere := bit(bitmap, level) == 1
		isPlain := level < depth-1 || isThere == (level == depth-1)
		demand(isPlain && (!isThere || len(rest) >= 32), mapStep, odd)
		if isThere {
			siblings[level], rest = rest[:32], rest[32:]
		} else if level < depth {
			siblings[level] = []byte(nothing)
		}
	}
	demand(len(rest) == []int{54, 64, 0}[kind], mapStep, odd)
	node := []byte(nothing)
	switch kind {
	case 0:
		node = nodeHash("JMT::LeafNode", key, nodeHash("", rest))
	case 1:
		isBeside := !bytes.Equal(rest[:32], key)
		for level := range depth {
			isBeside = isBeside && bit(rest, level) == bit(key, level)
		}
		demand(isBeside, mapStep, odd)
		node = nodeHash("JMT::LeafNode", rest)
	}
	for level := depth - 1; level >= 0; level-- {
		left, right := node, siblings[level]
		if bit(key, level) == 1 {
			left, right = right, left
		}
		node = nodeHash("JMT::IntrnalNode", left, right)
	}
	demand(bytes.Equal(node, root), mapStep, "the proof does not lead to the root of the map")
	if kind != 0 {
		return nil
	}
	state, isKnown := states[rest[1]]
	demand(rest[0] == 1 && isKnown, mapStep, "a value of the map has not its right form")
	number := func(start, end int) int64 {
		return int64(binary.BigEndian.Uint64(append(make([]byte, 8-end+start), rest[start:end]...)))
	}
	return &mapValue{state, number(2, 6), number(6, 12), number(12, 18), -1}
}

// contradiction is what no right map says of an ARK of which it covers a statement; empty if both
// agree.
func (v *mapValue) contradiction(kind string, version, index int64) string {
	switch isOf := kind == "registered"; {
	case v == nil:
		return "the map denies an ARK of which it covers a statement"
	case v.newestLeaf < index:
		return "the map leaves out a statement that it covers"
	case v.state == "contradictory":
		return ""
	case isOf && v.version < version:
		return fmt.Sprintf("the map says version %d, and covers %d", v.version, version)
	case kind == "tombstoned" && v.state != "tombstoned":
		return "the map hides a withdrawal"
	case isOf && v.version == version && v.versionLeaf != index:
		return "the map names another entry for this version"
	}
	return ""
}

// checkMap gives what the map that ends the tree of a head has of the ARK of an entry it covers.
func (e signedEntry) checkMap(told object, head checkpoint) *mapValue {
	text := told["map_leaf"].(string)
	lines := append(strings.Split(text, "\n"), "", "", "", "")
	root := unbase64(lines[4])
	isLeaf := strings.Count(text, "\n") == 5 && lines[0] == "arklog-map/v1" && lines[5] == ""
	isLeaf = isLeaf && nameForm.MatchString(lines[1]) && min(numberOf(lines[2]), numberOf(lines[3])) >= 0
	demand(isLeaf && len(root) == 32, mapStep, "not a map leaf")
	isLast := lines[1] == head.origin && numberOf(lines[2]) == head.size-1
	isLast = isLast && tlog.CheckRecord(unhexAll(told["inclusion_proof"]), head.size, head.root,
		head.size-1, tlog.RecordHash([]byte(text))) == nil
	demand(isLast, mapStep, "the map leaf is not the last entry of the checkpoint")
	value := checkMapProof(e.statement["ark"].(string), unbase64(told["proof"].(string)), root)
	version, index := countOf(e.statement["version"]), countOf(e.proof["leaf_index"])
	lie := value.contradiction(e.statement["statement"].(string), version, index)
	demand(lie == "", mapStep, lie)
	isKnown := value.state == "contradictory" || version <= value.version
	demand(isKnown, mapStep, fmt.Sprintf("the map says version %d, and covers %d", value.version, version))
	return value
}
