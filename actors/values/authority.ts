import {
  type Agent,
  type Client,
  clientOf,
  isClient,
  isOwner,
  isPerson,
  isSource,
  type OwnerRef,
  personOf,
} from '#actors/values/agent.ts'

/**
 * What members may do: an `owner` everything, members and keys included; an `editor` registers and
 * changes works and describes the organization; a `viewer` sees what only members see.
 */
export const memberRoles = ['owner', 'editor', 'viewer'] as const

export type MemberRole = (typeof memberRoles)[number]

/** What a caller is to a record; they can be several of these at once. */
type Standing =
  /** Acts with administrative rights. */
  | 'administrator'
  /** The registry by itself. */
  | 'registry'
  /** Who registered the work, by a key or on the pages, and not through an application. */
  | 'registrant'
  /** Who has made the test person: an organization or the operator by a key, a person by hand. */
  | 'maker'
  /** Who wrote the record; an application is it of what it wrote for its person alone. */
  | 'source'
  /** The person whom the record is about, on the pages or by a key that is not limited. */
  | 'self'
  /** That person on the pages. */
  | 'present'
  /** A researcher's key, where the person has added the record themselves, or adds one. */
  | 'limited'
  /** An application that acts for the person whom the record is about. */
  | 'deputy'
  /** A key of the organization itself. */
  | 'key'
  /** An owner of an organization above that one, on the pages. */
  | 'lead'
  /** A member of the organization, on the pages. An owner is an editor too, an editor a viewer. */
  | MemberRole

/**
 * Who may do what to which kind of record: who has one of these standings. What the scopes of a
 * credential permit at all is asked before, and whether the record stands so that it can be done,
 * afterwards.
 */
