import type { EventOf, JournalEvent } from '#actors/journal/journal.ts'
import type { FieldChange, ItemKind, ItemStatus, Profile, Visibility } from '#actors/people/port.ts'
import type { Agent } from '#actors/values/agent.ts'

/**
 * What is personal in an event of a person: a `PersonalChange` as a text in ASCII that only the
 * person's key opens. All else in `data` are ids, names of fields and words of ours.
 */
type Sealed = { readonly sealed: string }

/**
 * What an event holds sealed. `before` has the fields that were changed, by their names, as far as
 * they were there; `after` is whole, and null where nothing is left.
 */
export type PersonalChange = {
  readonly before: Readonly<Record<string, unknown>>
  readonly after: unknown
}

/**
 * The names that only one person may have, each as a hash with a secret key: the username, and the
 * ORCID iD if it is authenticated.
 */
export type NameHashes = { readonly username?: string; readonly orcid?: string }

type ItemName = { readonly item: string; readonly kind: ItemKind }

/** A person that the registry did not know before. */
type PersonCreated = EventOf<'PersonCreated', Sealed & { readonly names: NameHashes }>

/** `fields` are the names of those that differ; `names` all that the person has from now on. */
export type ProfileUpdated = EventOf<
  'ProfileUpdated',
  Sealed & { readonly fields: readonly string[]; readonly names: NameHashes }
>

export type ItemAdded = EventOf<
  'ItemAdded',
  Sealed & ItemName & { readonly visibility: Visibility; readonly fields: readonly string[] }
>

/** `former` is the position of the event that holds the fields as they were. */
export type ItemChanged = EventOf<
  'ItemChanged',
  Sealed & ItemName & { readonly fields: readonly string[]; readonly former: number }
>

/** `removed` is the item as it stood. */
export type ItemRemoved = EventOf<'ItemRemoved', Sealed & { readonly removed: ItemState }>

/** The person's own view of an item. What is sealed is why they contest it, if they say so. */
export type ItemMarked = EventOf<
  'ItemMarked',
  Partial<Sealed> &
    ItemName & {
      readonly status: Exclude<ItemStatus, 'deleted'>
      readonly visibility: Visibility
      readonly former: ItemMarks
      readonly has_reason: boolean
    }
>

/** How an item is seen by its person; `contested` is the position of the event that says why. */
export type ItemMarks = Pick<ItemState, 'status' | 'visibility' | 'contested'>

/**
 * The write at the position `undoes` is taken back: what was added is gone, the former fields stand
 * again (the event at `written` holds them), what was removed is there again, an item is
 * marked as it was, or the profile has its former fields.
 */
export type WriteUndone = EventOf<
  'WriteUndone',
  { readonly undoes: number } & (
    | (ItemName & { readonly effect: 'item_removed' })
    | (ItemName & { readonly effect: 'fields_restored'; readonly written: number })
    | { readonly effect: 'item_restored'; readonly restored: ItemState }
    | (ItemName & { readonly effect: 'marks_restored'; readonly marks: ItemMarks })
    | (ProfileUpdated['data'] & { readonly effect: 'profile_restored' })
  )
>

/** The end of a person; their key is destroyed after it. */
export type PersonErased = EventOf<'PersonErased', Record<string, never>>

export type PersonEvent =
  | PersonCreated
  | ProfileUpdated
  | ItemAdded
  | ItemChanged
  | ItemRemoved
  | ItemMarked
  | WriteUndone
  | PersonErased

/** Where and when the journal put an event; a `JournalEvent` is one. */
export type PersonPlace = Pick<JournalEvent, 'stream' | 'seq' | 'at' | 'position'>

/** An item as it stands, but for what is personal. */
export type ItemState = {
  readonly id: string
  readonly kind: ItemKind
  readonly source: Agent
  readonly visibility: Visibility
  readonly status: Exclude<ItemStatus, 'deleted'>
  readonly created_at: string
  readonly updated_at: string
  /** `seq` of the newest event of the item. */
  readonly revision: number
  /** Position of the event that holds its fields, and of the one that holds why it is contested. */
  readonly written: number
  readonly contested?: number
}

/** A person as they stand, but for what is personal: the row that is stored of them. */
export type ActivePerson = {
  readonly status: 'active'
  readonly ppid: string
  /** Of the newest event, and of the newest one of the profile. */
  readonly seq: number
  readonly revision: number
  readonly created_at: string
  readonly updated_at: string
  readonly names: NameHashes
  /** Position of the event that holds the profile. */
  readonly profile: number
  readonly items: readonly ItemState[]
}

export type PersonState =
  | ActivePerson
  | {
      readonly status: 'erased'
      readonly ppid: string
      readonly seq: number
      readonly erased_at: string
    }

const streamPrefix = 'person/'

/** The stream of a person's events. */
export function personStream(ppid: string): string {
  return streamPrefix + ppid
}

/** The ppid of a person's stream; undefined for another stream. */
export function streamPpid(stream: string): string | undefined {
  return stream.startsWith(streamPrefix) ? stream.slice(streamPrefix.length) : undefined
}

export type ClaimStatus = 'pending' | 'verified' | 'rejected' | 'disputed' | 'withdrawn'

/** The two who must agree on a claim: who is said to be an author, and who registered the work. */
export type ClaimSide = 'researcher' | 'registrant'

/**
 * Why a claim is verified: the registrant says so, by registering for the person or by confirming;
 * the person has signed in with an ORCID iD that the work names; or an administrator says so, who
 * can reject it too.
 */
export type ClaimBasis = 'registrant' | 'orcid' | 'admin'

