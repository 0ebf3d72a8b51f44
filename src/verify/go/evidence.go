package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/tlog"
)

type object = map[string]any

// Escapes in a text: pairs of surrogates; surrogates alone, which Go would replace, and NUL; others.
var escapes = regexp.MustCompile(`(?i)\\ud[89ab]..\\ud[c-f]..|(\\ud[89a-f]..|\\u0000)|\\.`)

// readJSON reads strict JSON: UTF-8, no member twice, nothing behind the value.
func readJSON(data []byte, step string) any {
	for _, escape := range escapes.FindAllSubmatch(data, -1) {
		demand(escape[1] == nil, step, "not strict JSON: half a character, or NUL")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	value := readValue(decoder, step, 0)
	_, err := decoder.Token()
	demand(err == io.EOF && utf8.Valid(data), step, "not strict JSON")
	return value
}

// readValue reads the next value, or the token that ends an object or a list.
func readValue(decoder *json.Decoder, step string, depth int) any {
	token, err := decoder.Token()
	demand(err == nil && depth < 1_000, step, "not strict JSON")
	switch token {
	case json.Delim('{'):
		value := object{}
		for decoder.More() {
			name, _ := readValue(decoder, step, depth+1).(string)
			_, isTwice := value[name]
			demand(!isTwice && name != "__proto__", step, "not strict JSON: a member stands twice")
			value[name] = readValue(decoder, step, depth+1)
		}
		readValue(decoder, step, depth)
		return value
	case json.Delim('['):
		value := []any{}
		for decoder.More() {
			value = append(value, readValue(decoder, step, depth+1))
		}
		readValue(decoder, step, depth)
		return value
	}
	return token
}

func countOf(value any) int64 {
	text, _ := value.(json.Number)
	number, err := strconv.ParseFloat(string(text), 64)
	// Of a number of more than 800 digits, strconv forgets how many it has.
	if len(text) > 800 {
		if exact, isNumber := new(big.Rat).SetString(string(text)); isNumber {
			number, _ = exact.Float64()
		}
	}
	isCount := err == nil && number >= 0 && number < 1<<53 && number == float64(int64(number))
	if !isCount || strings.HasPrefix(string(text), "-") {
		return -1
	}
	return int64(number)
}

// canonical is the JSON of a statement as RFC 8785 has it; statements are flat, but for a signature.
func canonical(value any) string {
	switch value := value.(type) {
	case object:
		names := slices.SortedFunc(maps.Keys(value), func(a, b string) int {
			return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		})
		for i, name := range names {
			names[i] = canonical(name) + ":" + canonical(value[name])
		}
		return "{" + strings.Join(names, ",") + "}"
	case string:
		spelled := strings.Builder{}
		for _, r := range value {
			short := map[rune]string{'"': `\"`, '\\': `\\`, 8: `\b`, 9: `\t`, 10: `\n`, 12: `\f`, 13: `\r`}
			switch {
			case short[r] != "":
				spelled.WriteString(short[r])
			case r < ' ':
				fmt.Fprintf(&spelled, `\u%04x`, r)
			default:
				spelled.WriteRune(r)
			}
		}
		return `"` + spelled.String() + `"`
	case json.Number:
		return strconv.FormatInt(countOf(value), 10)
	}
	return "null"
}

// What each object of an evidence file must hold: a test of each member (docs/evidence.md).
type test = func(any) bool

func like(pattern string) test {
	form := regexp.MustCompile("^(?:" + pattern + ")$")
	return func(value any) bool { text, isText := value.(string); return isText && form.MatchString(text) }
}

func orNull(one test) test { return func(value any) bool { return value == nil || one(value) } }

func isText(value any) bool   { _, is := value.(string); return is }
func isObject(value any) bool { _, is := value.(object); return is }
func isCount(value any) bool  { return countOf(value) >= 0 }
func isPositive(value any) bool {
	return countOf(value) > 0
}

// listOf tests for a list of so many values, all of which pass a test.
func listOf(least, most int, one test) test {
	return func(value any) bool {
		list, is := value.([]any)
		return is && least <= len(list) && len(list) <= most &&
			!slices.ContainsFunc(list, func(found any) bool { return !one(found) })
	}
}

var (
	hex32, keyID = like("[0-9a-f]{64}"), like("[0-9a-f]{16}")
	isHashes     = listOf(0, 64, hex32)
	isTexts      = listOf(0, math.MaxInt, isText)
	hash         = like("sha256:[0-9a-f]{64}")
	isTime       = like(`\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T` +
		`(([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}|24:00:00\.000)Z`)
	fixity = like("verified|pending|failed|unreachable")
	forms  = map[string]map[string]test{
		"evidence": {"format": like("arklog-evidence-v1"), "about": isTexts,
			"environment": like("live|sandbox"), "receipt": isObject, "metadata": orNull(isText),
			"keys": isObject, "policy": orNull(isText), "newest": orNull(isObject)},
		"keys": {"log": isObject, "receipt_keys": listOf(1, 1_000, isObject)},
		"log":  {"origin": isText, "vkey": isText, "url": isText},
		"key": {"key_id": isText, "public_key": hex32, "valid_from": isTime,
			"valid_until": orNull(isTime), "rotation": orNull(isObject)},
		"newest": {"checkpoint": isText, "consistency_proof": isHashes},
		"map":    {"map_leaf": isText, "proof": isText, "inclusion_proof": isHashes},
		"signature": {"algorithm": like("Ed25519"), "public_key": hex32,
			"signature": like("[0-9a-f]{128}")},
		"chain_proof": {"block_height": isPositive, "merkle_root": hex32, "inclusion_proof": isHashes,
			"leaf_index": isCount, "tree_size": isPositive, "checkpoint": isText},
		"statement": {"statement": like("registered|content|tombstoned"), "timestamp": isTime,
			"ark": like(`ark:/[\x21-\x7e]{1,255}`), "version": isPositive, "metadata_hash": hash,
			"receipt_id":   like(`rcpt_\d{4}_\d\d_\d\d_[0-9a-z]{1,32}`),
			"content_hash": orNull(hash)},
		"rotation": {"statement": like("key_rotated"), "old_key_id": keyID, "new_key_id": keyID,
			"new_public_key": hex32, "timestamp": isTime},
	}
)

func checkForm(value any, name, step string, further test) object {
	members, is := value.(object)
	demand(is, step, name+" is no object")
	for member, rule := range forms[name] {
		_, isThere := members[member]
		demand(isThere && rule(members[member]), step, member+" of "+name+" has not its form")
	}
	for member := range members {
		_, isKnown := forms[name][member]
		isRight := isKnown || (further != nil && further(members[member]))
		demand(isRight, step, name+" has a member that is not known")
	}
	return members
}

// signedEntry is a receipt or a rotation, taken apart.
type signedEntry struct{ statement, signature, proof object }

func takeApart(value any, name, step string) signedEntry {
	entry, is := value.(object)
	demand(is, step, name+" is no object")
	statement := maps.Clone(entry)
	delete(statement, "signature")
	delete(statement, "chain_proof")
	var further test
	if name == "statement" {
		delete(statement, "fixity_status")
		further = orNull(isText)
		demand(fixity(entry["fixity_status"]), step, "fixity_status has not its form")
		named, isThere := entry["witnessed_checkpoint"]
		demand(!isThere || hash(named), step, "witnessed_checkpoint has not its form")
	}
	checkForm(statement, name, step, further)
	return signedEntry{statement, checkForm(entry["signature"], "signature", step, nil),
		checkForm(entry["chain_proof"], "chain_proof", step, nil)}
}

func unhex(value any) []byte { data, _ := hex.DecodeString(value.(string)); return data }

func unhexAll(value any) (hashes []tlog.Hash) {
	for _, one := range value.([]any) {
		hashes = append(hashes, tlog.Hash(unhex(one)))
	}
	return
}

func (e signedEntry) isSignedBy(publicKey string) bool {
	message := "svc-receipt-v1\n" + canonical(e.statement)
	return verifyEd25519([]byte(message), unhex(e.signature["signature"]), unhex(publicKey))
}

// checkLogged gives the checkpoint that covers an entry, and when which witnesses have signed it.
func (e signedEntry) checkLogged(log key, p *policy, steps []string) (checkpoint, map[string]int64) {
	whole := maps.Clone(e.statement)
	whole["signature"] = e.signature
	entry, proof := canonical(whole), e.proof
	demand(len(entry) <= 65_535, steps[0], fmt.Sprintf("the entry has %d bytes, more than 65535", len(entry)))
	size, index := countOf(proof["tree_size"]), countOf(proof["leaf_index"])
	root, leaf := tlog.Hash(unhex(proof["merkle_root"])), tlog.RecordHash([]byte(entry))
	isThere := index < size && tlog.CheckRecord(unhexAll(proof["inclusion_proof"]), size, root, index, leaf) == nil
	demand(isThere, steps[1], "the hashes do not lead from the entry to merkle_root")
	text, _ := parseNote(proof["checkpoint"].(string), steps[2])
	head := parseCheckpoint(text, steps[2])
	isHead := head.size == size && head.size == countOf(proof["block_height"]) && head.root == root
	demand(isHead, steps[2], "block_height, tree_size or merkle_root differ from the checkpoint")
	openCheckpoint(proof["checkpoint"].(string), log, nil, steps[3])
	return openCheckpoint(proof["checkpoint"].(string), log, p, steps[4])
}

func milliseconds(value any) int64 {
	parts := [7]int{}
	fmt.Sscanf(value.(string), "%d-%d-%dT%d:%d:%d.%dZ", &parts[0], &parts[1], &parts[2], &parts[3],
		&parts[4], &parts[5], &parts[6])
	return time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], 0,
		time.UTC).UnixMilli() + int64(parts[6])
}

