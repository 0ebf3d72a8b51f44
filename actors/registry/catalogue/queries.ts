import timers from 'node:timers/promises'

import type { ChangeFeed } from '#actors/registry/catalogue/feeds.ts'
import { openChangeOrder } from '#actors/registry/catalogue/harvest.ts'
import type {
  Catalogue,
  ChangePage,
  CurrentWork,
  NotFound,
  RelatedQuery,
  Rendered,
  RenderedPage,
  ResolutionAtOnce,
  WhenLong,
  WithDoi,
  WrittenStep,
} from '#actors/registry/catalogue/port.ts'
import {
  describeContent,
  describeEvent,
  describeSignature,
  describeVersion,
} from '#actors/registry/catalogue/provenance.ts'
import { readRelated } from '#actors/registry/catalogue/related.ts'
import {
  isPublished,
  type Long,
  notFound,
  type ReplyCache,
  ResolutionQueries,
  type Unpublished,
  unpublished,
} from '#actors/registry/catalogue/resolution.ts'
import {
  jsonOf,
  noticesOf,
  ownedBy,
  renderErasure,
  renderLoss,
  renderTombstone,
  renderWork,
} from '#actors/registry/catalogue/representation.ts'
import { readPublicClaims } from '#actors/people/claims/record.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import {
  decodeEventFacts,
  decodeRow,
  keyPosition,
  type Page,
  positionPart,
  present,
  readerOf,
  readEvent,
  readEventRow,
  type ReadRow,
} from '#actors/journal/rows.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { Stride } from '#actors/kernel/stride.ts'
import type { PersonSeal } from '#actors/people/record.ts'
import { receiptKeyId, ReceiptWriter } from '#actors/works/receipts/statement.ts'
import type { OwnerRef } from '#actors/values/agent.ts'
import { entityTag } from '#actors/values/entity_tag.ts'
import {
  historyPrefix,
  lastChange,
  doiKey,
  newestOf,
  externalKey,
  ownDoiKey,
  ownWithdrawnKey,
  contentPrefix,
  receiptKey,
  type ReceiptRow,
  withdrawnKey,
  worksOf,
} from '#actors/works/views.ts'
import { isErasure } from '#actors/works/erasure.ts'
import {
  endedByLoss,
  type HistoryEvent,
  type MetadataLost,
  metadataTextIn,
  type WorkState,
  type WorkWithdrawn,
} from '#actors/works/events.ts'
import {
  currentMetadata,
  mintedKey,
  readFixityChecks,
  readVersion,
  readVersionRow,
  readWork,
  statedLeaves,
  type StoredWork,
  type VersionRecord,
} from '#actors/works/record.ts'
import { assert } from '#log/tlog/errors.ts'
import type { ReadStore } from '#log/store/store.ts'
import { type DamageList, scanSound } from '#log/store/damage.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import { sha256 } from '#log/tlog/hash.ts'
import { formatTlogProof } from '#log/tlog/tlog_proof.ts'

/**
 * The journal positions of what a work's history shows: those of a page, newest first by default,
 * and one more if there is one. The cursor is the position with which the page begins; one that is
 * no place in this history gives nothing.
 */
async function* readHistory(
  store: Pick<ReadStore, 'get' | 'scan'>,
  { state: { ark } }: StoredWork,
  { cursor, order = 'newest', limit }: Page<number>,
): AsyncGenerator<number> {
  const read = readerOf(store)
  const prefix = historyPrefix(ark)
  // The registration has no row of its own among them: it is where the ARK was minted.
  const minted = present(read(mintedKey(ark)), `the row of the minting of the work ${ark}`)
  const registered = Number(Buffer.from(minted).toString('utf8'))
  const isPlace = (position: number) =>
    position === registered || read(prefix + positionPart(position)) !== undefined
  if (cursor !== undefined && !isPlace(cursor)) return
  const beginsAt = cursor ?? registered
  if (order === 'oldest' && beginsAt === registered) yield registered
  const range =
    order === 'oldest'
      ? { gte: prefix + positionPart(beginsAt), lt: `${prefix}~` }
      : { gte: prefix, lte: cursor === undefined ? `${prefix}~` : prefix + positionPart(cursor) }
  const rows = store.scan({ ...range, reverse: order === 'newest', limit: limit + 1 })
  for await (const [key] of rows) yield keyPosition(key)
  if (order === 'newest') yield registered
}

/** The versions of a page, of a work that has so many, in the order of the page. */
function versionNumbers(
  total: number,
  { cursor, limit, order = 'oldest' }: Page<number>,
): number[] {
  if (order === 'oldest') {
    const after = cursor ?? 0
    return numbersBetween(after + 1, Math.min(total, after + limit))
  }
  const first = Math.min(total, (cursor ?? total + 1) - 1)
  return numbersBetween(Math.max(1, first - limit + 1), first).toReversed()
}

