import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import test from 'ava'

import { buildSerializer } from '#src/edge/reply_schemas.ts'
import { openRegistry } from '#test/src/_registry.ts'

const route = { method: 'GET', httpStatus: '200' }

/** A schema that counts how often a compiler has read it. */
function countedSchema() {
  let reads = 0
  const schema = {
    type: 'object',
    get properties() {
      reads += 1
      return { kept: { type: 'string' } }
    },
  }
  return { schema, reads: () => reads }
}

test('a schema is compiled at its first reply, once for all routes that reply with it', (t) => {
  const { schema, reads } = countedSchema()
  const compile = buildSerializer({}, {})
  const [first, second] = ['/a', '/b'].map((url) => compile({ ...route, url, schema }))
  t.is(reads(), 0)
  t.is(first?.({ kept: 'a', dropped: 'b' }), '{"kept":"a"}')
  const readsOfOne = reads()
  t.true(readsOfOne > 0)
  t.is(first?.({ kept: 'b' }), '{"kept":"b"}')
  t.is(second?.({ kept: 'c' }), '{"kept":"c"}')
  t.is(reads(), readsOfOne)
})

test('each schema has a serializer of its own', (t) => {
  const compile = buildSerializer({}, {})
  const [text, number] = ['string', 'integer'].map((type) => {
    const schema = { type: 'object', properties: { member: { type } } }
    return compile({ ...route, url: '/a', schema })
  })
  t.is(text?.({ member: 7 }), '{"member":"7"}')
  t.is(number?.({ member: 7 }), '{"member":7}')
})

test('the schema of every reply that the description names can be compiled', async (t) => {
  const registry = await openRegistry()
  t.teardown(() => registry.close())
  const reply = await registry.server.inject('/openapi.json?aliases=true')
  const { paths, components } = reply.json<{ paths: object; components: object }>()
  const schemas = Object.values(paths)
    .flatMap((path: object) => Object.values(path))
    .flatMap(({ responses = {} }) => Object.values(responses as object))
    .flatMap(({ content = {} }) => Object.values(content as object))
    .map(({ schema }) => JSON.stringify(schema))
  t.true(schemas.length > 400)
  const compile = SerializerSelector()({}, {})
  const properties = Object.fromEntries(
    [...new Set(schemas)].map((text, index) => [`reply_${index}`, JSON.parse(text)]),
  )
  const schema = { type: 'object', properties, components }
  t.is(typeof compile({ ...route, url: '/a', schema }), 'function')
})
