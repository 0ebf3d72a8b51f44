import {
  type Idempotency,
  idempotencyKey,
  type IdempotencyRow,
  type RequestKey,
  requestKeyOf,
} from '#actors/journal/idempotency.ts'
import type { Committed, JournalEvent, ProposalRefused } from '#actors/journal/journal.ts'
import { type Decided, propose, type Proposer } from '#actors/journal/proposing.ts'
import { decodeRow, readerOf, readEvent, type ReadRow } from '#actors/journal/rows.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, type Reply } from '#actors/kernel/kernel.ts'
import { SerializedValue } from '#actors/kernel/remote.ts'
import type { Entities, EntityBehaviour } from '#actors/kernel/shards.ts'
import {
  digestOf,
  receiptSuffixCharacters,
  madeAfter,
  signEntries,
  type StatementSigner,
} from '#actors/works/receipts/statement.ts'
import type { Agent, OwnerRef } from '#actors/values/agent.ts'
import {
  checkCharacter,
  checkZoneMax,
  randomBetanumerics,
  type RandomBytes,
} from '#actors/values/ark.ts'
import {
  type Edition,
  entityTag,
  type FieldEdit,
  isCurrent,
  type Precondition,
  type PreconditionFailed,
} from '#actors/values/entity_tag.ts'
import type { FieldFault, Invalid } from '#actors/values/fault_list.ts'
import { readOnly } from '#actors/values/field_table.ts'
import { rememberOrderedJson } from '#actors/values/serialization.ts'
import {
  editionOf,
  metadataAt,
  metadataIn,
  streamArk,
  type WorkEvent,
  type WorkState,
  workStream,
} from '#actors/works/events.ts'
import { decideFileCheck, readFile } from '#actors/works/file_fixity.ts'
import {
  type AcceptedCheck,
  type CheckDecision,
  type CheckReport,
  decideCheck,
  decideRequest,
  decideUnsettledCheck,
  type RecheckAnswer,
} from '#actors/works/fixity_rules.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type {
  AddVersionCommand,
  ChangeAnswer,
  EraseCommand,
  RegisterAnswer,
  RegisterCommand,
  UndoUpdateCommand,
  UpdateCommand,
  WithdrawCommand,
  WorkChange,
  Works,
} from '#actors/works/port.ts'
import {
  currentMetadata,
  readNamedWork,
  readUnsettled,
  readVersion,
  readWork,
  type StoredWork,
  type VersionRecord,
} from '#actors/works/record.ts'
import {
  type Accepted,
  type Change,
  decide,
  type DecisionFacts,
  describeNewest,
  evolve,
  type Registration,
} from '#actors/works/rules.ts'
import {
  doiKey,
  duplicateListsOf,
  externalKey,
  newestOf,
  ownDoiKey,
  receiptKey,
  recentKeyOf,
  recentWork,
} from '#actors/works/views.ts'
import { assert } from '#log/tlog/errors.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import type { ReadStore, Store } from '#log/store/store.ts'

/** What a registration says of works that may be the same one. */
type DuplicateRules = Pick<RegisterCommand, 'by' | 'allowDuplicate' | 'allowRepeat' | 'onlyWithDoi'>

/**
 * The row that names a work like the one to register: with its DOI and title or, for one without a
 * DOI, registered by the same owner with its title and address; with its DOI and of its owner, if
 * that is to be one. Undefined where that is allowed.
 */
function duplicateKey(
  metadata: Metadata,
  { by, allowDuplicate, allowRepeat, onlyWithDoi = false }: DuplicateRules,
): string | undefined {
  const { existing_doi: doi } = metadata
  if (onlyWithDoi && doi !== undefined) return ownDoiKey(by, doi)
  if (allowDuplicate) return undefined
  const lists = duplicateListsOf(metadata)
  if (lists !== undefined) return lists.edition
  return allowRepeat ? undefined : recentKeyOf(by, metadata)
}

