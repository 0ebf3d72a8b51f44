// Holds histories of registers against porcupine's checker of linearizability. The history comes
// from standard input as JSON; the verdict goes to standard output as one line of JSON.
//
// A register is a work of the registry: its newest version, and what that version says. A write is
// answered with the number of the version that it has made, or not at all: then it may have been
// made, at any later time, or never.
package main

import (
	"encoding/json"
	"log"
	"math"
	"os"
	"time"

	"github.com/anishathalye/porcupine"
)

// What was asked for, and what was answered. Times are in microseconds of one clock.
type operation struct {
	Client   int    `json:"client"`
	Register string `json:"register"`
	Write    bool   `json:"write"`
	Value    string `json:"value"`
	Version  int    `json:"version"`
	CallUs   int64  `json:"call_us"`
	// Missing: no answer came.
	ReturnUs *int64 `json:"return_us"`
}

type history struct {
	Operations []operation `json:"operations"`
	// The value of each register at its version 1.
	First map[string]string `json:"first"`
}

type state struct {
	version int
	value   string
	// How many of the reads of this version were made.
	reads int
}

// One register, whose first value is written by an operation of its own. It is told how often each
// version was read: a version that has reads left cannot be followed by the next one. Porcupine would
// find that out, too, but only after it has tried all that may come in between.
func register(readsOf map[int]int) porcupine.Model {
	model := porcupine.NondeterministicModel{
		Init: func() []interface{} { return []interface{}{state{}} },
		Step: func(current, input, _ interface{}) []interface{} {
			known, asked := current.(state), input.(operation)
			if !asked.Write {
				if known.version == asked.Version && known.value == asked.Value {
					return []interface{}{state{known.version, known.value, known.reads + 1}}
				}
				return nil
			}
			written := state{known.version + 1, asked.Value, 0}
			mayWrite := known.reads == readsOf[known.version]
			if asked.ReturnUs == nil {
				if mayWrite {
					return []interface{}{known, written}
				}
				return []interface{}{known}
			}
			if mayWrite && written.version == asked.Version {
				return []interface{}{written}
			}
			return nil
		},
		Equal: func(one, other interface{}) bool { return one.(state) == other.(state) },
	}
	return model.ToModel()
}

func main() {
	var read history
	if err := json.NewDecoder(os.Stdin).Decode(&read); err != nil {
		log.Fatal(err)
	}
	byRegister := map[string][]porcupine.Operation{}
	readsOf := map[string]map[int]int{}
	for name, value := range read.First {
		call, returned := int64(math.MinInt64), int64(math.MinInt64+1)
		first := operation{Register: name, Write: true, Value: value, Version: 1, ReturnUs: &returned}
		readsOf[name] = map[int]int{}
		byRegister[name] = []porcupine.Operation{{Input: first, Call: call, Return: returned}}
	}
	for _, asked := range read.Operations {
		returned := int64(math.MaxInt64)
		if asked.ReturnUs != nil {
			returned = *asked.ReturnUs
		}
		if !asked.Write {
			readsOf[asked.Register][asked.Version]++
		}
		byRegister[asked.Register] = append(byRegister[asked.Register], porcupine.Operation{
			ClientId: asked.Client, Input: asked, Call: asked.CallUs, Return: returned,
		})
	}
	verdicts := map[porcupine.CheckResult][]string{}
	for name, operations := range byRegister {
		verdict := porcupine.CheckOperationsTimeout(register(readsOf[name]), operations, time.Minute)
		verdicts[verdict] = append(verdicts[verdict], name)
	}
	err := json.NewEncoder(os.Stdout).Encode(map[string]any{
		"linearizable": len(verdicts[porcupine.Ok]),
		"broken":       append([]string{}, verdicts[porcupine.Illegal]...),
		"undecided":    append([]string{}, verdicts[porcupine.Unknown]...),
	})
	if err != nil {
		log.Fatal(err)
	}
}