export const powers = {
  work: {
    /** Changes it, or adds a version. */
    change: ['registrant', 'source', 'limited', 'administrator'],
    withdraw: ['registrant', 'source', 'administrator'],
    erase: ['administrator'],
    /** Lists the claims on it that wait for a word. */
    'list claims': ['registrant'],
  },
  /** That a person is an author of a work. */
  claim: {
    /** Says so as the person. */
    claim: ['self', 'deputy'],
    /** Says so of the person. */
    assert: ['registrant', 'administrator'],
    /** Agrees or not to what was asserted, and contests what was rejected. */
    accept: ['self'],
    /** Agrees or not to what was claimed, and contests what was verified. */
    review: ['registrant'],
    /** Decides over the heads of the two. */
    decide: ['administrator'],
    withdraw: ['self'],
    /** Withdraws what nobody has agreed to yet. */
    retract: ['source'],
    disclaim: ['self', 'administrator'],
    /** Reads what the two wrote to each other. */
    'read words': ['self', 'registrant', 'source', 'administrator'],
  },
  /** An affiliation or an education record. */
  item: {
    change: ['source'],
    remove: ['source', 'self', 'administrator'],
    /** Hides it, shows it again, contests it, and says who sees it. */
    mark: ['self', 'limited', 'administrator'],
  },
  /** A person, with their profile and their account. */
  person: {
    'read private': ['self', 'limited', 'administrator'],
    change: ['self', 'deputy', 'administrator'],
    /** Says who sees what, and who the person is elsewhere. */
    'change identity': ['self', 'administrator'],
    'undo write': ['self', 'administrator'],
    /** Adds an affiliation or an education record. */
    'add item': ['self', 'limited', 'deputy', 'administrator'],
    /** Changes a work back, which counts as the person's own change. */
    'undo work': ['self'],
    'manage keys': ['present'],
    'end permission': ['present'],
    erase: ['self', 'administrator'],
    /** Makes them an administrator, signs them out, and ends their second step. */
    administer: ['administrator'],
  },
  /** A person of the sandbox, whom nobody is. */
  'test person': {
    make: ['maker', 'administrator'],
    remove: ['maker', 'self', 'administrator'],
  },
  /** Where an organization hears of what happens to its works. */
  webhook: {
    manage: ['key', 'owner', 'administrator'],
  },
  organization: {
    read: ['viewer', 'lead', 'administrator'],
    describe: ['editor', 'administrator'],
    'register works': ['editor', 'administrator'],
    /** Changes many of its works at once. */
    'change many works': ['editor', 'key', 'administrator'],
    /** Undoes all that somebody did to its works since a time: a key that was stolen cannot. */
    'undo many changes': ['owner', 'administrator'],
    'review claims': ['editor', 'administrator'],
    'manage keys': ['owner', 'lead', 'administrator'],
    'manage applications': ['owner', 'administrator'],
    'manage members': ['owner', 'administrator'],
    'read history': ['owner', 'administrator'],
    /** Reads how many members and keys it has, and those below it have. */
    'read counts': ['key', 'administrator'],
    /** Asks organizations to be part of it, and ends that. */
    'invite below': ['owner', 'administrator'],
    /** Accepts to be part of another organization, declines and leaves. */
    'choose parent': ['owner', 'administrator'],
    /** Puts it below another one that has not invited it. */
    'join uninvited': ['administrator'],
    leave: ['self'],
    /** Leaves although nobody is left who owns it: with the account, the last owner goes. */
    abandon: ['registry'],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly Standing[]>>>>

type Powers = typeof powers

export type RecordKind = keyof Powers

/** What can be done to a record of a kind. */
export type Action<Kind extends RecordKind> = keyof Powers[Kind]

/** Who registered a work, and the application that did it for a person, if one did. */
export type OwnedWork = {
  readonly owner: OwnerRef
  readonly client?: Client
}

/** What is asked of a record to tell who may do what to it. `ppid`: the person it is about. */
export type RecordFacts = {
  readonly work: OwnedWork
  /** `source` of one that is new: undefined. */
  readonly claim: {
    readonly ppid: string
    readonly work: OwnedWork
    readonly source?: Agent | undefined
  }
  /** `source` of one that is new: undefined. */
  readonly item: { readonly ppid: string; readonly source?: Agent }
  readonly person: { readonly ppid: string }
  /** `maker`: who has made them; of one that is new: the caller. */
  readonly 'test person': { readonly ppid?: string; readonly maker: OwnerRef }
  readonly webhook: { readonly organization: string; readonly members: readonly MemberFacts[] }
  /**
   * `slug`: which one it is; `ppid`: the member that an action is about; `above`: the members of
   * each organization above it through which somebody can act.
   */
  readonly organization: {
    readonly members: readonly MemberFacts[]
    readonly above?: readonly (readonly MemberFacts[])[]
    readonly slug?: string
    readonly ppid?: string
  }
}

type MemberFacts = { readonly ppid: string; readonly role: MemberRole }

/**
 * What an administrator can suspend. An `account` is that of a person, by the ppid; a `work` is
 * named `naan/name`, and nobody acts through it: as long as it is suspended, it is withheld.
 */
export const suspendable = ['organization', 'account', 'application', 'work'] as const

export type Suspendable = { readonly type: (typeof suspendable)[number]; readonly id: string }

/**
 * All through whom somebody acts: as long as one of them is suspended, it is refused, whatever
 * `may` says. An administrator acts in a suspended organization, to set things right.
 */
export function actsThrough(by: Agent): readonly Suspendable[] {
  const parties: Suspendable[] = []
  if (by.type === 'organization' && by.admin !== true) {
    parties.push({ type: 'organization', id: by.id })
  }
  for (const ppid of new Set([personOf(by), by.member])) {
    if (ppid !== undefined) parties.push({ type: 'account', id: ppid })
  }
  if (by.client_id !== undefined) parties.push({ type: 'application', id: by.client_id })
  return parties
}

/** Whether somebody acts with administrative rights. */
export function isAdministrator(by: Agent): boolean {
  return by.admin === true
}

/** Whether somebody may do something to a record; a caller without a credential may do nothing. */
export function may<Kind extends RecordKind>(
  by: Agent | undefined,
  kind: Kind,
  action: Action<Kind>,
  facts: RecordFacts[Kind],
): boolean {
  if (by === undefined) return false
  const wanted = powers[kind][action] as readonly Standing[]
  const held: Held = {
    administrator: isAdministrator(by),
    registry: by.via === 'service',
    ...standings[kind](by, facts),
  }
  return wanted.some((standing) => held[standing] === true)
}

/** The least role of a member who may do something in an organization; undefined if none may. */
export function leastRole(action: Action<'organization'>): MemberRole | undefined {
  const wanted: readonly Standing[] = powers.organization[action]
  return memberRoles.find((role) => wanted.includes(role))
}

type Held = { readonly [S in Standing]?: boolean }

/** What somebody is to a record of each kind. */
const standings: {
  readonly [Kind in RecordKind]: (by: Agent, facts: RecordFacts[Kind]) => Held
} = {
  work: (by, { owner, client }) => ({
    registrant: isFull(by) && isOwner(by, owner),
    source: client !== undefined && isClient(client, clientOf(by)),
    limited: by.limited === true && isOwner(by, owner) && client === undefined,
  }),
  claim: (by, { ppid, work, source }) => ({
    self: isSelf(by, ppid),
    deputy: isDeputy(by, ppid),
    registrant: isFull(by) && isOwner(by, work.owner),
    source: isFull(by) && source !== undefined && isSource(by, source),
  }),
  item: (by, { ppid, source }) => ({
    self: isSelf(by, ppid),
    limited: isLimited(by, ppid) && isPerson(source ?? by, ppid),
    source: source !== undefined && isSource(by, source),
  }),
  person: (by, { ppid }) => ({
    self: isSelf(by, ppid),
    present: by.via === 'ui' && isSelf(by, ppid),
    limited: isLimited(by, ppid),
    deputy: isDeputy(by, ppid),
  }),
  'test person': (by, { ppid, maker }) => ({
    // A person makes one of their own on the pages, and not by a key.
    maker: isFull(by) && (maker.type !== 'person' || by.via === 'ui') && isOwner(by, maker),
    self: ppid !== undefined && isSelf(by, ppid),
  }),
  webhook: (by, { organization, members }) => ({
    key: isKeyOf(by, organization),
    owner: roleOf(by, members) === 'owner',
  }),
  organization: (by, { members, above = [], slug = '', ppid = '' }) => {
    const role = roleOf(by, members)
    return {
      key: isKeyOf(by, slug),
      viewer: role !== undefined,
      editor: role === 'editor' || role === 'owner',
      owner: role === 'owner',
      lead: above.some((each) => roleOf(by, each) === 'owner'),
      self: isPresent(by, ppid),
    }
  },
}

/** The role of who is on the pages; undefined if they are none of the members. */
function roleOf(by: Agent, members: readonly MemberFacts[]): MemberRole | undefined {
  return members.find(({ ppid }) => isPresent(by, ppid))?.role
}

function isKeyOf(by: Agent, slug: string): boolean {
  return by.via === 'api_key' && isOwner(by, { type: 'organization', id: slug })
}

function isPresent(by: Agent, ppid: string): boolean {
  return by.via === 'ui' && isPerson(by, ppid)
}

function isFull({ limited }: Agent): boolean {
  return limited !== true
}

function isSelf(by: Agent, ppid: string): boolean {
  return isFull(by) && isPerson(by, ppid)
}

function isLimited(by: Agent, ppid: string): boolean {
  return !isFull(by) && isPerson(by, ppid)
}

function isDeputy(by: Agent, ppid: string): boolean {
  return clientOf(by)?.ppid === ppid
}