function refuseDuplicate(
  row: Uint8Array,
  { existing_doi: doi }: Metadata,
  { at, read }: { readonly at: string; readonly read: ReadRow },
): RegisterAnswer | undefined {
  const ark = doi === undefined ? recentWork(row, at) : newestOf(row)
  if (ark === undefined) return undefined
  const type = doi === undefined ? 'repeated_work' : 'duplicate_work'
  return { type, existingArk: readNamedWork(ark, read).state.identifier }
}

/** The row that names the live work that its owner calls as they call this one. */
function ownNameKey({ external_id: own }: Metadata, { by }: Pick<DuplicateRules, 'by'>) {
  return own === undefined ? undefined : externalKey(by, own)
}

function refuseNamed(row: Uint8Array, { external_id: own = '' }: Metadata, read: ReadRow) {
  const existingArk = readNamedWork(newestOf(row), read).state.identifier
  return { type: 'named_work', existingArk, externalId: own } as const
}

/**
 * Warns of a work that has the same DOI. Volumes share a DOI, so with another title, or on demand,
 * it is worth a word and no refusal.
 */
function sharedDoi({ existing_doi: doi }: Metadata, read: ReadRow): readonly FieldFault[] {
  const row = doi === undefined ? undefined : read(doiKey(doi))
  if (row === undefined) return []
  const { identifier } = readNamedWork(newestOf(row), read).state
  return [{ field: 'existing_doi', code: 'shared_doi', message: `${identifier} has the same DOI` }]
}

/** The answer that a keyed request had the first time; undefined if it is new. */
function replay(keyed: RequestKey, read: ReadRow): RegisterAnswer | undefined {
  const row = decodeRow<IdempotencyRow>(read(idempotencyKey(keyed.key)))
  if (row === undefined) return undefined
  if (row.body_hash !== keyed.body_hash) return { type: 'idempotency_mismatch' }
  const record = readVersion(readNamedWork(streamArk(row.stream), read), 1, read)
  assert(record !== undefined, 'every work has a first version')
  const { event } = record
  assert(event.type === 'WorkRegistered', 'a first version was registered')
  const metadata = metadataIn(record.eventRow)
  const { identifier } = record.state
  if (metadata === undefined) return { type: 'erased', ark_identifier: identifier }
  const { receipt_id, metadata_hash } = event.data
  const minted = { ark_identifier: identifier, created_at: event.at, receipt_id }
  const answer = describeRegistered(minted, { metadata_hash, source: event.by }, metadata, [])
  return { ...answer, replayed: true, etag: entityTag(record.state) }
}

/** The answer that a keyed change of a work had the first time; undefined if it is new. */
function replayChange(
  state: WorkState,
  { idempotency: keyed, type }: Change,
  read: ReadRow,
): ChangeAnswer | undefined {
  const row = keyed && decodeRow<IdempotencyRow>(read(idempotencyKey(keyed.key)))
  if (keyed === undefined || row === undefined) return undefined
  if (row.body_hash !== keyed.body_hash) return { type: 'idempotency_mismatch' }
  const event = readEvent(row.position, read) as JournalEvent & WorkEvent
  return { type: 'changed', change: describeMade(state, event, type), replayed: true }
}

/**
 * What a change of a work has answered whose first event this is; `state` is the work as it stands
 * since.
 */
function describeMade(
  state: WorkState,
  { data, at, by, ...event }: JournalEvent & WorkEvent,
  type: Change['type'],
): WorkChange {
  if ('kind' in data) {
    const { kind, version, receipt_id, metadata_hash, content_hash } = data
    const { fixity_status, changed_fields } = data
    const made = { kind, version, receipt_id, metadata_hash, content_hash }
    const about = { ark_identifier: state.identifier, created_at: at, source: by }
    return { ...about, ...made, fixity_status, changed_fields }
  }
  const isEnd = event.type === 'WorkWithdrawn' || event.type === 'WorkErased'
  assert(isEnd, 'a change makes a version, or is the end of a work')
  return describeNewest(state, { kind: type === 'erase' ? 'erased' : 'withdrawn', at, source: by })
}

