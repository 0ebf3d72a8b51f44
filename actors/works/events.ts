import type { EventOf, JournalEvent } from '#actors/journal/journal.ts'
import { decodeRow, eventMetadata, readEventRow, type ReadRow } from '#actors/journal/rows.ts'
import type { FixityStatus } from '#actors/works/receipts/statement.ts'
import type { Client, Owner } from '#actors/values/agent.ts'
import { bufferOf } from '#actors/values/serialization.ts'
import type { ContentPlace, FixityCheck } from '#actors/works/content.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { ChangeRefusal, ErasureReason, WithdrawalReason } from '#actors/works/port.ts'

/** Version 1 of a work. `by` is its owner from now on. `metadata` must stay the last member. */
export type WorkRegistered = EventOf<
  'WorkRegistered',
  ContentPlace & {
    readonly receipt_id: string
    readonly metadata_hash: string
    readonly content_hash: string | null
    /** Present if the ARK was minted in its dated form, `naan/ddmmyyyy/name`. */
    readonly dated?: true
    /** Null once it was erased, or where it is lost. */
    readonly metadata: Metadata | null
  }
>

/**
 * A further version of a work, by PUT (`updated`) or by POST to its versions (`versioned`). Its
 * fixity status is that of the version before if the content is the same. `metadata` must stay the
 * last member.
 */
export type WorkVersioned = EventOf<
  'WorkVersioned',
  ContentPlace & {
    readonly kind: 'updated' | 'versioned'
    readonly version: number
    readonly version_note?: string
    /** Position of the write that the person for whom it was made took back with this. */
    readonly undoes?: number
    readonly changed_fields: readonly (keyof Metadata)[]
    readonly receipt_id: string
    readonly metadata_hash: string
    readonly content_hash: string | null
    readonly fixity_status: FixityStatus
    /** Null once it was erased, or where it is lost, and the note is gone with it. */
    readonly metadata: Metadata | null
  }
>

/** The end of a work: its ARK answers with a tombstone for ever, its receipts stay valid. */
export type WorkWithdrawn = EventOf<
  'WorkWithdrawn',
  {
    readonly reason: WithdrawalReason
    readonly note?: string
    /** ARK of the work to use instead, `ark:/naan/name`. */
    readonly replaced_by?: string
  }
>

/**
 * A check of the content of the newest version. `from` is the fixity status before it; what was not
 * found is null. `content` is there the first time that the content is found stable: what its
 * `content` statement says, which is the event's log entry.
 */
export type FixityChecked = EventOf<
  'FixityChecked',
  Omit<FixityCheck, 'timestamp'> & {
    /** The version with which this content came; later ones serve the same. */
    readonly since: number
    readonly receipt_id: string
    readonly from: FixityStatus
    readonly next_check_at: string
    readonly content?: { readonly content_hash: string; readonly metadata_hash: string }
  }
>

/**
 * The one check of the content of a version that was superseded before its first: of its own
 * address, and final. `content` is as above. `waiting` is the next older version that waits for
 * such a check; null if none does.
 */
export type SupersededChecked = EventOf<
  'SupersededChecked',
  Omit<FixityCheck, 'timestamp'> & {
    readonly receipt_id: string
    readonly content?: FixityChecked['data']['content']
    readonly waiting: number | null
  }
>

/**
 * A check of one of the files that a work has beside its content, by its place among `files`, from
 * 0. What is found of it is stated nowhere: a receipt is of the content.
 */
export type FileChecked = EventOf<
  'FileChecked',
  Omit<FixityCheck, 'timestamp'> & { readonly file: number; readonly next_check_at: string }
>

/** Somebody wants the content to be checked before it would be due. */
export type FixityRequested = EventOf<'FixityRequested', { readonly version: number }>

/**
 * The end of what a withdrawn work says of itself: the metadata of all its versions is gone from
 * the events before this one (`works/erasure.ts`), and their hashes stay.
 */
export type WorkErased = EventOf<'WorkErased', { readonly reason: ErasureReason }>

/**
 * What a work says of itself from version `since` on is lost: the log has the statements, and the
 * registry went on from an older copy of itself (`registry/recovery.ts`). The events of these
 * versions have no metadata. `reason` is that for which the work had been withdrawn, if it was.
 */
export type MetadataLost = EventOf<
  'MetadataLost',
  { readonly since: number; readonly reason: WithdrawalReason | 'data_lost' }
>

export type WorkEvent =
  | WorkRegistered
  | WorkVersioned
  | WorkWithdrawn
  | FixityChecked
  | SupersededChecked
  | FixityRequested
  | FileChecked
  | WorkErased
  | MetadataLost

/** Whether a work does not stand any more after an event: what it says of itself is not shown. */
export function endsWork({ type }: Pick<WorkEvent, 'type'>): boolean {
  return type === 'WorkWithdrawn' || type === 'WorkErased' || type === 'MetadataLost'
}

/** Where and when the journal put an event; a `JournalEvent` is one. */
export type Place = Pick<JournalEvent, 'stream' | 'seq' | 'at' | 'position' | 'leafIndex'>

/**
 * Content that was found stable, which is what the content hash names from then on. What is null is
 * not known: a server names no media type, or what the check has found beside the hash is lost.
 */
type StableContent = {
  readonly sha512: string | null
  readonly bytes: number | null
  readonly media_type: string | null
  /** The version of the content statement, and its leaf. */
  readonly version: number
  readonly leaf: number
}

/** What the checks of a content have shown; there is nothing of the kind before the first. */
export type CheckedContent = {
  /** The version with which this content came. */
  readonly since: number
  readonly checked_at: string
  readonly reason: string | null
  readonly message: string | null
  /** Checks in a row with the same status. */
  readonly streak: number
  readonly next_check_at: string
  /** Whether the next check goes before those that are only due. */
  readonly urgent?: true
  readonly stable?: StableContent
}

