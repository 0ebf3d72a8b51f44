import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { parseEntry } from '#actors/receipts/statement.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import {
  contactPage,
  type OperatorFacts,
  privacyPage,
  type StatusFacts,
  statusPage,
} from '#src/pages/public/operator_pages.ts'
import { type PublicPage, sendPublicPage } from '#src/pages/kit/public_page.ts'

type OperatorEdge = Pick<
  RegistryEdge,
  'count' | 'baseUrl' | 'environments' | 'accounts' | 'config' | 'readiness' | 'search'
>

/** `GET /contact`, `/privacy` and `/status`: who runs the registry, and how it is doing. */
export function registerOperatorPageRoutes(server: FastifyInstance, edge: OperatorEdge): void {
  const options = {
    onRequest: (request: FastifyRequest, reply: FastifyReply) =>
      edge.count('pages', request, reply),
    schema: { hide: true },
  }
  const add = (path: string, make: () => PublicPage | Promise<PublicPage>) =>
    server.get(path, options, async (_request, reply) => sendPublicPage(await make(), reply, edge))
  const operator = operatorFacts(edge.config)
  add('/contact', () => contactPage(operator))
  add('/privacy', () => privacyPage(operator))
  add('/status', async () => statusPage(await statusFacts(edge)))
}

function operatorFacts(config: OperatorEdge['config']): OperatorFacts {
  const { OPERATOR_NAME: name, ADMIN_EMAIL, MAIL_FROM, PRIVACY_URL: privacyUrl } = config
  const [sender] = /[^<>\s]+@[^<>\s]+/.exec(MAIL_FROM ?? '') ?? []
  return { name, mail: ADMIN_EMAIL ?? sender, privacyUrl }
}

async function statusFacts({
  readiness,
  environments,
  search,
}: OperatorEdge): Promise<StatusFacts> {
  const { ready, checks } = await readiness()
  const { log } = environments.live
  const { treeSize } = log.head()
  const newest = treeSize === 0 ? undefined : parseEntry(log.entry(treeSize - 1))
  return {
    isReady: ready,
    isSearched: search !== undefined,
    isSearchLate: checks['search']?.problem !== undefined,
    treeSize,
    signedAt: newest === undefined || 'type' in newest ? undefined : newest.statement.timestamp,
  }
}
