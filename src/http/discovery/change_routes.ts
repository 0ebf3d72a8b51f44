import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'

import { formatTimestamp } from '#actors/values/clock.ts'
import { jsonOf, spliceMembers } from '#actors/registry/catalogue/representation.ts'
import { noticeKinds } from '#actors/works/update_notices.ts'
import { HttpError } from '#src/edge/errors.ts'
import { knownCaller } from '#src/edge/admission.ts'
import { keepPrivate } from '#src/edge/credentials.ts'
import { numberCursor, pageLinks, pageLinksSchema, pagesOf } from '#src/edge/list_page.ts'
import { integerParameter, readQuery } from '#src/edge/query_string.ts'
import { jsonType } from '#src/edge/rendered_reply.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import { registerRoutes, type Route } from '#src/http/kit/routes.ts'
import { component, contentReply, nullable, time, wordOf } from '#src/edge/reply_schemas.ts'
import {
  arkIdentifier,
  contentHash,
  fixityReason,
  fixityStatus,
  receiptId,
  sha256Hash,
  sourceSchema,
  version,
  workStatus,
} from '#src/http/kit/works.ts'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { dumpsFolder, manifestName, newestDump } from '#src/discovery/dump/dump_writer.ts'

/** How long a request may wait for a first change. */
const waitSecondsMax = 30

const pages = pagesOf({
  cursor: numberCursor,
  olderName: 'after',
  limit: 100,
  limitMax: 1_000,
  order: 'oldest',
})

const changesParameters = {
  ...pages.parameters,
  wait: integerParameter('Seconds to wait for a first change; oldest first only.', {
    minimum: 0,
    maximum: waitSecondsMax,
  }),
}

/** A page of the change feed. */
const changesSchema = component('ChangePage', {
  changes: Type.Array(
    component(
      'Change',
      {
        seq: Type.Integer({ minimum: 1 }),
        type: Type.String({ examples: ['work.registered', 'work.fixity_changed'] }),
        at: time,
        source: sourceSchema,
        sets: Type.Array(Type.String()),
        ark: Type.Optional(arkIdentifier),
        version: Type.Optional(version),
        status: Type.Optional(workStatus),
        fixity_status: Type.Optional(fixityStatus),
        reason: Type.Optional(fixityReason.reason),
        message: Type.Optional(fixityReason.message),
        notice: Type.Optional({
          ...wordOf('NoticeKind', noticeKinds),
          description: 'The gravest retraction, correction or the like that the version tells of.',
        }),
        created_at: Type.Optional(time),
        receipt_id: Type.Optional(receiptId),
        metadata_hash: Type.Optional(sha256Hash),
        content_hash: Type.Optional(contentHash),
        content_file: Type.Optional(
          Type.Integer({
            description: 'Place of the content among `files`, if it is one of them.',
          }),
        ),
        content_type: Type.Optional(nullable(Type.String(), 'Media type of what was fetched.')),
        content_size: Type.Optional(Type.Integer({ description: 'Bytes of what was fetched.' })),
        metadata: Type.Optional(nullable(Type.Unknown(), 'Of the version; null once withdrawn.')),
      },
      {
        additionalProperties: true,
        description:
          'Changes of works have `ark`, `version`, `status` and `metadata`, the time of the ' +
          'registration, and receipt and hashes of the version; for `work.fixity_changed` there ' +
          'is a fixity status and its reason too.',
      },
    ),
  ),
  next: Type.Integer({
    description:
      'What `cursor` takes to go on, also for changes that are still to come: the last `seq` seen.',
  }),
  end: Type.Integer({
    description:
      'What `next` is once all is read, oldest first; below `cursor` if the registry went back ' +
      'to an older copy.',
  }),
  settled_at: Type.String({
    format: 'date-time',
    description: 'Up to `end` there is every change before this time: none is still to come.',
  }),
  links: pageLinksSchema,
})

type ChangesEdge = Pick<
  RegistryEdge,
  'admit' | 'environments' | 'baseUrl' | 'nowMs' | 'takeTurn'
> & { readonly closing: Promise<void> }

