// A subscriber on loopback, and deliveries to it by the real rules of fetching.

import type { ExecutionContext } from 'ava'

import type { Environments } from '#actors/registry/environment.ts'
import { loadConfig } from '#config/config.ts'
import { createLogger } from '#src/edge/logger.ts'
import { FailureNotices } from '#src/cli/start/delivering_thread.ts'
import { type Deliverers, deliverWebhooks, type WebhookParts } from '#src/cli/start/webhooks.ts'
import type { Realms } from '#src/use_cases/registry_edge.ts'
import { baseUrl } from '#test/src/_served_registry.ts'
import { serveWhole } from '#test/src/delivery/fetch/_servers.ts'

/** What a message says. */
export type ReceivedEvent = {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A subscriber that keeps what it is told, and answers with `status`, which may be changed. */
export async function subscriber(t: ExecutionContext) {
  const told: ReceivedEvent[] = []
  const answer = { status: 204 }
  const server = await serveWhole(t, (body, _request, response) => {
    told.push(JSON.parse(body) as ReceivedEvent)
    response.writeHead(answer.status).end()
  })
  return { told, answer, hostPort: server.hostPort, url: server.url }
}

type Registry = Realms & { readonly environments: Environments }

/** Delivers from this thread what happens in a registry, until `opened` ends. */
export function deliverHere(
  parts: Omit<WebhookParts, 'tellFailure' | 'deliveryTurns'>,
  registry: Registry,
  opened: AsyncDisposableStack,
): Deliverers {
  const { environments, sandbox } = registry
  const delivered = {
    live: { ...registry, environment: environments.live },
    sandbox: { ...sandbox, environment: environments.sandbox },
  }
  const report = (err: unknown) => parts.logger.error({ err }, 'owners could not be told')
  const notices = new FailureNotices({ realms: registry, environments, report })
  opened.defer(() => notices.close())
  const tellFailure: WebhookParts['tellFailure'] = (name, { id }) => notices.send(name, id)
  return deliverWebhooks({ ...parts, tellFailure }, delivered, opened)
}

/** Delivers until the test ends, or `close`, to these hosts of the loopback. */
export function deliver(
  t: ExecutionContext,
  registry: Registry,
  { allow, nowMs }: { readonly allow: readonly string[]; readonly nowMs?: () => number },
): { readonly deliverers: Deliverers; close(): Promise<void> } {
  const opened = new AsyncDisposableStack()
  t.teardown(() => opened.disposeAsync())
  const config = { ...loadConfig({ FETCH_HOST_INTERVAL_MS: '0' }), FETCH_ALLOW: [...allow] }
  const logger = createLogger('silent', process.stderr)
  const parts = { config, baseUrl, logger, ...(nowMs && { nowMs }) }
  const deliverers = deliverHere(parts, registry, opened)
  return { deliverers, close: () => opened.disposeAsync() }
}
