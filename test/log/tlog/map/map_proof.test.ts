import test from 'ava'

import { checkMapProof, encodeMapProof } from '#log/tlog/map/map_proof.ts'
import { hashEntries, mapKey, type MapEntry, pathTo } from '#log/tlog/map/map_tree.ts'
import { sha256 } from '#log/tlog/hash.ts'
import { toHex } from '#test/log/_vectors.ts'
import { entriesAfter, fact, madeUpEntries } from '#test/log/tlog/map/_map_entries.ts'

const golden = entriesAfter([
  fact('ark:/99999/fk4a', 'registered', 1, 0, 'one'),
  fact('ark:/99999/fk4b', 'registered', 1, 1, 'two'),
  fact('ark:/99999/fk4c', 'registered', 1, 2, 'three'),
  fact('ark:/99999/fk4a', 'registered', 2, 3, 'four'),
  fact('ark:/99999/fk4b', 'tombstoned', 1, 4, 'five'),
])

function prove(entries: readonly MapEntry[], key: Uint8Array): Uint8Array {
  return encodeMapProof(key, pathTo(key, entries))
}

test('proofs have the bytes of the vectors', (t) => {
  const vectors = [
    ['b', '0003a0', 121, 'acad9e7e4ceadc9e'],
    ['e', '0103', 131, 'e48a85cc48b44b63'],
    ['z', '0202c0', 67, '695d88f232221602'],
  ] as const
  for (const [name, start, length, digest] of vectors) {
    const proof = prove(golden, mapKey(`ark:/99999/fk4${name}`))
    t.is(toHex(proof.subarray(0, start.length / 2)), start)
    t.is(proof.length, length)
    t.is(toHex(sha256(proof)).slice(0, 16), digest)
  }
})

test('maps of all small sizes prove what they have and what they have not', (t) => {
  for (let count = 0; count <= 40; count += 1) {
    const entries = madeUpEntries(count)
    const root = hashEntries(entries).hash
    for (const { key, value } of entries) {
      t.deepEqual(checkMapProof(prove(entries, key), key, root), value)
    }
    for (let name = 0; name < 20; name += 1) {
      const key = mapKey(`absent ${name}`)
      t.is(checkMapProof(prove(entries, key), key, root), undefined)
    }
  }
})

test('an altered proof is refused, and so is one for another key or another map', (t) => {
  const entries = madeUpEntries(500)
  const root = hashEntries(entries).hash
  const otherRoot = hashEntries(madeUpEntries(500, 'other')).hash
  const absent = Array.from({ length: 8 }, (_, at) => mapKey(`absent ${at}`))
  const keys = [...entries.slice(0, 6).map(({ key }) => key), ...absent]
  const kinds = new Set<number | undefined>()
  for (const [at, key] of keys.entries()) {
    const proof = prove(entries, key)
    kinds.add(proof[0])
    for (let bit = 0; bit < 8 * proof.length; bit += 1) {
      const altered = Buffer.from(proof)
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      t.throws(() => checkMapProof(altered, key, root), { name: 'LogError' })
    }
    for (let length = 0; length < proof.length; length += 1) {
      t.throws(() => checkMapProof(proof.subarray(0, length), key, root), {
        code: 'malformed_proof',
      })
    }
    t.throws(() => checkMapProof(Buffer.concat([proof, Buffer.of(0)]), key, root), {
      code: 'malformed_proof',
    })
    t.throws(() => checkMapProof(proof, key, otherRoot), { code: 'proof_mismatch' })
    const other = keys[(at + 1) % keys.length] ?? key
    if (proof[0] !== 2) t.throws(() => checkMapProof(proof, other, root), { name: 'LogError' })
  }
  t.deepEqual(kinds, new Set([0, 1, 2]))
})

test('the key itself is never another leaf, and nothing is deepest beside nothing', (t) => {
  const [entry] = madeUpEntries(1)
  if (entry === undefined) return t.fail()
  const { key, value } = entry
  const root = hashEntries([entry]).hash
  const asOther = Buffer.concat([Buffer.of(1, 0), key, sha256(value)])
  t.throws(() => checkMapProof(asOther, key, root), {
    code: 'malformed_proof',
    message: 'not a proof of the map: it names the key as another one',
  })
  const padded = Buffer.concat([Buffer.of(0, 1, 0), value])
  t.throws(() => checkMapProof(padded, key, root), {
    code: 'malformed_proof',
    message: 'not a proof of the map: its deepest sibling is nothing',
  })
})