/** The whole numbers from one to another, both included. */
function numbersBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}

/** What the catalogue reads from; `base` is the public address, the base of all links. */
type CatalogueOptions = {
  readonly store: ReadStore
  readonly log: LogReader
  readonly feed: ChangeFeed
  readonly base: string
  readonly replies: ReplyCache
  readonly seal: PersonSeal
  readonly damage: DamageList
}

/** Versions that the provenance chain of a proof lists at most, the newest ones of the work. */
const provenanceVersionsMax = 1_000

/** Bytes of stored versions after which a list of them ends: each may be of a mebibyte. */
const readBytesEnough = 4 * 1_048_576

/** How long a commit may be in the store without being published, in milliseconds. */
const publishingMsMax = 1_000

/** What a query finds, or that the commit it has read is still to be published. */
type Found = Rendered | NotFound | Unpublished

/** The queries, as reads of the committed views. */
export function openCatalogue(options: CatalogueOptions): Catalogue {
  return new StoreCatalogue(options)
}

function listOf(doi: string, standing: WithDoi['standing'], owner: OwnerRef | undefined): string {
  if (owner === undefined) return standing === 'live' ? doiKey(doi) : withdrawnKey(doi)
  return standing === 'live' ? ownDoiKey(owner, doi) : ownWithdrawnKey(owner, doi)
}

/**
 * A plain object and no actor: queries wait for nobody, and one that fails is its asker's alone.
 * Owns the bytes of the replies that are asked for often.
 */
class StoreCatalogue implements Catalogue {
  readonly order
  readonly #options: CatalogueOptions
  readonly #read: ReadRow
  readonly #receipts: ReceiptWriter
  readonly #resolutions: ResolutionQueries

