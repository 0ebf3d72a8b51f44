import { createHash } from 'node:crypto'

import type { MapEntry } from '#log/map/map_tree.ts'

const hash = (...parts: readonly (string | Uint8Array)[]) => {
  const sum = createHash('sha256')
  for (const part of parts) sum.update(part)
  return sum.digest()
}

const placeholder = Buffer.from('SPARSE_MERKLE_PLACEHOLDER_HASH__')

/** The root of a map by its definition: keys are sets of bits, in any order. */
export function naiveRoot(entries: readonly MapEntry[], bits = ''): Buffer {
  const [first, second] = entries
  if (first === undefined) return placeholder
  if (second === undefined) return hash('JMT::LeafNode', first.key, hash(first.value))
  const below = (bit: string) => entries.filter(({ key }) => bitsOf(key).startsWith(bits + bit))
  return hash(
    'JMT::IntrnalNode',
    naiveRoot(below('0'), `${bits}0`),
    naiveRoot(below('1'), `${bits}1`),
  )
}

function bitsOf(key: Uint8Array): string {
  // So deep no two of the keys of tests go together.
  return BigInt(`0x1${Buffer.from(key.subarray(0, 16)).toString('hex')}`)
    .toString(2)
    .slice(1)
}
