import type { Agent } from '#actors/values/agent.ts'
import { entityTag, type Precondition, type PreconditionFailed } from '#actors/values/entity_tag.ts'
import type { JournalEvent, NewEvent } from '#actors/journal/journal.ts'
import type {
  ChangeItemAnswer,
  ItemKind,
  ItemStatus,
  MarkItemAnswer,
  NotSource,
  Profile,
  TooManyItems,
  UndoAnswer,
  Visibility,
} from '#actors/people/port.ts'
import type { ActivePerson, PersonalChange, PersonEvent } from '#actors/people/events.ts'
import type { Fields, ProfilePatch } from '#actors/people/profile.ts'

/** Who asks for a change, and what of the record it may be bound to. */
type Asked = Precondition & { readonly by: Agent }

type ItemAsked = Asked & { readonly kind: ItemKind; readonly id: string }

/** What can be asked of a person; all values are checked and in their stored form. */
export type PersonCommand =
  | { readonly type: 'create'; readonly by: Agent; readonly profile: Profile }
  | (Asked & { readonly type: 'update'; readonly patch: ProfilePatch })
  | (Asked & {
      readonly type: 'put_item'
      readonly kind: ItemKind
      readonly fields: Fields
      readonly visibility?: Visibility
      readonly idempotency?: NonNullable<NewEvent['idempotency']>
    })
  | (ItemAsked & {
      readonly type: 'change_item'
      readonly patch: Fields
      readonly visibility?: Visibility
    })
  | (ItemAsked & { readonly type: 'remove_item' })
  | (ItemAsked & { readonly type: 'mark_item'; readonly mark: ItemMark })
  | { readonly type: 'undo'; readonly by: Agent; readonly position: number }
  | { readonly type: 'erase'; readonly by: Agent }

/** How the person sees an item. A reason is given for what is contested alone. */
export type ItemMark = {
  readonly status?: Exclude<ItemStatus, 'deleted'>
  readonly reason?: string
  readonly visibility?: Visibility
}

/** A person as their rules see them: their state, their profile, and the fields of their items. */
export type OpenedPerson = {
  readonly state: ActivePerson
  readonly profile: Profile
  /** When the profile was edited last. */
  readonly profileAt: string
  readonly fields: ReadonlyMap<string, Fields>
}

// Distributes over the union, so that each event keeps its own members.
type Unsealed<E extends PersonEvent> = E extends PersonEvent
  ? Omit<E, 'data'> & { readonly data: WithoutSealed<E['data']> }
  : never
type WithoutSealed<D> = D extends unknown ? Omit<D, 'sealed'> : never

/** An event before it is sealed: what is personal stands beside it. */
export type PersonDraft = Unsealed<PersonEvent> & { readonly personal?: PersonalChange }

/** A change to commit: its events, and the names of the fields that differ. */
export type AcceptedChange = {
  readonly type: 'accepted'
  readonly drafts: readonly PersonDraft[]
  readonly fields: readonly string[]
  /** The item that it is about, and whether it is new. */
  readonly item?: string
  readonly created?: boolean
}

export type PersonDecision =
  | AcceptedChange
  | { readonly type: 'unchanged'; readonly item?: string }
  | { readonly type: 'exists' }
  | TooManyItems
  | NotSource
  | Exclude<ChangeItemAnswer, { type: 'changed' | 'unchanged' }>
  | Exclude<MarkItemAnswer, { type: 'marked' | 'unchanged' }>
  | Exclude<UndoAnswer, { type: 'undone' | 'username_taken' | 'orcid_taken' }>

/** A write to undo: its event, what it held sealed, and whether it was undone before. */
export type OpenedWrite = {
  readonly event: JournalEvent & PersonEvent
  readonly personal: PersonalChange | undefined
  readonly isUndone: boolean
}

/**
 * The refusal of a change of what the client has not seen as it is now. `fields` are those that
 * differ from what it has sent, in what was edited last at `at`.
 */
export function preconditionFailed(
  numbered: Pick<ActivePerson, 'seq' | 'revision'>,
  fields: readonly string[],
  at: string,
): PreconditionFailed {
  const changes = fields.map((field) => ({ field, at }))
  return { type: 'precondition_failed', etag: entityTag(numbered), changes }
}
