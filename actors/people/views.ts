import { createHmac } from 'node:crypto'

import type { RequestKey } from '#actors/journal/idempotency.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeRow,
  encodeRow,
  positionPart,
  type Index,
  type ReadRow,
  type StreamRow,
} from '#actors/journal/rows.ts'
import {
  type ClaimEvent,
  type HashName,
  isClaimEvent,
  type NameHashes,
  type PersonEvent,
  type PersonState,
  streamPpid,
} from '#actors/people/events.ts'
import { readPerson } from '#actors/people/record.ts'
import { evolvePerson } from '#actors/people/state.ts'
import { type Agent, isPerson, writtenFor } from '#actors/values/agent.ts'
import type { WorkState } from '#actors/works/events.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Operation } from '#log/store/store.ts'

const kinds = ['username', 'orcid'] as const

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

function writeKey(ppid: string, position: number): string {
  return writePrefix(ppid) + positionPart(position)
}

/** What is known of a write beside its event: when the person has undone it, if they have. */
export type WriteRow = { readonly undone_at?: string }

/** What is known of a write; undefined if nothing was written for the person at a position. */
export function readWrite(ppid: string, position: number, read: ReadRow): WriteRow | undefined {
  return decodeRow<WriteRow>(read(writeKey(ppid, position)))
}

/** What an event changes of a person. */
export type PersonStep = {
  readonly event: JournalEvent & (PersonEvent | ClaimEvent)
  readonly was: PersonState | undefined
  readonly state: PersonState
}

/** What an event changes of a person; one of their claims counts only as one of their stream. */
export function personStep(
  before: StreamRow | undefined,
  event: JournalEvent & (PersonEvent | ClaimEvent),
): PersonStep {
  const was = before?.state as PersonState | undefined
  if (!isClaimEvent(event)) return { event, was, state: evolvePerson(was, event, event) }
  assert(was?.status === 'active', 'only people who are there have claims')
  return { event, was, state: { ...was, seq: event.seq } }
}

/** The rows of the names of people. */
export const nameIndex: Index<PersonStep> = {
  keys: ['username/', 'orcid/'],
  on: ['PersonCreated', 'ProfileUpdated', 'WriteUndone', 'PersonErased'],
  rows: ({ was, state }) => moveNames(state.ppid, namesOf(was), namesOf(state)),
}

function namesOf(state: PersonState | undefined) {
  return state?.status === 'active' ? state.names : {}
}

const writes = { keys: ['write/'], rows: indexWrite }

/** The writes among the events of works. */
export const workWriteIndex: Index<Written> = {
  ...writes,
  on: ['WorkRegistered', 'WorkVersioned', 'WorkWithdrawn', 'WorkErased'],
}

/** The writes among the events of people: all but their beginning and their end. */
export const personWriteIndex: Index<Written> = {
  ...writes,
  on: [
    'ProfileUpdated',
    'ItemAdded',
    'ItemChanged',
    'ItemRemoved',
    'ItemMarked',
    'WriteUndone',
    'ClaimMade',
    'ClaimChanged',
  ],
}

type Written = { readonly event: JournalEvent; readonly state: unknown }

function indexWrite({ event, state }: Written, read: ReadRow): Operation[] {
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
  { stream, by }: JournalEvent,
  state: unknown,
  read: ReadRow,
): readonly string[] {
  const ppid = streamPpid(stream)
  if (ppid !== undefined) return isOwnWrite(by, ppid) ? [] : [ppid]
  const people = [writtenFor(by), registeredFor(state as WorkState, read)].filter(
    (one) => one !== undefined,
  )
  return people.filter((one, at) => people.indexOf(one) === at && !isOwnWrite(by, one))
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
