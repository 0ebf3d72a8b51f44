import type { Agent } from '#actors/agent.ts'
import { type Clock, formatTimestamp } from '#actors/clock.ts'
import { ActorError } from '#actors/actor_error.ts'
import { ask, type Ref, type Reply } from '#actors/kernel.ts'
import { organizationStream, type OrganizationProfile } from '#actors/organization_events.ts'
import { decideOrganization, evolveOrganization } from '#actors/organization_rules.ts'
import type { Organization, OrganizationAnswer } from '#actors/organizations.ts'
import type { SequencerMessage } from '#actors/sequencer.ts'
import { decodeRow, type ReadRow, type StreamRow } from '#actors/view_row.ts'
import { assert } from '#log/errors.ts'
import type { Store } from '#log/store.ts'

/** What the actor of an organization understands. */
export type OrganizationMessage = {
  readonly type: 'create'
  readonly profile: OrganizationProfile
  readonly by: Agent
  readonly reply: Reply<Exclude<OrganizationAnswer, { type: 'invalid' }>>
}

/** What the actors of organizations share. */
export type OrganizationActorOptions = {
  readonly store: Store
  readonly sequencer: Ref<SequencerMessage>
  readonly clock: Clock
  readonly askTimeoutMs: number
}

/** Reads the state of an organization from its row. */
export function readOrganization(slug: string, read: ReadRow): Organization | undefined {
  return decodeRow<StreamRow>(read(organizationStream(slug)))?.state as Organization | undefined
}

/** Times a creation is decided anew because the journal has moved on in the meantime. */
const decisionsMax = 16

/** One organization. Its state is its row; what it owns is the right to propose changes of it. */
export class OrganizationActor {
  readonly #slug: string
  readonly #options: OrganizationActorOptions

  constructor(slug: string, options: OrganizationActorOptions) {
    this.#slug = slug
    this.#options = options
  }

  async receive(message: OrganizationMessage): Promise<void> {
    const { store, sequencer, clock, askTimeoutMs } = this.#options
    for (let decisions = 0; decisions < decisionsMax; decisions += 1) {
      const state = readOrganization(this.#slug, (key) => store.get(key))
      const decision = decideOrganization(state, message)
      if (decision.type === 'taken') return message.reply.resolve(decision)
      const proposal = {
        stream: organizationStream(this.#slug),
        expectedSeq: 0,
        at: formatTimestamp(clock.nowMs()),
        events: [decision.event],
        unique: [],
        entries: [],
      }
      const answer = await ask(sequencer, { type: 'propose', proposal }, askTimeoutMs)
      if (answer.type !== 'committed') continue
      const [place] = answer.events
      assert(place !== undefined, 'a proposal of one event commits one event')
      const organization = evolveOrganization(undefined, decision.event, place)
      return message.reply.resolve({ type: 'created', organization })
    }
    throw new ActorError('overloaded', `${this.#slug} was changed too often at one time`)
  }
}
