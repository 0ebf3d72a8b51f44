// Verify checks evidence files of Arklog registries, offline.
//
//	verify [-keys svc-keys.json] [-policy FILE] FILE...
//
// Written from log/README.md and docs/evidence.md; it shares no code with the registry. Merkle trees
// are those of golang.org/x/mod/sumdb. Of each file it says proven, consistent (without
// -keys: all fits the keys that the file brings along), or refused with the step that failed. The
// exit code is 0 if all are proven, 1 if one is not, 2 if nothing could be read.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/tlog"
)

// refused is why what was given proves nothing: the step that failed, and a sentence.
type refused struct{ step, why string }

func (r refused) String() string { return r.step + ": " + r.why }

func demand(isRight bool, step, why string) {
	if !isRight {
		panic(refused{step, why})
	}
}

// attempt does what may be refused, and gives why it was; nil if it was not.
func attempt(work func()) (found *refused) {
	defer func() {
		if value := recover(); value != nil {
			why, isRefused := value.(refused)
			if !isRefused {
				panic(value)
			}
			found = &why
		}
	}()
	work()
	return nil
}

// Ed25519, strict as log/README.md has it: what the package forgives is refused before.
var fieldPrime, _ = new(big.Int).SetString("7"+strings.Repeat("f", 61)+"ed", 16)
var smallOrder = []string{"00", "01",
	"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffec",
	"05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826",
	"7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7"}

func isStrictPoint(point []byte) bool {
	if len(point) != 32 {
		return false
	}
	y := slices.Clone(point)
	slices.Reverse(y)
	y[0] &= 0x7f
	number := new(big.Int).SetBytes(y)
	return number.Cmp(fieldPrime) < 0 && !slices.ContainsFunc(smallOrder, func(small string) bool {
		other, _ := new(big.Int).SetString(small, 16)
		return number.Cmp(other) == 0
	})
}

func verifyEd25519(message, signature, key []byte) bool {
	return len(signature) == 64 && isStrictPoint(key) && isStrictPoint(signature[:32]) &&
		ed25519.Verify(key, message, signature)
}

// Notes, keys and checkpoints (C2SP signed-note, tlog-checkpoint, tlog-cosignature).
type key struct {
	name   string
	id     uint32
	kind   byte
	public []byte
}

var keyBytes = map[byte]int{1: 32, 4: 32, 6: 1312}
var vkeyForm = regexp.MustCompile(`^([^+]*)\+([0-9a-f]{8})\+(.*)$`)
var nameForm = regexp.MustCompile(`^[^\s\x00-\x20+\x7f-\x{9f}\p{Z}\x{feff}]+$`)

func unbase64(text string) []byte {
	data, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || base64.StdEncoding.EncodeToString(data) != text {
		return nil
	}
	return data
}

func parseVkey(vkey, step string) key {
	found := append(vkeyForm.FindStringSubmatch(vkey), "", "", "", "")
	data := unbase64(found[3])
	demand(nameForm.MatchString(found[1]) && len(data) > 1, step, "not a verifier key")
	digest := sha256.Sum256(append([]byte(found[1]+"\n"), data...))
	size := keyBytes[data[0]]
	isWhole := len(data)-1 == size && hex.EncodeToString(digest[:4]) == found[2]
	demand(isWhole || size == 0, step, "not a verifier key: its id does not match")
	id, _ := strconv.ParseUint(found[2], 16, 32)
	return key{found[1], uint32(id), data[0], data[1:]}
}

func (k key) isUsable(kinds ...byte) bool {
	return slices.Contains(kinds, k.kind) && (k.kind == 6 || isStrictPoint(k.public))
}

// signedAt is when the key has signed a text, 0 if it says no time, and whether it has.
func (k key) signedAt(text, signature []byte) (int64, bool) {
	if k.kind == 1 {
		return 0, verifyEd25519(text, signature, k.public)
	}
	if len(signature) < 8 || binary.BigEndian.Uint64(signature) >= 1<<53 {
		return 0, false
	}
	seconds, signature := binary.BigEndian.Uint64(signature), signature[8:]
	if k.kind == 4 {
		message := fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", seconds, text)
		return int64(seconds), seconds > 0 && verifyEd25519(message, signature, k.public)
	}
	lines := append(strings.Split(string(text), "\n"), "", "")
	size, root := numberOf(lines[1]), unbase64(lines[2])
	if len(lines) != 6 || lines[3] != "" || size < 0 || len(root) != 32 || lines[0] == "" ||
		len(lines[0]) > 255 || len(k.name) > 255 {
		return 0, false
	}
	message := append([]byte("subtree/v1\n\x00"), byte(len(k.name)))
	message = binary.BigEndian.AppendUint64(append(message, k.name...), seconds)
	message = append(append(message, byte(len(lines[0]))), lines[0]...)
	message = binary.BigEndian.AppendUint64(append(message, make([]byte, 8)...), uint64(size))
	return int64(seconds), verifyMldsa(append(message, root...), signature, k.public)
}

