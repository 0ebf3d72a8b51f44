import { propose, type Proposer } from '#actors/journal/proposing.ts'
import { decodeRow, readerOf, type ReadRow, type StreamRow } from '#actors/journal/rows.ts'
import { ask, type Reply } from '#actors/kernel/kernel.ts'
import type { Entities, EntityBehaviour } from '#actors/kernel/shards.ts'
import {
  type MembersAnswer,
  type Membership,
  type Organization,
  type OrganizationAnswer,
  type Organizations,
  type OrganizationsPage,
  type OrganizationState,
  organizationStream,
  type OrganizationUpdateAnswer,
  type ParentAnswer,
  publicOrganization,
} from '#actors/people/organizations/events.ts'
import {
  checkOrganization,
  checkOrganizationPatch,
  decideOrganization,
  decideParent,
  belowByLevel,
  evolveOrganization,
  levelsMax,
  type OrganizationCommand,
  type OrganizationDecision,
  type ParentChange,
  type ParentFacts,
} from '#actors/people/organizations/rules.ts'
import {
  belowKey,
  invitedKey,
  memberPrefix,
  newestParentChangeKey,
  parentChangeKey,
  readSlugs,
} from '#actors/people/organizations/views.ts'
import type { Agent } from '#actors/values/agent.ts'
import type { MemberRole } from '#actors/values/authority.ts'
import { assert } from '#log/tlog/errors.ts'
import type { ReadStore, Store } from '#log/store/store.ts'

/** What a command has led to, and the organization as it stands then, if there is one. */
type OrganizationOutcome = (
  | { readonly type: 'changed' }
  | ParentAnswer
  | Exclude<OrganizationDecision, { readonly type: 'accepted' }>
) & { readonly state: OrganizationState | undefined }

/** What the entity of an organization understands. */
export type OrganizationMessage = {
  readonly type: 'change'
  readonly command: OrganizationCommand | ParentChange
  readonly reply: Reply<OrganizationOutcome>
}

/** What the entities of organizations share. */
type OrganizationEntityOptions = { readonly store: Store; readonly proposer: Proposer }

/** Reads an organization from its row. */
function readOrganization(slug: string, read: ReadRow): OrganizationState | undefined {
  return readStream(slug, read)?.state as OrganizationState | undefined
}

/** The organizations above one, the nearest first: the walk ends, whatever the rows say. */
function readAbove(slug: string, read: ReadRow): readonly string[] {
  const found: string[] = []
  for (let at = slug; found.length < levelsMax; ) {
    const { parent } = readOrganization(at, read) ?? {}
    if (parent === undefined) break
    found.push(parent)
    at = parent
  }
  return found
}

function parentFacts(slug: string, parent: string, read: ReadRow): ParentFacts {
  const above = [parent, ...readAbove(parent, read)]
  const belowOf = (each: string) => readSlugs(belowKey(each), read)
  const below = belowByLevel(slug, belowOf)
  const uppermost = above.at(-1) ?? parent
  return {
    above: above.flatMap((each) => readOrganization(each, read) ?? []),
    levelsBelow: below.length,
    countBelow: below.flat().length,
    countInAll: belowByLevel(uppermost, belowOf).flat().length,
    change: (decodeRow<number>(read(newestParentChangeKey)) ?? 0) + 1,
  }
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
        const read = readerOf(store)
        const row = readStream(this.#slug, read)
        const state = row?.state as OrganizationState | undefined
        const decision = decide(state, command, read)
        if (!('event' in decision)) return { answer: { ...decision, state } }
        const { event } = decision
        const isOfParents = event.type === 'ParentChanged'
        return {
          expectedSeq: row?.seq ?? 0,
          events: [event],
          ...(isOfParents && { unique: [parentChangeKey(event.data.change)] }),
          committed: ({ events: [place] }) => {
            assert(place !== undefined, 'a proposal of one event commits one event')
            return { type: 'changed', state: evolveOrganization(state, event, place) }
          },
        }
      },
    )
    reply.resolve(outcome)
  }
}

function decide(
  state: OrganizationState | undefined,
  command: OrganizationCommand | ParentChange,
  read: ReadRow,
) {
  if (command.type !== 'change_parent') return decideOrganization(state, command)
  if (state === undefined) return { type: 'not_found' } as const
  return decideParent(state, command, parentFacts(state.slug, command.parent, read))
}

type OrganizationsClientOptions = {
  readonly organizations: Entities<OrganizationMessage>
  readonly store: ReadStore
  readonly isPerson: (ppid: string) => boolean
  readonly askTimeoutMs: number
}

const service: Agent = {
  type: 'operator',
  id: 'accounts',
  name: 'Accounts',
  via: 'service',
  admin: true,
}

