import test from 'ava'
import type { FastifyRequest } from 'fastify'

import { ifMatch, isNotModified, parseEntityTags } from '#src/edge/conditional.ts'

function requestWith(headers: Record<string, string>): FastifyRequest {
  return { headers } as unknown as FastifyRequest
}

test('a list of entity tags is read, commas within a tag included', (t) => {
  t.deepEqual(parseEntityTags('"1"'), ['"1"'])
  t.deepEqual(parseEntityTags(' "1" ,\tW/"2","a,b", ""'), ['"1"', 'W/"2"', '"a,b"', '""'])
  t.deepEqual(parseEntityTags('*'), ['*'])
})

test('what is no list of entity tags is none', (t) => {
  for (const header of ['', '1', '"1', '"1" "2"', '"1",', 'w/"1"', '*, "1"', '"a b"']) {
    t.is(parseEntityTags(header), undefined, header)
  }
  t.is(parseEntityTags(Array.from({ length: 101 }, () => '"1"').join(',')), undefined)
})

test('If-None-Match compares weakly', (t) => {
  for (const header of ['"7"', 'W/"7"', '"1", "7"', '*']) {
    t.true(isNotModified(requestWith({ 'if-none-match': header }), '"7"'), header)
    t.true(isNotModified(requestWith({ 'if-none-match': header }), 'W/"7"'), header)
  }
  for (const header of ['"8"', '7', '"7']) {
    t.false(isNotModified(requestWith({ 'if-none-match': header }), '"7"'), header)
  }
  t.false(isNotModified(requestWith({}), '"7"'))
})

test('If-Match is a guard: what cannot be read is refused', (t) => {
  t.is(ifMatch(requestWith({})), undefined)
  t.deepEqual(ifMatch(requestWith({ 'if-match': '"7", W/"8"' })), ['"7"', 'W/"8"'])
  const coded = '"7-br", "7.9-gzip", "7-zstd", W/"8-br"'
  const uncoded = ['"7"', '"7.9"', '"7-zstd"', 'W/"8"']
  t.deepEqual(ifMatch(requestWith({ 'if-match': coded })), uncoded)
  t.throws(() => ifMatch(requestWith({ 'if-match': '7' })), {
    message: 'If-Match must be * or a list of quoted entity tags',
    code: 'bad_request',
  })
})
