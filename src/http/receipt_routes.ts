import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Ark } from '#actors/ark.ts'
import type { Rendered } from '#actors/catalogue.ts'
import { formatTimestamp } from '#actors/clock.ts'
import { HttpError } from '#src/errors.ts'
import { type Access, markSandbox } from '#src/http/admission.ts'
import {
  existingVersion,
  type NamedVersion,
  nameVersion,
  type VersionRequest,
} from '#src/http/named_version.ts'
import { trustedKeys } from '#src/http/published_keys.ts'
import { readQuery } from '#src/http/query_string.ts'
import { checkedByRules } from '#src/http/reply_schemas.ts'
import { sendRendered } from '#src/http/rendered_reply.ts'
import type { Edge } from '#src/http/server.ts'
import {
  readVerificationBody,
  receiptVerificationSchema,
  versionVerificationSchema,
} from '#src/http/verification_body.ts'
import {
  type VerificationResult,
  verificationReply,
  verificationResult,
} from '#src/http/verification_result.ts'
import type { Family } from '#src/identity/scope.ts'
import { verifyReceipt } from '#src/verify/receipt.ts'

/** Receipts and proofs of versions, and their verification, in both path families. */
export function registerReceiptRoutes(server: FastifyInstance, edge: Edge): void {
  for (const family of ['/v1', '/api/v1'] as const) {
    registerReads(server, edge, family)
    registerVerifications(server, edge, family)
  }
}

function registerReads(server: FastifyInstance, edge: Edge, family: Family): void {
  const access: Access =
    family === '/v1'
      ? { type: 'key', family, right: 'read receipts', limit: 'receipts' }
      : { type: 'public', limit: 'public_read', keyLimit: 'receipts' }
  const options = (summary: string) => ({
    ...edge.admit(access),
    schema: { tags: ['receipts'], summary },
  })
  server.get(
    `${family}/receipts/:ark/v:version`,
    options('The receipt of a version: its newest statement, and the proof that it is logged.'),
    async (request: VersionRequest, reply) => {
      readQuery(request, {})
      const named = nameVersion(edge.environments, request, reply)
      const found = await named.environment.catalogue.receipt(named.ark, named.version)
      return sendProof(request, reply, existingVersion(named, found))
    },
  )
  server.get(
    `${family}/proofs/:ark/v:version`,
    options('The proofs of a version: hashes, versions before it, all signatures.'),
    async (request: VersionRequest, reply) => {
      readQuery(request, {})
      const named = nameVersion(edge.environments, request, reply)
      const found = await named.environment.catalogue.proofs(named.ark, named.version)
      return sendProof(request, reply, existingVersion(named, found))
    },
  )
}

function registerVerifications(server: FastifyInstance, edge: Edge, family: Family): void {
  const response = { 200: verificationReply }
  const openAccess: Access = { type: 'public', limit: 'verify', keyLimit: 'receipts' }
  server.post(
    `${family}/receipts/verify`,
    {
      ...edge.admit(openAccess),
      ...checkedByRules,
      schema: {
        tags: ['receipts'],
        summary: 'Verifies a receipt and the hash of its content.',
        body: receiptVerificationSchema,
        response,
      },
    },
    async (request, reply) => {
      readQuery(request, {})
      const body = readVerificationBody(request.body, ['receipt_id', 'content_hash'], [])
      const named = findReceipt(edge, request, body.receipt_id)
      if (named.environment.name === 'sandbox') markSandbox(reply)
      return verify(edge, named, body.content_hash)
    },
  )
  const access: Access = { type: 'key', family, right: 'verify receipts', limit: 'receipts' }
  server.post(
    `${family}/receipts/:ark/v:version/verify`,
    {
      ...edge.admit(access),
      ...checkedByRules,
      schema: {
        tags: ['receipts'],
        summary: 'Verifies the receipt of a version and, if it is given, the hash of its content.',
        body: versionVerificationSchema,
        response,
      },
    },
    async (request: VersionRequest, reply) => {
      readQuery(request, {})
      const body = readVerificationBody(request.body, [], ['content_hash'])
      return verify(edge, nameVersion(edge.environments, request, reply), body.content_hash)
    },
  )
}

/** Finds a receipt by its id: a key looks in its own environment, without one both are searched. */
function findReceipt(edge: Edge, { caller }: FastifyRequest, receiptId: string): NamedVersion {
  const { live, sandbox } = edge.environments
  const searched = caller.kind === 'key' ? [edge.environments[caller.environment]] : [live, sandbox]
  for (const environment of searched) {
    const found = environment.catalogue.findReceipt(receiptId)
    if (found === undefined) continue
    const { ark, version } = found
    return { environment, ark: ark as Ark, requested: `ark:/${ark}`, version }
  }
  throw new HttpError('not_found', `There is no receipt ${receiptId}`)
}

// The server checks its own receipt with the code and the published keys that strangers use.
async function verify(
  edge: Edge,
  named: NamedVersion,
  contentHash: string | undefined,
): Promise<VerificationResult> {
  const { environment, ark, version } = named
  const { body } = existingVersion(named, await environment.catalogue.receipt(ark, version))
  const now = formatTimestamp(edge.nowMs())
  const keys = trustedKeys(edge.environments, environment.name, edge.baseUrl, now)
  const receipt: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
  const evidence = contentHash === undefined ? {} : { contentHash }
  return verificationResult(verifyReceipt(receipt, keys, evidence), now)
}

/** Sends a receipt or a proof: they stay valid after their work is withdrawn. */
function sendProof(request: FastifyRequest, reply: FastifyReply, proof: Rendered): FastifyReply {
  return sendRendered(request, reply, { ...proof, status: 'registered' })
}
