import { createHmac } from 'node:crypto'
import type { RequestKey } from '#actors/journal/idempotency.ts'
import type { NameHashes } from '#actors/people/events.ts'
import type { HashName } from '#actors/people/profile.ts'
import { encodeRow } from '#actors/journal/rows.ts'
import type { Operation } from '#log/base/store.ts'

const kinds = ['username', 'orcid'] as const

/** Characters of a hash in hex: 128 bits. */
const hashCharacters = 32

/**
 * Hashes the hash of a request's body once more, with a secret key: what people send about
 * themselves is so short that the plain hash could be guessed.
 */
export function hashRequestKey(key: Uint8Array, { key: name, body_hash }: RequestKey): RequestKey {
  return { key: name, body_hash: createHmac('sha256', key).update(body_hash).digest('hex') }
}

/** Hashes names with a secret key, so that a row's key does not say whose it is. */
export function nameHasher(key: Uint8Array): HashName {
  return (kind, name) =>
    createHmac('sha256', key).update(`${kind}\n${name}`).digest('hex').slice(0, hashCharacters)
}

/** Key of the row that says who has a name. */
export function nameKey(kind: keyof NameHashes, hash: string): string {
  return `${kind}/${hash}`
}

/** Keys of the rows that must not exist yet when the names of a person become others. */
export function newNameKeys(before: NameHashes, after: NameHashes): string[] {
  return kinds.flatMap((kind) => {
    const hash = after[kind]
    return hash === undefined || hash === before[kind] ? [] : [nameKey(kind, hash)]
  })
}

/** The rows of a person's names that come and go when they become others. */
export function moveNames(ppid: string, before: NameHashes, after: NameHashes): Operation[] {
  const value = encodeRow(ppid)
  const gone = newNameKeys(after, before).map((key) => ({ type: 'del', key }) as const)
  const made = newNameKeys(before, after).map((key) => ({ type: 'put', key, value }) as const)
  return [...gone, ...made]
}
