import { ChangeFeed, type CommitNotice, StoreRecordFeed } from '#actors/catalogue/feeds.ts'
import { JournalTimes, openHarvest } from '#actors/catalogue/harvest.ts'
import { openOwnerLists } from '#actors/catalogue/owner_lists.ts'
import { openCatalogue } from '#actors/catalogue/queries.ts'
import { ReplyCache } from '#actors/catalogue/resolution.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import type { JournalHead } from '#actors/journal/pool.ts'
import type { PersonSeal } from '#actors/people/record.ts'
import type { Environment } from '#actors/registry/environment.ts'
import type { DamageList } from '#log/store/damage.ts'
import { LogReader } from '#log/store/log_reader.ts'
import type { ReadStore } from '#log/base/store.ts'
import type { Cosigned } from '#log/store/witnessed_history.ts'

/** What is answered from committed rows, in whatever thread. */
export type Queries = Pick<
  Environment,
  'log' | 'catalogue' | 'holdings' | 'harvest' | 'records' | 'position'
> & {
  /** Shows a commit, with its events where they are at hand: what is asked from now on sees it. */
  published(head: JournalHead, notice: CommitNotice, newest?: readonly JournalEvent[]): void
  /** Shows what has become known of the cosignatures of the log, once its rows are written. */
  cosigned(next: Cosigned): void
}

/**
 * What the queries read: `head` is the newest that was published, `cosigned` what was known then of
 * its cosignatures, by default what the store keeps of that; `baseUrl` is the base of links.
 */
export type QueriesOptions = {
  readonly store: ReadStore
  readonly damage: DamageList
  readonly head: JournalHead
  readonly cosigned?: Cosigned
  readonly seal: PersonSeal
  readonly baseUrl: string
  readonly replyCacheBytesMax: number
}

/** Opens the queries of a registry, as of a published head. */
export function openQueries(options: QueriesOptions): Queries {
  const { store, damage, seal, baseUrl: base, replyCacheBytesMax } = options
  let { head } = options
  const log = new LogReader(store, head.log, options.cosigned)
  const times = new JournalTimes(store, () => head)
  const replies = new ReplyCache(replyCacheBytesMax)
  const feed = new ChangeFeed(store, head.position)
  const records = new StoreRecordFeed(store, seal, head.position)
  return {
    log,
    records,
    catalogue: openCatalogue({ store, damage, log, feed, base, replies, seal }),
    holdings: openOwnerLists(store, times),
    position: () => head.position,
    harvest: openHarvest(store, times, () => head),
    published(next, notice, newest) {
      head = next
      log.publish(next.log)
      for (const told of [replies, feed]) told.published(notice)
      records.published(notice, newest)
    },
    cosigned(next) {
      const isFurther = next.count > log.cosigned().count
      log.publishCosigned(next)
      if (isFurther) replies.witnessed()
    },
  }
}
