import { idempotencyKey, type IdempotencyRow, requestKeyOf } from '#actors/journal/idempotency.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { propose, type Proposer } from '#actors/journal/proposing.ts'
import { decodeRow, readerOf, readEvent, type ReadRow } from '#actors/journal/rows.ts'
import { ask, type Reply } from '#actors/kernel/kernel.ts'
import type { Entities } from '#actors/kernel/shards.ts'
import {
  checkItem,
  checkItemMark,
  checkItemPatch,
  checkNewProfile,
  checkOrcid,
  checkProfilePatch,
} from '#actors/people/checks.ts'
import {
  type ActivePerson,
  type HashName,
  type PersonEvent,
  type PersonState,
  personStream,
} from '#actors/people/events.ts'
import type {
  Item,
  People,
  Person,
  TakenName,
  UndoAnswer,
  UpdatePersonAnswer,
} from '#actors/people/port.ts'
import {
  openPersonQueries,
  type PersonQueriesOptions,
  readWorkWrite,
  type UndoCommand,
  undoWorkUpdate,
} from '#actors/people/queries.ts'
import {
  describePerson,
  openEvent,
  openPerson,
  type PersonReader,
  type PersonSeal,
  readPerson,
  sealDraft,
} from '#actors/people/record.ts'
import { decideCreation, decideErasure, decidePerson, undoWrite } from '#actors/people/rules.ts'
import type {
  AcceptedChange,
  OpenedWrite,
  PersonCommand,
  PersonDecision,
  PersonDraft,
} from '#actors/people/state.ts'
import { hashRequestKey, newNameKeys, readWrite } from '#actors/people/views.ts'
import type { Works } from '#actors/works/port.ts'
import { assert } from '#log/tlog/errors.ts'
import type { Store } from '#log/store/store.ts'

type PersonAnswer =
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

type PeopleClientOptions = PersonQueriesOptions & {
  readonly people: Entities<PersonMessage>
  readonly works: Works
  /** Takes back what has made a work a person's; undefined if a write was of another kind. */
  readonly undoClaim: (command: UndoCommand) => Promise<UndoAnswer | undefined>
  readonly indexKey: Uint8Array
  readonly askTimeoutMs: number
}

type Accepted = Extract<PersonAnswer, { type: 'accepted' }>

/** Sends a command to the entity of a person. */
type Send = (ppid: string, command: PersonCommand) => Promise<PersonAnswer>

/** The commands on people, as questions to their entities, and the queries on their rows. */
export function openPeople(options: PeopleClientOptions): People {
  const { people, store, indexKey, askTimeoutMs } = options
  const read: ReadRow = readerOf(store)
  // A person who does not exist gets no entity.
  const send: Send = async (ppid, command) => {
    const isKnown = read(personStream(ppid)) !== undefined
    if (!isKnown && command.type !== 'create') return { type: 'not_found' }
    return ask(people.at(ppid), { type: 'change', command }, askTimeoutMs)
  }
  return {
    ...openPersonQueries(options),
    ...profileCommands(send, options, read),
    ...itemCommands(send, indexKey),
  }
}

type ProfileCommands = Pick<
  People,
  'create' | 'update' | 'linkOrcid' | 'unlinkOrcid' | 'undo' | 'erase'
>