func numberOf(text string) int64 {
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < 0 || number >= 1<<53 || strconv.FormatInt(number, 10) != text {
		return -1
	}
	return number
}

// line is a signature line: whose it says to be, and the bytes after the key ID.
type line struct {
	name string
	id   uint32
	data []byte
}

// parseNote gives the text of a note and its lines; nothing is verified.
func parseNote(message, step string) (string, []line) {
	end, lines := strings.LastIndex(message, "\n\n"), []line{}
	isPlain := !strings.ContainsFunc(message, func(r rune) bool { return r < ' ' && r != '\n' })
	isPlain = isPlain && end >= 0 && strings.HasSuffix(message, "\n") && len(message) <= 1_000_000
	demand(isPlain && utf8.ValidString(message), step, "not a signed note")
	signatures := strings.Split(strings.TrimSuffix(message[end+2:], "\n"), "\n")
	for _, signature := range signatures {
		rest, isLine := strings.CutPrefix(signature, "\u2014 ")
		name, encoded, _ := strings.Cut(rest, " ")
		data := unbase64(encoded)
		isLine = isLine && nameForm.MatchString(name) && len(data) > 4 && len(signatures) <= 100
		demand(isLine, step, "not a signed note")
		lines = append(lines, line{name, binary.BigEndian.Uint32(data), data[4:]})
	}
	return message[:end+1], lines
}

type checkpoint struct {
	origin string
	size   int64
	root   tlog.Hash
}

func parseCheckpoint(text, step string) checkpoint {
	lines := append(strings.Split(text, "\n"), "", "")
	size, root := numberOf(lines[1]), unbase64(lines[2])
	isOne := nameForm.MatchString(lines[0]) && size >= 0 && len(root) == 32
	empty := sha256.Sum256(nil)
	isOne = isOne && len(lines) == 6 && lines[3] == "" && (size > 0 || bytes.Equal(root, empty[:]))
	demand(isOne, step, "not a checkpoint")
	return checkpoint{lines[0], size, tlog.Hash(root)}
}

// openNote gives the text of a note, and when keys have signed it, by their IDs: the first line of
// each counts, and a wrong one condemns the note.
func openNote(message string, keys []key, step string) (string, map[string]int64) {
	text, lines := parseNote(message, step)
	times := map[string]int64{}
	for _, line := range lines {
		for _, key := range keys {
			if key.name == line.name && key.id == line.id {
				seconds, isRight := key.signedAt([]byte(text), line.data)
				demand(isRight, step, "the signature of "+line.name+" is wrong")
				if _, isThere := times[key.String()]; !isThere {
					times[key.String()] = seconds
				}
			}
		}
	}
	return text, times
}

func (k key) String() string { return fmt.Sprintf("%s+%08x", k.name, k.id) }

// openCheckpoint gives the checkpoint of a note that the log has signed, and when which witnesses
// of the policy have.
func openCheckpoint(message string, log key, p *policy, step string) (checkpoint, map[string]int64) {
	witnesses, signed := p.known(), map[string]int64{}
	text, times := openNote(message, append(slices.Collect(maps.Values(witnesses)), log), step)
	found := parseCheckpoint(text, step)
	_, isLogs := times[log.String()]
	demand(isLogs && found.origin == log.name, step, "the log "+log.name+" has not signed the checkpoint")
	for name, witness := range witnesses {
		if seconds := times[witness.String()]; seconds > 0 {
			signed[name] = seconds
		}
	}
	return found, signed
}

// Policies (C2SP tlog-policy).
type group struct {
	name      string
	threshold int
	members   []string
}
type policy struct {
	logs      []key
	vkeys     []string
	witnesses map[string]key
	groups    []group
	quorum    string
	keys      []key
	grouped   map[string]bool
}

// logKey is the key with which the log must have signed: the trusted one or, if the policy names
// that of ML-DSA-44 in its place, the other one.
func (p *policy) logKey(trusted key, vkey string) key {
	if slices.Contains(p.vkeys, vkey) || len(p.vkeys) == 0 {
		return trusted
	}
	at := slices.IndexFunc(p.logs, func(other key) bool {
		return other.name == trusted.name && other.kind == 6
	})
	demand(at >= 0, "policy", "the policy is for other logs")
	return p.logs[at]
}