/** The answer to a registration that was made just now. */
function describeRegistered(
  minted: Minted,
  { metadata_hash, source }: Pick<WorkChange, 'metadata_hash' | 'source'>,
  metadata: Metadata,
  warnings: readonly FieldFault[],
): Extract<RegisterAnswer, { type: 'registered' }> {
  const { ark_identifier, created_at, receipt_id } = minted
  const work = {
    svc_id: ark_identifier.slice(ark_identifier.lastIndexOf('/') + 1),
    ark_identifier,
    work_title: metadata.work_title,
    work_type: metadata.work_type,
    created_at,
    version: 1,
    receipt_id,
    fixity_status: 'pending',
    metadata_hash,
    source,
    warnings,
  } as const
  return { type: 'registered', work, replayed: false, etag: entityTag({ seq: 1, revision: 1 }) }
}

/** Versions that are looked through for the one that a client has read. */
const versionsMax = 50

/**
 * What became of a work since the client read it, whose change was refused as `failed`: the fields
 * that later versions have changed, each by the newest one. A body that no version ever was like
 * is `invalid`: it is not stale, but wants to change what nobody changes.
 */
function explainStale(
  ark: string,
  { ifMatch, seen }: Precondition,
  failed: PreconditionFailed,
  read: ReadRow,
): PreconditionFailed | Invalid {
  const stored = readWork(ark, read)
  assert(stored !== undefined, 'a work that was edited is there')
  const newest = stored.state.version
  const oldest = Math.max(1, newest - versionsMax + 1)
  const changes = new Map<string, FieldEdit>()
  let wasSeen = seen === undefined
  const precondition = { ...(ifMatch && { ifMatch }), ...(seen && { seen }) }
  for (let version = newest; version >= oldest; version -= 1) {
    const record = readVersion(stored, version, read)
    assert(record !== undefined, 'the versions of a work have no gaps')
    const edition = editionOfVersion(record)
    wasSeen ||= seen !== undefined && isCurrent({ seen }, edition)
    if (isCurrent(precondition, edition)) return { ...failed, changes: [...changes.values()] }
    for (const edit of editsOf(record)) {
      if (!changes.has(edit.field)) changes.set(edit.field, edit)
    }
  }
  if (oldest > 1) return { ...failed, changes: [...changes.values()] }
  if (wasSeen) return failed
  const now: Edition = editionOf(stored.state)
  const wishes = Object.entries(seen ?? {}).filter(([name, value]) => now[name] !== value)
  return { type: 'invalid', faults: wishes.map(([name]) => readOnly(name)) }
}

function editionOfVersion({ version, event: { seq, at, data } }: VersionRecord) {
  const { receipt_id, metadata_hash } = data
  return editionOf({ revision: seq, version, updated_at: at, receipt_id, metadata_hash })
}

function editsOf({ version, event: { at, data } }: VersionRecord): readonly FieldEdit[] {
  const fields = 'changed_fields' in data ? data.changed_fields : []
  return fields.map((field) => ({ field, at, version }))
}

/** What recording a check leads to; `outdated` and `gone` say that it was dropped. */
type CheckAnswer =
  | { readonly type: 'recorded' }
  | { readonly type: 'not_found' }
  | Exclude<CheckDecision, AcceptedCheck>

/**
 * What a registration leads to. `minted` says what the asker does not know of the work that it has
 * sent; `name_taken`: another work has the name already.
 */
type MintAnswer =
  | RegisterAnswer
  | ({ readonly type: 'minted' } & Minted)
  | { readonly type: 'name_taken' }

type Minted = Pick<WorkChange, 'ark_identifier' | 'created_at' | 'receipt_id'>

/** What the entity of a work understands. */
export type WorkMessage =
  | (Registration & { readonly reply: Reply<MintAnswer> })
  | (Change & { readonly reply: Reply<ChangeAnswer> })
  | {
      readonly type: 'record_check'
      readonly report: CheckReport
      readonly reply: Reply<CheckAnswer>
    }
  | { readonly type: 'request_check'; readonly by: Agent; readonly reply: Reply<RecheckAnswer> }

/** What the entities of works share. */
type WorkEntityOptions = {
  readonly store: Store
  readonly proposer: Proposer
  readonly signer: StatementSigner
  /** Tells the newest witnessed checkpoint, which statements name. */
  readonly log: Pick<LogReader, 'witnessedDigest'>
  readonly random: RandomBytes
}

