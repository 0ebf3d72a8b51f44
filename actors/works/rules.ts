import type { SerializedValue } from '#actors/kernel/remote.ts'
import { type Agent, clientOf, isOperator, type Owner } from '#actors/values/agent.ts'
import { formatDatedArk } from '#actors/values/ark.ts'
import { may } from '#actors/values/authority.ts'
import { type ContentPlace, contentUrl, placeContent } from '#actors/works/content.ts'
import { entityTag, isCurrent } from '#actors/values/entity_tag.ts'
import {
  blankContent,
  editionOf,
  goneRefusal,
  isPublicEvent,
  type Place,
  streamArk,
  type WorkErased,
  type WorkEvent,
  type WorkState,
  type WorkVersioned,
} from '#actors/works/events.ts'
import {
  evolveFixity,
  hashSource,
  isFixityEvent,
  settleWithdrawn,
} from '#actors/works/fixity_rules.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type { RequestKey } from '#actors/journal/idempotency.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import {
  digestOf,
  receiptId,
  type TombstoneStatement,
  type WorkStatement,
} from '#actors/works/receipts/statement.ts'
import type {
  AddVersionCommand,
  ChangeRefusal,
  EraseCommand,
  RegisterCommand,
  UpdateCommand,
  WithdrawCommand,
  WorkChange,
} from '#actors/works/port.ts'
import { applyPatch } from '#actors/works/request_checks.ts'
import { assert } from '#log/tlog/errors.ts'

/**
 * What can be asked of a work, as its entity is told: the commands of the port. A new work comes
 * with its metadata as they are stored, and their hash; `dated`: its ARK is minted in its dated
 * form. `undoes`: the position of the write that is taken back with this, by the person for whom it
 * was made.
 */
export type WorkCommand =
  | ({
      readonly type: 'register'
      readonly serialized: SerializedValue<Metadata>
      readonly metadataHash: string
      readonly dated: boolean
      readonly idempotency?: RequestKey
    } & Pick<RegisterCommand, 'by' | 'allowDuplicate' | 'allowRepeat' | 'onlyWithDoi'>)
  | ({ readonly type: 'update'; readonly undoes?: number } & EntityCommand<UpdateCommand>)
  | ({ readonly type: 'add_version' } & EntityCommand<AddVersionCommand>)
  | ({ readonly type: 'withdraw' } & EntityCommand<WithdrawCommand>)
  | ({ readonly type: 'erase' } & EntityCommand<EraseCommand>)

type EntityCommand<C> = Omit<C, 'ark' | 'idempotency'> & { readonly idempotency?: RequestKey }

/**
 * What a decision goes by beside the command and the work. `ark` is `naan/name`, `at`
 * `YYYY-MM-DDThh:mm:ss.sssZ`, `receiptSuffix` 12 random betanumerics.
 */
export type DecisionFacts = {
  readonly ark: string
  readonly at: string
  readonly receiptSuffix: string
}

export type Registration = Extract<WorkCommand, { type: 'register' }>
type Revision = Extract<WorkCommand, { type: 'update' | 'add_version' }>
type Withdrawal = Extract<WorkCommand, { type: 'withdraw' }>
type Erasure = Extract<WorkCommand, { type: 'erase' }>
/** Any command but the first. */
export type Change = Exclude<WorkCommand, Registration>

/** A change to commit: its event, the statement to sign and log with it, and what to answer. */
export type Accepted = {
  readonly type: 'accepted'
  readonly events: readonly WorkEvent[]
  readonly statements: readonly (WorkStatement | TombstoneStatement)[]
  readonly change: WorkChange
  /** What the client should know of it; absent if that is nothing. */
  readonly warnings?: readonly FieldFault[]
}

/** What becomes of a command. `taken`: the ARK to register under is a work's already. */
export type Decision =
  | Accepted
  | { readonly type: 'unchanged'; readonly change: WorkChange }
  | { readonly type: 'taken' }
  | ChangeRefusal

