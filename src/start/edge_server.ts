import { backlogMax } from '#src/start/address.ts'
import { type Listeners } from '#src/start/listeners.ts'
import { listenOnSecondPort } from '#src/start/ports.ts'
import { buildRegistryServer, type RegistryServerDependencies } from '#src/start/registry_server.ts'

/** Where a server listens: `isShared` if several threads of the process listen there. */
export type EdgePlace = {
  readonly host: string
  readonly port: number
  readonly isShared: boolean
}

/** Serves a registry at PORT, and at AUTH_PORT if there is one, until `listeners` are closed. */
export async function serveEdge(
  dependencies: RegistryServerDependencies,
  { host, port, isShared: reusePort }: EdgePlace,
  listeners: Listeners,
): Promise<void> {
  const { config, logger } = dependencies
  const server = await buildRegistryServer(dependencies)
  listeners.open().defer(() => server.close())
  await server.listen({ host, port, backlog: backlogMax, ...(reusePort && { reusePort }) })
  const { AUTH_PORT, SHUTDOWN_GRACE_MS: graceMs } = config
  if (AUTH_PORT === 'off') return
  const second = { host, port: AUTH_PORT, reusePort, graceMs, logger }
  await listenOnSecondPort(server, second, listeners.open())
}
