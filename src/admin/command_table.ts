import { type Static, Type } from 'typebox'

import { arkCharactersMax } from '#actors/values/ark.ts'
import type { EnvironmentName, EnvironmentStatus } from '#actors/registry/environment.ts'
import type { FixityOverview, FixityRecord } from '#actors/fixity/port.ts'
import type { Member, Organization } from '#actors/organizations/port.ts'
import type { NameConflict } from '#actors/works/author_agreement.ts'
import type { BulkResult } from '#src/use_cases/registration.ts'
import type { DeliveryReply, WebhookReply } from '#src/use_cases/webhook_reply.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { Application } from '#src/identity/oauth/application_record.ts'
import type { AuditEntry } from '#src/identity/store/audit.ts'
import type { KeyRotation } from '#src/identity/oauth/token_keys.ts'
import type { KeyInfo } from '#src/identity/keys/key_store.ts'
import type { ClusterStatus } from '#src/cluster/cluster_status.ts'
import type { LeftCluster } from '#src/cluster/node_admin.ts'
import type { SearchStatus } from '#src/discovery/search/search_service.ts'
import type { EndpointHealth } from '#src/delivery/webhooks/endpoint_store.ts'

/** Works in one bulk import, at most. */
const importWorksMax = 1_000

/** Bytes of a body on the admin socket, at most. */
export const adminBodyBytesMax = 64 * 1024 * 1024

const environment = Type.Optional(Type.Union([Type.Literal('live'), Type.Literal('sandbox')]))
// `org:<slug>`, `person:<ppid>` or `operator`.
const owner = Type.String({ minLength: 1, maxLength: 100 })
// A ppid or an e-mail address.
const account = Type.String({ minLength: 1, maxLength: 254 })
const clientId = Type.String({ pattern: '^app_(?:test_)?[0-9A-Za-z]{16}$' })
const webhookId = Type.String({ pattern: '^we_[0-9a-z]{12}$' })
const keyId = Type.String({ pattern: '^[0-9A-Za-z]{10}$' })
// In any of the spellings that a path may have.
const ark = Type.String({ minLength: 1, maxLength: arkCharactersMax })
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 }))
const slug = Type.String({ minLength: 1, maxLength: 63 })
const ppid = Type.String({ minLength: 1, maxLength: 64 })
const role = Type.Union([Type.Literal('owner'), Type.Literal('editor'), Type.Literal('viewer')])
const strings = (maxItems: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems })

function body<P extends Parameters<typeof Type.Object>[0]>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

/**
 * The commands of the admin socket, by path, with the schema of what each takes. Each is a POST
 * of a JSON object, `{}` at least, that answers 200 with JSON of type `AdminReplies[path]`, or the
 * error body of the public interface.
 */
