import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Static } from 'typebox'

import { accountCommands } from '#src/http/admin/account_commands.ts'
import {
  applicationCommands,
  organizationCommands,
  suspensionCommands,
  webhookCommands,
} from '#src/http/admin/organization_commands.ts'
import type { AdminRegistry } from '#src/http/admin/command.ts'
import { keyCommands } from '#src/http/admin/key_commands.ts'
import { registryCommands } from '#src/http/admin/registry_commands.ts'
import { workCommands } from '#src/http/admin/work_commands.ts'
import { registerNdjsonBody } from '#src/edge/json_body.ts'
import { snapshotPath } from '#src/edge/socket.ts'
import { newSocketServer } from '#src/edge/socket_server.ts'
import { readWorksBody } from '#src/use_cases/work_preparation.ts'

/**
 * The commands of the admin socket, by path. Each is a POST of a JSON object, `{}` at least, that
 * answers 200 with JSON, or the error body of the public interface.
 */
const adminCommands = {
  ...registryCommands,
  ...keyCommands,
  ...accountCommands,
  ...applicationCommands,
  ...organizationCommands,
  ...webhookCommands,
  ...workCommands,
  ...suspensionCommands,
}

type Table = typeof adminCommands

export type AdminPath = keyof Table

/** The same as calls: what each path takes, and what it answers. */
export type AdminCalls = {
  readonly [P in AdminPath]: {
    readonly body: Static<Table[P]['body']>
    readonly reply: Awaited<ReturnType<Table[P]['run']>>
  }
}

export type AdminBody<P extends AdminPath> = AdminCalls[P]['body']
export type AdminReply<P extends AdminPath> = AdminCalls[P]['reply']

/** Runs a command in this process; `body` is as its schema says. HttpError if it is refused. */
export async function runCommand<P extends AdminPath>(
  registry: AdminRegistry,
  path: P,
  body: AdminBody<P>,
): Promise<AdminReply<P>> {
  // The types of a row belong together, which the union of all rows does not say.
  const run = adminCommands[path].run as (registry: AdminRegistry, body: unknown) => unknown
  return (await run(registry, body)) as AdminReply<P>
}

const bodyBytesMax = 64 * 1024 * 1024

/** What the server of an admin socket is built with, beside the registry. */
type AdminServerOptions = {
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
  // An import has its members on the first line, and a work on each of the others.
  registerNdjsonBody(server, (bytes) => readWorksBody(bytes, 'headed_lines'))
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
