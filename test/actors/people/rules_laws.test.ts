import test from 'ava'
import fc from 'fast-check'
import { type Agent, isSource } from '#actors/values/agent.ts'
import type { ItemKind, ItemStatus, Visibility } from '#actors/people/port.ts'
import type { Fields, PersonState } from '#actors/people/events.ts'
import { evolvePerson } from '#actors/people/state.ts'
import {
  application,
  type HistoryCommand,
  PersonHistory,
  publisher,
  self,
  university,
} from '#test/actors/people/_history.ts'

const agents: readonly Agent[] = [self, publisher, university, application]

/** What is asked of a person, as small numbers, so that much of it meets. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('put', 'put', 'change', 'remove', 'mark', 'undo', 'update'),
    agent: fc.constantFrom(...agents),
    what: fc.nat(2),
    how: fc.nat(2),
    index: fc.nat(5),
    itemKind: fc.constantFrom<ItemKind>('affiliation', 'education'),
  }),
  { minLength: 1, maxLength: 25 },
)
type Step = typeof steps extends fc.Arbitrary<readonly (infer S)[]> ? S : never

const statuses = ['active', 'hidden', 'contested'] as const
const visibilities: readonly Visibility[] = ['public', 'trusted', 'private']

function fieldsFor({ itemKind, what, how }: Step): Fields {
  return itemKind === 'affiliation'
    ? { organization: `Organization ${what}`, end_year: `200${how}` }
    : { institution: `Institution ${what}`, ror: `ror ${how}` }
}

function commandOf(step: Step, history: PersonHistory): HistoryCommand {
  const { agent: by, what, how, index } = step
  const { items } = history.active
  const { id = 'affiliation-0', kind = step.itemKind } = items[index % (items.length || 1)] ?? {}
  switch (step.kind) {
    case 'put':
      return { type: 'put_item', kind: step.itemKind, fields: fieldsFor(step), by }
    case 'change':
      return { type: 'change_item', kind, id, patch: fieldsFor({ ...step, itemKind: kind }), by }
    case 'remove':
      return { type: 'remove_item', kind, id, by }
    case 'mark': {
      const mark = { status: statuses[what] ?? 'active', visibility: visibilities[how] ?? 'public' }
      return { type: 'mark_item', kind, id, mark, by }
    }
    case 'undo':
      return { type: 'undo', position: history.events.length - 1 - index, by }
    case 'update':
      return { type: 'update', patch: { bio: `Bio ${what}`, username: `name-${how}` }, by }
  }
}

function follow(taken: readonly Step[]): PersonHistory {
  const history = new PersonHistory()
  for (const step of taken) history.ask(commandOf(step, history))
  return history
}

test('property: the state follows from the events alone, as they are stored', (t) => {
  fc.assert(
    fc.property(steps, (taken) => {
      const history = follow(taken)
      let state: PersonState | undefined
      for (const event of JSON.parse(JSON.stringify(history.events)) as typeof history.events) {
        state = evolvePerson(state, event, event)
      }
      t.deepEqual(state, history.state)
    }),
  )
})

test('property: a write that was just made is taken back whole', (t) => {
  fc.assert(
    fc.property(steps, steps, (taken, more) => {
      const history = follow(taken)
      for (const step of more) {
        const before = history.plain()
        const command = commandOf(step, history)
        const { type } = history.ask(command)
        if (type !== 'accepted' || step.kind === 'undo') continue
        const undo = { type: 'undo', position: history.events.length - 1, by: self } as const
        t.is(history.ask(undo).type, 'accepted')
        t.deepEqual(history.plain(), before)
        t.deepEqual(history.ask(undo), { type: 'already_undone' })
      }
    }),
  )
})

test('property: nobody but its source ever changes what an item says', (t) => {
  fc.assert(
    fc.property(steps, steps, (taken, more) => {
      const history = follow(taken)
      for (const step of more) {
        if (step.kind === 'undo') continue
        const before = history.opened()
        history.ask(commandOf(step, history))
        const after = history.opened()
        for (const item of before.state.items) {
          const fields = after.fields.get(item.id)
          if (fields === undefined || isSource(step.agent, item.source)) continue
          t.deepEqual(fields, before.fields.get(item.id))
        }
      }
    }),
  )
})

test('property: no source has written the same thing twice, and ids are never used again', (t) => {
  fc.assert(
    fc.property(steps, (taken) => {
      const history = follow(taken)
      const { state, fields } = history.opened()
      const things = state.items.map(({ id, kind, source }) => {
        const { organization, institution } = fields.get(id) ?? {}
        const thing = [kind, organization ?? institution]
        return JSON.stringify([...thing, source.type, source.id, source.client_id])
      })
      t.is(new Set(things).size, things.length)
      const added = history.events.flatMap(({ type, data }) =>
        type === 'ItemAdded' && 'item' in data ? [data.item] : [],
      )
      t.is(new Set(added).size, added.length)
    }),
  )
})

type ModelItem = {
  readonly kind: ItemKind
  readonly source: Agent
  readonly fields: Fields
  status: ItemStatus
  visibility: Visibility
}

/** What the items of a person do, told in the plainest way: without events, and without undoing. */
class Model {
  readonly items = new Map<string, ModelItem>()

  take(step: Step, command: HistoryCommand, created: string | undefined): void {
    const { agent: by } = step
    if (command.type === 'put_item') return this.#put(command.kind, command.fields, by, created)
    if (!('id' in command)) return
    const item = this.items.get(command.id)
    if (item === undefined) return
    const isOwn = isSource(by, item.source)
    if (command.type === 'remove_item' && (isOwn || by === self)) this.items.delete(command.id)
    if (command.type === 'change_item' && isOwn) this.#change(command.id, item, command.patch)
    if (command.type === 'mark_item' && by === self) this.#mark(item, step)
  }

  #put(kind: ItemKind, fields: Fields, source: Agent, created: string | undefined): void {
    const held = this.#find(kind, fields, source)
    if (held !== undefined) {
      const item = this.items.get(held)
      if (item !== undefined) this.items.set(held, { ...item, fields })
    } else if (created !== undefined) {
      this.items.set(created, { kind, source, fields, status: 'active', visibility: 'public' })
    }
  }

  #change(id: string, item: ModelItem, fields: Fields): void {
    const duplicate = this.#find(item.kind, fields, item.source)
    if (duplicate === undefined || duplicate === id) this.items.set(id, { ...item, fields })
  }

  #mark(item: ModelItem, { what, how }: Step): void {
    const status = statuses[what] ?? 'active'
    if (status === 'contested' && item.source === self) return
    item.status = status
    item.visibility = visibilities[how] ?? 'public'
  }

  #find(kind: ItemKind, fields: Fields, source: Agent): string | undefined {
    const name = fields['organization'] ?? fields['institution']
    for (const [id, item] of this.items) {
      const held = item.fields['organization'] ?? item.fields['institution']
      if (item.kind === kind && held === name && isSource(source, item.source)) return id
    }
    return undefined
  }
}

test('property: items are as a plain model of them says', (t) => {
  fc.assert(
    fc.property(steps, (taken) => {
      const history = new PersonHistory()
      const model = new Model()
      for (const step of taken) {
        if (step.kind === 'undo') continue
        const command = commandOf(step, history)
        const decision = history.ask(command)
        const isNew = decision.type === 'accepted' && decision.created === true
        model.take(step, command, isNew ? decision.item : undefined)
        const items = history.plain().items.map(({ id, ...item }) => [id, item] as const)
        t.deepEqual(Object.fromEntries(items), Object.fromEntries(model.items))
      }
    }),
  )
})
