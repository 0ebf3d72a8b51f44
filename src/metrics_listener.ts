import { once } from 'node:events'
import type { Config } from '#config/schema.ts'
import { buildMetricsServer, type Metrics } from '#src/http/metrics.ts'

/** Serves the metrics at ADMIN_HOST and ADMIN_PORT until `opened` is disposed, if they are on. */
export async function listenForMetrics(
  config: Pick<Config, 'ADMIN_HOST' | 'ADMIN_PORT'>,
  metrics: Metrics,
  opened: AsyncDisposableStack,
): Promise<void> {
  if (config.ADMIN_PORT === 'off') return
  const server = buildMetricsServer(metrics)
  server.listen({ host: config.ADMIN_HOST, port: config.ADMIN_PORT })
  await once(server, 'listening')
  opened.defer(() => {
    server.close()
    server.closeAllConnections()
  })
}
