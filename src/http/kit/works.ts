import type { FastifyReply, FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'

import { metadataSchema } from '#actors/works/request_checks.ts'
import type { ServedEnvironments } from '#actors/registry/environment.ts'
import { markSandbox } from '#src/edge/admission.ts'
import { component, nullable, time } from '#src/edge/reply_schemas.ts'
import {
  locateArk,
  lookUpShownWork,
  lookUpVersion,
  type ShownWorks,
  lookUpWork,
  type VersionLookup,
  type WorkLookup,
} from '#src/use_cases/work_lookup.ts'

/** A route whose path names a work, and a request to one. */
export type WorkRoute = { Params: { ark: string } }
export type WorkRequest = FastifyRequest<WorkRoute>

/** A request whose path names a version of a work. */
export type VersionRoute = { Params: { ark: string; version: string } }
export type VersionRequest = FastifyRequest<VersionRoute>

/** The work that a request's path names; marks the reply if it is of the sandbox. */
export function workOfPath(
  environments: ServedEnvironments,
  { caller, params }: WorkRequest,
  reply: FastifyReply,
): WorkLookup {
  const located = locateArk(environments, caller, params.ark)
  if (located.environment.name === 'sandbox') markSandbox(reply)
  return lookUpWork(located)
}

/** The same of a work whose metadata the reply has: HttpError `withheld` for who may not see it. */
export function shownWorkOfPath(
  edge: ShownWorks,
  { caller, params }: WorkRequest,
  reply: FastifyReply,
): WorkLookup {
  const named = lookUpShownWork(edge, caller, params.ark)
  if (named.environment.name === 'sandbox') markSandbox(reply)
  return named
}

/** The version that a request's path names; marks the reply if it is of the sandbox. */
export function versionOfPath(
  environments: ServedEnvironments,
  request: VersionRequest,
  reply: FastifyReply,
): VersionLookup {
  return lookUpVersion(workOfPath(environments, request, reply), request.params.version)
}

/** Members that replies about works share. */
export const sha256Hash = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })
export const receiptId = Type.String({ pattern: '^rcpt_[0-9]{4}_[0-9]{2}_[0-9]{2}_' })
export const arkIdentifier = Type.String({
  pattern: '^ark:/',
  examples: ['ark:/12345/k2bcd45g7h3'],
})
export const version = Type.Integer({ minimum: 1 })

export const contentHash = nullable(
  sha256Hash,
  'SHA-256 of the content, as declared or as first computed; null until there is one.',
)

export const fixityStatus = Type.String({
  title: 'FixityStatus',
  enum: ['pending', 'verified', 'failed', 'unreachable'],
  description:
    'Whether the address of the content serves what it should: `pending` until the first check, ' +
    '`verified` if it does, `failed` if it serves something else, `unreachable` if nothing, or ' +
    'nothing that stays the same, could be read.',
})

/** Why the fixity status is what it is. */
export const fixityReason = {
  reason: nullable(
    Type.String({ examples: ['hash_mismatch', 'landing_page', 'http_status', 'timed_out'] }),
    'Why the content is not verified, as a word for programs; null if it is, or is pending.',
  ),
  message: nullable(Type.String(), 'The same for people.'),
}

export const hex32 = Type.String({ pattern: '^[0-9a-f]{64}$' })
export const hex64 = Type.String({ pattern: '^[0-9a-f]{128}$' })

export const fixityCheck = component('FixityCheck', {
  timestamp: Type.String({ format: 'date-time', description: 'When the check ended.' }),
  status: Type.String({
    enum: ['verified', 'failed', 'unreachable'],
    description: 'The fixity status after it.',
  }),
  method: Type.Literal('remote_fetch', { description: 'The registry itself read the address.' }),
  version: Type.Integer({ minimum: 1, description: 'The version that was checked.' }),
  final_url: nullable(
    Type.String(),
    'The address that answered, after redirects; without a query that may hold a secret.',
  ),
  http_status: nullable(Type.Integer(), 'Status of the reply; null if no reply came.'),
  bytes: nullable(
    Type.Integer({ minimum: 0 }),
    'Length of the content; null if none was read to its end.',
  ),
  media_type: nullable(Type.String(), 'As the server names it; null if the server names none.'),
  sha256: nullable(hex32, 'Hash of what was read; null if nothing was.'),
  sha512: nullable(hex64, 'Another hash of the same.'),
  ...fixityReason,
})

/** What is known of content. */
export const contentFacts = {
  hash: contentHash,
  hash_source: nullable(
    Type.String({ title: 'HashSource', enum: ['declared', 'fetched'] }),
    'Whether the registrant declared the hash or the registry computed it; null without one.',
  ),
  media_type: nullable(Type.String(), 'As the server named it; null until the content was read.'),
  size: nullable(Type.Integer({ minimum: 0 }), 'Bytes; null until the content was read.'),
  fixity_status: fixityStatus,
  ...fixityReason,
  checked_at: nullable(time, 'When the content was last checked; null if it never was.'),
}

/** Whether a registered work can still be used. */
export const workStatus = Type.String({ title: 'WorkStatus', enum: ['registered', 'withdrawn'] })

/** What kind of party somebody acts for. */
export const agentType = Type.String({
  title: 'AgentType',
  enum: ['organization', 'person', 'operator'],
})

/** Who made a change, as replies say it. */
export const sourceSchema = component('Source', {
  type: agentType,
  id: Type.String(),
  name: Type.String(),
  via: Type.String({ enum: ['oauth', 'api_key', 'ui', 'cli', 'service'] }),
  client_id: Type.Optional(Type.String()),
})

/** The addresses of a work's records. */
export const linksSchema = component('WorkLinks', {
  self: Type.String(),
  resolve: Type.String(),
  versions: Type.String(),
  history: Type.String(),
  receipt: Type.String(),
  proofs: Type.String(),
  ark: Type.String(),
})

/** One version in a list of a work's versions. */
export const versionSchema = component('Version', {
  ark_identifier: arkIdentifier,
  version,
  kind: Type.String({ enum: ['registered', 'updated', 'versioned'] }),
  created_at: time,
  receipt_id: receiptId,
  metadata_hash: sha256Hash,
  content_hash: contentHash,
  fixity_status: fixityStatus,
  changed_fields: Type.Array(Type.String()),
  version_note: Type.Optional(Type.String()),
  source: sourceSchema,
  links: linksSchema,
})

/** As `update_notices` is, of which it has those on the work. */
export const noticesSchema = Type.Optional(
  Type.Unsafe({
    ...(metadataSchema.properties as Record<string, TSchema>)['update_notices'],
    description:
      'Retractions, corrections and the like of the work, the gravest first: what its newest ' +
      'version tells, in each of its versions. Left out where there is none.',
  }),
)
