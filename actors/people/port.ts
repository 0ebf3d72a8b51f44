import type { Agent } from '#actors/values/agent.ts'
import type { Idempotency } from '#actors/journal/idempotency.ts'
import type { Precondition, PreconditionFailed } from '#actors/values/entity_tag.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type { Page } from '#actors/journal/rows.ts'

/** Who may see something: everybody, those whom the person lets read, or only the person. */
export type Visibility = 'public' | 'trusted' | 'private'

/** What of a profile has a visibility of its own; those of the two lists are for new items. */
export type VisibleField =
  | 'name'
  | 'username'
  | 'avatar_url'
  | 'orcid'
  | 'email'
  | 'bio'
  | 'urls'
  | 'claims'
  | 'affiliations'
  | 'education'

export type PersonUrl = { readonly name?: string; readonly url: string }

/** What a person says of themselves. The e-mail address is the account's, and is not here. */
export type Profile = {
  readonly name: string
  readonly username?: string
  readonly avatar_url?: string
  readonly bio?: string
  readonly urls?: readonly PersonUrl[]
  /** `0000-0002-1825-0097`; authenticated if the person has signed in there. */
  readonly orcid?: string
  readonly orcid_authenticated?: true
  readonly visibility: { readonly [Field in VisibleField]: Visibility }
}

export type ItemKind = 'affiliation' | 'education'

export type AffiliationFields = {
  readonly organization: string
  readonly role?: string
  readonly department?: string
  readonly start_year?: string
  readonly end_year?: string
  /** `https://ror.org/05gq02987` */
  readonly ror?: string
}

export type EducationFields = {
  readonly institution: string
  readonly degree?: string
  readonly year?: string
  readonly ror?: string
}

/** `deleted` is said of an item that is gone, where one tells of it nevertheless. */
export type ItemStatus = 'active' | 'hidden' | 'contested' | 'deleted'

type ItemOf<Kind extends ItemKind, Fields> = {
  /** `affiliation-…` or `education-…`, unique within the person. */
  readonly id: string
  readonly kind: Kind
  /** Who wrote it, and alone may change it. */
  readonly source: Agent
  readonly visibility: Visibility
  readonly status: ItemStatus
  /** Why the person contests it. */
  readonly contest_reason?: string
  readonly created_at: string
  readonly updated_at: string
  /** Quoted. */
  readonly etag: string
  readonly fields: Fields
}

/** An affiliation or an education record of a person, opened. */
export type Item = ItemOf<'affiliation', AffiliationFields> | ItemOf<'education', EducationFields>

/** A person as the registry knows them, opened and complete: nothing is filtered here. */
export type Person = {
  readonly type: 'person'
  readonly ppid: string
  /** Number of the newest event. */
  readonly seq: number
  /** Quoted; `If-Match` compares what it says of the profile, not of the items. */
  readonly etag: string
  readonly created_at: string
  readonly updated_at: string
  readonly profile: Profile
  /** In the order in which they were added. */
  readonly items: readonly Item[]
}

/** What is left of a person whose account was deleted. */
export type ErasedPerson = {
  readonly type: 'erased'
  readonly ppid: string
  readonly erased_at: string
}

/** What a write did to one field: null is what was not there. */
export type FieldChange = {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/**
 * A change of a person, or of a work on their behalf, that they did not make on the pages
 * themselves: by an organization, an application, a key, or an administrator.
 */
export type WriteByOther = {
  /** Of its event in the journal: names it for `undo`. */
  readonly position: number
  readonly at: string
  readonly by: Agent
  /** What happened: the type of the event, such as `ItemAdded` or `WorkRegistered`. */
  readonly type: string
  /** The item that was written, and how it stands now. */
  readonly item?: {
    readonly id: string
    readonly kind: ItemKind
    readonly status: ItemStatus
  }
  /** The work that was written, `naan/name`, and its version since. */
  readonly ark?: string
  readonly version?: number
  /** Whether it can be taken back, unless something has been changed since. */
  readonly undoable: boolean
  readonly diff: readonly FieldChange[]
  /** When the person undid it. */
  readonly undone_at?: string
}

/** Why nothing was changed. */
export type PersonRefusal =
  | { readonly type: 'not_found' }
  /** The account was deleted. */
  | { readonly type: 'gone'; readonly erased_at: string }
  /** Neither the person nor somebody on their behalf, or not theirs to do. */
  | { readonly type: 'forbidden' }
  | PreconditionFailed
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }

/** Of two things that only one person may have: somebody else has it. */
export type TakenName = { readonly type: 'username_taken' } | { readonly type: 'orcid_taken' }

/** Another source wrote the item; only that one may change it. */
export type NotSource = { readonly type: 'not_source'; readonly source: Agent }

export type TooManyItems = { readonly type: 'too_many_items'; readonly max: number }

export type CreatePersonAnswer =
  | { readonly type: 'created'; readonly person: Person }
  | { readonly type: 'exists' }
  | Extract<PersonRefusal, { type: 'invalid' | 'gone' }>
  | Extract<TakenName, { type: 'username_taken' }>

export type UpdatePersonAnswer =
  | {
      readonly type: 'updated'
      readonly person: Person
      /** Names of the fields that differ now; `visibility.bio` is one of them. */
      readonly changed_fields: readonly string[]
    }
  | { readonly type: 'unchanged'; readonly person: Person }
  | PersonRefusal
  | TakenName