func keyIDOf(publicKey string) string {
	digest := sha256.Sum256(unhex("302a300506032b6570032100" + publicKey))
	return hex.EncodeToString(digest[:8])
}

// receiptKey is a key that receipts are signed with, from and until when; until -1 while in use.
type receiptKey struct {
	public      string
	from, until int64
}

func keyOf(value any) receiptKey {
	key := value.(object)
	isRight := hex32(key["public_key"]) && isTime(key["valid_from"]) && orNull(isTime)(key["valid_until"])
	demand(isRight, "keys", "a trusted key has not its form")
	found := receiptKey{key["public_key"].(string), milliseconds(key["valid_from"]), -1}
	if key["valid_until"] != nil {
		found.until = milliseconds(key["valid_until"])
	}
	return found
}

// trustedKeys gives the key of the log, and the receipt keys: those that are trusted, and those to
// which the rotations of the file lead from the newest of them.
func trustedKeys(file, pinned object) (key, []receiptKey) {
	own, keys := file["keys"].(object), []receiptKey{}
	listed, trusted := own["receipt_keys"].([]any), own
	if pinned != nil {
		trusted = pinned
	}
	told, _ := trusted["log"].(object)
	isWhole := isText(told["vkey"]) && forms["keys"]["receipt_keys"](trusted["receipt_keys"])
	demand(isWhole, "keys", "the key file has no keys")
	log := parseVkey(told["vkey"].(string), "keys")
	here := own["log"].(object)
	demand(log.isUsable(1, 6) && log.name == told["origin"], "keys", "the key file is malformed")
	isSame := told["vkey"] == here["vkey"] && told["origin"] == here["origin"]
	demand(isSame, "keys", "the file is of another log than "+log.name+", whose key is trusted")
	for _, key := range trusted["receipt_keys"].([]any) {
		keys = append(keys, keyOf(key))
	}
	if pinned == nil {
		keys = []receiptKey{{keys[0].public, keys[0].from, -1}}
	}
	last := listed[len(listed)-1].(object)["public_key"]
	if pinned != nil && slices.ContainsFunc(keys, func(one receiptKey) bool { return one.public == last }) {
		return log, keys
	}
	wrong := attempt(func() { keys = followRotations(keys, listed, log) })
	if wrong != nil {
		demand(false, "keys", "the rotations do not follow from the key file: "+wrong.why)
	}
	return log, keys
}

