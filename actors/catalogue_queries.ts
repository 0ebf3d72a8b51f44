import type { Catalogue } from '#actors/catalogue.ts'
import type { CatalogueMessage } from '#actors/catalogue_actor.ts'
import { openChangeOrder } from '#actors/change_order.ts'
import type { ChangeFeed } from '#actors/change_feed.ts'
import { ask, type Ref } from '#actors/kernel.ts'
import { decodeRow } from '#actors/view_row.ts'
import { readWork } from '#actors/work_record.ts'
import { type ReceiptRow, receiptKey } from '#actors/work_views.ts'
import type { Store } from '#log/store.ts'

/** Who answers the queries, and how long an answer may take. */
export type CatalogueQueriesOptions = {
  readonly catalogue: Ref<CatalogueMessage>
  readonly feed: ChangeFeed
  readonly store: Store
  readonly askTimeoutMs: number
}

/** The queries, as calls on the catalogue's actor. */
export function openCatalogue(options: CatalogueQueriesOptions): Catalogue {
  const { catalogue, feed, store, askTimeoutMs } = options
  const read = (key: string) => store.get(key)
  return {
    state: (ark) => readWork(ark, read)?.state,
    work: (ark) => ask(catalogue, { type: 'read', ark }, askTimeoutMs),
    resolve: (ark, requested, version) =>
      ask(catalogue, { type: 'resolve', ark, requested, version }, askTimeoutMs),
    versions: (ark, page) => ask(catalogue, { type: 'list_versions', ark, page }, askTimeoutMs),
    history: (ark, page) => ask(catalogue, { type: 'list_events', ark, page }, askTimeoutMs),
    receipt: (ark, version) => ask(catalogue, { type: 'receipt', ark, version }, askTimeoutMs),
    proofs: (ark, version) => ask(catalogue, { type: 'proofs', ark, version }, askTimeoutMs),
    findReceipt: (receiptId) => decodeRow<ReceiptRow>(read(receiptKey(receiptId))),
    changes: (query) => feed.read(query),
    news: (after, waitMs) => feed.news(after, waitMs),
    order: openChangeOrder(store),
  }
}
