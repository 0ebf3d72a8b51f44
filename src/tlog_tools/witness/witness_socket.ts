import type { FastifyInstance } from 'fastify'

import { newSocketServer, type SocketServerOptions } from '#src/edge/socket_server.ts'
import {
  witnessBodies,
  witnessBodyBytesMax,
  type WitnessCalls,
  type WitnessCommands,
} from '#src/tlog_tools/witness/witness_commands.ts'

type Handlers = {
  readonly [P in keyof WitnessCalls]: (
    body: WitnessCalls[P]['body'],
  ) => WitnessCalls[P]['reply'] | Promise<WitnessCalls[P]['reply']>
}

/** Builds the server of the admin socket of a witness. */
export function buildWitnessSocket(
  commands: WitnessCommands,
  options: Omit<SocketServerOptions, 'bodyBytesMax'>,
): FastifyInstance {
  const server = newSocketServer({ ...options, bodyBytesMax: witnessBodyBytesMax })
  const handlers: Handlers = {
    '/key': () => commands.key(),
    '/logs/add': (body) => commands.addLog(body),
    '/logs/remove': (body) => commands.removeLog(body),
    '/logs/list': () => commands.listLogs(),
  }
  for (const [path, handle] of Object.entries(handlers)) {
    const body = witnessBodies[path as keyof WitnessCalls]
    // The schema of the path has checked the body that its handler takes.
    server.post(path, { schema: { body } }, async (request) => handle(request.body as never))
  }
  return server
}
