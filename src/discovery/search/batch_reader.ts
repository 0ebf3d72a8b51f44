import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'

import type { RecordName, StandingWork, TouchedRecords } from '#actors/catalogue/record_feed.ts'
import { unlessDamaged } from '#log/store/damage.ts'
import { documentArk, documentId, kindOfRecord } from '#src/discovery/search/documents.ts'
import { newest } from '#src/discovery/search/index_shape.ts'
import { type IndexedEnvironment, readIndexed } from '#src/discovery/search/record_documents.ts'
import type {
  IndexBatch,
  IndexKind,
  SearchDocument,
  SearchEngine,
  SearchPlace,
} from '#src/discovery/search/search_engine.ts'

/** Events read for one batch, and records read in one turn of the thread that answers requests. */
export const batchEvents = 500
const turnRecords = 20

/** How long the reader rests after these records while writes wait for their commit. */
const giveWayMs = 20

/** Works of a person on one page. */
const personWorks = 200

type BatchReaderOptions = {
  readonly engine: Pick<SearchEngine, 'search'>
  readonly environment: IndexedEnvironment
  /** Set off when nobody waits for a batch any more. */
  readonly closing: AbortSignal
  /** Makes what was written to the index seen by searches. */
  readonly commit: () => Promise<void>
}

type Draft = {
  readonly puts: Record<IndexKind, SearchDocument[]>
  readonly removes: Record<IndexKind, string[]>
}

/** Reads from the journal which records have changed, and how they stand, in batches. */
export class BatchReader {
  readonly #engine: BatchReaderOptions['engine']
  readonly #environment: IndexedEnvironment
  readonly #closing: AbortSignal
  readonly #commit: () => Promise<void>

  constructor({ engine, environment, closing, commit }: BatchReaderOptions) {
    this.#engine = engine
    this.#environment = environment
    this.#closing = closing
    this.#commit = commit
  }

  /** What the events from a position on have changed, `batchEvents` of them at most. */
  async read(position: number): Promise<IndexBatch> {
    const touched = await this.#environment.records.touched(position, batchEvents)
    if (!hasPeople(touched)) return this.#batch(touched)
    await this.#commit()
    return this.#batch({ ...touched, records: await this.#withTheirWorks(touched.records) })
  }

  /**
   * The same while the batch before is written; undefined if there are people in it: their works
   * are looked up in the index, which has to know of all before.
   */
  async readAhead(position: number): Promise<IndexBatch | undefined> {
    const touched = await this.#environment.records.touched(position, batchEvents)
    return hasPeople(touched) ? undefined : this.#batch(touched)
  }

  async #batch({ records, erased, next }: TouchedRecords): Promise<IndexBatch> {
    const puts: Draft['puts'] = { works: [], people: [], organizations: [] }
    const removes: Draft['removes'] = { works: [], people: [], organizations: [] }
    const works: StandingWork[] = []
    for (const [index, record] of records.entries()) {
      if (index % turnRecords === turnRecords - 1) await this.#giveWay(next - 1)
      const kind = kindOfRecord[record.type]
      // A damaged record stays in the index as it is, and holds up no other.
      const read = unlessDamaged(() => readIndexed(record, this.#environment))
      if (read?.type === 'work') works.push(read.work)
      if (read?.type === 'document') puts[kind].push(read.document)
      if (read?.type === 'hidden') removes[kind].push(documentId(record))
    }
    return { puts, works, removes, position: next, purges: erased.length > 0 }
  }

  // Reading takes the thread that plans the commits. It goes on while they are busy, but takes no
  // more than a tenth of it. Of what was committed just now there is next to nothing to read.
  async #giveWay(position: number): Promise<void> {
    const signal = this.#closing
    const { records } = this.#environment
    const isBusy = this.#environment.status().pooled > 0 && !records.remembers(position)
    if (!isBusy || signal.aborted) return turn()
    await sleep(giveWayMs, undefined, { signal, ref: false }).catch(() => {})
  }

  // What a person lets others see of their claims stands with the works, too.
  async #withTheirWorks(records: readonly RecordName[]): Promise<readonly RecordName[]> {
    const all = new Map(records.map((record) => [documentId(record), record]))
    for (const { type, id } of records) {
      if (type !== 'person') continue
      const claimed = unlessDamaged(() => [...this.#claimed(id)]) ?? []
      for (const ark of [...claimed, ...(await this.#foundBy(id))]) {
        all.set(documentId({ type: 'work', id: ark }), { type: 'work', id: ark })
      }
    }
    return [...all.values()]
  }

  *#claimed(ppid: string): Generator<string> {
    let after: string | undefined
    do {
      const page = this.#environment.claims.ofPerson(ppid, {
        limit: personWorks,
        ...(after !== undefined && { cursor: after }),
      })
      for (const { ark } of page.claims) yield ark
      after = page.next ?? undefined
    } while (after !== undefined)
  }

  /** The works that are found by a person now, who may have been erased since. */
  async #foundBy(ppid: string): Promise<string[]> {
    const arks: string[] = []
    let after: SearchPlace | undefined
    do {
      const page = await this.#engine.search('works', {
        clauses: [],
        filters: [{ type: 'any_of', field: 'ppid', values: [ppid] }],
        sort: newest,
        limit: personWorks,
        facets: [],
        ...(after && { after }),
      })
      arks.push(...page.ids.map(documentArk))
      after = page.next
    } while (after !== undefined)
    return arks
  }
}

function hasPeople({ records }: TouchedRecords): boolean {
  return records.some(({ type }) => type === 'person')
}
