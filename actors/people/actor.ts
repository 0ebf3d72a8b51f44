import type { JournalEvent } from '#actors/journal/journal.ts'
import { propose, type Proposer } from '#actors/journal/proposing.ts'
import type { Reply } from '#actors/kernel/kernel.ts'
import type { Item, Person, TakenName } from '#actors/people/port.ts'
import type {
  AcceptedChange,
  OpenedWrite,
  PersonCommand,
  PersonDecision,
  PersonDraft,
} from '#actors/people/decision.ts'
import {
  type ActivePerson,
  type PersonEvent,
  type PersonState,
  personStream,
} from '#actors/people/events.ts'
import { newNameKeys } from '#actors/people/name_rows.ts'
import type { HashName } from '#actors/people/profile.ts'
import {
  describePerson,
  openEvent,
  openPerson,
  type PersonReader,
  type PersonSeal,
  readPerson,
  sealDraft,
} from '#actors/people/record.ts'
import { decideCreation, decideErasure, decidePerson } from '#actors/people/rules.ts'
import { undoWrite } from '#actors/people/undo_rules.ts'
import { readWrite } from '#actors/people/views.ts'
import { decodeRow, readerOf, readEvent } from '#actors/journal/rows.ts'
import { idempotencyKey, type IdempotencyRow } from '#actors/journal/idempotency.ts'
import { assert } from '#log/base/errors.ts'
import type { Store } from '#log/base/store.ts'

/** What a command led to, or why to nothing. */
export type PersonAnswer =
  | {
      readonly type: 'accepted'
      readonly at: string
      readonly fields: readonly string[]
      /** The person after it; undefined at their end. */
      readonly person: Person | undefined
      /** The item that it is about, as it stands now or, if it is gone, as it stood. */
      readonly item: Item | undefined
      readonly created: boolean
      readonly replayed: boolean
    }
  | { readonly type: 'unchanged'; readonly person: Person; readonly item: Item | undefined }
  | Exclude<PersonDecision, AcceptedChange | { type: 'unchanged' }>
  | TakenName
  | { readonly type: 'removed_since' }
  | { readonly type: 'idempotency_mismatch' }

/** What the entity of a person understands. */
export type PersonMessage = {
  readonly type: 'change'
  readonly command: PersonCommand
  readonly reply: Reply<PersonAnswer>
}

/** What the entities of people share. */
export type PersonEntityOptions = {
  readonly store: Store
  readonly proposer: Proposer
  readonly seal: PersonSeal
  readonly hash: HashName
}

/**
 * One person. Their state is their row, and what is personal is in their events: both are opened
 * for each command. What it owns is the right to propose changes.
 */
export class PersonEntity {
  readonly #ppid: string
  readonly #options: PersonEntityOptions
  readonly #reader: PersonReader

  constructor(ppid: string, options: PersonEntityOptions) {
    this.#ppid = ppid
    this.#options = options
    this.#reader = { read: readerOf(options.store), seal: options.seal }
  }

