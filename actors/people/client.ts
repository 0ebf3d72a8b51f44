import type { Entities } from '#actors/kernel/shards.ts'
import { ask } from '#actors/kernel/kernel.ts'
import { requestKeyOf } from '#actors/journal/idempotency.ts'
import type { Item, People, Person, UndoAnswer, UpdatePersonAnswer } from '#actors/people/port.ts'
import type { PersonAnswer, PersonMessage } from '#actors/people/actor.ts'
import {
  checkItem,
  checkItemMark,
  checkItemPatch,
  checkNewProfile,
  checkOrcid,
  checkProfilePatch,
} from '#actors/people/checks.ts'
import { personStream } from '#actors/people/events.ts'
import { hashRequestKey } from '#actors/people/name_rows.ts'
import { openPersonQueries, type PersonQueriesOptions } from '#actors/people/queries.ts'
import type { PersonCommand } from '#actors/people/decision.ts'
import { readWorkWrite, type UndoCommand, undoWorkUpdate } from '#actors/people/work_undo.ts'
import { readerOf, type ReadRow } from '#actors/journal/rows.ts'
import type { Works } from '#actors/works/port.ts'
import { assert } from '#log/base/errors.ts'

/** What the commands and queries on people need: the entities, the rows, and the secret keys. */
export type PeopleClientOptions = PersonQueriesOptions & {
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
