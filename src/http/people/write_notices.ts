import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'

import type { TokenCaller } from '#src/edge/caller.ts'
import type { EdgeRequest, LastStep } from '#src/edge/step.ts'
import { type LimitConfig, Limiter, type LimitMemory } from '#src/edge/limits/limits.ts'
import { realmOf, type Realms, type RegistryEdge } from '#src/use_cases/registry_edge.ts'

type NoticeEdge = Realms &
  Pick<RegistryEdge, 'elapsedMs' | 'environments'> & {
    readonly logger: Logger
    readonly config: LimitConfig
    /** Shared by all threads, so that they count the notices of an hour together; by nodes, too. */
    readonly limitMemory: LimitMemory
  }

const hourMs = 3_600_000

/** People and applications that a thread remembers, so that it looks nothing up for them. */
const noticedMax = 10_000

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Types of writes that people are told of; mails have words for each. */
const toldTypes: ReadonlySet<string> = new Set([
  'ProfileUpdated',
  'ItemAdded',
  'ItemChanged',
  'ItemRemoved',
  'WorkRegistered',
  'WorkVersioned',
  'WorkWithdrawn',
  'ClaimMade',
  'ClaimChanged',
])

/**
 * Tells people by mail that an application wrote for them: of each application the first write in
 * an hour, because the page that the message leads to shows all of them.
 */
export function createWriteNotices(edge: NoticeEdge): LastStep {
  const noticed = new LRUCache<string, true>({
    max: noticedMax,
    ttl: hourMs,
    perf: { now: edge.elapsedMs },
    ttlResolution: 0,
  })
  const { config, elapsedMs, limitMemory, logger } = edge
  const notices = new Limiter('notices', { config, elapsedMs, limitMemory })
  const notice = async (writer: TokenCaller): Promise<void> => {
    const name = `${writer.ppid} ${writer.clientId}`
    if (noticed.has(name)) return
    const send = await noticeOf(edge, writer)
    if (send === undefined) return
    const { ttl, isExceeded } = notices.count(name)
    noticed.set(name, true, { ttl: Math.ceil(ttl) })
    if (!isExceeded) send()
  }
  return ({ caller, method }: Partial<Pick<EdgeRequest, 'caller'>> & { method: string }, reply) => {
    if (caller?.kind !== 'token' || reply.statusCode >= 300 || readingMethods.has(method)) return
    notice(caller).catch((err: unknown) => logger.error({ err }, 'a notice could not be sent'))
  }
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
  const what = newest?.type ?? ''
  if (newest?.by.client_id !== clientId || account === undefined || !toldTypes.has(what)) {
    return undefined
  }
  const { by } = newest
  const name = by.type === 'organization' ? by.name : oauth.applications.find(clientId)?.name
  return () => service.mail.sendWriteNotice(account, { by: name ?? clientId, what })
}