/**
 * Decides a command on a work as it stands; undefined is a work that does not exist. `current` is
 * the metadata of the event at `state.position`, for an `update` or `add_version`.
 */
export function decide(
  state: WorkState | undefined,
  command: WorkCommand,
  facts: DecisionFacts,
  current?: Metadata,
): Decision {
  if (command.type === 'register') {
    return state === undefined ? register(command, facts) : { type: 'taken' }
  }
  if (state === undefined) return { type: 'not_found' }
  const refusal = refuse(state, command)
  if (refusal !== undefined) return refusal
  switch (command.type) {
    case 'withdraw':
      return withdraw(state, command, facts.at)
    case 'erase':
      return erase(state, command, facts.at)
    case 'update':
    case 'add_version':
      return revise(state, command, facts, current)
  }
}

/** The work after an event that the journal has put at `place`. */
export function evolve(state: WorkState | undefined, event: WorkEvent, place: Place): WorkState {
  const next = evolveFacts(state, event, place)
  if (state === undefined || !isPublicEvent(event)) return next
  const { position, at } = place
  return { ...next, changed: { position, at } }
}

function evolveFacts(state: WorkState | undefined, event: WorkEvent, place: Place): WorkState {
  assert(place.seq === (state?.seq ?? 0) + 1, 'the events of a work have no gaps')
  const { seq, at, position, leafIndex } = place
  if (event.type === 'WorkRegistered') {
    const { receipt_id, metadata_hash, content_hash, content_file } = event.data
    const client = clientOf(event.by)
    return {
      ark: streamArk(place.stream),
      identifier: identifierOf(streamArk(place.stream), event.data.dated === true, at),
      seq,
      revision: seq,
      owner: ownerOf(event.by),
      ...(client !== undefined && { client }),
      created_at: at,
      updated_at: at,
      version: 1,
      status: 'registered',
      fixity_status: 'pending',
      content_hash,
      ...(content_file !== undefined && { content_file }),
      metadata_hash,
      receipt_id,
      position,
      leafIndex,
    }
  }
  assert(state !== undefined, 'a work is registered before anything else happens to it')
  if (event.type === 'MetadataLost') return loseMetadata(state, place)
  if (event.type === 'WorkErased') {
    assert(state.status === 'withdrawn', 'a work is withdrawn before its metadata is erased')
    assert(state.erased_at === undefined, 'metadata is erased once')
    return { ...blankContent(state), seq, revision: seq, erased_at: at }
  }
  assert(state.status === 'registered', 'a work that is withdrawn can only be erased')
  if (isFixityEvent(event)) return evolveFixity(state, event, place)
  if (event.type === 'WorkWithdrawn') {
    const { unsettled: _, ...rest } = state
    const left = settleWithdrawn(rest)
    return { ...left, seq, revision: seq, updated_at: at, status: 'withdrawn', leafIndex }
  }
  const { version, fixity_status, content_hash, content_file, metadata_hash, receipt_id } =
    event.data
  assert(version === state.version + 1, 'the versions of a work have no gaps')
  const { checked, content_file: _, ...before } = state
  return {
    ...before,
    ...(state.fixity_status === 'pending' && { unsettled: { version: state.version, at } }),
    // Content that is new to the work is pending, as nothing that was checked is.
    ...(fixity_status !== 'pending' && checked && { checked }),
    seq,
    revision: seq,
    updated_at: at,
    version,
    fixity_status,
    content_hash,
    ...(content_file !== undefined && { content_file }),
    metadata_hash,
    receipt_id,
    position,
    leafIndex,
  }
}

/** A work that stood is withdrawn, because there is nothing to show; one that was stays it. */
function loseMetadata(state: WorkState, { seq, at }: Place): WorkState {
  assert(state.lost_at === undefined, 'metadata is found to be lost once')
  const { unsettled: _, ...lost } = { ...state, seq, revision: seq, lost_at: at }
  if (state.status === 'withdrawn') return lost
  return { ...settleWithdrawn(lost), updated_at: at, status: 'withdrawn' }
}

