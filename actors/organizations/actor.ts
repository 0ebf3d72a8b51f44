import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, type Ref, type Reply } from '#actors/kernel/kernel.ts'
import { type OrganizationState, organizationStream } from '#actors/organizations/events.ts'
import {
  decideOrganization,
  evolveOrganization,
  type OrganizationCommand,
  type OrganizationDecision,
} from '#actors/organizations/rules.ts'
import type { SequencerMessage } from '#actors/journal/sequencer.ts'
import { decodeRow, readerOf, type ReadRow, type StreamRow } from '#actors/journal/view_row.ts'
import { assert } from '#log/errors.ts'
import type { Store } from '#log/store.ts'

/** What a command has led to, and the organization as it stands then, if there is one. */
export type OrganizationOutcome = {
  readonly type: 'changed' | Exclude<OrganizationDecision['type'], 'accepted'>
  readonly state: OrganizationState | undefined
}

/** What the actor of an organization understands. */
export type OrganizationMessage = {
  readonly type: 'change'
  readonly command: OrganizationCommand
  readonly reply: Reply<OrganizationOutcome>
}

/** What the actors of organizations share. */
export type OrganizationActorOptions = {
  readonly store: Store
  readonly sequencer: Ref<SequencerMessage>
  readonly clock: Clock
  readonly askTimeoutMs: number
}

/** Reads an organization from its row. */
export function readOrganization(slug: string, read: ReadRow): OrganizationState | undefined {
  return readStream(slug, read)?.state as OrganizationState | undefined
}

function readStream(slug: string, read: ReadRow): StreamRow | undefined {
  return decodeRow<StreamRow>(read(organizationStream(slug)))
}

/** Times a command is decided anew because the journal has moved on in the meantime. */
const decisionsMax = 16

/** One organization. Its state is its row; what it owns is the right to propose changes of it. */
export class OrganizationActor {
  readonly #slug: string
  readonly #options: OrganizationActorOptions

  constructor(slug: string, options: OrganizationActorOptions) {
    this.#slug = slug
    this.#options = options
  }

  async receive({ command, reply }: OrganizationMessage): Promise<void> {
    const { store, sequencer, clock, askTimeoutMs } = this.#options
    for (let decisions = 0; decisions < decisionsMax; decisions += 1) {
      const row = readStream(this.#slug, readerOf(store))
      const state = row?.state as OrganizationState | undefined
      const decision = decideOrganization(state, command)
      if (!('event' in decision)) return reply.resolve({ type: decision.type, state })
      const proposal = {
        stream: organizationStream(this.#slug),
        expectedSeq: row?.seq ?? 0,
        at: formatTimestamp(clock.nowMs()),
        events: [decision.event],
        unique: [],
        entries: [],
      }
      const answer = await ask(sequencer, { type: 'propose', proposal }, askTimeoutMs)
      if (answer.type !== 'committed') continue
      const [place] = answer.events
      assert(place !== undefined, 'a proposal of one event commits one event')
      const changed = evolveOrganization(state, decision.event, place)
      return reply.resolve({ type: 'changed', state: changed })
    }
    throw new ActorError('overloaded', `${this.#slug} was changed too often at one time`)
  }
}
