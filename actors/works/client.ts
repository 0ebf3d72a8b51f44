import type { Shards } from '#actors/kernel/shards.ts'
import { doiKey, duplicateKey, newestOf } from '#actors/works/duplicate_index.ts'
import {
  idempotencyKey,
  type IdempotencyRow,
  type KeyedRequest,
  keyedRequest,
} from '#actors/journal/idempotency.ts'
import { ask, type Ref } from '#actors/kernel/kernel.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { MinterMessage } from '#actors/works/minter_actor.ts'
import { decodeRow, readerOf } from '#actors/journal/view_row.ts'
import type { ChangeAsk, WorkMessage } from '#actors/works/actor.ts'
import { streamArk, type WorkState } from '#actors/works/events.ts'
import { readVersion, readWork } from '#actors/works/record.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import type {
  ChangeAnswer,
  RegisterAnswer,
  RegisterCommand,
  RegisteredWork,
  WorkChange,
  Works,
} from '#actors/works/port.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { metadataIn } from '#actors/works/stored_metadata.ts'
import { assert } from '#log/errors.ts'
import type { Store } from '#log/store.ts'

/** What the commands on works need: the actors they go to. */
export type WorkCommandsOptions = {
  readonly minter: Ref<MinterMessage>
  readonly works: Shards<WorkMessage>
  readonly store: Store
  readonly askTimeoutMs: number
}

/** The commands on works, as calls on their actors. Owns the list of keyed requests in flight. */
export class WorkCommands implements Works {
  readonly #options: WorkCommandsOptions
  readonly #inFlight = new Set<string>()

  constructor(options: WorkCommandsOptions) {
    this.#options = options
  }

  async register(command: RegisterCommand): Promise<RegisterAnswer> {
    const keyed = keyedRequest(command.by, command.idempotency)
    if (keyed === undefined) return this.#register(command, undefined)
    if (this.#inFlight.has(keyed.key)) return { type: 'idempotency_in_flight' }
    this.#inFlight.add(keyed.key)
    try {
      return await this.#register(command, keyed)
    } finally {
      this.#inFlight.delete(keyed.key)
    }
  }

  update({ ark, ...command }: Parameters<Works['update']>[0]): Promise<ChangeAnswer> {
    return this.#change(ark, { type: 'update', ...command })
  }

  undoUpdate({ ark, ...command }: Parameters<Works['undoUpdate']>[0]): Promise<ChangeAnswer> {
    return this.#change(ark, { type: 'update', ...command })
  }

  addVersion({ ark, ...command }: Parameters<Works['addVersion']>[0]): Promise<ChangeAnswer> {
    return this.#change(ark, { type: 'add_version', ...command })
  }

  withdraw({ ark, ...command }: Parameters<Works['withdraw']>[0]): Promise<ChangeAnswer> {
    return this.#change(ark, { type: 'withdraw', ...command })
  }

  erase({ ark, ...command }: Parameters<Works['erase']>[0]): Promise<ChangeAnswer> {
    return this.#change(ark, { type: 'erase', ...command })
  }

  // A work that does not exist gets no actor.
  async #change(ark: string, command: ChangeAsk): Promise<ChangeAnswer> {
    const { works, store, askTimeoutMs } = this.#options
    if (readWork(ark, readerOf(store)) === undefined) return { type: 'not_found' }
    return ask(works.at(ark), { type: 'change', command }, askTimeoutMs)
  }

