import test from 'ava'

import { hashEntries, mapKey } from '#log/tlog/map/map_tree.ts'
import { toHex } from '#test/log/_vectors.ts'
import { entriesAfter, fact, madeUpEntries } from '#test/log/tlog/map/_map_entries.ts'
import { naiveRoot } from '#test/log/tlog/map/_naive_map.ts'

const facts = [
  fact('ark:/99999/fk4a', 'registered', 1, 0, 'one'),
  fact('ark:/99999/fk4b', 'registered', 1, 1, 'two'),
  fact('ark:/99999/fk4c', 'registered', 1, 2, 'three'),
  fact('ark:/99999/fk4a', 'registered', 2, 3, 'four'),
  fact('ark:/99999/fk4b', 'tombstoned', 1, 4, 'five'),
]

// Jmt 0.12.0 (Rust) computes the same.
const roots = [
  Buffer.from('SPARSE_MERKLE_PLACEHOLDER_HASH__').toString('hex'),
  '4350edffc65e74e94d8335069387c7e70d994ded3b874cf8ee5ac02d61c9585b',
  '0664545f53954efb38da7d8ce2aaffe5639f8051fcdfee5cedc94c5a51715ff9',
  '798669899690cc2e9a1c163e2e27bd5eab20574bd1312d901aaf1943224335a4',
  'b2fee096088a260847af0f02da9e5c0d486e591f9b4cb2cfd760392cbf6bc98c',
  '76c99dfa126f695b822b2169ce4e30004e67e485e505e67587bd9547a078f0fe',
]

test('a map has the root that others compute of the same entries', (t) => {
  roots.forEach((root, count) => {
    t.is(toHex(hashEntries(entriesAfter(facts.slice(0, count))).hash), root)
  })
})

test('keys are the SHA-256 of names', (t) => {
  t.regex(toHex(mapKey('ark:/99999/fk4a')), /^d5966287/)
  t.regex(toHex(mapKey('ark:/99999/fk4c')), /^07f8534b/)
})

test('a map of any size has the root of its definition', (t) => {
  for (let count = 0; count <= 150; count += 1) {
    const entries = madeUpEntries(count)
    t.is(toHex(hashEntries(entries).hash), toHex(naiveRoot(entries)), `${count} keys`)
  }
})

test('a part of a map that begins deeper down is hashed like a map there', (t) => {
  const entries = madeUpEntries(2_000).filter(({ key }) => (key[0] ?? 0) >> 3 === 0b10110)
  t.true(entries.length > 20)
  t.is(toHex(hashEntries(entries, 5).hash), toHex(naiveRoot(entries, 5)))
  const [one] = entries
  if (one === undefined) return
  t.is(hashEntries([one], 5).kind, 'leaf')
  t.deepEqual(hashEntries([one], 5), hashEntries([one]))
})