/** An ARK, `naan/name`, as it is shown; the dated form has the day of `at` in it. */
function identifierOf(ark: string, dated: boolean, at: string): string {
  if (!dated) return `ark:/${ark}`
  const [naan = '', name = ''] = ark.split('/')
  return formatDatedArk(naan, name, at)
}

function ownerOf({ type, id, name }: Agent): Owner {
  return { type, id, name }
}

function refuse(state: WorkState, command: Change): ChangeRefusal | undefined {
  if (command.type === 'erase') {
    if (!may(command.by, 'work', 'erase', state)) return { type: 'not_administrator' }
  } else if (!mayChange(state, command)) return { type: 'forbidden' }
  if (state.status === 'withdrawn' && command.type !== 'erase') return goneRefusal(state)
  if (isCurrent(command, editionOf(state))) return undefined
  return { type: 'precondition_failed', etag: entityTag(state) }
}

function mayChange(state: WorkState, command: Revision | Withdrawal): boolean {
  const { by } = command
  if (command.type === 'withdraw') return may(by, 'work', 'withdraw', state)
  // Whether the person may take back what was written for them was asked with the write.
  const isUndo = command.type === 'update' && command.undoes !== undefined
  return isUndo || may(by, 'work', 'change', state)
}

function register(
  { dated, serialized, metadataHash: metadata_hash, by, idempotency }: Registration,
  { ark, at, receiptSuffix }: DecisionFacts,
): Accepted {
  const receipt_id = receiptId(at, receiptSuffix)
  const metadata = serialized.value
  const { content_hash, ...place } = placeContent(metadata)
  const facts = { receipt_id, metadata_hash, content_hash }
  const event: WorkEvent = {
    type: 'WorkRegistered',
    schema: 1,
    by,
    ...(idempotency && { idempotency }),
    data: { ...facts, ...place, ...(dated && { dated }), metadata },
  }
  const change: WorkChange = {
    ark_identifier: identifierOf(ark, dated, at),
    version: 1,
    kind: 'registered',
    created_at: at,
    ...facts,
    fixity_status: 'pending',
    changed_fields: [],
    source: by,
  }
  return accept(event, statementOf('registered', change), change)
}

function revise(
  state: WorkState,
  command: Revision,
  { at, receiptSuffix }: DecisionFacts,
  current: Metadata | undefined,
): Decision {
  const { patch, by } = command
  assert(current !== undefined, 'a work that stands has its metadata')
  const patched = applyPatch(current, patch)
  if (patched.type === 'invalid') return patched
  const { metadata, changedFields, warnings } = patched
  if (changedFields.length === 0) return keep(state, command)
  const kind = kindOf(command)
  const { content, place } = contentOf(state, current, metadata)
  const facts = {
    receipt_id: receiptId(at, receiptSuffix),
    metadata_hash: digestOf(metadata).hash,
    ...content,
  }
  const version = state.version + 1
  const note = command.type === 'add_version' ? command.versionNote : undefined
  const undoes = command.type === 'update' ? command.undoes : undefined
  const event: WorkVersioned = {
    type: 'WorkVersioned',
    schema: 1,
    by,
    data: {
      kind,
      version,
      ...(note !== undefined && { version_note: note }),
      ...(undoes !== undefined && { undoes }),
      changed_fields: changedFields,
      ...facts,
      ...place,
      metadata,
    },
  }
  const change: WorkChange = {
    ark_identifier: state.identifier,
    version,
    kind,
    created_at: at,
    ...facts,
    changed_fields: changedFields,
    source: by,
  }
  const accepted = accept(event, statementOf('registered', change), change)
  return { ...accepted, ...(warnings && { warnings }) }
}

function kindOf(command: Revision): 'updated' | 'versioned' {
  return command.type === 'update' ? 'updated' : 'versioned'
}

