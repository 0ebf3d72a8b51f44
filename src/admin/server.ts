import { Readable } from 'node:stream'

import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

import type { AdminRegistry } from '#src/admin/command.ts'
import { adminCommands, type AdminPath, runCommand } from '#src/admin/command_table.ts'
import { newSocketServer } from '#src/edge/socket_server.ts'
import { snapshotPath } from '#src/edge/socket.ts'
import { readWorksBody } from '#src/use_cases/work_preparation.ts'

const bodyBytesMax = 64 * 1024 * 1024

/** What the server of an admin socket is built with, beside the registry. */
export type AdminServerOptions = {
  readonly logger: Logger
  /** How long a shutdown waits for the commands under way. */
  readonly graceMs: number
  /** Everything the registry holds, in pieces, as it is when this is begun. */
  readonly snapshot: () => AsyncGenerator<Uint8Array>
}

/** Builds the server of the admin socket of a registry. */
export function buildAdminServer(
  registry: AdminRegistry,
  { logger, graceMs, snapshot }: AdminServerOptions,
): FastifyInstance {
  const server = newSocketServer({ logger, graceMs, bodyBytesMax })
  for (const path of Object.keys(adminCommands) as AdminPath[]) {
    const { body } = adminCommands[path]
    const config = path === '/works/import' ? { parseLong: readWorksBody } : {}
    // The schema of the path has checked the body that its command takes.
    server.post(path, { config, schema: { body } }, (request) =>
      runCommand(registry, path, request.body as never),
    )
  }
  server.post(snapshotPath, (_request, reply) =>
    reply.type('application/octet-stream').send(Readable.from(snapshot())),
  )
  return server
}
