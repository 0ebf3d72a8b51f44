// A log with a map, put together from the functions of the log: every lie is a parameter of it.

import canonicalize from 'canonicalize'
import { sign } from 'node:crypto'

import { mapFact } from '#actors/works/receipts/statement.ts'
import { encodeMapLeaf, type MapLeaf } from '#log/tlog/map/map_leaf.ts'
import { encodeMapProof } from '#log/tlog/map/map_proof.ts'
import { hashEntries, mapKey, type MapEntry, pathTo } from '#log/tlog/map/map_tree.ts'
import { addFact, encodeMapValue, type MapValue } from '#log/tlog/map/map_value.ts'
import { rootHash } from '#log/tlog/tree.ts'
import type { MapProof } from '#src/client/verify/types.ts'
import { naiveInclusion, readLeaves } from '#test/log/_trees.ts'
import { cosign, type TestWitness } from '#test/log/_witnesses.ts'
import {
  createRegistry,
  leafHashOf,
  rawPublicKey,
  type ReceiptJson,
  type Registry,
  signedCheckpoint,
} from '#test/src/client/verify/_registry.ts'

/** What a map has, by ARK. */
export type MapTable = Map<string, MapValue>

/** A table as the entries of its tree. */
function entriesOf(table: MapTable): MapEntry[] {
  return [...table]
    .map(([ark, value]) => ({ key: mapKey(ark), value: encodeMapValue(value) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key))
}

/** What a map says of some entries, if it is right. */
function tableOf(entries: readonly Uint8Array[]): MapTable {
  const table: MapTable = new Map()
  for (const [leafIndex, entry] of entries.entries()) {
    const fact = mapFact(entry, leafIndex)
    if (fact !== undefined) table.set(fact.ark, addFact(table.get(fact.ark), fact))
  }
  return table
}

export const registry = createRegistry()

/** A statement of the registry, and the bytes of its entry. */
export type Stated = {
  readonly leafIndex: number
  readonly members: Readonly<Record<string, unknown>>
}

/** A log of statements and map leaves, in memory. It lies where its caller tells it to. */
export class MappedLog {
  readonly #registry: Registry
  readonly entries: Buffer[] = []
  /** The tables of the map leaves, right or not, by their index. */
  readonly tables = new Map<number, MapTable>()

  constructor(of: Registry = registry) {
    this.#registry = of
  }

  /** Adds an entry of any bytes. */
  add(entry: Uint8Array): number {
    return this.entries.push(Buffer.from(entry)) - 1
  }

  /** Adds a statement about an ARK. */
  state(ark: string, kind: string, version: number, atMs = 1_772_600_000_000): Stated {
    const timestamp = new Date(atMs).toISOString()
    const statement = {
      statement: kind,
      ark,
      version,
      receipt_id: `rcpt_2026_03_04_${String(this.entries.length).padStart(12, '0')}`,
      timestamp,
      content_hash: null,
      metadata_hash: `sha256:${'0a'.repeat(32)}`,
      ...(kind === 'tombstoned' ? { reason: 'other' } : {}),
    }
    const message = `svc-receipt-v1\n${canonicalize(statement)}`
    const signature = {
      algorithm: 'Ed25519',
      public_key: rawPublicKey(this.#registry.receiptKey).toString('hex'),
      signature: sign(null, Buffer.from(message), this.#registry.receiptKey).toString('hex'),
    }
    const members = { ...statement, signature }
    return { leafIndex: this.add(Buffer.from(canonicalize(members) ?? '')), members }
  }

  /** Ends the log with a map leaf, of the right table or of `lie`; `changes` are of the leaf. */
  addMapLeaf(lie?: (right: MapTable) => MapTable, changes: Partial<MapLeaf> = {}): number {
    const right = tableOf(this.entries)
    const table = lie === undefined ? right : lie(new Map(right))
    const index = this.entries.length
    const { hash } = hashEntries(entriesOf(table))
    const leaf = { origin: this.#registry.origin, covers: index, keys: table.size, rootHash: hash }
    this.tables.set(index, table)
    return this.add(encodeMapLeaf({ ...leaf, ...changes }))
  }

  #leaves(treeSize: number): Buffer[] {
    return this.entries.slice(0, treeSize).map(leafHashOf)
  }

  /** The checkpoint of a size, cosigned by witnesses at a time. */
  checkpoint(
    treeSize = this.entries.length,
    witnesses: readonly TestWitness[] = [],
    atSeconds = 1_772_600_767,
  ): string {
    const root = rootHash(treeSize, readLeaves(this.#leaves(treeSize)))
    const note = signedCheckpoint(this.#registry, treeSize, Buffer.from(root))
    return cosign(note, witnesses, atSeconds)
  }

  inclusionProof(leafIndex: number, treeSize = this.entries.length): string[] {
    return naiveInclusion(leafIndex, this.#leaves(treeSize)).map((hash) =>
      Buffer.from(hash).toString('hex'),
    )
  }

  /** The proof of an ARK in the map of a leaf, the last entry unless another is given. */
  prove(ark: string, checkpoint: string, mapLeaf = this.entries.length - 1): MapProof {
    const table = entriesOf(this.tables.get(mapLeaf) ?? new Map())
    const key = mapKey(ark)
    const treeSize = Number(checkpoint.split('\n')[1])
    return {
      map_leaf: String(this.entries[mapLeaf]),
      proof: Buffer.from(encodeMapProof(key, pathTo(key, table))).toString('base64'),
      inclusion_proof: this.inclusionProof(mapLeaf, treeSize),
      checkpoint,
    }
  }

  /** The receipt of a statement, under a checkpoint of its own. */
  receipt({ leafIndex, members }: Stated, treeSize = leafIndex + 1): ReceiptJson {
    const checkpoint = this.checkpoint(treeSize)
    const root = checkpoint.split('\n')[2] ?? ''
    const chain_proof = {
      block_height: treeSize,
      merkle_root: Buffer.from(root, 'base64').toString('hex'),
      inclusion_proof: this.inclusionProof(leafIndex, treeSize),
      leaf_index: leafIndex,
      tree_size: treeSize,
      checkpoint,
    }
    return { ...members, fixity_status: 'pending', chain_proof } as unknown as ReceiptJson
  }
}
