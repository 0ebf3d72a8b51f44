import { type LogHead, planCommit } from '#log/store/commit.ts'
import { ed25519Keys, noteSigner, noteVerifier } from '#log/tlog/ed25519.ts'
import { LogReader } from '#log/store/log_reader.ts'
import { type LogOptions, openLog } from '#log/store/open_log.ts'
import type { Operation, Store } from '#log/store/store.ts'
import { ed25519Type, formatVkey } from '#log/tlog/note.ts'

export const origin = 'log.example/test'
export const key = ed25519Keys.fromSeed(Buffer.alloc(32, 7))
export const signer = noteSigner(origin, key)
const vkey = formatVkey(origin, ed25519Type, key.publicKey)
export const verifier = noteVerifier(vkey)

/** How the tests open their log; a new one where there is none. */
export const logOptions: LogOptions = {
  kind: 'log',
  origin,
  signer,
  verifier,
  vkey,
  create: true,
  createdAt: '2026-03-04T05:06:07.089Z',
}

/** How the tests open a log that must exist. */
export const existing: LogOptions = { ...logOptions, create: false }

/** Entries `from` up to `to`, each different; `makeLeaves` of as many has their leaf hashes. */
export function makeEntries(from: number, to: number): Uint8Array[] {
  return Array.from({ length: to - from }, (_, i) => Buffer.from(`entry ${from + i}`))
}

/** Commits entries to a log and gives its new head. */
export async function append(
  store: Store,
  head: LogHead,
  entries: readonly Uint8Array[],
): Promise<LogHead> {
  const { operations, next } = planCommit(head, entries, signer)
  await store.commit(operations)
  return next
}

/** Opens the log of a store and grows it by one commit to each of the sizes. */
export async function growLog(store: Store, sizes: readonly number[]): Promise<LogReader> {
  let head = await openLog(store, logOptions)
  for (const size of sizes) head = await append(store, head, makeEntries(head.treeSize, size))
  return new LogReader(store, head)
}

/** A put of bytes or text. */
export function put(rowKey: string, value: Uint8Array | string): Operation {
  return { type: 'put', key: rowKey, value: Buffer.from(value) }
}

/** A deletion. */
export function del(rowKey: string): Operation {
  return { type: 'del', key: rowKey }
}