// followRotations adds the keys to which rotations lead from the newest of those that are trusted.
func followRotations(keys []receiptKey, listed []any, log key) []receiptKey {
	newest := keys[len(keys)-1].public
	at := slices.IndexFunc(listed, func(one any) bool { return one.(object)["public_key"] == newest })
	demand(at >= 0, "keys", "the file has not the newest trusted key")
	leaf := int64(-1)
	for _, next := range listed[at+1:] {
		entry := takeApart(next.(object)["rotation"], "rotation", "keys")
		said, last := entry.statement, &keys[len(keys)-1]
		public, from := said["new_public_key"].(string), milliseconds(said["timestamp"])
		isNext := entry.signature["public_key"] == last.public && said["old_key_id"] == keyIDOf(last.public) &&
			said["new_key_id"] == keyIDOf(public) && public == next.(object)["public_key"] &&
			isStrictPoint(unhex(public)) && from >= last.from && countOf(entry.proof["leaf_index"]) > leaf
		demand(isNext && entry.isSignedBy(last.public), "keys", "a rotation leads to no next key")
		entry.checkLogged(log, nil, []string{"keys", "keys", "keys", "keys", "keys"})
		last.until, leaf = from, countOf(entry.proof["leaf_index"])
		keys = append(keys, receiptKey{public, from, -1})
	}
	return keys
}

