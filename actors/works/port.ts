import type { Agent } from '#actors/values/agent.ts'
import type { Metadata, MetadataPatch } from '#actors/works/metadata.ts'
import type { Idempotency } from '#actors/journal/idempotency.ts'
import type { FixityStatus } from '#actors/works/receipts/statement.ts'
import type { Precondition, PreconditionFailed } from '#actors/values/entity_tag.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** Mint a work from checked metadata. `dryRun` goes through every rule and writes nothing. */
export type RegisterCommand = {
  readonly metadata: Metadata
  readonly warnings: readonly FieldFault[]
  readonly by: Agent
  readonly idempotency?: Idempotency
  readonly allowDuplicate: boolean
  /**
   * Whether a work without a DOI may be one that its registrant has registered in the last day, as
   * a client means that says with a name of its own that this is another request.
   */
  readonly allowRepeat: boolean
  /** Whether its owner has no other live work with its DOI, or nothing is registered. */
  readonly onlyWithDoi?: boolean
  readonly dryRun: boolean
}

/** A work as it stands after registration: what the creation response says. */
export type RegisteredWork = {
  readonly svc_id: string
  readonly ark_identifier: string
  readonly work_title: string
  readonly work_type: string
  readonly created_at: string
  readonly version: number
  readonly receipt_id: string
  readonly fixity_status: FixityStatus
  readonly metadata_hash: string
  readonly source: Agent
  readonly warnings: readonly FieldFault[]
}

export type RegisterAnswer =
  | {
      readonly type: 'registered'
      readonly work: RegisteredWork
      /** Whether the request was carried out before, under the same idempotency key. */
      readonly replayed: boolean
      readonly etag: string
    }
  | { readonly type: 'valid'; readonly warnings: readonly FieldFault[] }
  /** Another work has the DOI and the title; of the owner's, the DOI where that is to be one. */
  | { readonly type: 'duplicate_work'; readonly existingArk: string }
  /** A live work of the registrant has the `external_id`. */
  | { readonly type: 'named_work'; readonly existingArk: string; readonly externalId: string }
  /** The registrant has registered a work with the title and the address in the last day. */
  | { readonly type: 'repeated_work'; readonly existingArk: string }
  /** The request was carried out before, and the metadata of its work was erased since. */
  | { readonly type: 'erased'; readonly ark_identifier: string }
  | { readonly type: 'idempotency_mismatch' }

/** `ark` is the normal form `naan/name`. */
export type UpdateCommand = Precondition & {
  readonly ark: string
  readonly idempotency?: Idempotency
  readonly patch: MetadataPatch
  readonly by: Agent
}

/**
 * A person takes back what was written for them at the position `undoes`: the patch restores the
 * fields as they were. The owner of the work need not agree.
 */
export type UndoUpdateCommand = UpdateCommand & { readonly undoes: number }

export type AddVersionCommand = UpdateCommand & { readonly versionNote?: string }

export const withdrawalReasons = [
  'author_request',
  'retraction',
  'duplicate',
  'copyright',
  'fraud',
  'court_order',
  'rights_of_others',
  'personal_data',
  'legal',
  'test',
  'other',
] as const

export type WithdrawalReason = (typeof withdrawalReasons)[number]

export type WithdrawCommand = Precondition & {
  readonly ark: string
  readonly idempotency?: Idempotency
  readonly reason: WithdrawalReason
  readonly note?: string
  readonly replacedBy?: string
  readonly by: Agent
}

/** Why metadata can be erased. */
export const erasureReasons = ['court_order', 'personal_data', 'legal'] as const

export type ErasureReason = (typeof erasureReasons)[number]

/** Erase the metadata of a work that is withdrawn; `withdraws`: or withdraw it with that. */
export type EraseCommand = Precondition & {
  readonly ark: string
  readonly idempotency?: Idempotency
  readonly reason: ErasureReason
  readonly withdraws: boolean
  readonly by: Agent
}

/** What a change of a work answers: its newest version, or its tombstone. */
export type WorkChange = {
  readonly ark_identifier: string
  readonly version: number
  readonly kind: 'registered' | 'updated' | 'versioned' | 'withdrawn' | 'erased'
  readonly receipt_id: string
  readonly created_at: string
  readonly metadata_hash: string
  readonly content_hash: string | null
  readonly fixity_status: FixityStatus
  readonly changed_fields: readonly string[]
  readonly source: Agent
}

/** Why a change of an existing work was not made; nothing was written. */
export type ChangeRefusal =
  | { readonly type: 'not_found' }
  /** `isLost`: nobody withdrew it, what was registered is lost. */
  | { readonly type: 'gone'; readonly withdrawnAt: string; readonly isLost?: boolean }
  | { readonly type: 'forbidden' }
  | { readonly type: 'not_administrator' }
  | { readonly type: 'not_withdrawn' }
  | PreconditionFailed
  | { readonly type: 'version_unchanged' }
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }
  | { readonly type: 'idempotency_mismatch' }

/** What became of a change; `replayed`: it was made before, under the same idempotency key. */
export type ChangeAnswer =
  | {
      readonly type: 'changed'
      readonly change: WorkChange
      /** What was put right, and what the client should know; absent if that is nothing. */
      readonly warnings?: readonly FieldFault[]
      readonly replayed?: true
    }
  | { readonly type: 'unchanged'; readonly change: WorkChange }
  | ChangeRefusal

/** The commands on works. Each answers once its change is durable and covered by a checkpoint. */
export type Works = {
  register(command: RegisterCommand): Promise<RegisterAnswer>
  update(command: UpdateCommand): Promise<ChangeAnswer>
  undoUpdate(command: UndoUpdateCommand): Promise<ChangeAnswer>
  addVersion(command: AddVersionCommand): Promise<ChangeAnswer>
  withdraw(command: WithdrawCommand): Promise<ChangeAnswer>
  erase(command: EraseCommand): Promise<ChangeAnswer>
}