  async receive(message: PersonMessage): Promise<void> {
    message.reply.resolve(await this.#change(message.command))
  }

  #change(command: PersonCommand): Promise<PersonAnswer> {
    return propose<PersonAnswer>(this.#options.proposer, personStream(this.#ppid), (at) => {
      const state = readPerson(this.#ppid, this.#reader.read)?.state
      const before = state?.status === 'active' ? state : undefined
      const replayed = before && this.#replay(before, command)
      if (replayed !== undefined) return { answer: replayed }
      const decision = this.#decide(state, command)
      if (decision.type === 'unchanged') return { answer: this.#unchanged(before, decision) }
      if (decision.type !== 'accepted') return { answer: decision }
      const removed = command.type === 'remove_item' ? this.#describe(before) : undefined
      return {
        expectedSeq: state?.seq ?? 0,
        events: decision.drafts.map((draft) => sealDraft(this.#ppid, draft, this.#options.seal)),
        unique: decision.drafts.flatMap((draft) => newKeys(state, draft)),
        committed: () => this.#accepted(decision, { at, removed }),
        taken: ({ key }) => takenName(key),
      }
    })
  }

  #decide(state: PersonState | undefined, command: PersonCommand): PersonDecision {
    const { hash } = this.#options
    if (command.type === 'create') return decideCreation(state, command, hash)
    if (state === undefined) return { type: 'not_found' }
    if (state.status === 'erased') return { type: 'gone', erased_at: state.erased_at }
    if (command.type === 'erase') return decideErasure(state, command.by)
    const person = openPerson(state, this.#reader)
    if (command.type !== 'undo') return decidePerson(person, command, hash)
    return undoWrite(person, command, this.#openWrite(command.position), hash)
  }

  /** What was written at a position for this person; undefined if nothing was. */
  #openWrite(position: number): OpenedWrite | undefined {
    const { read, seal } = this.#reader
    const row = readWrite(this.#ppid, position, read)
    if (row === undefined) return undefined
    const event = readEvent(position, read) as JournalEvent & PersonEvent
    const personal = openEvent(this.#ppid, event, seal)
    return { event, personal, isUndone: row.undone_at !== undefined }
  }

  #unchanged(
    state: ActivePerson | undefined,
    { item }: Extract<PersonDecision, { type: 'unchanged' }>,
  ): PersonAnswer {
    const person = this.#describe(state)
    return { type: 'unchanged', person, item: findItem(person, item) }
  }

  #accepted(
    { fields, item: id, created = false }: AcceptedChange,
    { at, removed }: { readonly at: string; readonly removed: Person | undefined },
  ): PersonAnswer {
    const state = readPerson(this.#ppid, this.#reader.read)?.state
    const person = state?.status === 'active' ? this.#describe(state) : undefined
    const gone = removed && findItem(removed, id)
    const item = gone ? { ...gone, status: 'deleted' as const } : person && findItem(person, id)
    return { type: 'accepted', at, fields, person, item, created, replayed: false }
  }

  /** The answer that a keyed request had the first time; undefined if it is new or has no key. */
  #replay(state: ActivePerson, command: PersonCommand): PersonAnswer | undefined {
    const keyed = command.type === 'put_item' ? command.idempotency : undefined
    if (keyed === undefined) return undefined
    const { read } = this.#reader
    const row = decodeRow<IdempotencyRow>(read(idempotencyKey(keyed.key)))
    if (row === undefined) return undefined
    if (row.body_hash !== keyed.body_hash) return { type: 'idempotency_mismatch' }
    const event = readEvent(row.position, read)
    const person = this.#describe(state)
    const item = findItem(person, (event.data as { readonly item?: string }).item)
    if (item === undefined) return { type: 'removed_since' }
    const created = event.type === 'ItemAdded'
    return { type: 'accepted', at: row.at, fields: [], person, item, created, replayed: true }
  }

  #describe(state: ActivePerson | undefined): Person {
    assert(state !== undefined, 'who is described is there')
    return describePerson(openPerson(state, this.#reader), this.#reader)
  }
}

function findItem(person: Person, id: string | undefined): Item | undefined {
  return person.items.find((item) => item.id === id)
}

/** The rows that an event needs for itself: those of new names, and of its idempotency key. */
function newKeys(state: PersonState | undefined, { data, idempotency }: PersonDraft): string[] {
  const held = state?.status === 'active' ? state.names : {}
  const names = 'names' in data ? newNameKeys(held, data.names) : []
  return idempotency === undefined ? names : [...names, idempotencyKey(idempotency.key)]
}

function takenName(key: string): TakenName | undefined {
  if (key.startsWith('username/')) return { type: 'username_taken' }
  return key.startsWith('orcid/') ? { type: 'orcid_taken' } : undefined
}
