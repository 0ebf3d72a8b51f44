import type { JournalEvent } from '#actors/journal/journal.ts'
import type { JournalHead } from '#actors/journal/pool.ts'
import { eventPrefix, readerOf } from '#actors/journal/rows.ts'
import type { Message } from '#actors/kernel/kernel.ts'
import { Subscriber } from '#actors/kernel/publication.ts'
import type { Remote } from '#actors/kernel/remote.ts'
import { offerScans } from '#actors/kernel/scans.ts'
import { offerService, remoteService, type Service } from '#actors/kernel/service.ts'
import type { Entities } from '#actors/kernel/shards.ts'
import { openPeople } from '#actors/people/actor.ts'
import { claimUndo, openClaims, type PersonEntityMessage } from '#actors/people/claims/actor.ts'
import { openOrganizations, type OrganizationMessage } from '#actors/people/organizations/actor.ts'
import type { PersonSeal } from '#actors/people/record.ts'
import { nameHasher } from '#actors/people/views.ts'
import { ChangeFeed, type CommitNotice, StoreRecordFeed } from '#actors/registry/catalogue/feeds.ts'
import { JournalTimes, openHarvest } from '#actors/registry/catalogue/harvest.ts'
import { openOwnerLists } from '#actors/registry/catalogue/owner_lists.ts'
import { openCatalogue } from '#actors/registry/catalogue/queries.ts'
import { ReplyCache } from '#actors/registry/catalogue/resolution.ts'
import type {
  Environment,
  EnvironmentLimits,
  EnvironmentOptions,
  EnvironmentStatus,
  Publication,
  ServedEnvironment,
  Share,
} from '#actors/registry/environment.ts'
import { bufferedRandom, type RandomBytes } from '#actors/values/ark.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { WorkClient, type WorkMessage } from '#actors/works/actor.ts'
import { type FixityOverview, openFixityQueries } from '#actors/works/fixity/client.ts'
import { openReceiptKeyQueries } from '#actors/works/receipts/keys.ts'
import { decodeMapLeaf } from '#log/tlog/map/map_leaf.ts'
import { checkMapProof } from '#log/tlog/map/map_proof.ts'
import { mapKey } from '#log/tlog/map/map_tree.ts'
import { DamageList, watchReads } from '#log/store/damage.ts'
import { joinLevelStore } from '#log/store/level_store.ts'
import type { MapEvidence } from '#log/store/live_map.ts'
import { LogReader } from '#log/store/log_reader.ts'
import { entryPrefix, tilePrefix } from '#log/store/log_rows.ts'
import type { ReadStore } from '#log/store/store.ts'
import type { Cosigned } from '#log/store/witnessed_history.ts'
import { decodeBase64 } from '#log/tlog/encoding.ts'

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

/** The entities that carry commands out, wherever they live. */
export type EntitiesByKind = {
  readonly works: Entities<WorkMessage>
  readonly organizations: Entities<OrganizationMessage>
  readonly people: Entities<PersonEntityMessage>
}

/** What a registry is served with, by the thread that runs it and by those that have joined it. */
export type ServingOptions = Pick<
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
>

/** What the two kinds of threads have in ways of their own. `now` dates commands (RFC 3339). */
export type ServedParts = Pick<
  ServedEnvironment,
  'vkey' | 'mldsaVkey' | 'receiptKeys' | 'fixity' | 'settle' | 'map'
> & {
  readonly queries: Queries
  readonly entities: EntitiesByKind
  readonly store: ReadStore
  readonly random: RandomBytes
  readonly now: () => string
  readonly askTimeoutMs: number
}

/** What people are sealed with, and what hides them where they are a row's key. */
export function personalOf({ personSeal: seal, personIndexKey: indexKey }: ServingOptions) {
  return { seal, indexKey, hash: nameHasher(indexKey) }
}

