import type { Agent } from '#actors/values/agent.ts'
import type { JournalEvent, NewEvent } from '#actors/journal/journal.ts'
import type { ItemKind, ItemStatus, Visibility } from '#actors/people/port.ts'

/**
 * What events of a person share. What is personal stands in `sealed` alone: a `PersonalChange`,
 * sealed for this person. All else in `data` are ids, names of fields and words of ours.
 */
type Event<Type extends string, Data> = {
  readonly type: Type
  readonly schema: 1
  readonly by: Agent
  readonly idempotency?: NonNullable<NewEvent['idempotency']>
  readonly data: Data
}

/** Text in ASCII that only the person's key opens. */
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
export type PersonCreated = Event<'PersonCreated', Sealed & { readonly names: NameHashes }>

/** `fields` are the names of those that differ; `names` all that the person has from now on. */
export type ProfileUpdated = Event<
  'ProfileUpdated',
  Sealed & { readonly fields: readonly string[]; readonly names: NameHashes }
>

export type ItemAdded = Event<
  'ItemAdded',
  Sealed & ItemName & { readonly visibility: Visibility; readonly fields: readonly string[] }
>

/** `former` is the position of the event that holds the fields as they were. */
export type ItemChanged = Event<
  'ItemChanged',
  Sealed & ItemName & { readonly fields: readonly string[]; readonly former: number }
>

/** `removed` is the item as it stood. */
export type ItemRemoved = Event<'ItemRemoved', Sealed & { readonly removed: ItemState }>

/** The person's own view of an item. What is sealed is why they contest it, if they say so. */
export type ItemMarked = Event<
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
export type WriteUndone = Event<
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
export type PersonErased = Event<'PersonErased', Record<string, never>>

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
