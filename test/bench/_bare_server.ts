// The yardstick: Fastify with one route that does nothing but what HTTP demands.
// Arguments: `mint <reply>` validates bodies as the registry does and answers 201 with the reply;
// `get <reply>` answers every path with the reply.

import Fastify from 'fastify'
import type { AddressInfo } from 'node:net'
import { newWorkSchema } from '#actors/works/request_checks.ts'

const [kind, reply = ''] = process.argv.slice(2)
const app = Fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } })
const type = 'application/json; charset=utf-8'

if (kind === 'mint') {
  app.post('/v1/works', { schema: { body: newWorkSchema } }, async (_request, response) =>
    response.code(201).type(type).send(reply),
  )
} else {
  app.get('/*', async (_request, response) => response.type(type).send(reply))
}

await app.listen({ port: 0, host: '127.0.0.1' })
const { port } = app.server.address() as AddressInfo
process.on('message', () => process.send?.({ port }))
process.once('disconnect', () => process.exit())