/** What is committed and signed of a decision, which may be one about a check. */
type Signable = Pick<Accepted, 'events' | 'statements'>

/**
 * One work. It decides on the state it knows, has that signed and proposed, and only then holds the
 * new state and answers. It owns that state; the store's row is the same one. A registration needs
 * none, and leaves none: most works are not changed soon after, and many may come at once.
 */
export class WorkEntity implements EntityBehaviour<WorkMessage> {
  readonly #ark: string
  readonly #options: WorkEntityOptions
  #known: { readonly state: WorkState | undefined } | undefined

  /** `ark` is `naan/name`. */
  constructor(ark: string, options: WorkEntityOptions) {
    this.#ark = ark
    this.#options = options
  }

  get holdsState(): boolean {
    return this.#known?.state !== undefined
  }

  receive(message: WorkMessage): Promise<void> {
    switch (message.type) {
      case 'register':
        return this.#register(message).then((answer) => message.reply.resolve(answer))
      case 'update':
      case 'add_version':
      case 'withdraw':
      case 'erase':
        return this.#change(message).then((answer) => message.reply.resolve(answer))
      case 'record_check':
        return this.#recordCheck(message.report).then((answer) => message.reply.resolve(answer))
      case 'request_check':
        return this.#requestCheck(message.by).then((answer) => message.reply.resolve(answer))
    }
  }