/** A registry as routes and pages know it: queries of its rows, and questions to its entities. */
export function serveEnvironment(
  options: ServingOptions,
  { queries, entities, store, random, now, askTimeoutMs, ...parts }: ServedParts,
): ServedEnvironment & Pick<Environment, 'records'> {
  const { name, naan, shoulder, dated, origin } = options
  const personal = personalOf(options)
  const asked = { store, naan, askTimeoutMs, ...personal }
  const works = new WorkClient({ ...asked, works: entities.works, shoulder, dated, random, now })
  const claims = openClaims({ ...asked, people: entities.people })
  const undoClaim = claimUndo({ claims, read: readerOf(store) })
  const people = openPeople({ ...asked, people: entities.people, works, undoClaim })
  const isPerson = (ppid: string) => people.read(ppid)?.type === 'person'
  const organizations = openOrganizations({ ...asked, ...entities, isPerson })
  const { log, catalogue, holdings, harvest, records, position } = queries
  const rows = { log, catalogue, holdings, harvest, records, position }
  return { name, naan, shoulder, origin, ...parts, ...rows, works, claims, people, organizations }
}

/**
 * The rows of which there are most bytes, and whose readers keep what they make of them where it is
 * asked for again: replies, and the hashes of tiles. In the store's cache they would take the place
 * of many small rows, which are read again and again.
 */
export function bypassesBlockCache(key: string): boolean {
  return key.startsWith(eventPrefix) || key.startsWith(entryPrefix) || key.startsWith(tilePrefix)
}

/** What the thread that runs a registry does for those that serve it as well. */
export type RegistryCalls = {
  settle(timeMs: number): Promise<number>
  status(): Promise<EnvironmentStatus>
  fixity(): Promise<FixityOverview>
  /** Damage of the store was met, which a sentence tells. */
  noteDamage(message: string): void
  /** What the map says of a name; threads exchange texts, so the proof is in base64. */
  proveMap(name: string): Promise<MapProofText | undefined>
}

type MapProofText = Pick<MapEvidence, 'leafIndex'> & { readonly proof: string }

const kinds = { works: 'work', organizations: 'organization', people: 'person' } as const

function registryService(environment: string, ms: number): Service<RegistryCalls> {
  const calls = {
    settle: ms,
    status: ms,
    fixity: ms,
    noteDamage: 'tell',
    proveMap: ms,
  } as const
  return { name: `${environment} registry`, calls }
}

/** The evidence of a map that another thread has: undefined also if its leaf is not here yet. */
async function proveThere(
  registry: RegistryCalls,
  log: LogReader,
  name: string,
): Promise<MapEvidence | undefined> {
  const proven = await registry.proveMap(name)
  if (proven === undefined || proven.leafIndex >= log.head().treeSize) return undefined
  const { leafIndex } = proven
  const leaf = log.entry(leafIndex)
  const proof = decodeBase64(proven.proof, 'the proof of a map')
  const value = checkMapProof(proof, mapKey(name), decodeMapLeaf(leaf).rootHash)
  return { leafIndex, leaf, proof, value }
}

/** Lets the other side of a connection use the entities and the registry of an environment. */
export function offerRegistry(
  remote: Remote,
  environment: string,
  { entities, calls }: { readonly entities: EntitiesByKind; readonly calls: RegistryCalls },
): void {
  const { works, organizations, people } = entities
  remote.offer(`${environment} ${kinds.works}`, (key) => works.at(key))
  remote.offer(`${environment} ${kinds.organizations}`, (key) => organizations.at(key))
  remote.offer(`${environment} ${kinds.people}`, (key) => people.at(key))
  offerService(remote, registryService(environment, 0), calls)
}

/** The parts of a registry that runs on the other side of a connection. */
function registryOf(remote: Remote, environment: string, askTimeoutMs: number) {
  const at = <M extends Message>(kind: keyof typeof kinds): Entities<M> => ({
    at: (key) => remote.at<M>(`${environment} ${kinds[kind]}`, key),
  })
  const entities: EntitiesByKind = {
    works: at('works'),
    organizations: at('organizations'),
    people: at('people'),
  }
  return { entities, registry: remoteService(remote, registryService(environment, askTimeoutMs)) }
}

/** What a registry of another thread is joined with; its log has these verifier keys. */
export type JoinOptions = ServingOptions & {
  readonly vkey: string
  readonly mldsaVkey?: string | undefined
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
  const { name, vkey, mldsaVkey, baseUrl, remote, share, systemMs, personSeal: seal } = options
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
    mldsaVkey,
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