/**
 * What is said of a claim that was made. `confirm` agrees and `reject` does not, each by the side
 * that is waited for, or by an administrator; `contest` puts a decision before an administrator;
 * `withdraw` takes it back; by `disclaim` the person says that the work is not theirs, now and for
 * ever, whether anybody has claimed it or not.
 */
export const claimSteps = ['confirm', 'reject', 'contest', 'withdraw', 'disclaim'] as const

export type ClaimStep = (typeof claimSteps)[number]

/** What can speak against a claim, when it is held against its work. */
export type MismatchCode =
  | 'no_place'
  | 'no_such_author'
  | 'name_differs'
  | 'name_hidden'
  | 'orcid_differs'

/**
 * A person is said to be an author of a work, `naan/name`, or (`blocked`) says that they are not.
 * Its message is sealed. It may be said again of a work that was withdrawn from.
 */
export type ClaimMade = EventOf<
  'ClaimMade',
  Partial<Sealed> & {
    readonly claim_id: string
    readonly ark: string
    readonly status: ClaimStatus
    readonly waits_for: ClaimSide
    readonly basis?: ClaimBasis
    readonly author_position?: number
    readonly blocked?: true
  }
>

/**
 * What became of a claim; `review` is the registry's own look at it. The reason of a contest, and
 * of agreeing to what does not match, is sealed. `undoes` is the position of the write that the
 * person takes back with it.
 */
export type ClaimChanged = EventOf<
  'ClaimChanged',
  Partial<Sealed> & {
    readonly claim_id: string
    readonly ark: string
    readonly step: ClaimStep | 'review'
    readonly from: ClaimStatus
    readonly status: ClaimStatus
    readonly basis?: ClaimBasis
    readonly author_position?: number
    readonly blocked?: true
    readonly undoes?: number
    /** What spoke against a claim that was confirmed all the same; why it was is sealed. */
    readonly mismatches?: readonly MismatchCode[]
  }
>

/** The events of claims, which stand in the person's stream. */
export type ClaimEvent = ClaimMade | ClaimChanged

// Distributes over the union, so that each event keeps its own members.
type Unsealed<E extends ClaimEvent> = E extends ClaimEvent
  ? Omit<E, 'data'> & { readonly data: Omit<E['data'], 'sealed'> }
  : never

/** An event of a claim before it is sealed: what is personal stands beside it. */
export type ClaimDraft = Unsealed<ClaimEvent> & { readonly personal?: PersonalChange }

/** Whether an event of a person is one of their claims. */
export function isClaimEvent<E extends { readonly type: string }>(
  event: E,
): event is E & ClaimEvent {
  return event.type === 'ClaimMade' || event.type === 'ClaimChanged'
}

/** A change of a profile: what is absent stays, null removes. */
export type ProfilePatch = {
  readonly [Field in Exclude<keyof Profile, 'name' | 'visibility'>]?: Profile[Field] | null
} & { readonly name?: string; readonly visibility?: Partial<Profile['visibility']> }

/** A record of fields by their names; those that are not there are absent. */
export type Fields = Readonly<Record<string, unknown>>

const visibilityPrefix = 'visibility.'

/** A profile field by field: the visibility of the biography is the field `visibility.bio`. */
export function fieldsOf({ visibility, ...profile }: Profile): Fields {
  const fields: Record<string, unknown> = { ...profile }
  for (const [name, value] of Object.entries(visibility)) fields[visibilityPrefix + name] = value
  return fields
}

/** The profile of such fields. */
export function profileOf(fields: Fields): Profile {
  const own: Record<string, unknown> = {}
  const visibility: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (!name.startsWith(visibilityPrefix)) own[name] = value
    else visibility[name.slice(visibilityPrefix.length)] = value
  }
  return { ...own, visibility } as unknown as Profile
}

/**
 * Merges a patch into a profile. An ORCID iD that is authenticated stays so when the same one is
 * only said again.
 */
export function patchProfile(profile: Profile, patch: ProfilePatch): Profile {
  const { visibility, ...fields } = patch
  const { orcid, orcid_authenticated: isAuthenticated } = profile
  const kept = orcid !== undefined && patch.orcid === orcid && isAuthenticated
  const merged = mergeFields(profile, kept ? { ...fields, orcid_authenticated: true } : fields)
  return { ...merged, visibility: { ...profile.visibility, ...visibility } } as Profile
}

/** Merges fields into others: null removes one. */
export function mergeFields(fields: object, patch: object): Fields {
  const merged = { ...fields, ...patch }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
}

/** Names of the fields that differ, sorted. */
export function changedFields(before: Fields, after: Fields): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => !isSameValue(before[name], after[name])).sort()
}

/** Whether two values of a field are the same: texts, or lists whose members stand in one order. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** The fields of those names, as far as they are there. */
export function pickFields(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.filter((name) => name in fields).map((name) => [name, fields[name]]),
  )
}

/** What a change did to the fields of those names. */
export function diffOf(names: readonly string[], before: Fields, after: Fields): FieldChange[] {
  return names.map((field) => ({
    field,
    before: before[field] ?? null,
    after: after[field] ?? null,
  }))
}

/** Hashes a name that only one person may have, with a secret key. */
export type HashName = (kind: keyof NameHashes, name: string) => string

/** The names of a profile that nobody else may have. */
export function namesOf(profile: Profile, hash: HashName): NameHashes {
  const { username, orcid, orcid_authenticated: isAuthenticated } = profile
  return {
    ...(username !== undefined && { username: hash('username', username) }),
    ...(orcid !== undefined && isAuthenticated && { orcid: hash('orcid', orcid) }),
  }
}
