import { createHmac } from 'node:crypto'

import type { RequestKey } from '#actors/journal/idempotency.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeRow,
  encodeRow,
  positionPart,
  type ReadRow,
  type View,
} from '#actors/journal/rows.ts'
import {
  type HashName,
  type NameHashes,
  type PersonEvent,
  type PersonState,
  streamPpid,
} from '#actors/people/events.ts'
import { readPerson } from '#actors/people/record.ts'
import { evolvePerson } from '#actors/people/state.ts'
import { type Agent, isPerson, writtenFor } from '#actors/values/agent.ts'
import type { WorkState } from '#actors/works/events.ts'
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
function moveNames(ppid: string, before: NameHashes, after: NameHashes): Operation[] {
  const value = encodeRow(ppid)
  const gone = newNameKeys(after, before).map((key) => ({ type: 'del', key }) as const)
  const made = newNameKeys(before, after).map((key) => ({ type: 'put', key, value }) as const)
  return [...gone, ...made]
}

/** What begins the keys of the rows of what was written for a person. */
export function writePrefix(ppid: string): string {
  return `write/${ppid}/`
}

/** Key of the row of something that was written for a person. */
function writeKey(ppid: string, position: number): string {
  return writePrefix(ppid) + positionPart(position)
}

/** What is known of a write beside its event: when the person has undone it, if they have. */
export type WriteRow = { readonly undone_at?: string }

/** What is known of a write; undefined if nothing was written for the person at a position. */
export function readWrite(ppid: string, position: number, read: ReadRow): WriteRow | undefined {
  return decodeRow<WriteRow>(read(writeKey(ppid, position)))
}

/** The state that an event of a person leads to, and the rows of their names. */
export function indexPerson(before: unknown, event: JournalEvent): View {
  const was = before as PersonState | undefined
  const person = event as JournalEvent & PersonEvent
  const state = evolvePerson(was, person, person)
  const operations = moveNames(state.ppid, namesOf(was), namesOf(state))
  return { state, operations }
}

function namesOf(state: PersonState | undefined) {
  return state?.status === 'active' ? state.names : {}
}

// What is no write: the person's beginning and end, and what they take back.
const ownTypes: ReadonlySet<string> = new Set(['PersonCreated', 'PersonErased', 'WriteUndone'])
const workTypes: ReadonlySet<string> = new Set([
  'WorkRegistered',
  'WorkVersioned',
  'WorkWithdrawn',
  'WorkErased',
])

/**
 * The rows of what an event wrote for people, and of the write that it took back; `state` is that
 * of its stream after it.
 */
export function indexWrite(event: JournalEvent, state: unknown, read: ReadRow): Operation[] {
  const { undoes } = event.data as { readonly undoes?: number }
  if (undoes !== undefined) {
    // Of a work, only the person takes something back.
    const ppid = streamPpid(event.stream) ?? event.by.id
    return [putWrite(ppid, undoes, { undone_at: event.at })]
  }
  const people = writtenPeople(event, state, read)
  return people.map((ppid) => putWrite(ppid, event.position, {}))
}

/** The ppids of those for whom an event was written by others. */
function writtenPeople(
  { stream, type, by }: JournalEvent,
  state: unknown,
  read: ReadRow,
): readonly string[] {
  const ppid = streamPpid(stream)
  if (ppid !== undefined) {
    return ownTypes.has(type) || isOwnWrite(by, ppid) ? [] : [ppid]
  }
  if (!workTypes.has(type)) return []
  const people = new Set([writtenFor(by), registeredFor(state as WorkState, read)])
  return [...people].filter((other) => other !== undefined).filter((one) => !isOwnWrite(by, one))
}

/** Whether a person has written something themselves, on the pages. */
function isOwnWrite(by: Agent, ppid: string): boolean {
  return isPerson(by, ppid) && writtenFor(by) === undefined
}

/** The ppid of the person by whom, or on whose behalf, a work was registered, if they are there. */
function registeredFor({ owner, client }: WorkState, read: ReadRow): string | undefined {
  const ppid = client?.ppid ?? (owner.type === 'person' ? owner.id : undefined)
  if (ppid === undefined || readPerson(ppid, read)?.state.status !== 'active') return undefined
  return ppid
}

function putWrite(ppid: string, position: number, row: WriteRow): Operation {
  return { type: 'put', key: writeKey(ppid, position), value: encodeRow(row) }
}
