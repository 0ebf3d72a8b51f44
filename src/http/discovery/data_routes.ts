import { createReadStream } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { HttpError } from '#src/edge/errors.ts'
import { readQuery } from '#src/edge/query_string.ts'
import { jsonType } from '#src/edge/rendered_reply.ts'
import { contentReply } from '#src/edge/reply_schemas.ts'
import { dumpsFolder, manifestName, newestDump } from '#src/discovery/dump/dump_writer.ts'
import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'

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