func (p *policy) known() map[string]key {
	if p == nil {
		return nil
	}
	known := maps.Clone(p.witnesses)
	maps.DeleteFunc(known, func(_ string, witness key) bool { return keyBytes[witness.kind] == 0 })
	return known
}

var urlForm = regexp.MustCompile(`^https?://[^/?#@\p{Z}\x{feff}]+(/[^?#\p{Z}\x{feff}]*)?$`)

const partsMax = 64

func parsePolicy(text string) *policy {
	p, lines := &policy{witnesses: map[string]key{}, grouped: map[string]bool{}}, strings.Split(text, "\n")
	at := len(lines)
	wrong := attempt(func() {
		demand(len(utf16.Encode([]rune(text))) <= 500_000, "policy", "it is too long")
		for i, line := range lines {
			at = i + 1
			demand(p.readLine(line), "policy", "it is wrong")
		}
		demand(p.quorum != "", "policy", "it has no quorum")
	})
	demand(wrong == nil, "policy", fmt.Sprintf("The policy of witnesses is wrong in line %d", at))
	return p
}

func (p *policy) isDefined(name string) bool {
	_, isWitness := p.witnesses[name]
	return isWitness || slices.ContainsFunc(p.groups, func(g group) bool { return g.name == name })
}

// take gives the key of a line of a policy; it is refused if another line has it.
func (p *policy) take(words []string, kinds ...byte) key {
	taken := parseVkey(words[0], "policy")
	isRight := len(words) == 1 || len(words) == 2 && urlForm.MatchString(words[1])
	for _, other := range p.keys {
		isSame := other.name == taken.name && other.id == taken.id
		isRight = isRight && !isSame && !bytes.Equal(other.public, taken.public)
	}
	demand(isRight && (keyBytes[taken.kind] == 0 || taken.isUsable(kinds...)), "policy", "a wrong key")
	p.keys = append(p.keys, taken)
	return taken
}

// readLine adds what a line of a policy says, and gives whether it may say that.
func (p *policy) readLine(line string) bool {
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
	if strings.ContainsFunc(line, func(r rune) bool { return r == 0x7f || r < ' ' && r != '\t' }) {
		return false
	}
	if len(words) == 0 || strings.HasPrefix(words[0], "#") {
		return true
	}
	word, rest := words[0], append(words[1:], "")[:max(1, len(words)-1)]
	isNew := rest[0] != "" && rest[0] != "none" && !p.isDefined(rest[0])
	switch {
	case word == "log":
		p.logs, p.vkeys = append(p.logs, p.take(rest, 1, 6)), append(p.vkeys, rest[0])
	case word == "witness" && len(rest) > 1 && isNew:
		p.witnesses[rest[0]] = p.take(rest[1:], 4, 6)
	case word == "group" && len(rest) > 2 && isNew:
		members, threshold := rest[2:], int(numberOf(rest[1]))
		if rest[1] == "all" || rest[1] == "any" {
			threshold = map[string]int{"all": len(members), "any": 1}[rest[1]]
		}
		isRight := 0 < threshold && threshold <= len(members)
		for _, member := range members {
			isRight = isRight && p.isDefined(member) && !p.grouped[member]
			p.grouped[member] = true
		}
		p.groups = append(p.groups, group{rest[0], threshold, members})
		return isRight && len(p.groups) <= partsMax
	case word == "quorum" && len(rest) == 1 && p.quorum == "":
		p.quorum = rest[0]
		return rest[0] == "none" || p.isDefined(rest[0])
	default:
		return false
	}
	return max(len(p.logs), len(p.witnesses)) <= partsMax
}

// isFree is whether no witness is demanded.
func (p *policy) isFree() bool { return p == nil || p.quorum == "none" }

func (p *policy) demandQuorum(signed map[string]int64, step string) {
	isReached := p.isFree() || p.quorumTime(signed, false) >= 0
	demand(isReached, step, "too few witnesses have signed the checkpoint")
}

// quorumTime is when enough witnesses had signed or, of the latest, had not yet; -1 if never.
func (p *policy) quorumTime(signed map[string]int64, isLatest bool) int64 {
	names := slices.SortedFunc(maps.Keys(signed), func(a, b string) int { return int(signed[a] - signed[b]) })
	if isLatest {
		slices.Reverse(names)
	}
	reached := map[string]bool{}
	for _, name := range names {
		reached[name] = true
		for _, group := range p.groups {
			missing := slices.Clone(group.members)
			missing = slices.DeleteFunc(missing, func(member string) bool { return reached[member] })
			reached[group.name] = len(group.members)-len(missing) >= group.threshold
		}
		if reached[p.quorum] {
			return signed[name]
		}
	}
	return -1
}
