import { createHash } from 'node:crypto'

import type { MapEntry } from '#log/tlog/map/map_tree.ts'
import { addFact, encodeMapValue, type MapFact } from '#log/tlog/map/map_value.ts'
import { mapKey } from '#log/tlog/map/map_tree.ts'
import { leafHash } from '#log/tlog/hash.ts'

/** The fact of an entry of any bytes. */
export function fact(
  ark: string,
  kind: MapFact['kind'],
  version: number,
  leafIndex: number,
  entry: string,
): MapFact {
  return { ark, kind, version, leafIndex, leafHash: leafHash(Buffer.from(entry)) }
}

/** What a map has after facts, in the order of its keys. */
export function entriesAfter(facts: readonly MapFact[]): MapEntry[] {
  const values = new Map<string, ReturnType<typeof addFact>>()
  for (const each of facts) values.set(each.ark, addFact(values.get(each.ark), each))
  return sorted(
    [...values].map(([ark, value]) => ({ key: mapKey(ark), value: encodeMapValue(value) })),
  )
}

/** Made-up entries of so many names, in the order of their keys. */
export function madeUpEntries(count: number, seed = ''): MapEntry[] {
  return sorted(namedEntries(count, seed))
}

/** The same in the order of their names: the first so many are those of a smaller map. */
export function namedEntries(count: number, seed = ''): MapEntry[] {
  return Array.from({ length: count }, (_, at) => {
    const text = createHash('sha512').update(`value ${seed} ${at}`).digest()
    return { key: mapKey(`ark:/99999/fk4${seed}${at}`), value: text.subarray(0, 54) }
  })
}

/** Entries in the order of their keys. */
export function sorted(entries: readonly MapEntry[]): MapEntry[] {
  return entries.toSorted((a, b) => Buffer.compare(a.key, b.key))
}
