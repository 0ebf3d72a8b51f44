import { type FastifyInstance, fastify, LogController } from 'fastify'
import type { Logger } from 'pino'

import {
  type AdminBody,
  adminBodies,
  adminBodyBytesMax,
  type AdminPath,
  type AdminReplies,
} from '#src/admin/routes.ts'
import { AdminCalls, type AdminRegistry } from '#src/admin/calls.ts'
import { clearAdminSocket, guardAdminSocket } from '#src/admin/socket.ts'
import { registerErrorReplies, sendError } from '#src/edge/error_reply.ts'
import { registerJsonBody } from '#src/edge/json_body.ts'
import { endIdleConnections } from '#src/edge/server.ts'
import { newRequestId } from '#src/edge/logger.ts'

type Handlers = {
  readonly [P in AdminPath]: (body: AdminBody<P>) => AdminReplies[P] | Promise<AdminReplies[P]>
}

/**
 * Builds the server of the admin socket. It asks for no credentials and sets no limits: the socket
 * is its owner's alone, and whoever reaches it administers the registry. A shutdown waits `graceMs`
 * for the calls under way.
 */
export function buildAdminServer(
  registry: AdminRegistry,
  logger: Logger,
  graceMs: number,
): FastifyInstance {
  const server = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    bodyLimit: adminBodyBytesMax,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allErrors: true } },
    frameworkErrors: sendError,
  }) as unknown as FastifyInstance
  registerErrorReplies(server, sendError)
  registerJsonBody(server)
  endIdleConnections(server, graceMs)
  for (const [path, handle] of Object.entries(handlersOf(new AdminCalls(registry)))) {
    const body = adminBodies[path as AdminPath]
    // The schema of the path has checked the body that its handler takes.
    server.post(path, { schema: { body } }, async (request) => handle(request.body as never))
  }
  return server
}

function handlersOf(calls: AdminCalls): Handlers {
  return {
    '/status': () => calls.status(),
    '/keys/create': (body) => calls.createKey(body),
    '/keys/list': (body) => calls.listKeys(body),
    '/keys/audit': (body) => calls.auditKeys(body),
    '/keys/revoke': (body) => calls.revokeKey(body),
    '/keys/rotate': (body) => calls.rotateKey(body),
    '/keys/confirm': () => calls.confirm(),
    '/accounts/list': () => calls.accounts.list(),
    '/accounts/reset-link': (body) => calls.accounts.resetLink(body),
    '/accounts/invite': () => calls.accounts.invite(),
    '/accounts/set-admin': (body) => calls.accounts.setAdmin(body),
    '/accounts/remove': (body) => calls.accounts.remove(body),
    '/applications/create': (body) => calls.applications.create(body),
    '/applications/list': (body) => calls.applications.list(body),
    '/applications/approve': (body) => calls.applications.approve(body),
    '/applications/revoke': (body) => calls.applications.revoke(body),
    '/applications/rotate-secret': (body) => calls.applications.rotateSecret(body),
    '/token-keys/rotate': () => calls.applications.rotateTokenKeys(),
    '/works/import': (body) => calls.importWorks(body),
    '/works/erase': (body) => calls.eraseWork(body),
    '/organizations/create': (body) => calls.organizations.create(body),
    '/organizations/update': (body) => calls.organizations.update(body),
    '/organizations/list': (body) => calls.organizations.list(body),
    '/organizations/members': (body) => calls.organizations.listMembers(body),
    '/organizations/add-member': (body) => calls.organizations.addMember(body),
    '/organizations/change-role': (body) => calls.organizations.changeRole(body),
    '/organizations/remove-member': (body) => calls.organizations.removeMember(body),
    '/receipt-keys/rotate': (body) => calls.rotateReceiptKey(body),
    '/search/status': () => calls.search.status(),
    '/search/reindex': (body) => calls.search.reindex(body),
    '/fixity/status': () => calls.fixityStatus(),
    '/fixity/read': (body) => calls.readFixity(body),
    '/fixity/recheck': (body) => calls.recheckContent(body),
  }
}

/** Listens on a socket that only its owner can reach. The caller holds the lock of the store. */
export async function listenOnAdminSocket(server: FastifyInstance, socket: string): Promise<void> {
  await clearAdminSocket(socket)
  await server.listen({ path: socket })
  await guardAdminSocket(socket)
}