export type PutItemAnswer =
  /** `created`: or the source had one of the same natural key, which is changed by this. */
  | {
      readonly type: 'put'
      readonly item: Item
      readonly created: boolean
      readonly replayed: boolean
    }
  | TooManyItems
  /** What an earlier request of the same idempotency key has put was removed since. */
  | { readonly type: 'removed_since' }
  | { readonly type: 'idempotency_mismatch' }
  | PersonRefusal

export type ChangeItemAnswer =
  | {
      readonly type: 'changed'
      readonly item: Item
      readonly changed_fields: readonly string[]
    }
  | { readonly type: 'unchanged'; readonly item: Item }
  /** The source has another item of the same natural key. */
  | { readonly type: 'duplicate_item'; readonly id: string }
  | NotSource
  | PersonRefusal

export type RemoveItemAnswer =
  | { readonly type: 'removed'; readonly item: Item }
  | NotSource
  | PersonRefusal

export type MarkItemAnswer =
  | { readonly type: 'marked'; readonly item: Item }
  | { readonly type: 'unchanged'; readonly item: Item }
  /** The person wrote it, and may change it instead of contesting it. */
  | { readonly type: 'own_item' }
  | PersonRefusal

export type UndoAnswer =
  | { readonly type: 'undone' }
  | { readonly type: 'already_undone' }
  /** What it wrote was changed again: `position` is the newer write, -1 if that is not known. */
  | { readonly type: 'changed_since'; readonly position: number }
  /** A write of this kind has no way back. */
  | { readonly type: 'not_undoable' }
  | TooManyItems
  | TakenName
  | PersonRefusal

export type ErasePersonAnswer =
  | { readonly type: 'erased'; readonly erased_at: string }
  | Extract<PersonRefusal, { type: 'not_found' | 'gone' | 'forbidden' }>

type Command = { readonly ppid: string; readonly by: Agent }
type Guarded = Command & Precondition
type ItemCommand = Guarded & { readonly kind: ItemKind; readonly id: string }

/** An event of a person as their export shows it; `personal` is what it held sealed. */
export type ExportedEvent = {
  readonly position: number
  readonly at: string
  readonly type: string
  readonly by: Agent
  readonly data: unknown
  readonly personal?: unknown
}

/** Everything that is held of a person, but for their claims and what is the account's. */
export type PersonExport = {
  readonly person: Person
  readonly writes: readonly WriteByOther[]
  readonly events: readonly ExportedEvent[]
}

/**
 * An update of a record. Members of the `record`, as its reader gets it, may stand in the body as
 * they are, although they cannot be changed.
 */
export type Update = {
  readonly body: unknown
  readonly record?: Readonly<Record<string, unknown>> | undefined
}

/**
 * The commands and queries on people. Bodies are unchecked JSON; all their faults are told at once.
 * A person is sealed with a key of their own, which the caller makes durable before `create` and
 * destroys after `erase`.
 */
export type People = {
  /** `body`: `{name, username?, avatar_url?, bio?, urls?, visibility?}`. */
  create(command: Command & { readonly body: unknown }): Promise<CreatePersonAnswer>
  /** Merges: null removes. Only the person changes `visibility`. */
  update(command: Guarded & Update): Promise<UpdatePersonAnswer>
  linkOrcid(
    command: Command & { readonly orcid: string; readonly authenticated: boolean },
  ): Promise<UpdatePersonAnswer>
  unlinkOrcid(command: Command): Promise<UpdatePersonAnswer>
  /**
   * Adds an item, or changes the one of the same source and natural key. `body`: the fields, and
   * `visibility`, which can only be narrower than the person's own unless the person asks.
   */
  putItem(
    command: Command & {
      readonly kind: ItemKind
      readonly body: unknown
      readonly idempotency?: Idempotency
    },
  ): Promise<PutItemAnswer>
  /** Merges: null removes. Only the source may. */
  changeItem(command: ItemCommand & Update): Promise<ChangeItemAnswer>
  /** The source and the person may. */
  removeItem(command: ItemCommand): Promise<RemoveItemAnswer>
  /** The person hides an item, shows it again (`active`), contests it, or sets who sees it. */
  markItem(command: ItemCommand & { readonly body: unknown }): Promise<MarkItemAnswer>
  /** Takes back one write, which `position` names. */
  undo(command: Command & { readonly position: number }): Promise<UndoAnswer>
  /** The end of a person: their names are free again, and nothing is shown any more. */
  erase(command: Command): Promise<ErasePersonAnswer>

  read(ppid: string): Person | ErasedPerson | undefined
  /** The ppid of who has a username; it is folded. */
  findByUsername(username: string): string | undefined
  /** The ppid of the person who has authenticated an ORCID iD, also if they show it to nobody. */
  findByOrcid(orcid: string): string | undefined
  /** Ppids in their order, those of erased people too. */
  list(page: { readonly after: string; readonly limit: number }): Promise<readonly string[]>
  /** Newest first by default; the cursor is the position of the last one of the page before. */
  writes(page: Page<number> & { readonly ppid: string }): Promise<readonly WriteByOther[]>
  export(ppid: string): Promise<PersonExport | undefined>
}