const listing: Route<ChangesEdge> = {
  method: 'GET',
  path: '/changes',
  demands: { right: 'read works', limit: 'changes' },
  parameters: changesParameters,
  operationId: 'listChanges',
  summary: 'Follows all changes of works and organizations, oldest first unless told.',
  response: { 200: changesSchema },
  async handle(edge, request, reply) {
    const query = readQuery(request, changesParameters)
    const asked = pages.of(query)
    const { cursor = 0, order } = asked
    const { wait = 0 } = query as { readonly wait?: number }
    if (wait > 0 && order === 'newest') throw waitsForNoOldChange()
    if (wait > 0) reply.standAside()
    const environment = edge.environments[knownCaller(request).environment]
    const { catalogue } = environment
    // A shutdown does not wait for news.
    await Promise.race([catalogue.news(cursor, wait * 1_000), edge.closing])
    // In whole seconds, so that changes on their way are held up once in each of them at most.
    const settledMs = await environment.settle(Math.floor(edge.nowMs() / 1_000) * 1_000)
    const page = await edge.takeTurn(reply, () => catalogue.changes(asked))
    const links = pageLinks(edge.baseUrl, request, page.isLast ? null : page.next)
    reply.header('content-type', jsonType)
    keepPrivate(reply)
    const settled_at = formatTimestamp(settledMs)
    return reply.send(spliceMembers(page.body, jsonOf({ settled_at, links })))
  },
}

/** The feed of all changes in the order of the journal, below both prefixes. */
export function registerChangeRoutes(
  server: FastifyInstance,
  edge: Omit<ChangesEdge, 'closing'>,
): void {
  const closing = Promise.withResolvers<void>()
  server.addHook('preClose', (done) => {
    closing.resolve()
    done()
  })
  registerRoutes(server, { ...edge, closing: closing.promise }, 'changes', [listing])
}

function waitsForNoOldChange(): HttpError {
  return new HttpError('bad_request', 'The query parameter wait goes with order=oldest only')
}

type DataEdge = Pick<RegistryEdge, 'admit' | 'config'>

const types = {
  gz: 'application/gzip',
  zst: 'application/zstd',
  parquet: 'application/vnd.apache.parquet',
} as const

/** `GET /data/manifest.json` and the files that it names: all works at a time, for everybody. */
export function registerDataRoutes(server: FastifyInstance, edge: DataEdge): void {
  const dir = path.join(edge.config.DATA_DIR, dumpsFolder)
  const admission = edge.admit({ type: 'public', limit: 'public_read' })
  const schema = (operationId: string, summary: string, reply: object) => ({
    ...admission,
    schema: { operationId, tags: ['feeds'], summary, response: { 200: reply } },
  })
  const manifest = schema(
    'getDataManifest',
    'What the newest dump of all works has: its files, their hashes, and the checkpoint of the ' +
      'log that proves it.',
    contentReply('The manifest.', 'application/json'),
  )
  server.get(`/data/${manifestName}`, manifest, async (request, reply) => {
    readQuery(request, {})
    const found = await existingDump(dir)
    reply.header('cache-control', 'public, max-age=300')
    return reply.header('content-type', jsonType).send(JSON.stringify(found.manifest))
  })
  const file = schema(
    'getDataFile',
    'A file of the newest dump, as its manifest names it.',
    contentReply('The file.', ...Object.values(types)),
  )
  server.get(
    '/data/:file',
    file,
    async (request: FastifyRequest<{ Params: { file: string } }>, reply) => {
      readQuery(request, {})
      const { folder, manifest: named } = await existingDump(dir)
      const all = [...named.files, ...named.tables]
      const one = all.find(({ name }) => name === request.params.file)
      if (one === undefined) throw new HttpError('not_found', noSuchFile)
      reply.standAside()
      const ending = path.extname(one.name).slice(1) as keyof typeof types
      reply.header('content-type', types[ending])
      reply.header('etag', `"${one.sha256}"`)
      // Tomorrow another file takes its place, under another name.
      reply.header('cache-control', 'public, max-age=3600')
      reply.header('content-disposition', `attachment; filename="${one.name}"`)
      reply.header('content-length', one.bytes)
      const isHead = request.method === 'HEAD'
      return reply.send(isHead ? Readable.from([]) : createReadStream(path.join(folder, one.name)))
    },
  )
}

const noSuchFile = `The newest dump has no such file: /data/${manifestName} names those that it has`

async function existingDump(dir: string) {
  const found = await newestDump(dir)
  if (found !== undefined) return found
  throw new HttpError('not_found', 'No dump of the works has been made yet')
}