  async #register(
    command: RegisterCommand,
    keyed: KeyedRequest | undefined,
  ): Promise<RegisterAnswer> {
    const { metadata, by, allowDuplicate, dryRun } = command
    const listKey = allowDuplicate ? undefined : duplicateKeyOf(metadata)
    if (dryRun) return this.#tryOut(command, keyed, listKey)
    const warnings = [...command.warnings, ...this.#sharedDoi(metadata)]
    // The sequencer looks these up in any case, and most are not there: looking for them before as
    // well would cost every registration what it saves a few. Of both, the request itself counts.
    const unique: string[] = []
    if (keyed !== undefined) unique.push(idempotencyKey(keyed.key))
    if (listKey !== undefined) unique.push(listKey)
    const { minter, askTimeoutMs } = this.#options
    const asked = { type: 'register', metadata, by, ...(keyed && { idempotency: keyed }) } as const
    const outcome = await ask(minter, { type: 'mint', command: asked, unique }, askTimeoutMs)
    if (outcome.type === 'taken') {
      if (outcome.key === listKey) return this.#duplicateOf(newestOf(Buffer.from(outcome.holder)))
      const replayed = keyed && this.#replay(keyed)
      assert(replayed !== undefined, 'what took an idempotency key can be replayed')
      return replayed
    }
    const work = describeRegistered(outcome.change, metadata, warnings)
    return { type: 'registered', work, replayed: false, etag: entityTag({ seq: 1, revision: 1 }) }
  }

  #tryOut(
    { metadata, warnings }: RegisterCommand,
    keyed: KeyedRequest | undefined,
    listKey: string | undefined,
  ): RegisterAnswer {
    const replayed = keyed && this.#replay(keyed)
    if (replayed !== undefined) return replayed
    const holder = listKey && this.#options.store.get(listKey)
    if (holder) return this.#duplicateOf(newestOf(holder))
    return { type: 'valid', warnings: [...warnings, ...this.#sharedDoi(metadata)] }
  }

  /** The answer a keyed request had the first time; undefined if it is new. */
  #replay(keyed: KeyedRequest): RegisterAnswer | undefined {
    const read = readerOf(this.#options.store)
    const row = decodeRow<IdempotencyRow>(read(idempotencyKey(keyed.key)))
    if (row === undefined) return undefined
    if (row.body_hash !== keyed.body_hash) return { type: 'idempotency_mismatch' }
    const stored = readWork(streamArk(row.stream), read)
    const record = stored && readVersion(stored, 1, read)
    assert(record !== undefined, 'a request is remembered with the work it registered')
    const { event } = record
    assert(event.type === 'WorkRegistered', 'a first version was registered')
    const metadata = metadataIn(record.eventRow)
    const { identifier } = record.state
    if (metadata === undefined) return { type: 'erased', ark_identifier: identifier }
    const change = {
      ...event.data,
      ark_identifier: identifier,
      created_at: event.at,
      source: event.by,
    }
    const work = describeRegistered(change, metadata, [])
    return { type: 'registered', work, replayed: true, etag: entityTag(record.state) }
  }

  #stateOf(ark: string): WorkState {
    const stored = readWork(ark, readerOf(this.#options.store))
    assert(stored !== undefined, 'what a view names has been registered')
    return stored.state
  }

  /** The refusal of a duplicate of the work `ark`, `naan/name`. */
  #duplicateOf(ark: string): RegisterAnswer {
    return { type: 'duplicate_work', existingArk: this.#stateOf(ark).identifier }
  }

  // Volumes share a DOI, so another work with the same one is worth a word and no refusal.
  #sharedDoi({ existing_doi: doi }: Metadata): readonly FieldFault[] {
    const row = doi && this.#options.store.get(doiKey(doi))
    if (!row) return []
    const { identifier } = this.#stateOf(newestOf(row))
    const message = `${identifier} has the same DOI and another title`
    return [{ field: 'existing_doi', code: 'shared_doi', message }]
  }
}

function duplicateKeyOf({ existing_doi: doi, work_title: title }: Metadata): string | undefined {
  return doi === undefined ? undefined : duplicateKey(doi, title)
}

function describeRegistered(
  change: Pick<
    WorkChange,
    'ark_identifier' | 'created_at' | 'receipt_id' | 'metadata_hash' | 'source'
  >,
  metadata: Metadata,
  warnings: readonly FieldFault[],
): RegisteredWork {
  const { ark_identifier, created_at, receipt_id, metadata_hash, source } = change
  return {
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
  }
}