const carried = "arklog/witnessed-before"

// checkTime gives the seconds between which witnesses prove that a statement was made.
func (e signedEntry) checkTime(log key, p *policy, signed map[string]int64) (int64, int64) {
	before, after, at := int64(-1), p.quorumTime(signed, false), milliseconds(e.statement["timestamp"])
	_, lines := parseNote(e.proof["checkpoint"].(string), "time")
	first := slices.IndexFunc(lines, func(one line) bool { return one.name == carried })
	if named := e.statement["witnessed_checkpoint"]; named != nil && first >= 0 {
		earlier := lines[first].data
		digest := sha256.Sum256(earlier)
		isNamed := named == "sha256:"+hex.EncodeToString(digest[:])
		demand(isNamed, "time", "the carried checkpoint is not the one that the statement names")
		_, witnesses := openCheckpoint(string(earlier), log, p, "time")
		before = p.quorumTime(witnesses, true)
	}
	demand(before <= after, "time", "the witnesses signed what it names after what covers it")
	isInside := at < (after+1)*1000 && (before < 0 || before*1000 <= at)
	demand(isInside, "time", "its own time is not in the proven interval")
	return before, after + 1
}

// proven is the statement of an evidence file, when it was made, whose the witnesses are, and what the
// newest map has of the ARK, nil if the file has none.
type proven struct {
	statement  object
	begin, end int64
	whose      string
	newest     *mapValue
}

const ofFile = "the file itself names the witnesses, who may be invented"

// verify gives what an evidence file proves; it panics with refused if that is nothing.
func verify(value any, pinned object, demanded *string) proven {
	reply, _ := value.(object)
	if name, isText := reply["error"].(string); isText && like("[a-z_]{1,64}")(name) {
		demand(false, "form", "it is the error that a server replied, not evidence: "+name)
	}
	file := checkForm(value, "evidence", "form", nil)
	keys := checkForm(file["keys"], "keys", "form", nil)
	checkForm(keys["log"], "log", "form", nil)
	for _, key := range keys["receipt_keys"].([]any) {
		checkForm(key, "key", "form", nil)
	}
	var told object
	var inMap *mapValue
	if later, isThere := file["newest"].(object); isThere {
		newest := maps.Clone(later)
		if _, hasMap := newest["map"]; hasMap {
			told = checkForm(newest["map"], "map", "form", nil)
			delete(newest, "map")
		}
		checkForm(newest, "newest", "form", nil)
	}
	entry := takeApart(file["receipt"], "statement", "form")
	log, known := trustedKeys(file, pinned)
	var p *policy
	whose := ofFile
	if text, isText := file["policy"].(string); demanded != nil || isText {
		if demanded != nil {
			text, whose = *demanded, "the witnesses are those of your policy"
		} else if pinned != nil && pinned["log"].(object)["witness_policy"] == text {
			whose = "the witnesses are those of the key file"
		}
		p = parsePolicy(text)
		// The maker of the file could name a key of their own as the second one of the log.
		if named := p.logKey(log, keys["log"].(object)["vkey"].(string)); whose != ofFile {
			log = named
		}
	}
	if p.isFree() {
		whose = "there are no witnesses"
	}
	if file["environment"] != "live" {
		whose += ", and the file is of the sandbox, which is for trials"
	}
	at, own := milliseconds(entry.statement["timestamp"]), entry.signature["public_key"].(string)
	place := slices.IndexFunc(known, func(key receiptKey) bool { return key.public == own })
	unknown := fmt.Sprintf("the receipt’s key is not one of the %s keys", file["environment"])
	demand(place >= 0, "receipt_key", unknown)
	isInUse := known[place].from <= at && (known[place].until < 0 || at < known[place].until)
	demand(isInUse, "receipt_key", fmt.Sprintf("the key was not valid at %s", entry.statement["timestamp"]))
	isSigned := entry.isSignedBy(own)
	demand(isSigned, "signature", "the signature is not one of this statement by the pinned key")
	steps := []string{"entry", "inclusion", "tree_head", "checkpoint", "witnesses"}
	head, signed := entry.checkLogged(log, p, steps)
	p.demandQuorum(signed, "witnesses")
	begin, end := int64(-1), int64(-1)
	if !p.isFree() {
		begin, end = entry.checkTime(log, p, signed)
	}
	if metadata, isThere := file["metadata"].(string); isThere {
		digest := sha256.Sum256([]byte(metadata))
		isSame := entry.statement["metadata_hash"] == "sha256:"+hex.EncodeToString(digest[:])
		demand(isSame, "metadata_hash", "the metadata is not that of the statement")
	}
	if newest, isThere := file["newest"].(object); isThere {
		later, seen := checkNewest(newest, head, log, p)
		if told != nil {
			inMap = entry.checkMap(told, later)
			inMap.seen = seen
		}
	}
	return proven{entry.statement, begin, end, whose, inMap}
}

