import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Static } from 'typebox'

import {
  accountCommands,
  keyCommands,
  mailCommands,
  registryCommands,
} from '#src/http/admin/registry_commands.ts'
import {
  applicationCommands,
  organizationCommands,
  suspensionCommands,
  webhookCommands,
} from '#src/http/admin/organization_commands.ts'
import type { AdminRegistry } from '#src/http/admin/command.ts'
import { workCommands } from '#src/http/admin/work_commands.ts'
import { registerNdjsonBody } from '#src/edge/json_body.ts'
import { newSocketServer } from '#src/edge/socket_server.ts'
import type { AuditAct } from '#src/identity/store/audit.ts'
import { operator, parseOwner } from '#src/identity/store/owner_text.ts'
import { readWorksBody } from '#src/use_cases/work_preparation.ts'

/**
 * The commands of the admin socket, by path. Each is a POST of a JSON object, `{}` at least, that
 * answers 200 with JSON, or the error body of the public interface.
 */
const adminCommands = {
  ...registryCommands,
  ...keyCommands,
  ...accountCommands,
  ...mailCommands,
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

/**
 * What the audit list says of a command that was carried out: nothing of one that reads, or whose
 * use case writes an entry itself; undefined of one that has changed nothing.
 */
type Acts = {
  readonly [P in AdminPath]:
    | 'reads'
    | 'written by its use case'
    | ((body: AdminBody<P>, reply: AdminReply<P>) => AuditAct | undefined)
}

const ofItself = 'written by its use case'

/** The acts of all commands. A command without one does not compile. */
export const commandActs: Acts = {
  '/status': 'reads',
  '/clock/status': 'reads',
  '/clock/accept': () => ({ action: 'clock_accepted' }),
  '/cluster/status': 'reads',
  '/cluster/invite': () => ({ action: 'node_invited' }),
  '/cluster/leave': () => ({ action: 'node_removed' }),
  '/token-keys/rotate': ({ environment = 'live' }) => ({
    action: 'token_key_rotated',
    because: environment,
  }),
  '/receipt-keys/rotate': (_body, { environment, new_key_id: id }) => ({
    action: 'receipt_key_rotated',
    because: `${environment}, ${id}`,
  }),
  '/search/status': 'reads',
  '/search/reindex': (_body, { environment }) => ({
    action: 'indexes_remade',
    because: environment,
  }),
  '/keys/create': ofItself,
  '/keys/list': 'reads',
  '/keys/audit': 'reads',
  '/keys/revoke': ofItself,
  '/keys/rotate': ofItself,
  '/keys/confirm': () => ({ action: 'admin_code_made' }),
  '/accounts/list': 'reads',
  '/accounts/reset-link': ofItself,
  '/accounts/invite': () => ({ action: 'account_invited' }),
  '/accounts/set-admin': ofItself,
  '/accounts/end-second-factor': ofItself,
  '/accounts/remove': (_body, { ppid }) => ({ action: 'account_removed', ppid }),
  '/mails/suppressed': 'reads',
  '/mails/suppress': ({ address }) => ({ action: 'news_stopped', because: address }),
  '/mails/allow': ({ address }) => ({ action: 'news_allowed', because: address }),
  '/applications/create': ofItself,
  '/applications/list': 'reads',
  '/applications/approve': ofItself,
  '/applications/revoke': ofItself,
  '/applications/rotate-secret': ofItself,
  '/organizations/create': (_body, { organization: { slug } }) => ({
    ...ofOrganization(slug),
    action: 'organization_added',
  }),
  '/organizations/update': ({ slug }, { unchanged }) =>
    unchanged ? undefined : { ...ofOrganization(slug), action: 'organization_changed' },
  '/organizations/list': 'reads',
  '/organizations/members': 'reads',
  '/organizations/add-member': ({ slug, ppid, role }) => ({
    ...ofOrganization(slug),
    action: 'member_added',
    ppid,
    role,
  }),
  '/organizations/change-role': ({ slug, ppid, role }) => ({
    ...ofOrganization(slug),
    action: 'member_role_changed',
    ppid,
    role,
  }),
  '/organizations/name-owner': ofItself,
  '/organizations/set-parent': ofItself,
  '/organizations/remove-member': ({ slug, ppid }) => ({
    ...ofOrganization(slug),
    action: 'member_removed',
    ppid,
  }),
  '/webhooks/create': ({ organization }) => ofWebhook('create', organization),
  '/webhooks/list': 'reads',
  '/webhooks/read': 'reads',
  '/webhooks/update': (_body, { webhook }) => ofWebhook('update', webhook.organization),
  '/webhooks/ping': (_body, { webhook }) => ofWebhook('ping', webhook.organization),
  '/webhooks/pause': (_body, { webhook }) => ofWebhook('pause', webhook.organization),
  '/webhooks/resume': (_body, { webhook }) => ofWebhook('resume', webhook.organization),
  '/webhooks/replay': (_body, { webhook }) => ofWebhook('replay', webhook.organization),
  '/webhooks/replay-delivery': (_body, { webhook }) => ofWebhook('replay', webhook.organization),
  '/webhooks/deliveries': 'reads',
  '/webhooks/rotate-secret': (_body, { webhook }) =>
    ofWebhook('rotate-secret', webhook.organization),
  '/webhooks/remove': ({ id }) => ({ action: 'webhook_changed', because: `remove ${id}` }),
  '/works/import': ({ owner, dry_run: isTrial, works }) =>
    isTrial === true
      ? undefined
      : { ...ofOwner(owner), action: 'works_imported', works_count: works.length },
  '/works/takedown': ofItself,
  '/works/register-again': ofItself,
  '/works/erase': ofItself,
  '/works/conflicts': 'reads',
  '/works/change': 'reads',
  '/works/change/part': 'reads',
  '/works/change/start': ({ organization, id }) => ofBulkChange('start', organization, id),
  '/works/change/stop': ({ organization, id }) => ofBulkChange('stop', organization, id),
  '/works/change/read': 'reads',
  '/fixity/status': 'reads',
  '/fixity/read': 'reads',
  '/fixity/recheck': (_body, { ark_identifier: ark }) => ({
    action: 'content_queued',
    ark: ark.replace(/^ark:\//, ''),
  }),
  '/suspensions/suspend': ofItself,
  '/suspensions/resume': ofItself,
}

function ofOrganization(slug: string) {
  return { owner: { type: 'organization', id: slug }, slug } as const
}

function ofOwner(text: string): Pick<AuditAct, 'owner'> {
  const owner = parseOwner(text)
  return owner === undefined ? {} : { owner }
}

function ofWebhook(step: string, slug: string): AuditAct {
  return { ...ofOrganization(slug), action: 'webhook_changed', because: step }
}

function ofBulkChange(step: string, slug: string, id: string): AuditAct {
  const because = `bulk change ${id}: ${step}`
  return { ...ofOrganization(slug), action: 'organization_administered', because }
}

/**
 * Runs a command in this process, and writes into the audit list what it did; `body` is as its
 * schema says. HttpError if it is refused.
 */
export async function runCommand<P extends AdminPath>(
  registry: AdminRegistry,
  path: P,
  body: AdminBody<P>,
): Promise<AdminReply<P>> {
  // The types of a row belong together, which the union of all rows does not say.
  const run = adminCommands[path].run as (registry: AdminRegistry, body: unknown) => unknown
  const reply = (await run(registry, body)) as AdminReply<P>
  const tell = commandActs[path]
  const act = typeof tell === 'string' ? undefined : tell(body, reply)
  const hand = { by: operator, nowMs: registry.clockGuard.nowMs() }
  if (act !== undefined) await registry.oauth.audit.note(act, hand)
  return reply
}

/** Where the socket gives all of the registry as bytes (`src/keeping/snapshot`). */
export const snapshotPath = '/snapshot'

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
