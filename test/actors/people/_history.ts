import type { Agent } from '#actors/values/agent.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import type { Profile } from '#actors/people/port.ts'
import {
  evolvePerson,
  type OpenedPerson,
  type PersonCommand,
  type PersonDecision,
} from '#actors/people/state.ts'
import {
  type ActivePerson,
  type Fields,
  type HashName,
  type PersonalChange,
  type PersonEvent,
  type PersonState,
  personStream,
} from '#actors/people/events.ts'
import { checkNewProfile } from '#actors/people/checks.ts'
import { decideCreation, decideErasure, decidePerson, undoWrite } from '#actors/people/rules.ts'
import { ada, onPages, publisherFor } from '#test/actors/_person.ts'

export const self: Agent = onPages(ada)
export const publisher: Agent = publisherFor(ada)
export const university: Agent = publisherFor(ada, 'university')
/** An application of no organization. */
export const application: Agent = { ...self, via: 'oauth', client_id: 'client-free' }
export const stranger: Agent = onPages('p-stranger')

/** Shows the names, so that tests can tell them. */
export const plainHash: HashName = (kind, name) => `${kind}:${name}`

/** A profile that must be right. */
export function profileOf(body: Record<string, unknown> = { name: 'Ada' }): Profile {
  const checked = checkNewProfile(body)
  if (checked.type === 'invalid') throw new Error(JSON.stringify(checked.faults))
  return checked.profile
}

/** A command on a person who is there; a write to undo is named by its position. */
export type HistoryCommand =
  | Exclude<PersonCommand, { type: 'create' | 'undo' }>
  | { readonly type: 'undo'; readonly by: Agent; readonly position: number }

/** A person with their whole history, as rules make it: no store, no seal. */
export class PersonHistory {
  readonly events: (JournalEvent & PersonEvent)[] = []
  readonly #personal: (PersonalChange | undefined)[] = []
  state: PersonState | undefined

  constructor(profile: Profile = profileOf()) {
    this.#commit(decideCreation(undefined, { type: 'create', by: self, profile }, plainHash))
  }

  get active(): ActivePerson {
    if (this.state?.status !== 'active') throw new Error('the person is gone')
    return this.state
  }

  /** Everything that is known of the person now. */
  opened(): OpenedPerson {
    const after = (position: number) => this.#personal[position]?.after
    const state = this.active
    const fields = state.items.map(({ id, written }) => [id, after(written) as Fields] as const)
    const profile = after(state.profile) as Profile
    const profileAt = this.events[state.profile]?.at ?? ''
    return { state, profile, profileAt, fields: new Map(fields) }
  }

  /** What is known but for times and numbers, which an undo does not turn back. */
  plain() {
    const { state, profile, fields } = this.opened()
    const items = state.items
      .map(({ id, kind, source, visibility, status, contested }) => ({
        id,
        kind,
        source,
        visibility,
        status,
        ...(contested !== undefined && { contested }),
        fields: fields.get(id),
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    return { profile, names: state.names, items }
  }

  /** Decides a command, and commits what is accepted. */
  ask(command: HistoryCommand): PersonDecision {
    const decision = this.#decide(command)
    this.#commit(decision)
    return decision
  }

  #decide(command: HistoryCommand): PersonDecision {
    if (command.type === 'erase') return decideErasure(this.active, command.by)
    if (command.type !== 'undo') return decidePerson(this.opened(), command, plainHash)
    const { position } = command
    const event = this.events[position]
    const isUndone = this.events.some(
      ({ type, data }) => type === 'WriteUndone' && 'undoes' in data && data.undoes === position,
    )
    const write = event && { event, personal: this.#personal[position], isUndone }
    return undoWrite(this.opened(), command, write, plainHash)
  }

  #commit(decision: PersonDecision): void {
    if (decision.type !== 'accepted') return
    for (const { personal, ...draft } of decision.drafts) {
      const position = this.events.length
      const place = {
        position,
        stream: personStream(ada),
        seq: position + 1,
        previous: position - 1,
        at: new Date(Date.UTC(2026, 10, 21) + position * 1_000).toISOString(),
        leafIndex: -1,
        entryCount: 0,
      }
      const data = { ...draft.data, ...(personal && { sealed: 'sealed' }) }
      const event = { ...draft, data, ...place } as JournalEvent & PersonEvent
      this.state = evolvePerson(this.state, event, event)
      this.events.push(event)
      this.#personal.push(personal)
    }
  }
}
