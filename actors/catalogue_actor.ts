import type { HistoryPage, NotFound, Rendered, VersionPage } from '#actors/catalogue.ts'
import { ActorError } from '#actors/actor_error.ts'
import { isErasure } from '#actors/erasure.ts'
import type { HotReplies, HotReply } from '#actors/hot_replies.ts'
import type { JournalEvent } from '#actors/journal.ts'
import type { Reply } from '#actors/kernel.ts'
import type { PersonSeal } from '#actors/person_seal.ts'
import {
  describeContent,
  describeEvent,
  describeSignature,
  describeVersion,
  isShown,
} from '#actors/provenance.ts'
import { ReceiptWriter } from '#actors/receipt.ts'
import { receiptKeyId } from '#actors/receipt_key.ts'
import {
  joinResolve,
  jsonOf,
  renderErasure,
  renderResolve,
  renderTombstone,
  renderWork,
  type WorkRecord,
} from '#actors/representation.ts'
import type { PlacedClaim } from '#actors/claim_places.ts'
import { readShownClaims } from '#actors/shown_claims.ts'
import { streamArk, type WorkEvent, type WorkWithdrawn } from '#actors/work_events.ts'
import {
  readEvent,
  readFixityChecks,
  readRecord,
  readWork,
  type StoredWork,
} from '#actors/work_record.ts'
import { entityTag } from '#actors/entity_tag.ts'
import { sha256 } from '#log/hash.ts'
import type { LogReader } from '#log/log_reader.ts'
import type { Store } from '#log/store.ts'
import { formatTlogProof } from '#log/tlog_proof.ts'

type Found = Reply<Rendered | NotFound>

/** What the catalogue understands: one query each. */
export type CatalogueMessage =
  | { readonly type: 'read'; readonly ark: string; readonly reply: Found }
  | {
      readonly type: 'resolve'
      readonly ark: string
      readonly requested: string
      readonly version: number | undefined
      readonly reply: Found
    }
  | {
      readonly type: 'list_versions'
      readonly ark: string
      readonly page: VersionPage
      readonly reply: Found
    }
  | {
      readonly type: 'list_events'
      readonly ark: string
      readonly page: HistoryPage
      readonly reply: Found
    }
  | {
      readonly type: 'receipt'
      readonly ark: string
      readonly version: number
      readonly reply: Found
    }
  | {
      readonly type: 'proofs'
      readonly ark: string
      readonly version: number
      readonly reply: Found
    }

/** What the catalogue reads from; `base` is the public address, the base of all links. */
export type CatalogueOptions = {
  readonly store: Store
  readonly log: LogReader
  readonly base: string
  readonly hot: HotReplies
  readonly seal: PersonSeal
}

/** Versions that the provenance chain of a proof lists at most, the newest ones. */
const provenanceVersionsMax = 1_000

/** Events that a page of a history reads at most: it leaves out checks that changed nothing. */
const historyReadsMax = 2_000

const notFound: NotFound = { type: 'not_found' }

/**
 * The rows are those of a commit that is in the store and not published yet. That it is published
 * is the next thing that happens, unless the writer has failed.
 */
type Unpublished = { readonly type: 'unpublished' }

const unpublished: Unpublished = { type: 'unpublished' }

/** How long a commit may be in the store without being published, in milliseconds. */
const publishingMsMax = 1_000

/** Answers queries from the committed views, and keeps the replies that are asked for often. */
export class CatalogueActor {
  readonly #read: (key: string) => Uint8Array | undefined
  readonly #log: LogReader
  readonly #base: string
  readonly #receipts: ReceiptWriter
  readonly #hot: HotReplies
  readonly #seal: PersonSeal

  constructor(options: CatalogueOptions) {
    this.#read = (key) => options.store.get(key)
    this.#seal = options.seal
    this.#log = options.log
    this.#base = options.base
    this.#receipts = new ReceiptWriter(options.log)
    this.#hot = options.hot
  }

  receive(message: CatalogueMessage): void | Promise<void> {
    const answer = this.#answer(message)
    if (answer.type === 'unpublished') return this.#answerLater(message)
    return message.reply.resolve(answer)
  }

