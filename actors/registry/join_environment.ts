import { openFixityQueries } from '#actors/works/fixity/client.ts'
import { Subscriber } from '#actors/kernel/publication.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { offerScans } from '#actors/kernel/scans.ts'
import { openReceiptKeyQueries } from '#actors/works/receipts/keys.ts'
import type {
  Environment,
  EnvironmentLimits,
  EnvironmentStatus,
  Publication,
  ServedEnvironment,
  Share,
} from '#actors/registry/environment.ts'
import {
  bypassesBlockCache,
  openQueries,
  proveThere,
  registryOf,
  serveEnvironment,
  type ServingOptions,
} from '#actors/registry/served_environment.ts'
import { bufferedRandom } from '#actors/values/ark.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { DamageList, watchReads } from '#log/store/damage.ts'
import { joinLevelStore } from '#log/store/level_store.ts'

/** What a registry of another thread is joined with; `vkey` is its log's verifier key. */
export type JoinOptions = ServingOptions & {
  readonly vkey: string
  readonly limits: Pick<EnvironmentLimits, 'askTimeoutMs' | 'replyCacheBytesMax'>
  readonly share: Share
  /** The connection to the thread that runs the registry. */
  readonly remote: Remote
}

/** A registry that another thread runs, as this one serves it. */
export type JoinedEnvironment = ServedEnvironment &
  Pick<Environment, 'records'> & {
    status(): Promise<EnvironmentStatus>
    /**
     * After this, queries see all that was acknowledged anywhere before: call it before a request
     * is looked at. It waits for nothing.
     */
    catchUp(): void
    close(): Promise<void>
  }

/**
 * Joins a registry that another thread runs: queries are answered here, from the committed rows,
 * and commands go to the entities there. Errors: those of `joinLevelStore`.
 */
export async function joinEnvironment(options: JoinOptions): Promise<JoinedEnvironment> {
  const { name, vkey, baseUrl, remote, share, systemMs, personSeal: seal } = options
  const { askTimeoutMs, replyCacheBytesMax } = options.limits
  const { entities, registry } = registryOf(remote, name, askTimeoutMs)
  const damage = new DamageList((message) => registry.noteDamage(message))
  const joined = await joinLevelStore(options.storeDir, { bypassesBlockCache })
  const store = watchReads(joined, damage)
  offerScans(remote, name, () => joined.scansEnded())
  const { head, cosigned, firstReceiptKey } = share
  const queries = openQueries({ store, damage, head, cosigned, seal, baseUrl, replyCacheBytesMax })
  const subscriber = new Subscriber<Publication>(share, (publication) => {
    if (publication.type === 'cosigned') queries.cosigned(publication.cosigned)
    else queries.published(publication.head, publication.notice)
  })
  // What has come may be the answer to a write, which is followed by a read.
  remote.onArrival(() => subscriber.catchUp())
  const fixity = openFixityQueries({ works: entities.works, store, askTimeoutMs })
  const served = serveEnvironment(options, {
    queries,
    entities,
    store,
    random: bufferedRandom(options.random),
    now: () => formatTimestamp(systemMs()),
    askTimeoutMs,
    vkey,
    receiptKeys: openReceiptKeyQueries(store, firstReceiptKey),
    fixity: { ...fixity, overview: () => registry.fixity() },
    settle: (timeMs) => registry.settle(timeMs),
    map: share.hasMap ? { prove: (ark) => proveThere(registry, queries.log, ark) } : undefined,
  })
  return {
    ...served,
    status: () => registry.status(),
    catchUp: () => subscriber.catchUp(),
    async close() {
      subscriber.close()
      await store.close()
    },
  }
}
