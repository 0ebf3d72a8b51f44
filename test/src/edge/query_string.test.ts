import test from 'ava'

import { HttpError } from '#src/edge/errors.ts'
import {
  flagParameter,
  integerParameter,
  readQuery,
  textParameter,
} from '#src/edge/query_string.ts'

const parameters = {
  limit: integerParameter('', { minimum: 1, maximum: 100 }),
  deep: flagParameter(''),
  hash: textParameter('', /^[0-9a-f]{4}$/, 'four hex digits'),
}

function read(query: Record<string, string | string[]>) {
  return readQuery({ query }, parameters)
}

test('values come in their types, and absent ones not at all', (t) => {
  t.deepEqual(read({}), {})
  t.deepEqual(read({ limit: '10', deep: 'true', hash: '00ff' }), {
    limit: 10,
    deep: true,
    hash: '00ff',
  })
  t.deepEqual(read({ deep: 'false' }), { deep: false })
})

test('the key of the authentication is no parameter', (t) => {
  t.deepEqual(read({ api_key: 'svc_live_x' }), {})
  t.deepEqual(read({ api_key: ['a', 'b'] }), {})
})

const refused: readonly (readonly [Record<string, string | string[]>, string])[] = [
  [{ limit: '0' }, 'The query parameter limit must be a whole number from 1 to 100'],
  [{ limit: '101' }, 'The query parameter limit must be a whole number from 1 to 100'],
  [{ limit: '' }, 'The query parameter limit must be a whole number from 1 to 100'],
  [{ limit: '1e1' }, 'The query parameter limit must be a whole number from 1 to 100'],
  [{ limit: ['1', '2'] }, 'The query parameter limit must be given once'],
  [{ deep: 'yes' }, 'The query parameter deep must be true or false'],
  [{ hash: '00FF' }, 'The query parameter hash must be four hex digits'],
  [{ limt: '1' }, 'Unknown query parameter "limt": known are limit, deep, hash'],
  [{ constructor: '1' }, 'Unknown query parameter "constructor": known are limit, deep, hash'],
]

for (const [query, message] of refused) {
  test(`${JSON.stringify(query)} is refused`, (t) => {
    const error = t.throws(() => read(query), { instanceOf: HttpError, message })
    t.is(error.code, 'bad_request')
  })
}

test('where none is known, none is taken', (t) => {
  const request = { query: { a: '1' } }
  t.throws(() => readQuery(request, {}), {
    message: 'Unknown query parameter "a": this address takes none',
  })
})
