import { propose, type Proposer } from '#actors/journal/proposing.ts'
import type { Reply } from '#actors/kernel/kernel.ts'
import type { EntityBehaviour } from '#actors/kernel/shards.ts'
import { type OrganizationState, organizationStream } from '#actors/organizations/events.ts'
import {
  decideOrganization,
  evolveOrganization,
  type OrganizationCommand,
  type OrganizationDecision,
} from '#actors/organizations/rules.ts'
import { decodeRow, readerOf, type ReadRow, type StreamRow } from '#actors/journal/rows.ts'
import { assert } from '#log/base/errors.ts'
import type { Store } from '#log/base/store.ts'

/** What a command has led to, and the organization as it stands then, if there is one. */
export type OrganizationOutcome = (
  | { readonly type: 'changed' }
  | Exclude<OrganizationDecision, { readonly type: 'accepted' }>
) & { readonly state: OrganizationState | undefined }

/** What the entity of an organization understands. */
export type OrganizationMessage = {
  readonly type: 'change'
  readonly command: OrganizationCommand
  readonly reply: Reply<OrganizationOutcome>
}

/** What the entities of organizations share. */
export type OrganizationEntityOptions = { readonly store: Store; readonly proposer: Proposer }

/** Reads an organization from its row. */
export function readOrganization(slug: string, read: ReadRow): OrganizationState | undefined {
  return readStream(slug, read)?.state as OrganizationState | undefined
}

function readStream(slug: string, read: ReadRow): StreamRow | undefined {
  return decodeRow<StreamRow>(read(organizationStream(slug)))
}

/** One organization. Its state is its row; what it owns is the right to propose changes of it. */
export class OrganizationEntity implements EntityBehaviour<OrganizationMessage> {
  readonly holdsState = false
  readonly #slug: string
  readonly #options: OrganizationEntityOptions

  constructor(slug: string, options: OrganizationEntityOptions) {
    this.#slug = slug
    this.#options = options
  }

  async receive({ command, reply }: OrganizationMessage): Promise<void> {
    const { store, proposer } = this.#options
    const outcome = await propose<OrganizationOutcome>(
      proposer,
      organizationStream(this.#slug),
      () => {
        const row = readStream(this.#slug, readerOf(store))
        const state = row?.state as OrganizationState | undefined
        const decision = decideOrganization(state, command)
        if (!('event' in decision)) return { answer: { ...decision, state } }
        return {
          expectedSeq: row?.seq ?? 0,
          events: [decision.event],
          committed: ({ events: [place] }) => {
            assert(place !== undefined, 'a proposal of one event commits one event')
            return { type: 'changed', state: evolveOrganization(state, decision.event, place) }
          },
        }
      },
    )
    reply.resolve(outcome)
  }
}