  async #answerLater(message: CatalogueMessage): Promise<void> {
    for (let waitedMs = 0; waitedMs < publishingMsMax; waitedMs += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1))
      const answer = this.#answer(message)
      if (answer.type !== 'unpublished') return message.reply.resolve(answer)
    }
    throw new ActorError('fault', 'a commit that is in the store was not published')
  }

  #answer(message: CatalogueMessage): Rendered | NotFound | Unpublished {
    switch (message.type) {
      case 'read':
        return this.#readWork(message.ark)
      case 'resolve':
        return message.version === undefined
          ? this.#resolve(message.ark, message.requested)
          : this.#resolveVersion(message.ark, message.requested, message.version)
      case 'list_versions':
        return this.#listVersions(message.ark, message.page)
      case 'list_events':
        return this.#listEvents(message.ark, message.page)
      case 'receipt':
        return this.#receipt(message.ark, message.version)
      case 'proofs':
        return this.#proofs(message.ark, message.version)
    }
  }

  // Nothing is proven beyond the published head.
  #isPublished({ leafIndex }: WorkRecord): boolean {
    return leafIndex < this.#log.head().treeSize
  }

  #readWork(ark: string): Rendered | NotFound {
    const stored = readWork(ark, this.#read)
    const record = stored && readRecord(stored, stored.state.version, this.#read)
    if (stored === undefined || record === undefined) return notFound
    if (stored.state.status === 'withdrawn') return this.#tombstone(stored, record)
    return this.#found(stored, renderWork(record, this.#base))
  }

  #resolve(ark: string, requested: string): Rendered | NotFound | Unpublished {
    let hot = this.#hot.get(ark)
    if (hot === undefined) {
      const stored = readWork(ark, this.#read)
      const record = stored && readRecord(stored, stored.state.version, this.#read)
      if (stored === undefined || record === undefined) return notFound
      if (stored.state.status === 'withdrawn') return this.#tombstone(stored, record)
      if (!this.#isPublished(record)) return unpublished
      hot = this.#resolution(stored, record)
      this.#hot.offer(ark, hot)
    }
    const { etag, status } = hot
    return { type: 'found', body: joinResolve(hot, requested), etag, status }
  }

  #resolveVersion(
    ark: string,
    requested: string,
    version: number,
  ): Rendered | NotFound | Unpublished {
    const stored = readWork(ark, this.#read)
    const record = stored && readRecord(stored, version, this.#read)
    if (stored === undefined || record === undefined) return notFound
    if (stored.state.status === 'withdrawn') return this.#tombstone(stored, record)
    if (!this.#isPublished(record)) return unpublished
    const { etag, status, ...parts } = this.#resolution(stored, record)
    return { type: 'found', body: joinResolve(parts, requested), etag, status }
  }

  // The receipt is proven against the newest checkpoint, so the same state has several spellings:
  // the entity tag is a weak one.
  #resolution(stored: StoredWork, record: WorkRecord): HotReply {
    const receipt = this.#receipts.parts(record.leafIndex, record.content.fixity_status)
    const { claims, people } = this.#shownClaims(record.ark)
    const etag = `W/${tagWithClaims(entityTag(stored.state), claims)}`
    const parts = renderResolve(record, receipt, { base: this.#base, claims })
    return { etag, status: stored.state.status, people, ...parts }
  }

  #shownClaims(ark: string): ReturnType<typeof readShownClaims> {
    return readShownClaims(ark, { read: this.#read, seal: this.#seal })
  }

  #tombstone(stored: StoredWork, record: WorkRecord): Rendered {
    const newest = readEvent(stored.newest, this.#read)
    if (!isErasure(newest)) {
      const withdrawal = newest as JournalEvent & WorkWithdrawn
      const { claims } = this.#shownClaims(record.ark)
      return this.#found(stored, renderTombstone(record, withdrawal, { base: this.#base, claims }))
    }
    // Nothing comes between the end of a work and its erasure.
    const withdrawal = readEvent(newest.previous, this.#read) as JournalEvent & WorkWithdrawn
    return this.#found(stored, renderErasure(stored.state, withdrawal, this.#base))
  }

  #found(stored: StoredWork, body: Uint8Array): Rendered {
    const { status } = stored.state
    return { type: 'found', body, etag: entityTag(stored.state), status }
  }

  #listVersions(ark: string, page: VersionPage): Rendered | NotFound {
    const stored = readWork(ark, this.#read)
    if (stored === undefined) return notFound
    const last = Math.min(stored.state.version, page.after + page.limit)
    const versions = this.#describeVersions(stored, page.after + 1, last)
    const total = stored.state.version
    const next = last < total ? last : null
    return this.#found(stored, jsonOf({ ark: stored.state.identifier, total, versions, next }))
  }

  #describeVersions(stored: StoredWork, first: number, last: number): unknown[] {
    const versions: unknown[] = []
    for (let version = first; version <= last; version += 1) {
      const record = readRecord(stored, version, this.#read)
      if (record !== undefined) versions.push(describeVersion(record, this.#base))
    }
    return versions
  }

  #listEvents(ark: string, page: HistoryPage): Rendered | NotFound {
    const stored = readWork(ark, this.#read)
    if (stored === undefined) return notFound
    let position = page.before ?? stored.newest
    const events: unknown[] = []
    for (let read = 0; read < historyReadsMax; read += 1) {
      if (position < 0 || events.length >= page.limit) break
      const event = readEvent(position, this.#read) as JournalEvent & WorkEvent
      // A cursor that points into another work's events shows nothing of them.
      if (streamArk(event.stream) !== ark) return notFound
      if (isShown(event)) events.push(describeEvent(event, stored.state))
      position = event.previous
    }
    const next = position >= 0 ? position : null
    return this.#found(stored, jsonOf({ ark: stored.state.identifier, events, next }))
  }

  #receipt(ark: string, version: number): Rendered | NotFound | Unpublished {
    const stored = readWork(ark, this.#read)
    const record = stored && readRecord(stored, version, this.#read)
    if (stored === undefined || record === undefined) return notFound
    if (!this.#isPublished(record)) return unpublished
    const receipt = this.#receipts.write(record.leafIndex, record.content.fixity_status)
    return { ...this.#found(stored, receipt), etag: this.#proofEtag(stored, version) }
  }

  #proofs(ark: string, version: number): Rendered | NotFound | Unpublished {
    const stored = readWork(ark, this.#read)
    const record = stored && readRecord(stored, version, this.#read)
    if (stored === undefined || record === undefined) return notFound
    if (!this.#isPublished(record)) return unpublished
    const { stable, since } = record.content.checked ?? {}
    const leaves = new Set([record.event.leafIndex, record.leafIndex])
    // The content statement of an earlier version is part of that version's proofs.
    if (stable?.version === version) leaves.add(stable.leaf)
    const { treeSize, checkpoint } = this.#log.head()
    const leafIndex = record.leafIndex
    const proof = this.#log.inclusion(leafIndex, treeSize)
    const first = Math.max(1, version - provenanceVersionsMax + 1)
    const body = jsonOf({
      ark: stored.state.identifier,
      version,
      content_proofs: describeContent(
        record,
        since === undefined ? [] : readFixityChecks(ark, since, this.#read),
      ),
      provenance_chain: this.#describeVersions(stored, first, version),
      signatures: [...leaves].sort((a, b) => a - b).map((leaf) => this.#signature(leaf)),
      tlog_proof: formatTlogProof({ leafIndex, proof, checkpoint }),
    })
    return { ...this.#found(stored, body), etag: this.#proofEtag(stored, version) }
  }

  #signature(leafIndex: number): Record<string, unknown> {
    const proven = {
      entry: this.#log.entry(leafIndex),
      chainProof: this.#receipts.chainProof(leafIndex),
    }
    return describeSignature(proven, receiptKeyId)
  }

  #proofEtag({ state }: StoredWork, version: number): string {
    return `"${state.seq}-v${version}-${this.#log.head().treeSize}"`
  }
}

/** The entity tag of a work as it is shown with claims, which change without it. */
function tagWithClaims(tag: string, claims: readonly PlacedClaim[]): string {
  if (claims.length === 0) return tag
  const hash = Buffer.from(sha256(jsonOf(claims))).toString('hex', 0, 8)
  return `${tag.slice(0, -1)}-${hash}"`
}