  constructor(options: CatalogueOptions) {
    this.#options = options
    this.#read = readerOf(options.store)
    this.#receipts = new ReceiptWriter(options.log)
    this.#resolutions = new ResolutionQueries({
      ...options,
      read: this.#read,
      receipts: this.#receipts,
      tombstone: (stored, record) => this.#tombstone(stored, record),
    })
    this.order = openChangeOrder(options.store)
  }

  state(ark: string): WorkState | undefined {
    return readWork(ark, this.#read)?.state
  }

  current(ark: string): CurrentWork | undefined {
    try {
      const stored = readWork(ark, this.#read)
      if (stored === undefined) return undefined
      const { state } = stored
      if (state.status === 'withdrawn') return { state }
      const metadata = currentMetadata(stored, this.#read)
      return metadata === undefined ? { state } : { state, metadata }
    } catch (error) {
      throw this.#noted(error)
    }
  }

  withdrawnWithDoi(doi: string): string | undefined {
    const row = this.#read(withdrawnKey(doi))
    return row && newestOf(row)
  }

  withDoi({ doi, standing, owner }: WithDoi, max: number): readonly string[] {
    return [...worksOf(listOf(doi, standing, owner), this.#read).take(max)]
  }

  withExternalId(owner: OwnerRef, externalId: string): string | undefined {
    const row = this.#read(externalKey(owner, externalId))
    return row && newestOf(row)
  }

  work(ark: string): Promise<Rendered | NotFound> {
    return this.#answer(() => this.#readWork(ark))
  }

  async resolve(
    ark: string,
    requested: string,
    version?: number,
    whenLong: WhenLong = (task) => task(),
  ): Promise<Rendered | NotFound> {
    const read = (isItsTurn: boolean) =>
      this.#answer(() => this.#resolutions.find({ ark, requested, version, isItsTurn }))
    const found = await read(false)
    if (found.type !== 'long') return found
    return whenLong(async () => {
      const whole = await read(true)
      assert(whole.type !== 'long', 'a long work is read when its turn has come')
      return whole
    })
  }

  resolveAtOnce(ark: string, requested: string): ResolutionAtOnce | undefined {
    try {
      return this.#resolutions.findAtOnce(ark, requested)
    } catch (error) {
      throw this.#noted(error)
    }
  }

  atHand(ark: string, requested: string): Rendered | undefined {
    return this.#options.replies.inFull(ark, requested)
  }

  versions(ark: string, page: Page<number>): Promise<RenderedPage | NotFound> {
    return this.#answer(() => this.#listVersions(ark, page))
  }

  history(ark: string, page: Page<number>): Promise<RenderedPage | NotFound> {
    return this.#listEvents(ark, page).catch((error: unknown) => {
      throw this.#noted(error)
    })
  }

  *writers(ark: string): Generator<WrittenStep> {
    const stored = readWork(ark, this.#read)
    if (stored === undefined) return
    const { state } = stored
    const factsAt = (position: number) =>
      decodeEventFacts(position, readEventRow(position, this.#read))
    if (state.status === 'withdrawn') {
      const { type, at, by } = factsAt(lastChange(state).position)
      if (type === 'WorkWithdrawn') yield { type: 'withdrawal', version: state.version, at, by }
    }
    for (let { version } = state; version > 0; version -= 1) {
      const isNewest = version === state.version
      const { position } = isNewest ? state : readVersionRow(ark, version, this.#read)
      const { at, by } = factsAt(position)
      yield { type: 'version', version, at, by }
    }
  }

  async related(ark: string, page: RelatedQuery): Promise<RenderedPage<string> | NotFound> {
    try {
      const stored = readWork(ark, this.#read)
      if (stored === undefined) return notFound
      const { related, next } = await readRelated(
        this.#options.store,
        stored,
        page,
        this.#options.base,
      )
      const body = jsonOf({ ark: stored.state.identifier, related, next })
      // What others say of it changes while the work stays.
      const etag = `"${Buffer.from(sha256(body)).toString('base64url', 0, 16)}"`
      return { ...this.#found(stored, body), etag, next }
    } catch (error) {
      throw this.#noted(error)
    }
  }

  receipt(ark: string, version: number): Promise<Rendered | NotFound> {
    return this.#answer(() => this.#receipt(ark, version))
  }

  proofs(ark: string, version: number): Promise<Rendered | NotFound> {
    return this.#answer(() => this.#proofs(ark, version))
  }

  metadataText(ark: string, version: number): string | undefined {
    try {
      const stored = readWork(ark, this.#read)
      const record = stored && readVersion(stored, version, this.#read)
      if (record === undefined || stored?.state.status !== 'registered') return undefined
      return metadataTextIn(record.eventRow)
    } catch (error) {
      throw this.#noted(error)
    }
  }

  async withContent(contentHash: string, limit: number): Promise<readonly ReceiptRow[]> {
    const prefix = contentPrefix(contentHash)
    const found: ReceiptRow[] = []
    for await (const [, row] of scanSound(this.#options.store, {
      gte: prefix,
      lt: `${prefix}~`,
      limit,
    })) {
      found.push(decodeRow<ReceiptRow>(row))
    }
    return found
  }

  findReceipt(receiptId: string): ReceiptRow | undefined {
    return decodeRow<ReceiptRow>(this.#read(receiptKey(receiptId)))
  }

  leaves(ark: string, version: number): readonly number[] | undefined {
    const stored = readWork(ark, this.#read)
    const record = stored && readVersion(stored, version, this.#read)
    if (record === undefined) return undefined
    const { treeSize } = this.#options.log.head()
    return statedLeaves(record).filter((leaf) => leaf < treeSize)
  }

  news(after: number, waitMs: number): Promise<void> {
    return this.#options.feed.news(after, waitMs)
  }

  changes(page: Page<number>): Promise<ChangePage> {
    return this.#options.feed.read(page)
  }

  /** What a query finds once the commit that it has read is published. Errors: ActorError. */
  async #answer<F extends Found | Long>(query: () => F): Promise<Exclude<F, Unpublished>> {
    try {
      for (let waitedMs = 0; waitedMs < publishingMsMax; waitedMs += 1) {
        const found = query()
        if (found.type !== 'unpublished') return found as Exclude<F, Unpublished>
        // By its module: what is imported by name is the real time in a simulation too.
        await timers.setTimeout(1)
      }
    } catch (error) {
      throw this.#noted(error)
    }
    throw new ActorError('timeout', 'a commit that is in the store was not published')
  }

  // A row that is lost fails no checksum: only who needs it can tell.
  #noted(error: unknown): unknown {
    this.#options.damage.note(error)
    return error
  }

  #readWork(ark: string): Rendered | NotFound {
    const stored = readWork(ark, this.#read)
    const record = stored && readVersion(stored, stored.state.version, this.#read)
    if (stored === undefined || record === undefined) return notFound
    if (stored.state.status === 'withdrawn') return this.#tombstone(stored, record)
    return this.#found(stored, renderWork(record, this.#options.base))
  }

  #shownClaims(ark: string): ReturnType<typeof readPublicClaims> {
    return readPublicClaims(ark, { read: this.#read, seal: this.#options.seal })
  }

  #tombstone(stored: StoredWork, record: VersionRecord): Rendered {
    const newest = readEvent(stored.newest, this.#read)
    if (newest.type === 'MetadataLost') {
      const lost = newest as JournalEvent & MetadataLost
      return this.#found(stored, renderLoss(stored.state, lost, this.#options.base))
    }
    if (!isErasure(newest)) {
      const withdrawal = newest as JournalEvent & WorkWithdrawn
      const { claims } = this.#shownClaims(record.ark)
      const notices = noticesOf(stored, record, this.#read)
      const view = { base: this.#options.base, claims, notices }
      return this.#found(stored, renderTombstone(record, withdrawal, view))
    }
    // Nothing comes between the end of a work and its erasure, but that some of it was lost.
    const withdrawal = readEvent(newest.previous, this.#read) as JournalEvent & WorkWithdrawn
    return this.#found(stored, renderErasure(stored.state, withdrawal, this.#options.base))
  }

  #found({ state }: StoredWork, body: Uint8Array): Rendered {
    const about = { etag: entityTag(state), status: state.status, ...ownedBy(state) }
    return { type: 'found', body, ...about, ...(endedByLoss(state) && { isLost: true }) }
  }

  #listVersions(ark: string, page: Page<number>): RenderedPage | NotFound {
    const stored = readWork(ark, this.#read)
    if (stored === undefined) return notFound
    const total = stored.state.version
    const wanted = versionNumbers(total, page)
    const versions = this.#describeVersions(stored, wanted)
    const last = wanted[versions.length - 1]
    const end = page.order === 'newest' ? 1 : total
    const next = last === undefined || last === end ? null : last
    const body = jsonOf({ ark: stored.state.identifier, total, versions, next })
    return { ...this.#found(stored, body), next }
  }

  /** The first of these versions: all of them, or as many as are read at a time. */
  #describeVersions(stored: StoredWork, numbers: readonly number[]): unknown[] {
    const versions: unknown[] = []
    let bytes = 0
    for (const version of numbers) {
      const record = readVersion(stored, version, this.#read)
      assert(record !== undefined, 'a work has all versions up to its newest one')
      versions.push(describeVersion(record, this.#options.base))
      bytes += record.eventRow.length
      if (bytes >= readBytesEnough) break
    }
    return versions
  }

  async #listEvents(ark: string, page: Page<number>): Promise<RenderedPage | NotFound> {
    const stored = readWork(ark, this.#read)
    if (stored === undefined) return notFound
    const events: unknown[] = []
    const stride = new Stride()
    let bytes = 0
    let next: number | null = null
    for await (const position of readHistory(this.#options.store, stored, page)) {
      if (events.length === page.limit || bytes >= readBytesEnough) {
        next = position
        break
      }
      const row = readEventRow(position, this.#read)
      const event = decodeEventFacts(position, row) as JournalEvent & HistoryEvent
      bytes += row.length
      events.push(describeEvent(event, stored.state))
      await stride.step(row.length)
    }
    const body = jsonOf({ ark: stored.state.identifier, events, next })
    return { ...this.#found(stored, body), next }
  }

  #receipt(ark: string, version: number): Found {
    const stored = readWork(ark, this.#read)
    const record = stored && readVersion(stored, version, this.#read)
    if (stored === undefined || record === undefined) return notFound
    if (!isPublished(record, this.#options.log)) return unpublished
    const receipt = this.#receipts.write(record.leafIndex, record.content.fixity_status)
    const etag = this.#proofEtag(stored, version, [record.leafIndex])
    return { ...this.#found(stored, receipt), etag }
  }

  #proofs(ark: string, version: number): Found {
    const stored = readWork(ark, this.#read)
    const record = stored && readVersion(stored, version, this.#read)
    if (stored === undefined || record === undefined) return notFound
    if (!isPublished(record, this.#options.log)) return unpublished
    const { since } = record.content.checked ?? {}
    const checks = since === undefined ? [] : readFixityChecks(ark, since, this.#read)
    const { leafIndex } = record
    const { treeSize, checkpoint } = this.#options.log.provingHead(leafIndex)
    const proof = this.#options.log.inclusion(leafIndex, treeSize)
    const proven = statedLeaves(record)
    const latest = stored.state.version
    const first = Math.max(1, latest - provenanceVersionsMax + 1)
    const newestFirst = numbersBetween(first, latest).toReversed()
    const body = jsonOf({
      ark: stored.state.identifier,
      version,
      latest_version: latest,
      content_proofs: describeContent(record, checks),
      provenance_chain: this.#describeVersions(stored, newestFirst).toReversed(),
      signatures: proven.map((leaf) => this.#signature(leaf)),
      tlog_proof: formatTlogProof({ leafIndex, proof, checkpoint }),
    })
    return { ...this.#found(stored, body), etag: this.#proofEtag(stored, version, proven) }
  }

  #signature(leafIndex: number): Record<string, unknown> {
    const chainProof = this.#receipts.chainProof(leafIndex)
    return describeSignature(
      { entry: this.#options.log.entry(leafIndex), chainProof },
      receiptKeyId,
    )
  }

  #proofEtag({ state }: StoredWork, version: number, leaves: readonly number[]): string {
    return `"${state.seq}-v${version}-${this.#receipts.headTag(leaves)}"`
  }
}