/** What is known of the content of the newest version. */
export type ContentState = ContentPlace & {
  readonly fixity_status: FixityStatus
  readonly content_hash: string | null
  readonly checked?: CheckedContent
}

/** What is known of the content of one version; one that has a newer one is not checked again. */
export type VersionContent = Omit<ContentState, 'checked'> & {
  readonly checked?: Omit<CheckedContent, 'streak' | 'next_check_at' | 'urgent'>
}

/**
 * A work as it stands: all that its rules need to know, and the row that is stored of it. Its size
 * does not depend on the number of versions.
 */
export type WorkState = ContentState & {
  /** `naan/name`. */
  readonly ark: string
  /** The ARK as it was minted and is shown: `ark:/naan/name` or `ark:/naan/ddmmyyyy/name`. */
  readonly identifier: string
  /** Of its newest event, and of the newest one that was not of its fixity. */
  readonly seq: number
  readonly revision: number
  readonly owner: Owner
  /** The application that registered it for a person, if one did. */
  readonly client?: Client
  readonly created_at: string
  /** When the newest version was made or, later, the work withdrawn. */
  readonly updated_at: string
  readonly version: number
  readonly status: 'registered' | 'withdrawn'
  /** When the metadata was erased; absent as long as there is some. */
  readonly erased_at?: string
  /** When it was found that the metadata of the newest version is lost; the work is withdrawn. */
  readonly lost_at?: string
  readonly metadata_hash: string
  readonly receipt_id: string
  /** Journal position of the event that holds the current metadata. */
  readonly position: number
  /** Position and time of the newest event that feeds show; absent while it is the registration. */
  readonly changed?: { readonly position: number; readonly at: string }
  /** Leaf of the newest statement about the current version. */
  readonly leafIndex: number
  /**
   * The newest of the versions that were superseded before anybody looked at their content, and
   * since when it is due; absent if there is none. The row of each names the next older one.
   */
  readonly unsettled?: { readonly version: number; readonly at: string }
}

/** What an event changes of a work, and of its metadata: undefined where there is none. */
export type WorkStep = {
  readonly event: JournalEvent & WorkEvent
  readonly was: WorkState | undefined
  readonly state: WorkState
  readonly left: Metadata | undefined
  readonly entered: Metadata | undefined
}

/** What tells one edition of a work from another: its revision, and members that readers get. */
export function editionOf(
  edition: Pick<WorkState, 'revision' | 'version' | 'updated_at' | 'receipt_id' | 'metadata_hash'>,
) {
  const { revision, version, updated_at, receipt_id, metadata_hash } = edition
  return { revision, version, updated_at, receipt_id, metadata_hash }
}

const streamPrefix = 'work/'

/** The stream of a work's events; `ark` is `naan/name`. */
export function workStream(ark: string): string {
  return streamPrefix + ark
}

/** The ARK, `naan/name`, of a work's stream. */
export function streamArk(stream: string): string {
  return stream.slice(streamPrefix.length)
}

/** An event that histories show. */
export type HistoryEvent = Exclude<WorkEvent, { type: 'FixityRequested' | 'FileChecked' }>

/** An event that feeds show, too: it tells of the work as it stands. */
export type PublicEvent = Exclude<HistoryEvent, { type: 'SupersededChecked' }>

/** Whether histories show an event: not the checks that found nothing new, or of other files. */
export function isHistoryEvent<E extends WorkEvent>(event: E): event is E & HistoryEvent {
  if (event.type === 'FixityChecked') return event.data.status !== event.data.from
  return event.type !== 'FixityRequested' && event.type !== 'FileChecked'
}

/** Whether feeds show an event: who follows a work is told nothing of its older versions. */
export function isPublicEvent<E extends WorkEvent>(event: E): event is E & PublicEvent {
  return isHistoryEvent(event) && event.type !== 'SupersededChecked'
}

/** The metadata in the row of an event that came with some; undefined once they were erased. */
export function metadataIn(eventRow: Uint8Array): Metadata | undefined {
  return decodeRow<Metadata | null>(eventMetadata(eventRow)) ?? undefined
}

/** The same as the JSON that is stored. */
export function metadataTextIn(eventRow: Uint8Array): string | undefined {
  const bytes = eventMetadata(eventRow)
  const text = bufferOf(bytes).toString('utf8')
  return text === 'null' ? undefined : text
}

/**
 * The metadata that came with the event at a position; undefined once they were erased. A journal
 * with a hole is `store_corrupt`.
 */
export function metadataAt(position: number, read: ReadRow): Metadata | undefined {
  return metadataIn(readEventRow(position, read))
}

/** What is known of content once the metadata of its work is erased: no words of its server. */
export function blankContent<C extends VersionContent>(content: C): C {
  const { checked } = content
  if (checked === undefined) return content
  const { stable } = checked
  const blankStable = stable && { stable: { ...stable, media_type: null } }
  return { ...content, checked: { ...checked, message: null, ...blankStable } }
}

type Ended = Pick<WorkState, 'lost_at' | 'updated_at'>

/** Whether a work ended by the loss of what was registered, and nobody withdrew it. */
export function endedByLoss({ lost_at, updated_at }: Ended): boolean {
  return lost_at !== undefined && lost_at === updated_at
}

/** Why a work that has ended is not changed. */
export function goneRefusal(state: Ended): Extract<ChangeRefusal, { type: 'gone' }> {
  const isLost = endedByLoss(state)
  return { type: 'gone', withdrawnAt: state.updated_at, ...(isLost && { isLost }) }
}
