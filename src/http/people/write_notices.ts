import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'

import type { TokenCaller } from '#src/edge/caller.ts'
import { type LimitMemory, noticeCountsOf } from '#src/edge/limits.ts'
import { ClientHashes, Windows } from '#src/limits/windows.ts'
import { realmOf, type Realms, type RegistryEdge } from '#src/use_cases/registry_edge.ts'

type NoticeEdge = Realms &
  Pick<RegistryEdge, 'elapsedMs' | 'environments'> & {
    /** Shared by all threads, so that they count the notices of an hour together; by nodes, too. */
    readonly limitMemory: LimitMemory
  }

const hourMs = 3_600_000

/** People and applications that a thread remembers, so that it looks nothing up for them. */
const noticedMax = 10_000

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** What a write of each type is called, after "… has"; others need no notice. */
const happenings: Readonly<Record<string, string>> = {
  ProfileUpdated: 'changed your profile',
  ItemAdded: 'added to your affiliations or education',
  ItemChanged: 'changed your affiliations or education',
  ItemRemoved: 'removed one of your affiliations or education records',
  WorkRegistered: 'registered a work for you',
  WorkVersioned: 'changed a work of yours',
  WorkWithdrawn: 'withdrawn a work of yours',
  ClaimMade: 'attached a work to you',
  ClaimChanged: 'changed a claim to a work of yours',
}

/**
 * Tells people by mail that an application wrote for them: of each application the first write in
 * an hour, because the page that the message leads to shows all of them.
 */
export function registerWriteNotices(server: FastifyInstance, edge: NoticeEdge): void {
  const noticed = new LRUCache<string, true>({
    max: noticedMax,
    ttl: hourMs,
    perf: { now: edge.elapsedMs },
    ttlResolution: 0,
  })
  const { hashKey, notices: memory } = edge.limitMemory
  const hashes = new ClientHashes(hashKey)
  const nodes = noticeCountsOf(edge.limitMemory)
  const counting = { hashes, elapsedMs: edge.elapsedMs, ...(nodes && { nodes }) }
  const notices = new Windows({ memory, ...counting })
  server.addHook('onResponse', async (request, reply) => {
    const writer = writerOf(request, reply)
    if (writer === undefined) return
    const name = `${writer.ppid} ${writer.clientId}`
    if (noticed.has(name)) return
    const send = await noticeOf(edge, writer)
    if (send === undefined) return
    const { current, ttl } = notices.count(name, hourMs)
    noticed.set(name, true, { ttl: Math.ceil(ttl) })
    if (current === 1) send()
  })
}

/** The application that a request may have written by, if it was carried out. */
function writerOf(
  { caller, method }: Partial<Pick<FastifyRequest, 'caller'>> & Pick<FastifyRequest, 'method'>,
  { statusCode }: FastifyReply,
): TokenCaller | undefined {
  if (caller?.kind !== 'token' || statusCode >= 300) return undefined
  return readingMethods.has(method) ? undefined : caller
}

/** What sends a notice of the newest write, if it is this application's. */
async function noticeOf(
  edge: NoticeEdge,
  { ppid, clientId, environment }: TokenCaller,
): Promise<(() => void) | undefined> {
  const { accounts: service, oauth } = realmOf(edge, environment)
  if (!service.mail.isOn) return undefined
  const account = service.accounts.find(ppid)
  const [newest] = await edge.environments[environment].people.writes({ ppid, limit: 1 })
  const what = happenings[newest?.type ?? '']
  if (newest?.by.client_id !== clientId || account === undefined || what === undefined) {
    return undefined
  }
  const { by } = newest
  const name = by.type === 'organization' ? by.name : oauth.applications.find(clientId)?.name
  return () => service.mail.sendWriteNotice(account, { by: name ?? clientId, what })
}