  // The sequencer looks up what must be unique in any case, and most is: looking before as well
  // would cost every registration what it saves a few. Of both, the request itself counts first.
  #register(command: Registration): Promise<MintAnswer> {
    const { serialized, idempotency: keyed } = command
    const metadata = serialized.value
    rememberOrderedJson(metadata, serialized.text)
    const uniqueKey = duplicateKey(metadata, command)
    const ownName = ownNameKey(metadata, command)
    const unique = [
      ...(keyed ? [idempotencyKey(keyed.key)] : []),
      ...(ownName ? [ownName] : []),
      ...(uniqueKey ? [uniqueKey] : []),
    ]
    const read = readerOf(this.#options.store)
    return this.#propose<MintAnswer>((at, refused) => {
      const decision = decide(this.#known?.state, command, this.#facts(at))
      if (decision.type !== 'accepted' || refused?.type === 'stale') {
        return { answer: { type: 'name_taken' } }
      }
      const { ark_identifier, created_at, receipt_id } = decision.change
      const hasExpired = refused?.type === 'taken' && refused.key === uniqueKey
      return {
        ...this.#signed(0, decision, [receiptKey(receipt_id), ...unique]),
        ...(hasExpired && { replaces: refused.holder }),
        committed: () => ({ type: 'minted', ark_identifier, created_at, receipt_id }),
        taken: ({ key, holder }) => {
          if (key === ownName) return refuseNamed(Buffer.from(holder), metadata, read)
          if (key === uniqueKey) return refuseDuplicate(Buffer.from(holder), metadata, { at, read })
          return keyed && key === unique[0] ? replay(keyed, read) : undefined
        },
      }
    })
  }

  #change(command: Change): Promise<ChangeAnswer> {
    return this.#propose<ChangeAnswer>((at, refused) => {
      const stored = this.#storedAfter(refused)
      const state = stored?.state
      const replayed = state && replayChange(state, command, readerOf(this.#options.store))
      if (replayed !== undefined) return { answer: replayed }
      const isRevision = command.type === 'update' || command.type === 'add_version'
      const current =
        stored && isRevision ? currentMetadata(stored, readerOf(this.#options.store)) : undefined
      const decision = decide(state, command, this.#facts(at), current)
      assert(decision.type !== 'taken', 'a change takes no ARK')
      const isNamed = state && decision.type === 'accepted' && this.#isNamed(state, decision)
      if (isNamed === true) return { answer: sameName }
      if (decision.type === 'precondition_failed') {
        const read = readerOf(this.#options.store)
        return { answer: explainStale(this.#ark, command, decision, read) }
      }
      if (decision.type !== 'accepted') return { answer: decision }
      const { change, warnings } = decision
      const answer = { type: 'changed', change, ...(warnings && { warnings }) } as const
      return this.#changed(state, withKey(decision, command), answer)
    })
  }

  /** Whether another work of the owner is called as this one is to be. */
  #isNamed({ ark, owner }: WorkState, { events }: Signable): boolean {
    const read = readerOf(this.#options.store)
    const rows = events.flatMap((event) => nameOf(event, owner)).map(read)
    return rows.some((row) => row !== undefined && newestOf(row) !== ark)
  }

  #recordCheck(report: CheckReport): Promise<CheckAnswer> {
    return this.#propose<CheckAnswer>((at, refused) => {
      const state = this.#stateAfter(refused)
      if (state === undefined) return { answer: { type: 'not_found' } }
      const decision = this.#decideCheck(state, report, at)
      if (decision.type !== 'accepted') return { answer: decision }
      return this.#changed(state, decision, { type: 'recorded' })
    })
  }

  #decideCheck(state: WorkState, report: CheckReport, at: string): CheckDecision {
    const { file } = report
    const isOld = file === undefined && report.version === state.unsettled?.version
    if (state.status === 'registered' && isOld) {
      const unsettled = readUnsettled(state, readerOf(this.#options.store))
      assert(unsettled !== undefined, 'a version that waits for its check is there')
      return decideUnsettledCheck(state, unsettled, report, at)
    }
    const [byte = 0] = this.#options.random(1)
    const moment = { at, jitter: byte / 256 }
    if (file === undefined) return decideCheck(state, this.#metadataOf(state), report, moment)
    const known = readFile(state, file, readerOf(this.#options.store))
    return decideFileCheck(state, known, { ...report, file }, moment)
  }

  #requestCheck(by: Agent): Promise<RecheckAnswer> {
    return this.#propose<RecheckAnswer>((_at, refused) => {
      const state = this.#stateAfter(refused)
      if (state === undefined) return { answer: { type: 'not_found' } }
      const decision = decideRequest(state, by)
      if (decision.type !== 'accepted') return { answer: decision }
      return this.#changed(state, decision, { type: 'queued' })
    })
  }

  #propose<A>(
    decideAt: (at: string, refused: ProposalRefused | undefined) => Decided<A>,
  ): Promise<A> {
    return propose(this.#options.proposer, workStream(this.#ark), decideAt)
  }

  /** What to propose of a decision, whose statements are being signed. */
  #signed(expectedSeq: number, { events, statements }: Signable, unique: readonly string[]) {
    const { signer, log } = this.#options
    return { expectedSeq, events, unique, entries: signEntries(madeAfter(statements, log), signer) }
  }

  /** A change of the work to propose, after which it is known as it stands then. */
  #changed<A>(before: WorkState | undefined, decision: Signable, answer: A): Decided<A> {
    const committed = ({ events: places }: Committed): A => {
      let state = before
      for (const [index, event] of decision.events.entries()) {
        const place = places[index]
        if (place !== undefined) state = evolve(state, event, place)
      }
      this.#known = { state }
      return answer
    }
    const unique = decision.events.flatMap((event) => [
      ...receiptOf(event),
      ...keyOf(event),
      ...(before === undefined ? [] : nameOf(event, before.owner)),
    ])
    return { ...this.#signed(before?.seq ?? 0, decision, unique), committed }
  }

  /** The work as it stands; a receipt's name that is taken, or a late time, is only drawn again. */
  #stateAfter(refused: ProposalRefused | undefined): WorkState | undefined {
    return this.#storedAfter(refused)?.state
  }

  /** The same with the row that it was read from, if it was read just now. */
  #storedAfter(refused: ProposalRefused | undefined): StoredWork | undefined {
    if (this.#known !== undefined && refused?.type !== 'stale') {
      const { state } = this.#known
      return state && { state, newest: state.position }
    }
    const stored = readWork(this.#ark, readerOf(this.#options.store))
    this.#known = { state: stored?.state }
    return stored
  }

  #facts(at: string): DecisionFacts {
    const receiptSuffix = randomBetanumerics(receiptSuffixCharacters, this.#options.random)
    return { ark: this.#ark, at, receiptSuffix }
  }

  #metadataOf({ position }: WorkState): Metadata | undefined {
    return metadataAt(position, readerOf(this.#options.store))
  }
}

/** What was decided, with the name of the request on the first of its events. */
function withKey(decision: Signable, { idempotency }: Change): Signable {
  const [first, ...others] = decision.events
  if (idempotency === undefined || first === undefined) return decision
  return { ...decision, events: [{ ...first, idempotency }, ...others] }
}

function keyOf({ idempotency }: WorkEvent): string[] {
  return idempotency === undefined ? [] : [idempotencyKey(idempotency.key)]
}

const sameName: ChangeAnswer = {
  type: 'invalid',
  faults: [
    {
      field: 'external_id',
      code: 'bad_value',
      message: 'external_id must not be that of another work of yours',
    },
  ],
}

/** The row of a name that an event gives to a work, which no other work of its owner may have. */
function nameOf(event: WorkEvent, owner: OwnerRef): string[] {
  if (event.type !== 'WorkVersioned') return []
  const { changed_fields: fields, metadata } = event.data
  const own = fields.includes('external_id') ? metadata?.external_id : undefined
  return own === undefined ? [] : [externalKey(owner, own)]
}

function receiptOf(event: WorkEvent): string[] {
  const isVersion = event.type === 'WorkRegistered' || event.type === 'WorkVersioned'
  return isVersion ? [receiptKey(event.data.receipt_id)] : []
}

/** What the commands on works need: the entities they go to, and what new ARKs are made from. */
export type WorksClientOptions = {
  readonly works: Entities<WorkMessage>
  readonly store: ReadStore
  readonly naan: string
  readonly shoulder: string
  /** Whether ARKs are minted in their dated form. */
  readonly dated: boolean
  readonly random: RandomBytes
  /** The time, `YYYY-MM-DDThh:mm:ss.sssZ`. */
  readonly now: () => string
  readonly askTimeoutMs: number
}

/** Names that are drawn for one work: each is free with a chance close to one. */
const drawsMax = 16

/** The commands on works, as questions to their entities. */
export class WorkClient implements Works {
  readonly #options: WorksClientOptions
  readonly #read: ReadRow

  constructor(options: WorksClientOptions) {
    this.#options = options
    this.#read = readerOf(options.store)
  }

  async register(wanted: RegisterCommand): Promise<RegisterAnswer> {
    const { metadata, by, allowDuplicate, allowRepeat, onlyWithDoi, dryRun } = wanted
    const keyed = requestKeyOf(by, wanted.idempotency)
    const refusal = dryRun ? this.#tryOut(wanted, keyed) : undefined
    if (refusal !== undefined) return refusal
    const warnings = [...wanted.warnings, ...sharedDoi(metadata, this.#read)]
    if (dryRun) return { type: 'valid', warnings }
    const { text, hash: metadataHash } = digestOf(metadata)
    const answer = await this.#mint({
      type: 'register',
      serialized: new SerializedValue(text, metadata),
      metadataHash,
      ...(keyed && { idempotency: keyed }),
      by,
      allowDuplicate,
      allowRepeat,
      ...(onlyWithDoi === true && { onlyWithDoi }),
      dated: this.#options.dated,
    })
    if (answer.type !== 'minted') return answer
    const about = { metadata_hash: metadataHash, source: by }
    return describeRegistered(answer, about, metadata, warnings)
  }

  /** Registers a work under a name that is drawn for it. */
  async #mint(command: Registration): Promise<Exclude<MintAnswer, { type: 'name_taken' }>> {
    const { works, naan, shoulder, random, askTimeoutMs } = this.#options
    for (let draws = 0; draws < drawsMax; draws += 1) {
      const ark = `${naan}/${mintName({ naan, shoulder, random })}`
      const answer = await ask(works.at(ark), command, askTimeoutMs)
      if (answer.type !== 'name_taken') return answer
    }
    throw new ActorError('overloaded', `no free name was found in ${drawsMax} draws`)
  }

  update({ ark, ...command }: UpdateCommand): Promise<ChangeAnswer> {
    return this.#change(ark, { type: 'update', ...command })
  }

  undoUpdate({ ark, ...command }: UndoUpdateCommand): Promise<ChangeAnswer> {
    return this.#change(ark, { type: 'update', ...command })
  }

  addVersion({ ark, ...command }: AddVersionCommand): Promise<ChangeAnswer> {
    return this.#change(ark, { type: 'add_version', ...command })
  }

  withdraw({ ark, ...command }: WithdrawCommand): Promise<ChangeAnswer> {
    return this.#change(ark, { type: 'withdraw', ...command })
  }

  erase({ ark, ...command }: EraseCommand): Promise<ChangeAnswer> {
    return this.#change(ark, { type: 'erase', ...command })
  }

  // Whether there is such a work its entity says: another node may have registered it just now.
  async #change(ark: string, { idempotency, ...command }: WithKey<Change>): Promise<ChangeAnswer> {
    const { works, askTimeoutMs } = this.#options
    const keyed = requestKeyOf(command.by, idempotency, `${workStream(ark)} ${command.type}`)
    const asked = { ...command, ...(keyed && { idempotency: keyed }) } as Change
    return ask(works.at(ark), asked, askTimeoutMs)
  }

  /** What a registration would be refused with, or be the answer to; undefined if to nothing. */
  #tryOut(
    wanted: Pick<RegisterCommand, 'metadata'> & DuplicateRules,
    keyed: RequestKey | undefined,
  ): RegisterAnswer | undefined {
    const { metadata } = wanted
    const read = this.#read
    const replayed = keyed && replay(keyed, read)
    if (replayed !== undefined) return replayed
    const ownName = ownNameKey(metadata, wanted)
    const named = ownName && read(ownName)
    if (named) return refuseNamed(named, metadata, read)
    const key = duplicateKey(metadata, wanted)
    const holder = key && read(key)
    return holder ? refuseDuplicate(holder, metadata, { at: this.#options.now(), read }) : undefined
  }
}

/** A command as the port takes it, with the client's own name for the request. */
type WithKey<C> = C extends Change
  ? Omit<C, 'idempotency'> & { readonly idempotency?: Idempotency }
  : never

/** Random characters of a minted name: 29^8, or 5·10^11, names for each shoulder. */
export const bladeCharacters = 8

// A quarter of all names is fit, so that one draw of this many nearly always has one.
const namesPerDraw = 8
// As many draws without a fit name mean a broken source of randomness.
const fitDrawsMax = 100

// Path tails that the interface gives a meaning of its own.
const tail = /^(?:v\d+|versions|history|verify|claim|withdraw|citation)$/
const consonantRun = /[a-z]{3}/

/**
 * Mints a name: the shoulder, random betanumerics, and the check character over `naan/name`. Draws
 * again while the name has three consonants in a row or reads as a path tail such as `v2`.
 */
export function mintName({
  naan,
  shoulder,
  random,
}: {
  readonly naan: string
  readonly shoulder: string
  readonly random: RandomBytes
}): string {
  const zoneCharacters = naan.length + 1 + shoulder.length + bladeCharacters
  assert(zoneCharacters <= checkZoneMax, 'the check character covers the whole zone')
  for (let draws = 0; ; draws++) {
    assert(draws < fitDrawsMax, 'random bytes lead to a fit name')
    const blades = randomBetanumerics(namesPerDraw * bladeCharacters, random)
    for (let at = 0; at < blades.length; at += bladeCharacters) {
      const blade = blades.slice(at, at + bladeCharacters)
      // Most are unfit for it, so it is seen before the check character is computed.
      if (consonantRun.test(blade)) continue
      const stem = shoulder + blade
      const name = stem + checkCharacter(`${naan}/${stem}`)
      if (isFit(name, shoulder)) return name
    }
  }
}

function isFit(name: string, shoulder: string): boolean {
  return !consonantRun.test(name.slice(shoulder.length)) && !readsAsTail(name)
}

/** Whether a name would be taken for the tail of a path. */
export function readsAsTail(name: string): boolean {
  return tail.test(name)
}
