import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

import { readShownArk } from '#actors/values/ark.ts'
import { markSandbox } from '#src/edge/admission.ts'
import type { PlainReply } from '#src/edge/fast_path.ts'
import { textParameter } from '#src/edge/query_string.ts'
import { jsonType } from '#src/edge/rendered_reply.ts'
import { component, nullable } from '#src/edge/reply_schemas.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import { arkIdentifier, hex32, version, type WorkRoute } from '#src/http/kit/works.ts'
import { hotRecordOf, provenRecord } from '#src/use_cases/map_record.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { locateArk } from '#src/use_cases/work_lookup.ts'

/** Asks for the member `map_proof` of an answer about a work. */
export const proofParameters = {
  proof: textParameter(
    'With `newest` the reply has the member `map_proof`, which proves how the ARK stands.',
    /^newest$/,
    'newest',
  ),
}

/** What proves the state of an ARK, beside the log's keys and a map checkpoint (docs/map.md). */
export const mapProofMembers = {
  map_leaf: Type.String({ description: 'The map leaf of the log, as text.' }),
  proof: Type.String({
    contentEncoding: 'base64',
    description: 'The way from the ARK to the root of the map.',
  }),
  inclusion_proof: Type.Array(hex32, {
    description: 'From the map leaf, the last entry of the tree, upwards (RFC 6962).',
  }),
}

/** The same, with the checkpoint. */
export const mapProofSchema = component('MapProof', {
  ...mapProofMembers,
  checkpoint: Type.String({ description: 'The checkpoint of that tree, with its cosignatures.' }),
})

const mapRecordSchema = component('MapRecord', {
  ark_identifier: arkIdentifier,
  state: Type.String({
    enum: ['registered', 'withdrawn', 'contradictory', 'absent'],
    description:
      '`contradictory`: the statements do not follow each other. `absent`: no such ARK was ever ' +
      'registered here.',
  }),
  version: nullable(
    Type.Integer({ ...version, minimum: 0 }),
    'The newest version; null for an ARK that is absent.',
  ),
  statements: Type.Integer({ minimum: 0, description: 'Statements about the ARK in the log.' }),
  map_proof: mapProofSchema,
})

type MapEdge = Pick<RegistryEdge, 'admit' | 'environments'>

const proving: Route<MapEdge, WorkRoute['Params']> = {
  method: 'GET',
  path: '/map/:ark',
  demands: { type: 'public', limit: 'public_read', keyLimit: 'receipts' },
  operationId: 'getMapRecord',
  publicOperationId: 'getPublicMapRecord',
  summary: 'Proves which version of an ARK is the newest, or that there is no such ARK.',
  description:
    'An absence is an answer with a proof, too: the status is 200. What is newer than the ' +
    'newest map leaf is not in it yet.',
  response: { 200: mapRecordSchema },
  config: ({ environments }) => ({ plainRead: (rest) => answerAtOnce(environments, rest) }),
  async handle({ environments }, request, reply) {
    const { environment, parsed } = locateArk(environments, request.caller, request.params.ark)
    if (environment.name === 'sandbox') markSandbox(reply)
    reply.header('cache-control', 'no-cache')
    return provenRecord(environment, parsed.ark)
  },
}

/** What the map of the log has of an ARK, proven; below both prefixes, without a key. */
export function registerMapRoutes(server: FastifyInstance, edge: MapEdge): void {
  registerRoutes(server, edge, 'receipts', [proving])
}

/** What was answered of an ARK of the live registry by the newest checkpoint, once more. */
function answerAtOnce(
  { live, sandbox }: RegistryEdge['environments'],
  rest: string,
): PlainReply | undefined {
  const ark = readShownArk(rest)
  if (ark === undefined || ark.startsWith(`${sandbox.naan}/`)) return undefined
  const hot = hotRecordOf(live, ark)
  return (
    hot && {
      status: 200,
      headers: { 'cache-control': 'no-cache', 'content-type': jsonType },
      body: Buffer.from(JSON.stringify(hot.record)),
      isCurrent: hot.isCurrent,
    }
  )
}