export const adminBodies = {
  '/status': body({}),
  '/clock/status': body({}),
  '/clock/accept': body({}),
  '/cluster/status': body({}),
  '/cluster/invite': body({}),
  '/cluster/leave': body({}),
  '/keys/create': body({
    owner,
    environment,
    scopes: strings(20),
    label: Type.Optional(Type.String()),
    ip_allow: Type.Optional(strings(50)),
    hours: Type.Optional(Type.Integer()),
  }),
  '/keys/list': body({ owner: Type.Optional(owner) }),
  '/keys/audit': body({ owner, after: Type.Optional(Type.Integer({ minimum: 0 })), limit }),
  '/keys/revoke': body({ id: keyId }),
  '/keys/rotate': body({ id: keyId }),
  '/keys/confirm': body({}),
  '/accounts/list': body({ environment }),
  '/accounts/reset-link': body({ account, email: Type.Optional(account) }),
  '/accounts/invite': body({}),
  '/accounts/set-admin': body({ account, admin: Type.Boolean() }),
  '/accounts/end-second-factor': body({ account }),
  '/accounts/remove': body({ environment, account }),
  '/applications/create': body({
    environment,
    name: Type.String(),
    redirect_uris: strings(20),
    post_logout_redirect_uris: Type.Optional(strings(20)),
    kind: Type.Optional(Type.Union([Type.Literal('confidential'), Type.Literal('public')])),
    scopes: Type.Optional(strings(20)),
    organization: Type.Optional(Type.String()),
    owner: Type.Optional(Type.String()),
    homepage: Type.Optional(Type.String()),
    logo_uri: Type.Optional(Type.String()),
    contact: Type.Optional(Type.String()),
  }),
  '/applications/list': body({ organization: Type.Optional(Type.String()) }),
  '/applications/approve': body({ client_id: clientId }),
  '/applications/revoke': body({ client_id: clientId }),
  '/applications/rotate-secret': body({ client_id: clientId }),
  '/token-keys/rotate': body({ environment }),
  '/works/import': body({
    owner,
    environment,
    works: Type.Array(Type.Unknown(), { minItems: 1, maxItems: importWorksMax }),
    // One for each work, so that an interrupted import can be sent again.
    idempotency_keys: Type.Optional(strings(importWorksMax)),
    // What all calls of one import have in common.
    batch: Type.Optional(Type.String({ maxLength: 100 })),
    allow_duplicate: Type.Optional(Type.Boolean()),
  }),
  '/works/erase': body({ ark, withdraw: Type.Boolean() }),
  '/works/conflicts': body({ environment, after: Type.Optional(Type.Integer({ minimum: 0 })) }),
  '/organizations/create': body({ organization: Type.Unknown() }),
  '/organizations/update': body({ slug, changes: Type.Unknown() }),
  '/organizations/members': body({ slug }),
  '/organizations/add-member': body({ slug, ppid, role }),
  '/organizations/change-role': body({ slug, ppid, role }),
  '/organizations/remove-member': body({ slug, ppid }),
  '/organizations/list': body({ environment, after: Type.Optional(Type.String()), limit }),
  '/webhooks/create': body({
    environment,
    organization: slug,
    application: Type.Optional(clientId),
    url: Type.String(),
    events: Type.Optional(strings(20)),
    description: Type.Optional(Type.String()),
  }),
  '/webhooks/list': body({ environment, organization: slug }),
  '/webhooks/read': body({ id: webhookId }),
  '/webhooks/update': body({
    id: webhookId,
    url: Type.Optional(Type.String()),
    events: Type.Optional(strings(20)),
    description: Type.Optional(Type.String()),
  }),
  '/webhooks/ping': body({ id: webhookId }),
  '/webhooks/pause': body({ id: webhookId }),
  '/webhooks/resume': body({ id: webhookId }),
  '/webhooks/replay': body({
    id: webhookId,
    after: Type.Integer({ minimum: 0 }),
    until: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  '/webhooks/replay-delivery': body({ id: webhookId, number: Type.Integer({ minimum: 1 }) }),
  '/webhooks/deliveries': body({
    id: webhookId,
    before: Type.Optional(Type.Integer({ minimum: 1 })),
    limit,
  }),
  '/webhooks/rotate-secret': body({ id: webhookId }),
  '/webhooks/remove': body({ id: webhookId }),
  '/receipt-keys/rotate': body({ environment }),
  '/search/status': body({}),
  '/search/reindex': body({ environment }),
  '/fixity/status': body({}),
  '/fixity/read': body({ ark }),
  '/fixity/recheck': body({ ark }),
} as const

/** Answers everything that the registry holds as bytes (`src/keeping/snapshot`), and takes `{}`. */
export const snapshotPath = '/snapshot'

export type AdminPath = keyof typeof adminBodies
export type AdminBody<P extends AdminPath> = Static<(typeof adminBodies)[P]>

/** A new key as its maker sees it, once: `owner` is spelled `org:<slug>`. */
export type KeyReply = {
  readonly id: string
  readonly key: string
  readonly owner: string
  readonly scopes: readonly string[]
  readonly environment: EnvironmentName
  readonly expires_at: string
}

/** A work whose `authors` and `author_details` name others at the same place; the first of them. */
export type ConflictingWork = {
  readonly ark_identifier: string
  readonly version: number
  readonly conflicts: readonly NameConflict[]
}

/** An account as an operator sees it. */
export type AccountInfo = Pick<
  Account,
  'ppid' | 'state' | 'email' | 'email_verified' | 'roles' | 'created_at'
> & { readonly name: string | null; readonly username: string | null }

/** A link that works once. */
export type OneTimeUrl = { readonly url: string; readonly expires_at: string }

/** An application with its secret, which is shown once; null if it has none. */
export type SecretReply = { readonly application: Application; readonly secret: string | null }

/**
 * What became of one work of an import: the HTTP status it would have had alone, with the body of
 * a refusal, or with the ARK and the metadata's hash of what was registered, now or before
 * (`replayed`).
 */
export type ImportResult = BulkResult

export type AdminReplies = {
  '/clock/status': ClockReply
  /** `accepted`: what was wrong, and is gone on with; null if nothing was. */
  '/clock/accept': ClockReply & { readonly accepted: string | null }
  '/cluster/status': ClusterStatus
  /** The token is shown once, and good once. */
  '/cluster/invite': { readonly token: string; readonly expires_at: string }
  '/cluster/leave': LeftCluster
  '/status': {
    readonly keys: number
    readonly webhooks: Readonly<Record<EnvironmentName, EndpointHealth>>
  } & Readonly<Record<EnvironmentName, EnvironmentStatus>>
  '/keys/create': KeyReply
  '/keys/list': { readonly keys: readonly KeyInfo[] }
  '/keys/audit': { readonly entries: readonly AuditEntry[] }
  '/keys/revoke': { readonly key: KeyInfo }
  /** The new key; `replaces` works until `rotate_until`. */
  '/keys/rotate': KeyReply & { readonly replaces: string; readonly rotate_until: string }
  '/keys/confirm': { readonly code: string; readonly expires_at: string }
  '/accounts/list': { readonly accounts: readonly AccountInfo[] }
  '/accounts/reset-link': OneTimeUrl & { readonly account: AccountInfo }
  '/accounts/invite': OneTimeUrl
  '/accounts/set-admin': { readonly account: AccountInfo }
  '/accounts/end-second-factor': { readonly account: AccountInfo; readonly ended: boolean }
  '/accounts/remove': { readonly ppid: string }
  '/applications/create': SecretReply
  '/applications/list': { readonly applications: readonly Application[] }
  '/applications/approve': { readonly application: Application }
  '/applications/revoke': { readonly application: Application }
  '/applications/rotate-secret': SecretReply
  '/token-keys/rotate': KeyRotation
  '/works/import': { readonly results: readonly ImportResult[] }
  /** `is_purged`: whether the files of the store are rid of it already. */
  '/works/erase': {
    readonly environment: EnvironmentName
    readonly ark_identifier: string
    readonly erased_at: string
    readonly unchanged: boolean
    readonly is_purged: boolean
  }
  /** `next`: where to go on; null once all were looked at. */
  '/works/conflicts': {
    readonly works: readonly ConflictingWork[]
    readonly looked_at: number
    readonly next: number | null
  }
  '/organizations/create': { readonly organization: Organization }
  '/organizations/update': { readonly organization: Organization; readonly unchanged: boolean }
  '/organizations/list': { readonly organizations: readonly Organization[] }
  '/organizations/members': MembersReply
  '/organizations/add-member': MembersReply
  '/organizations/change-role': MembersReply
  '/organizations/remove-member': MembersReply
  '/webhooks/create': WebhookSecretReply
  '/webhooks/list': { readonly webhooks: readonly WebhookReply[] }
  '/webhooks/read': WebhookAnswer
  '/webhooks/update': WebhookAnswer
  '/webhooks/ping': WebhookAnswer
  '/webhooks/pause': WebhookAnswer
  '/webhooks/resume': WebhookAnswer
  '/webhooks/replay': WebhookAnswer
  '/webhooks/replay-delivery': WebhookAnswer
  /** `next`: the number before which the list goes on; null if it is at its end. */
  '/webhooks/deliveries': {
    readonly deliveries: readonly DeliveryReply[]
    readonly next: number | null
  }
  '/webhooks/rotate-secret': WebhookSecretReply
  '/webhooks/remove': { readonly id: string }
  /** The new key signs from `rotated_at` on; the log's entry `leaf_index` announces it. */
  '/receipt-keys/rotate': {
    readonly environment: EnvironmentName
    readonly old_key_id: string
    readonly new_key_id: string
    readonly rotated_at: string
    readonly leaf_index: number
  }
  '/search/status': Readonly<Record<EnvironmentName, SearchStatus>>
  /** `begun` is false if it was under way before. */
  '/search/reindex': { readonly environment: EnvironmentName; readonly begun: boolean }
  '/fixity/status': Readonly<Record<EnvironmentName, FixityOverview>>
  '/fixity/read': FixityReply
  /** The work's record as it was when the check was queued. */
  '/fixity/recheck': FixityReply
}

/** The clock of the machine: `problem` says why nothing is dated, if it is so. */
export type ClockReply = {
  readonly now: string
  readonly live: LogClockReply
  readonly sandbox: LogClockReply
}

/** For a log that is ahead of the clock, until when all of it is dated with that time. */
export type LogClockReply = {
  readonly problem: string | null
  readonly dated_until: string | null
}

/** A webhook as it stands. */
export type WebhookAnswer = { readonly webhook: WebhookReply }

/** A webhook with its secret, which is shown once. */
export type WebhookSecretReply = WebhookAnswer & { readonly secret: string }

/** The same as calls: what each path takes, and what it answers. */
export type AdminCalls = {
  readonly [P in AdminPath]: { readonly body: AdminBody<P>; readonly reply: AdminReplies[P] }
}

/** The members of an organization as they are now, in the order in which they came. */
export type MembersReply = { readonly members: readonly Member[] }

/** What is known of the content of a work, and in which environment. */
export type FixityReply = { readonly environment: EnvironmentName } & FixityRecord
