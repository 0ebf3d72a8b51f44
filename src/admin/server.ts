import { Readable } from 'node:stream'

import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

import {
  type AdminBody,
  adminBodies,
  adminBodyBytesMax,
  type AdminPath,
  type AdminReplies,
  snapshotPath,
} from '#src/admin/command_table.ts'
import { AdminCommands, type AdminRegistry } from '#src/admin/commands.ts'
import { newSocketServer } from '#src/edge/socket_server.ts'
import { readWorksBody } from '#src/use_cases/work_preparation.ts'

type Handlers = {
  readonly [P in AdminPath]: (body: AdminBody<P>) => AdminReplies[P] | Promise<AdminReplies[P]>
}

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
  const server = newSocketServer({ logger, graceMs, bodyBytesMax: adminBodyBytesMax })
  for (const [path, handle] of Object.entries(handlersOf(new AdminCommands(registry)))) {
    const body = adminBodies[path as AdminPath]
    // The schema of the path has checked the body that its handler takes.
    const config = path === '/works/import' ? { parseLong: readWorksBody } : {}
    server.post(path, { config, schema: { body } }, async (request) =>
      handle(request.body as never),
    )
  }
  server.post(snapshotPath, (_request, reply) =>
    reply.type('application/octet-stream').send(Readable.from(snapshot())),
  )
  return server
}

function handlersOf(commands: AdminCommands): Handlers {
  return {
    '/status': () => commands.status(),
    '/clock/status': () => commands.clock.status(),
    '/clock/accept': () => commands.clock.accept(),
    '/cluster/status': () => commands.clusterStatus(),
    '/cluster/invite': () => commands.invite(),
    '/cluster/leave': () => commands.leaveCluster(),
    '/keys/create': (body) => commands.createKey(body),
    '/keys/list': (body) => commands.listKeys(body),
    '/keys/audit': (body) => commands.auditKeys(body),
    '/keys/revoke': (body) => commands.revokeKey(body),
    '/keys/rotate': (body) => commands.rotateKey(body),
    '/keys/confirm': () => commands.confirm(),
    '/accounts/list': (body) => commands.accounts.list(body),
    '/accounts/reset-link': (body) => commands.accounts.resetLink(body),
    '/accounts/invite': () => commands.accounts.invite(),
    '/accounts/set-admin': (body) => commands.accounts.setAdmin(body),
    '/accounts/end-second-factor': (body) => commands.accounts.endSecondFactor(body),
    '/accounts/remove': (body) => commands.accounts.remove(body),
    '/applications/create': (body) => commands.applications.create(body),
    '/applications/list': (body) => commands.applications.list(body),
    '/applications/approve': (body) => commands.applications.approve(body),
    '/applications/revoke': (body) => commands.applications.revoke(body),
    '/applications/rotate-secret': (body) => commands.applications.rotateSecret(body),
    '/token-keys/rotate': (body) => commands.rotateTokenKeys(body),
    '/works/import': (body) => commands.importWorks(body),
    '/works/erase': (body) => commands.works.erase(body),
    '/works/conflicts': (body) => commands.works.conflicts(body),
    '/organizations/create': (body) => commands.organizations.create(body),
    '/organizations/update': (body) => commands.organizations.update(body),
    '/organizations/list': (body) => commands.organizations.list(body),
    '/organizations/members': (body) => commands.organizations.listMembers(body),
    '/organizations/add-member': (body) => commands.organizations.addMember(body),
    '/organizations/change-role': (body) => commands.organizations.changeRole(body),
    '/organizations/remove-member': (body) => commands.organizations.removeMember(body),
    '/webhooks/create': (body) => commands.webhooks.create(body),
    '/webhooks/list': (body) => commands.webhooks.list(body),
    '/webhooks/read': (body) => commands.webhooks.read(body),
    '/webhooks/update': (body) => commands.webhooks.update(body),
    '/webhooks/ping': (body) => commands.webhooks.ping(body),
    '/webhooks/pause': (body) => commands.webhooks.pause(body),
    '/webhooks/resume': (body) => commands.webhooks.resume(body),
    '/webhooks/replay': (body) => commands.webhooks.replay(body),
    '/webhooks/replay-delivery': (body) => commands.webhooks.replayDelivery(body),
    '/webhooks/deliveries': (body) => commands.webhooks.deliveries(body),
    '/webhooks/rotate-secret': (body) => commands.webhooks.rotateSecret(body),
    '/webhooks/remove': (body) => commands.webhooks.remove(body),
    '/receipt-keys/rotate': (body) => commands.rotateReceiptKey(body),
    '/search/status': () => commands.search.status(),
    '/search/reindex': (body) => commands.search.reindex(body),
    '/fixity/status': () => commands.fixityStatus(),
    '/fixity/read': (body) => commands.readFixity(body),
    '/fixity/recheck': (body) => commands.recheckContent(body),
  }
}