function keep(state: WorkState, command: Revision): Decision {
  if (command.type === 'add_version') return { type: 'version_unchanged' }
  const change = describeNewest(state, {
    kind: 'updated',
    at: state.updated_at,
    source: command.by,
  })
  return { type: 'unchanged', change }
}

/**
 * The content of a new version. At the address of the version before, it is the same content, and
 * what is known of it stays; what was only declared goes with its declaration. Whether it was
 * checked follows from the status: only content that never was is pending.
 */
function contentOf(
  state: WorkState,
  before: Metadata,
  after: Metadata,
): {
  readonly content: Pick<WorkState, 'content_hash' | 'fixity_status'>
  readonly place: ContentPlace
} {
  const { content_hash: declared, ...place } = placeContent(after)
  const { content_hash, fixity_status } = state
  const isSame = declared === null ? hashSource(state) !== 'declared' : declared === content_hash
  const isThere = contentUrl(after, place) === contentUrl(before, state)
  return isThere && isSame
    ? { content: { content_hash, fixity_status }, place }
    : { content: { content_hash: declared, fixity_status: 'pending' }, place }
}

function withdraw(
  state: WorkState,
  { reason, note, replacedBy, by }: Omit<Withdrawal, 'type'>,
  at: string,
): Decision {
  if (replacedBy === `ark:/${state.ark}`) {
    const message = 'replaced_by must be the ARK of another work'
    return { type: 'invalid', faults: [{ field: 'replaced_by', code: 'bad_value', message }] }
  }
  const event: WorkEvent = {
    type: 'WorkWithdrawn',
    schema: 1,
    by,
    data: {
      reason,
      ...(note !== undefined && { note }),
      ...(replacedBy !== undefined && { replaced_by: replacedBy }),
    },
  }
  const change = describeNewest(settleWithdrawn(state), { kind: 'withdrawn', at, source: by })
  const tombstone: TombstoneStatement = {
    ...statementOf('tombstoned', change),
    reason,
    ...(isOperator(by) && { by: 'operator' }),
  }
  return accept(event, tombstone, change)
}

function erase(state: WorkState, { reason, withdraws, by }: Erasure, at: string): Decision {
  if (state.erased_at !== undefined) {
    const change = describeNewest(state, { kind: 'erased', at: state.erased_at, source: by })
    return { type: 'unchanged', change }
  }
  const change = describeNewest(settleWithdrawn(state), { kind: 'erased', at, source: by })
  const erased: WorkErased = { type: 'WorkErased', schema: 1, by, data: { reason } }
  if (state.status === 'withdrawn') {
    return { type: 'accepted', events: [erased], statements: [], change }
  }
  if (!withdraws) return { type: 'not_withdrawn' }
  const withdrawn = withdraw(state, { reason, by }, at)
  if (withdrawn.type !== 'accepted') return withdrawn
  return { ...withdrawn, events: [...withdrawn.events, erased], change }
}

/** The current version of a work, as the answer to a command that made no other. */
export function describeNewest(
  state: WorkState,
  how: { readonly kind: WorkChange['kind']; readonly at: string; readonly source: Agent },
): WorkChange {
  return {
    ark_identifier: state.identifier,
    version: state.version,
    kind: how.kind,
    receipt_id: state.receipt_id,
    created_at: how.at,
    metadata_hash: state.metadata_hash,
    content_hash: state.content_hash,
    fixity_status: state.fixity_status,
    changed_fields: [],
    source: how.source,
  }
}

function statementOf<S extends 'registered' | 'tombstoned'>(statement: S, change: WorkChange) {
  return {
    statement,
    ark: change.ark_identifier,
    version: change.version,
    receipt_id: change.receipt_id,
    timestamp: change.created_at,
    content_hash: change.content_hash,
    metadata_hash: change.metadata_hash,
  }
}

function accept(
  event: WorkEvent,
  statement: WorkStatement | TombstoneStatement,
  change: WorkChange,
): Accepted {
  return { type: 'accepted', events: [event], statements: [statement], change }
}
