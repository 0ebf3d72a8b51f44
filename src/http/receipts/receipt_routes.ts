import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'

import type { Rendered } from '#actors/catalogue/port.ts'
import { conditionalRead } from '#src/edge/described_headers.ts'
import { readingAccess } from '#src/edge/admission.ts'
import { existingVersion } from '#src/use_cases/work_lookup.ts'
import { type VersionRequest, versionOfPath } from '#src/http/kit/work_path.ts'
import { proofsSchema, receiptSchema } from '#src/http/log/proof_schemas.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { sendRendered } from '#src/edge/rendered_reply.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { type PathPrefix, pathPrefixes } from '#src/identity/keys/scope.ts'

type ReceiptEdge = Pick<RegistryEdge, 'admit' | 'environments'>

/** Receipts and proofs of versions, below both prefixes. */
export function registerReceiptRoutes(server: FastifyInstance, edge: ReceiptEdge): void {
  for (const prefix of pathPrefixes) registerReads(server, edge, prefix)
}

function registerReads(server: FastifyInstance, edge: ReceiptEdge, prefix: PathPrefix): void {
  const access = readingAccess(prefix, 'read receipts', 'receipts')
  const options = (noun: string, summary: string, reply: TSchema) => ({
    ...edge.admit(access),
    schema: {
      operationId: `get${access.type === 'key' ? '' : 'Public'}${noun}`,
      ...conditionalRead,
      tags: ['receipts'],
      summary,
      response: { 200: reply },
    },
  })
  server.get(
    `${prefix}/receipts/:ark/v:version`,
    options(
      'Receipt',
      'The receipt of a version: its newest statement, and the proof that it is logged.',
      receiptSchema,
    ),
    async (request: VersionRequest, reply) => {
      readQuery(request, {})
      const named = versionOfPath(edge.environments, request, reply)
      const found = await named.environment.catalogue.receipt(named.ark, named.version)
      return sendProof(request, reply, existingVersion(named, found))
    },
  )
  server.get(
    `${prefix}/proofs/:ark/v:version`,
    options(
      'Proofs',
      'The proofs of a version: hashes, versions before it, all signatures.',
      proofsSchema,
    ),
    async (request: VersionRequest, reply) => {
      readQuery(request, {})
      const named = versionOfPath(edge.environments, request, reply)
      const found = await named.environment.catalogue.proofs(named.ark, named.version)
      return sendProof(request, reply, existingVersion(named, found))
    },
  )
}

/** Sends a receipt or a proof: they stay valid after their work is withdrawn. */
function sendProof(request: FastifyRequest, reply: FastifyReply, proof: Rendered): FastifyReply {
  return sendRendered(request, reply, { ...proof, status: 'registered' })
}
