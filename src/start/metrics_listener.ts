import { once } from 'node:events'
import type { Config } from '#config/schema.ts'
import { backlogMax } from '#src/start/address.ts'
import { type AdminFacts, buildMetricsServer } from '#src/edge/metrics.ts'

/** Serves what the administrator is told at ADMIN_HOST and ADMIN_PORT until `opened` ends. */
export async function listenForMetrics(
  config: Pick<Config, 'ADMIN_HOST' | 'ADMIN_PORT'>,
  facts: AdminFacts,
  opened: AsyncDisposableStack,
): Promise<void> {
  if (config.ADMIN_PORT === 'off') return
  const server = buildMetricsServer(facts)
  const { ADMIN_HOST: host, ADMIN_PORT: port } = config
  server.listen({ host, port, backlog: backlogMax })
  await once(server, 'listening')
  opened.defer(() => {
    server.close()
    server.closeAllConnections()
  })
}
