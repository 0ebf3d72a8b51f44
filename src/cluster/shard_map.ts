import { hash } from 'node:crypto'

import { textHash } from '#actors/kernel/shards.ts'
import { assert } from '#log/errors.ts'

/**
 * Which node owns each shard, by rendezvous hashing: the one whose hash with the shard's number is
 * the largest. So all nodes that see the same members have the same map, and a node that comes or
 * goes moves no other shards than those that it gets or had, one in n of them. `nodes` are names,
 * in any order. Without nodes, nobody owns anything.
 */
export function mapShards(shards: number, nodes: readonly string[]): readonly string[] {
  assert(Number.isSafeInteger(shards) && shards >= 1, 'there is a shard')
  if (nodes.length === 0) return []
  return Array.from({ length: shards }, (_, shard) => ownerOf(shard, nodes))
}

/** The number of the shard of a key, which depends on nothing but the key. */
export function shardOf(key: string, shards: number): number {
  return textHash(key) % shards
}

function ownerOf(shard: number, nodes: readonly string[]): string {
  let owner = ''
  let best = ''
  for (const node of nodes) {
    // Hex digits of one length are in the order of their numbers. No two nodes have one name.
    const weight = hash('sha256', `${shard} ${node}`, 'hex')
    if (weight > best) [owner, best] = [node, weight]
  }
  return owner
}