function profileCommands(
  send: Send,
  { works, undoClaim }: Pick<PeopleClientOptions, 'works' | 'undoClaim'>,
  read: ReadRow,
): ProfileCommands {
  return {
    async create({ ppid, body, by }) {
      const checked = checkNewProfile(body)
      if (checked.type === 'invalid') return checked
      const answer = await send(ppid, { type: 'create', profile: checked.profile, by })
      if (answer.type !== 'accepted') return refusal(answer)
      return { type: 'created', person: personOf(answer) }
    },

    async update({ ppid, body, record, ...asked }) {
      const checked = checkProfilePatch(body, record)
      if (checked.type === 'invalid') return checked
      return updated(await send(ppid, { type: 'update', patch: checked.patch, ...asked }))
    },

    async linkOrcid({ ppid, orcid: text, authenticated, by }) {
      const checked = checkOrcid(text)
      if (checked.type === 'invalid') return checked
      const { orcid } = checked
      const patch = { orcid, orcid_authenticated: authenticated ? (true as const) : null }
      return updated(await send(ppid, { type: 'update', patch, by }))
    },

    async unlinkOrcid({ ppid, by }) {
      const patch = { orcid: null, orcid_authenticated: null }
      return updated(await send(ppid, { type: 'update', patch, by }))
    },

    async undo({ ppid, ...asked }) {
      const undone = await undoClaim({ ppid, ...asked })
      if (undone !== undefined) return undone
      const write = readWorkWrite({ ppid, ...asked }, read)
      if (write !== undefined) return undoWorkUpdate({ ppid, ...asked }, write, { works, read })
      const answer = await send(ppid, { type: 'undo', ...asked })
      return answer.type === 'accepted' ? { type: 'undone' } : refusal(answer)
    },

    async erase({ ppid, by }) {
      const answer = await send(ppid, { type: 'erase', by })
      if (answer.type !== 'accepted') return refusal(answer)
      return { type: 'erased', erased_at: answer.at }
    },
  }
}

type ItemCommands = Pick<People, 'putItem' | 'changeItem' | 'removeItem' | 'markItem'>

function itemCommands(send: Send, indexKey: Uint8Array): ItemCommands {
  return {
    async putItem({ ppid, kind, body, by, idempotency }) {
      const checked = checkItem(kind, body)
      if (checked.type === 'invalid') return checked
      const { type: _, ...item } = checked
      const keyed = requestKeyOf(by, idempotency, `${personStream(ppid)}/${kind}`)
      const named = keyed && { idempotency: hashRequestKey(indexKey, keyed) }
      const answer = await send(ppid, { type: 'put_item', kind, by, ...item, ...named })
      if (answer.type === 'unchanged') {
        return { type: 'put', item: itemOf(answer), created: false, replayed: false }
      }
      if (answer.type !== 'accepted') return refusal(answer)
      const { created, replayed } = answer
      return { type: 'put', item: itemOf(answer), created, replayed }
    },

    async changeItem({ ppid, kind, body, record, ...asked }) {
      const checked = checkItemPatch(kind, body, record)
      if (checked.type === 'invalid') return checked
      const { type: _, fields: patch, ...visibility } = checked
      const command = { type: 'change_item', kind, patch, ...visibility, ...asked } as const
      const answer = await send(ppid, command)
      if (answer.type === 'unchanged') return { type: 'unchanged', item: itemOf(answer) }
      if (answer.type !== 'accepted') return refusal(answer)
      return { type: 'changed', item: itemOf(answer), changed_fields: answer.fields }
    },

    async removeItem({ ppid, ...asked }) {
      const answer = await send(ppid, { type: 'remove_item', ...asked })
      if (answer.type !== 'accepted') return refusal(answer)
      return { type: 'removed', item: itemOf(answer) }
    },

    async markItem({ ppid, body, ...asked }) {
      const checked = checkItemMark(body)
      if (checked.type === 'invalid') return checked
      const answer = await send(ppid, { type: 'mark_item', mark: checked.mark, ...asked })
      if (answer.type === 'unchanged') return { type: 'unchanged', item: itemOf(answer) }
      if (answer.type !== 'accepted') return refusal(answer)
      return { type: 'marked', item: itemOf(answer) }
    },
  }
}

function updated(answer: PersonAnswer): UpdatePersonAnswer {
  if (answer.type === 'unchanged') return { type: 'unchanged', person: answer.person }
  if (answer.type !== 'accepted') return refusal(answer)
  return { type: 'updated', person: personOf(answer), changed_fields: answer.fields }
}

// Each command is decided by rules of its own, which know the refusals that its answer names.
function refusal<A>(answer: PersonAnswer): A {
  const { type } = answer
  assert(type !== 'accepted' && type !== 'unchanged', 'a command is refused with a refusal')
  return answer as A
}

function personOf({ person }: Accepted): Person {
  assert(person !== undefined, 'a person is there after all changes but the last')
  return person
}

function itemOf({ item }: Extract<PersonAnswer, { readonly item: Item | undefined }>): Item {
  assert(item !== undefined, 'a command on an item answers with it')
  return item
}