/** The commands on organizations, as questions to their entities, and the queries on their rows. */
export function openOrganizations(options: OrganizationsClientOptions): Organizations {
  const { store, isPerson } = options
  const read = readerOf(store)
  const change = (slug: string, command: OrganizationMessage['command']) =>
    askEntity(options, slug, command)
  return {
    async create({ body, by }) {
      const checked = checkOrganization(body)
      if (checked.type === 'invalid') return checked
      const { profile } = checked
      return creationOf(await change(profile.slug, { type: 'create', profile, by }))
    },
    async update({ slug, body, record, ...asked }) {
      const checked = checkOrganizationPatch(body, record)
      if (checked.type === 'invalid') return checked
      return updateOf(await change(slug, { type: 'update', patch: checked.patch, ...asked }))
    },
    async addMember({ slug, ...command }) {
      const added = { type: 'add_member', ...command, isPerson: isPerson(command.ppid) } as const
      return membersOf(await change(slug, added))
    },
    async changeRole({ slug, ...command }) {
      return membersOf(await change(slug, { type: 'change_role', ...command }))
    },
    async removeMember({ slug, ...command }) {
      return membersOf(await change(slug, { type: 'remove_member', ...command }))
    },
    async leaveAll(ppid) {
      const command = { type: 'remove_member', ppid, by: service } as const
      for (const { slug } of await listMemberships(store, ppid)) await change(slug, command)
    },
    async changeParent({ slug, ...command }) {
      const outcome = await change(slug, { type: 'change_parent', ...command })
      return { type: outcome.type as ParentAnswer['type'] }
    },
    invitationsOf: (slug) => readOrganization(slug, read)?.invited_by ?? [],
    above: (slug) => readAbove(slug, read),
    below: (slug) => readSlugs(belowKey(slug), read),
    invited: (slug) => readSlugs(invitedKey(slug), read),
    read(slug) {
      const state = readOrganization(slug, read)
      return state && publicOrganization(state)
    },
    members: (slug) => readOrganization(slug, read)?.members,
    roleOf: (slug, ppid) => decodeRow<MemberRole>(read(memberPrefix(ppid) + slug)),
    organizationsOf: (ppid) => listMemberships(store, ppid),
    list: (page) => listOrganizations(store, page),
  }
}

// An organization that does not exist gets an entity only to be created.
async function askEntity(
  { organizations, store, askTimeoutMs }: OrganizationsClientOptions,
  slug: string,
  command: OrganizationMessage['command'],
): Promise<OrganizationOutcome> {
  const isKnown = store.get(organizationStream(slug)) !== undefined
  if (!isKnown && command.type !== 'create') return { type: 'not_found', state: undefined }
  return ask(organizations.at(slug), { type: 'change', command }, askTimeoutMs)
}

function creationOf({ type, state }: OrganizationOutcome): OrganizationAnswer {
  assert(state !== undefined, 'what is created exists, and what was taken')
  return { type: type === 'changed' ? 'created' : 'taken', organization: publicOrganization(state) }
}

function updateOf({ state, ...outcome }: OrganizationOutcome): OrganizationUpdateAnswer {
  const { type } = outcome
  if (type === 'precondition_failed') return outcome
  if (type === 'forbidden' || type === 'not_found') return { type }
  assert(state !== undefined && (type === 'changed' || type === 'unchanged'), 'it was updated')
  return { type, organization: publicOrganization(state) }
}

function membersOf({ type, state }: OrganizationOutcome): MembersAnswer {
  if (type === 'changed' || type === 'unchanged') {
    assert(state !== undefined, 'an organization with members exists')
    return { type, members: state.members }
  }
  assert(type !== 'taken', 'only what is created can be there before')
  assert(type !== 'precondition_failed', 'members are changed whatever was read of them')
  return { type } as Exclude<MembersAnswer, { readonly members: unknown }>
}

async function listMemberships(store: ReadStore, ppid: string): Promise<readonly Membership[]> {
  const prefix = memberPrefix(ppid)
  const range = { gte: prefix, lt: `${prefix}~` }
  const found: Membership[] = []
  for await (const [key, row] of store.scan(range)) {
    const role = decodeRow<MemberRole>(row)
    if (role !== undefined) found.push({ slug: key.slice(prefix.length), role })
  }
  return found
}

async function listOrganizations(
  store: ReadStore,
  { after, limit, order = 'oldest' }: OrganizationsPage,
): Promise<readonly Organization[]> {
  const isBackwards = order === 'newest'
  const [least, most] = [organizationStream(''), organizationStream('~')]
  const place = after === '' ? undefined : organizationStream(after)
  const range = {
    gt: isBackwards ? least : (place ?? least),
    lt: isBackwards ? (place ?? most) : most,
    reverse: isBackwards,
    limit,
  }
  const found: Organization[] = []
  for await (const [, row] of store.scan(range)) {
    const state = decodeRow<StreamRow>(row)?.state as OrganizationState
    found.push(publicOrganization(state))
  }
  return found
}
