import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { ownedBy } from '#actors/catalogue/representation.ts'
import type { Ark } from '#actors/values/ark.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { HttpError } from '#src/errors.ts'
import { whenItsTurn } from '#src/edge/turns.ts'
import { isFetcherUserAgent } from '#src/delivery/fetch/content_fetcher.ts'
import { type Access, markSandbox } from '#src/edge/admission.ts'
import { existingVersion, type VersionLookup } from '#src/use_cases/work_lookup.ts'
import { type VersionRequest, versionOfPath } from '#src/http/kit/work_path.ts'
import { trustedKeys } from '#src/use_cases/published_keys.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { checkedByRules } from '#src/edge/reply_schemas.ts'
import type { Use } from '#src/edge/uses.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import {
  readVerificationBody,
  receiptVerificationSchema,
  versionVerificationSchema,
} from '#src/http/receipts/verification_body.ts'
import {
  type VerificationResult,
  verificationReply,
  verificationResult,
} from '#src/http/receipts/verification_result.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import type { Evidence } from '#src/client/verify/types.ts'

type VerificationEdge = Pick<
  RegistryEdge,
  'admit' | 'takeTurn' | 'baseUrl' | 'environments' | 'contentReader' | 'nowMs' | 'writeWork'
>

/** The verification of receipts, by receipt id and by version, below both prefixes. */
export function registerVerificationRoutes(server: FastifyInstance, edge: VerificationEdge): void {
  for (const prefix of pathPrefixes) {
    registerByReceipt(server, edge, prefix)
    registerByVersion(server, edge, prefix)
  }
}

const response = { 200: verificationReply }

function registerByReceipt(
  server: FastifyInstance,
  edge: VerificationEdge,
  prefix: PathPrefix,
): void {
  const access: Access = { type: 'public', limit: 'verify', keyLimit: 'receipts' }
  const schema = {
    operationId: 'verifyReceipt',
    tags: ['receipts'],
    summary: 'Verifies a receipt and the hash of its content.',
    description: 'Nothing is fetched: `content_hash` is compared with the one in the receipt.',
    body: receiptVerificationSchema,
    response,
  }
  server.post(
    `${prefix}/receipts/verify`,
    { ...edge.admit(access), ...checkedByRules, schema },
    async (request, reply) => {
      refuseFetchers(request)
      readQuery(request, {})
      const body = readVerificationBody(request.body, ['receipt_id', 'content_hash'], [])
      const named = findReceipt(edge, request, body.receipt_id)
      if (named.environment.name === 'sandbox') markSandbox(reply)
      const receipt = await readReceipt(named)
      reply.uses = verificationOf(named)
      return verify(edge, named, receipt, comparedWith(receipt, body.content_hash))
    },
  )
}

const byVersion = `
Without a \`content_hash\` the content is fetched now, from the address in the metadata, and hashed:
within limits, and not at all while many are being read. What was not read is \`not_checked\`, and
\`reason\` says why. With a \`content_hash\` nothing is fetched.`

function registerByVersion(
  server: FastifyInstance,
  edge: VerificationEdge,
  prefix: PathPrefix,
): void {
  const access: Access = { type: 'key', prefix, right: 'verify receipts', limit: 'receipts' }
  const schema = {
    operationId: 'verifyVersion',
    isBodyOptional: true,
    tags: ['receipts'],
    summary: 'Verifies the receipt of a version, and that its address serves the same content.',
    description: byVersion,
    body: versionVerificationSchema,
    response,
  }
  server.post(
    `${prefix}/receipts/:ark/v:version/verify`,
    { ...edge.admit(access), ...checkedByRules, schema },
    async (request: VersionRequest, reply) => {
      refuseFetchers(request)
      readQuery(request, {})
      const { content_hash: contentHash } = readVerificationBody(request.body, [], ['content_hash'])
      const named = versionOfPath(edge.environments, request, reply)
      const receipt = await readReceipt(named)
      reply.uses = verificationOf(named)
      const isFetched = contentHash === undefined && receipt.content_hash !== null
      const evidence = isFetched
        ? await readContent(edge, named, reply)
        : comparedWith(receipt, contentHash)
      return verify(edge, named, receipt, evidence)
    },
  )
}

/** A registry that fetched a verification, which fetches in turn, could go on so for ever. */
function refuseFetchers({ headers }: FastifyRequest): void {
  if (!isFetcherUserAgent(headers['user-agent'])) return
  throw new HttpError('loop_detected', 'A registry that fetches content cannot ask for this')
}

/** Finds a receipt by its id: a key looks in its own environment, without one both are searched. */
function findReceipt(
  edge: VerificationEdge,
  { caller }: FastifyRequest,
  receiptId: string,
): VersionLookup {
  const { live, sandbox } = edge.environments
  const searched =
    caller.kind !== 'anonymous' ? [edge.environments[caller.environment]] : [live, sandbox]
  for (const environment of searched) {
    const found = environment.catalogue.findReceipt(receiptId)
    if (found === undefined) continue
    const { ark, version } = found
    return { environment, ark: ark as Ark, requested: `ark:/${ark}`, version }
  }
  throw new HttpError('not_found', `There is no receipt ${receiptId}`)
}

/** A receipt as the catalogue gives it, of which the content hash is read here. */
type Receipt = { readonly content_hash: string | null }

async function readReceipt(named: VersionLookup): Promise<Receipt> {
  const { environment, ark, version } = named
  const { body } = existingVersion(named, await environment.catalogue.receipt(ark, version))
  return JSON.parse(Buffer.from(body).toString('utf8')) as Receipt
}

/** A hash of a caller, to be held against that of a receipt, if it has one yet. */
function comparedWith({ content_hash }: Receipt, contentHash?: string): Evidence {
  if (content_hash !== null && contentHash !== undefined) return { contentHash }
  return { noContent: 'the statement names no content yet, so there is nothing to compare' }
}

/** Reads what the version's own address serves now; no caller has a say in the address. */
async function readContent(
  edge: VerificationEdge,
  named: VersionLookup,
  reply: FastifyReply,
): Promise<Evidence> {
  const { environment, ark, requested, version } = named
  const whenLong = whenItsTurn(edge, reply)
  const found = await environment.catalogue.resolve(ark, requested, version, whenLong)
  const { body: resolution } = existingVersion(named, found)
  const place = { baseUrl: edge.baseUrl, isPinned: true, registrant: undefined }
  const wanted = { name: 'none' } as const
  const { contentUrl } = await edge.writeWork({ resolution, place, wanted })
  if (contentUrl === undefined) {
    return { noContent: 'the work was withdrawn: its content is not read' }
  }
  const reading = await edge.contentReader.read(contentUrl, reply.standAside())
  if (reading.type === 'not_read') return { noContent: reading.reason }
  return { contentHash: reading.contentHash }
}

function verificationOf({ environment, ark }: VersionLookup): readonly Use[] {
  const state = environment.catalogue.state(ark)
  const organization = state && ownedBy(state).organization
  return [{ environment: environment.name, ark, organization, kind: 'verifications' }]
}

// The server checks its own receipt with the code and the published keys that strangers use.
async function verify(
  edge: VerificationEdge,
  { environment }: VersionLookup,
  receipt: Receipt,
  evidence: Evidence,
): Promise<VerificationResult> {
  const now = formatTimestamp(edge.nowMs())
  const keys = await trustedKeys(edge.environments, environment.name, edge.baseUrl, now)
  return verificationResult(await verifyReceipt(receipt, keys, evidence), now)
}
