import type { RecordFeed } from '#actors/catalogue/feeds.ts'
import { openFixityQueries } from '#actors/fixity/client.ts'
import { ask, tell } from '#actors/kernel/kernel.ts'
import { Subscriber } from '#actors/kernel/publication.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { offerScans } from '#actors/kernel/scans.ts'
import { nameHasher } from '#actors/people/views.ts'
import { openReceiptKeyQueries } from '#actors/receipts/keys.ts'
import { openCommands } from '#actors/registry/commands.ts'
import type {
  EnvironmentLimits,
  EnvironmentOptions,
  EnvironmentStatus,
  ServedEnvironment,
} from '#actors/registry/environment.ts'
import type { Publication, Share } from '#actors/registry/publication.ts'
import { openQueries } from '#actors/registry/queries.ts'
import { bypassesBlockCache } from '#actors/registry/block_cache.ts'
import { registryOf } from '#actors/registry/sharing.ts'
import { bufferedRandom } from '#actors/values/ark.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { DamageList, watchReads } from '#log/store/damage.ts'
import { joinLevelStore } from '#log/store/level_store.ts'

/** What a registry of another thread is joined with; `vkey` is its log's verifier key. */
export type JoinOptions = Pick<
  EnvironmentOptions,
  | 'name'
  | 'naan'
  | 'shoulder'
  | 'dated'
  | 'baseUrl'
  | 'origin'
  | 'storeDir'
  | 'personSeal'
  | 'personIndexKey'
  | 'systemMs'
  | 'random'
> & {
  readonly vkey: string
  readonly limits: Pick<EnvironmentLimits, 'askTimeoutMs' | 'replyCacheBytesMax'>
  readonly share: Share
  /** The connection to the thread that runs the registry. */
  readonly remote: Remote
}

/** A registry that another thread runs, as this one serves it. */
export type JoinedEnvironment = ServedEnvironment & {
  readonly records: RecordFeed
  status(): Promise<EnvironmentStatus>
  /**
   * After this, queries see all that was acknowledged anywhere before: call it before a request is
   * looked at. It waits for nothing.
   */
  catchUp(): void
  close(): Promise<void>
}

/**
 * Joins a registry that another thread runs: queries are answered here, from the committed rows,
 * and commands go to the entities there. Errors: those of `joinLevelStore`.
 */
export async function joinEnvironment(options: JoinOptions): Promise<JoinedEnvironment> {
  const { name, naan, shoulder, dated, origin, vkey, baseUrl, remote, share, systemMs } = options
  const { askTimeoutMs, replyCacheBytesMax } = options.limits
  const { personSeal: seal, personIndexKey: indexKey } = options
  const { entities, registry } = registryOf(remote, name)
  const damage = new DamageList((message) => tell(registry, { type: 'note_damage', message }))
  const joined = await joinLevelStore(options.storeDir, { bypassesBlockCache })
  const store = watchReads(joined, damage)
  offerScans(remote, name, () => joined.scansEnded())
  const { head, cosigned, firstReceiptKey } = share
  const queries = openQueries({ store, damage, head, cosigned, seal, baseUrl, replyCacheBytesMax })
  const { log, catalogue, holdings, harvest, records, position } = queries
  const subscriber = new Subscriber<Publication>(share, (publication) => {
    if (publication.type === 'cosigned') queries.cosigned(publication.cosigned)
    else queries.published(publication.head, publication.notice)
  })
  // What has come may be the answer to a write, which is followed by a read.
  remote.onArrival(() => subscriber.catchUp())
  const now = () => formatTimestamp(systemMs())
  const random = bufferedRandom(options.random)
  const minting = { naan, shoulder, dated, random, now }
  const personal = { seal, indexKey, hash: nameHasher(indexKey) }
  const commands = openCommands({ ...minting, ...personal, entities, store, askTimeoutMs })
  const fixity = openFixityQueries({ works: entities.works, store, askTimeoutMs })
  return {
    name,
    naan,
    shoulder,
    origin,
    vkey,
    log,
    catalogue,
    holdings,
    harvest,
    records,
    position,
    ...commands,
    receiptKeys: openReceiptKeyQueries(store, firstReceiptKey),
    fixity: {
      ...fixity,
      overview: () => ask(registry, { type: 'describe_fixity' }, askTimeoutMs),
    },
    settle: (timeMs) => ask(registry, { type: 'settle', timeMs }, askTimeoutMs),
    status: () => ask(registry, { type: 'describe_status' }, askTimeoutMs),
    catchUp: () => subscriber.catchUp(),
    async close() {
      subscriber.close()
      await store.close()
    },
  }
}
