import { createHash } from 'node:crypto'

import type { MapEntry } from '#log/tlog/map/map_tree.ts'

const hash = (...parts: readonly (string | Uint8Array)[]) => {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest()
}

const placeholder = Buffer.from('SPARSE_MERKLE_PLACEHOLDER_HASH__')

/** The root of a map, or of its part below so many bits, by definition: keys come in any order. */
export function naiveRoot(entries: readonly MapEntry[], depth = 0): Buffer {
  return rootBelow(
    entries.map((entry) => ({ ...entry, bits: bitsOf(entry.key) })),
    depth,
  )
}

function rootBelow(
  entries: readonly (MapEntry & { readonly bits: string })[],
  depth: number,
): Buffer {
  const [first, second] = entries
  if (first === undefined) return placeholder
  if (second === undefined) return hash('JMT::LeafNode', first.key, hash(first.value))
  const side = (bit: string) => entries.filter(({ bits }) => bits[depth] === bit)
  return hash('JMT::IntrnalNode', rootBelow(side('0'), depth + 1), rootBelow(side('1'), depth + 1))
}

function bitsOf(key: Uint8Array): string {
  return [...key].map((byte) => byte.toString(2).padStart(8, '0')).join('')
}
