import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'

import { describeWitnesses } from '#src/use_cases/public_log.ts'
import { component, nullable, time } from '#src/edge/reply_schemas.ts'
import type { LogEdge, ServedLog } from '#src/http/log/log_proof_routes.ts'
import { pathPrefixes } from '#src/identity/keys/scope.ts'

const size = Type.Integer({ minimum: 0 })

const witnessesReply = component('LogWitnesses', {
  policy: nullable(
    Type.String(),
    'Who must sign, as C2SP tlog-policy; null if the log has no witnesses.',
  ),
  quorum: nullable(Type.String(), 'The same in words, such as `2 of (one, two, three)`.'),
  tree_size: Type.Integer({ minimum: 0, description: 'Entries of the newest checkpoint.' }),
  witnessed: nullable(
    component('WitnessedCheckpoint', { tree_size: size, checkpoint: Type.String() }),
    'The newest checkpoint that has its quorum.',
  ),
  witnesses: Type.Array(
    component('LogWitness', {
      name: Type.String(),
      vkey: Type.String({ description: 'Its verifier key (C2SP signed-note).' }),
      tree_size: nullable(size, 'Entries of the newest checkpoint that it has signed.'),
      signed_at: nullable(time, 'When that was, by its own clock, to the second.'),
    }),
  ),
})

/** Says who witnesses a log, and what each has signed last. */
export function registerWitnessRoutes(
  server: FastifyInstance,
  { admit }: Pick<LogEdge, 'admit'>,
  { prefix, reader }: ServedLog,
): void {
  const which = prefix === '' ? '' : 'Sandbox'
  for (const versionPrefix of pathPrefixes) {
    server.get(
      `${prefix}${versionPrefix}/log/witnesses`,
      {
        ...admit({ type: 'public', limit: 'log' }, {}),
        schema: {
          operationId: `get${which}LogWitnesses`,
          tags: ['log'],
          summary: 'Tells who witnesses the log, and what each has signed last.',
          response: { 200: witnessesReply },
        },
      },
      (): Static<typeof witnessesReply> => describeWitnesses(reader),
    )
  }
}