// checkNewest gives the newest checkpoint, and since when a quorum has seen it.
func checkNewest(newest object, head checkpoint, log key, p *policy) (checkpoint, int64) {
	later, signed := openCheckpoint(newest["checkpoint"].(string), log, p, "newest")
	p.demandQuorum(signed, "newest")
	path := unhexAll(newest["consistency_proof"])
	isLater := head.size <= later.size
	isLater = isLater && tlog.CheckTree(path, later.size, later.root, head.size, head.root) == nil
	demand(isLater, "newest", "the newest checkpoint does not continue that of the receipt")
	if p.isFree() {
		return later, -1
	}
	return later, p.quorumTime(signed, true)
}

func main() {
	keysFile := flag.String("keys", "", "the registry's /.well-known/svc-keys.json, saved earlier")
	policyFile := flag.String("policy", "", "the witnesses that must have signed (C2SP tlog-policy)")
	flag.Parse()
	defer func() {
		if found := recover(); found != nil {
			fmt.Fprintln(os.Stderr, "nothing could be checked:", found)
			os.Exit(2)
		}
	}()
	var saved object
	var demanded *string
	worst := 0
	read := func(file string) []byte {
		data, err := os.ReadFile(file)
		demand(err == nil, "file", fmt.Sprint(err))
		return data
	}
	if *keysFile != "" {
		saved = readJSON(read(*keysFile), "keys").(object)
	}
	if *policyFile != "" {
		text := string(read(*policyFile))
		demanded = &text
	}
	for _, file := range flag.Args() {
		data, said := read(file), ""
		if wrong := attempt(func() { said = verdict(data, saved, demanded) }); wrong != nil {
			said = "refused: " + wrong.String()
		}
		fmt.Printf("%s: %s\n", file, said)
		if !strings.HasPrefix(said, "proven: ") {
			worst = 1
		}
	}
	os.Exit(worst)
}

func secondsOf(time int64) string {
	if time < 0 {
		return "?"
	}
	return fmt.Sprint(time)
}

// whatHappened is when a version was registered, of which its receipt has the day, and what came later.
func whatHappened(statement object) string {
	later := map[any]string{"content": "content confirmed", "tombstoned": "withdrawn"}[statement["statement"]]
	if later == "" {
		return fmt.Sprintf("registered %s", statement["timestamp"])
	}
	day := strings.Join(strings.Split(statement["receipt_id"].(string), "_")[1:4], "-")
	return fmt.Sprintf("registered %s, as the registry says, %s %s", day, later, statement["timestamp"])
}

func verdict(data []byte, saved object, demanded *string) string {
	value := readJSON(data, "form")
	pinned, word := saved, "proven"
	if file, is := value.(object); is && saved != nil && file["environment"] == "sandbox" {
		pinned, _ = saved["sandbox"].(object)
		demand(pinned != nil, "keys", "the key file has no keys of a sandbox")
	}
	if saved == nil {
		word = "consistent"
	}
	p := verify(value, pinned, demanded)
	at := fmt.Sprintf("%s v%d %s", p.statement["ark"], countOf(p.statement["version"]), whatHappened(p.statement))
	said := fmt.Sprintf("%s: %s [%s, %s]; %s", word, at, secondsOf(p.begin), secondsOf(p.end), p.whose)
	if p.newest != nil {
		said += fmt.Sprintf("; newest at %s: v%d, %s", secondsOf(p.newest.seen), p.newest.version, p.newest.state)
	}
	return said
}
