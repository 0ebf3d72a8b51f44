import type { FastifyInstance, FastifyReply } from 'fastify'
import { Counter, Gauge, type Registry } from 'prom-client'

import type { Edge } from '#src/edge/edge.ts'
import { HttpError } from '#src/edge/errors.ts'
import { submissionBytesMax } from '#src/tlog_tools/witness/submission.ts'
import type { SubmissionAnswer, Witness } from '#src/tlog_tools/witness/witness.ts'
import type { WitnessStore } from '#src/tlog_tools/witness/witness_store.ts'

const plainText = 'text/plain; charset=utf-8'

/** The type of a reply that tells the size at which the witness is (C2SP tlog-witness). */
const sizeType = 'text/x.tlog.size'

/**
 * The endpoints of a witness (C2SP tlog-witness): logs submit checkpoints at `/add-checkpoint`;
 * everybody reads what was last cosigned at `/<id of the log>/checkpoint`, and the keys of the
 * witness at `/vkey`, a line each.
 */
export function registerWitnessRoutes(
  server: FastifyInstance,
  { admit }: Edge,
  { witness, vkeys }: { readonly witness: Witness; readonly vkeys: readonly string[] },
): void {
  registerSubmission(server, admit({ type: 'public', limit: 'add_checkpoint' }), witness)
  const reading = { ...admit({ type: 'public', limit: 'log' }), schema: { hide: true } }

  server.get<{ Params: { id: string } }>('/:id/checkpoint', reading, (request, reply) => {
    const note = witness.checkpoint(request.params.id)
    if (note === undefined) throw new HttpError('not_found', 'Nothing was cosigned of such a log')
    return reply.type(plainText).header('cache-control', 'no-cache').send(note)
  })

  server.get('/vkey', reading, (_request, reply) =>
    reply
      .type(plainText)
      .header('cache-control', 'public, max-age=300')
      .send(`${vkeys.join('\n')}\n`),
  )

  server.get('/healthz', { schema: { hide: true } }, (_request, reply) => {
    reply.header('cache-control', 'no-store')
    const { isHealthy } = witness
    return reply.code(isHealthy ? 200 : 503).send({ status: isHealthy ? 'ok' : 'ending' })
  })
}

/** The body is taken as it is, whatever type it is said to have: the specification names none. */
function registerSubmission(
  server: FastifyInstance,
  admission: ReturnType<Edge['admit']>,
  witness: Witness,
): void {
  void server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
      parsed(null, body)
    })
    const options = { ...admission, bodyLimit: submissionBytesMax, schema: { hide: true } }
    scope.post('/add-checkpoint', options, async ({ body }, reply) => {
      const bytes = body instanceof Uint8Array ? body : new Uint8Array(0)
      return send(reply, await witness.submit(bytes))
    })
    done()
  })
}

/** The one table from what a witness answers to a status. */
function send(reply: FastifyReply, answer: SubmissionAnswer): FastifyReply {
  reply.header('cache-control', 'no-store')
  switch (answer.type) {
    case 'cosigned':
      return reply.type(plainText).send(answer.lines)
    case 'malformed':
    case 'backwards':
      throw new HttpError('bad_request', answer.message)
    case 'unknown_log':
      throw new HttpError('not_found', 'This witness knows no log of that origin')
    case 'unverified':
      throw new HttpError('forbidden', `The checkpoint is not the log’s: ${answer.message}`)
    case 'wrong_map':
      throw new HttpError('forbidden', answer.message)
    case 'stale':
      return reply.code(409).header('content-type', sizeType).send(`${answer.treeSize}\n`)
    case 'unproven':
      throw new HttpError('validation_failed', answer.message)
    case 'too_often': {
      const extra = { retry_after: Math.ceil(answer.waitMs / 1_000) }
      const message = 'The log has had its new checkpoints of this minute'
      throw new HttpError('rate_limit_exceeded', message, { extra })
    }
    case 'unavailable':
      throw new HttpError('unavailable', answer.message, { extra: { retry_after: 1 } })
  }
}

/** Counts the answers to submissions; give it to the witness as `onAnswer`. */
export function countAnswers(registry: Registry): (answer: SubmissionAnswer) => void {
  const counter = new Counter({
    name: 'arklog_witness_submissions_total',
    help: 'Checkpoints submitted, by what was answered.',
    labelNames: ['answer'],
    registers: [registry],
  })
  return ({ type }) => counter.inc({ answer: type })
}

/** Tells of the store, and of each log how far it was cosigned and when. */
export function addWitnessMetrics(
  registry: Registry,
  { witness, store }: { readonly witness: Witness; readonly store: WitnessStore },
): void {
  const commits: Gauge = new Gauge({
    name: 'arklog_witness_commits',
    help: 'Synced batches that were written since the first start.',
    registers: [registry],
    collect: () => commits.set(store.commits),
  })
  const logs: Gauge = new Gauge({
    name: 'arklog_witness_logs',
    help: 'Logs that are cosigned.',
    registers: [registry],
    collect: () => logs.set(store.logs.size),
  })
  const sizes: Gauge = new Gauge({
    name: 'arklog_witness_tree_size',
    help: 'The size of each log that was last cosigned.',
    labelNames: ['origin'],
    registers: [registry],
    collect() {
      sizes.reset()
      for (const { log, last } of witness.list()) {
        if (last !== undefined) sizes.set({ origin: log.origin }, last.treeSize)
      }
    },
  })
  const times: Gauge = new Gauge({
    name: 'arklog_witness_cosigned_timestamp_seconds',
    help: 'When each log was last cosigned, in seconds since 1970.',
    labelNames: ['origin'],
    registers: [registry],
    collect() {
      times.reset()
      for (const { log, last } of witness.list()) {
        if (last !== undefined) times.set({ origin: log.origin }, last.timestamp)
      }
    },
  })
}
