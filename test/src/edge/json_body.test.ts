import test from 'ava'
import fc from 'fast-check'

import { HttpError } from '#src/edge/errors.ts'
import {
  jsonDepthMax,
  jsonElementsMax,
  jsonMembersMax,
  jsonValuesMax,
  parseLongJson,
  parseStrictJson,
} from '#src/edge/json_body.ts'

function parse(text: string): unknown {
  return parseStrictJson(Buffer.from(text))
}

function refusal(bytes: string | Buffer): string {
  try {
    parseStrictJson(Buffer.from(bytes))
  } catch (error) {
    if (error instanceof HttpError && error.code === 'bad_request') return error.message
    throw error
  }
  return 'accepted'
}

const cases: readonly (readonly [what: string, body: string | Buffer, message: string])[] = [
  ['an empty body', '', 'it is empty'],
  ['blanks alone', '  \n ', 'a value is missing, at line 2 column 2'],
  ['a byte order mark', '\ufeff{}', 'it starts with a byte order mark'],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xc3, 0xa9, 0xff, 0x22]), 'byte 3 is not UTF-8'],
  ['a sequence cut short', Buffer.from([0x22, 0xe2, 0x82]), 'byte 1 is not UTF-8'],
  ['an encoded surrogate', Buffer.from([0x22, 0xed, 0xa0, 0x80]), 'byte 1 is not UTF-8'],
  ['a member twice', '{"a":1,\n "a":2}', 'the member "a" stands there twice, at line 2 column 2'],
  [
    'a member twice in two spellings',
    '{"a":1,"\\u0061":2}',
    'the member "a" stands there twice, at line 1 column 8',
  ],
  ['a prototype', '{"__proto__":{}}', 'a member is named __proto__, at line 1 column 2'],
  [
    'a prototype behind an escape',
    '{"a":{"\\u005f_proto__":{}}}',
    'a member is named __proto__, at line 1 column 7',
  ],
  [
    'a lone high surrogate',
    '"\\ud83d"',
    'a string holds half a surrogate pair, at line 1 column 2',
  ],
  ['a lone low surrogate', '"\\ude00"', 'a string holds half a surrogate pair, at line 1 column 2'],
  [
    'a high surrogate before another one',
    '"\\ud83d\\ud83d"',
    'a string holds half a surrogate pair, at line 1 column 2',
  ],
  ['NUL', '{"a":"\\u0000"}', 'a string holds NUL, at line 1 column 7'],
  ['NUL as a byte', '{"a":"\0"}', 'a control character stands in a string, at line 1 column 7'],
  [
    'a line feed in a string',
    '"a\nb"',
    'a control character stands in a string, at line 1 column 3',
  ],
  ['a string without an end', '["ab', 'a string is not closed, at line 1 column 2'],
  ['an unknown escape', '"\\x41"', 'an escape is malformed, at line 1 column 2'],
  ['an escape cut short', '"\\u00', 'an escape is malformed, at line 1 column 2'],
  ['a comma too many', '{"a":1,}', 'a member name is missing, at line 1 column 8'],
  ['a comma too few', '{"a":1 "b":2}', 'a comma or } is missing, at line 1 column 8'],
  ['a list left open', '[1,2', 'a comma or ] is missing, at line 1 column 5'],
  ['a name without a colon', '{"a" 1}', 'a colon is missing, at line 1 column 6'],
  ['a bare word', '{"a":yes}', 'a value is missing, at line 1 column 6'],
  ['a leading zero', '[01]', 'a comma or ] is missing, at line 1 column 3'],
  ['a number without digits', '-', 'a value is missing, at line 1 column 1'],
  ['single quotes', "{'a':1}", 'a member name is missing, at line 1 column 2'],
  ['a comment', '{} // done', 'there is more after the value, at line 1 column 4'],
  ['two values', '{}{}', 'there is more after the value, at line 1 column 3'],
]

for (const [what, body, message] of cases) {
  test(`${what} is refused with its place`, (t) => {
    t.is(refusal(body), `The body is not strict JSON: ${message}`)
  })
}

test('depth, members and elements are bounded, and the bounds themselves are allowed', (t) => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  t.is(refusal(nested(jsonDepthMax)), 'accepted')
  t.regex(refusal(nested(jsonDepthMax + 1)), /nested more than 32 deep, at line 1 column 33/)
  const object = (members: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: members }, (_, n) => [`m${n}`, 0])))
  t.is(refusal(object(jsonMembersMax)), 'accepted')
  t.regex(refusal(object(jsonMembersMax + 1)), /an object has more than 256 members/)
  const list = (elements: number) => JSON.stringify(Array.from({ length: elements }, () => 0))
  t.is(refusal(list(jsonElementsMax)), 'accepted')
  t.regex(refusal(list(jsonElementsMax + 1)), /an array has more than 20000 elements/)
})

test('the number of values is bounded in all, and the bound itself is allowed', (t) => {
  const list = (elements: number) => `[${Array.from({ length: elements }, () => 0).join()}]`
  // The list of lists, and the lists in it, are values too.
  const width = jsonElementsMax - 1
  const full = Math.floor((jsonValuesMax - 1) / jsonElementsMax)
  const lists = Array.from({ length: full }, () => list(width))
  const left = jsonValuesMax - 1 - full * jsonElementsMax
  t.is(refusal(`[${[...lists, list(left - 1)].join()}]`), 'accepted')
  t.regex(
    refusal(`[${[...lists, list(left)].join()}]`),
    /it has more than 250000 values, at line 1/,
  )
})

test('a name that is quoted in a message is cut', (t) => {
  const name = 'n'.repeat(1_000)
  t.regex(refusal(`{"${name}":1,"${name}":2}`), /the member "n{100}…" stands there twice/)
})

test('what is not refused is what JSON.parse makes of it', (t) => {
  t.deepEqual(parse(' {"a" : [ true , null , -1.5e3 ] ,\t"b":"\\ud83d\\ude00\\n"}\r\n'), {
    a: [true, null, -1500],
    b: '😀\n',
  })
  t.deepEqual(parse('{"constructor":{"prototype":1}}'), { constructor: { prototype: 1 } })
})

// JSON.stringify escapes lone surrogates and NUL, so these texts are rid of both.
const text = fc
  .string({ unit: 'grapheme' })
  .map((value) => value.toWellFormed().replaceAll('\0', ''))
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 5 },
    fc.constant(null),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    text,
    fc.array(tie('any'), { maxLength: 5 }),
    fc.dictionary(
      text.filter((name) => name !== '__proto__'),
      tie('any'),
      {
        maxKeys: 5,
        noNullPrototype: true,
      },
    ),
  ),
})).any

test('every value survives', (t) => {
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t'), (any, indent) => {
      t.deepEqual(parse(JSON.stringify(any, undefined, indent)), JSON.parse(JSON.stringify(any)))
    }),
  )
})

test('damaged JSON is refused as such, and never accepted where JSON.parse would not', (t) => {
  const damage = fc.record({
    at: fc.nat(),
    length: fc.nat({ max: 3 }),
    put: fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', '\\u', 'e', '-', '0', '\n'),
  })
  fc.assert(
    fc.property(value, damage, (any, { at, length, put }) => {
      const whole = JSON.stringify(any)
      const start = at % (whole.length + 1)
      const damaged = whole.slice(0, start) + put + whole.slice(start + length)
      if (!damaged.isWellFormed()) return
      if (refusal(damaged) === 'accepted') t.deepEqual(parse(damaged), JSON.parse(damaged))
    }),
    { numRuns: 1_000 },
  )
})

test('a long body is judged alike, wherever its parts are cut', async (t) => {
  const piece = (nth: number) => JSON.stringify({ nth, list: [{}, [], 'x'.repeat(nth % 97), null] })
  const pieces = Array.from({ length: 12_000 }, (_, nth) => piece(nth))
  const whole = `{"pieces": [${pieces.join(', ')}]}`
  t.true(whole.length > 1_000_000)
  t.deepEqual(await parseLongJson(Buffer.from(whole)), JSON.parse(whole))
  for (const at of [300_000, 600_001, whole.length - 3]) {
    const comma = whole.lastIndexOf(', {', at)
    const damaged = Buffer.from(`${whole.slice(0, comma)};${whole.slice(comma + 1)}`)
    const message = refusal(damaged)
    t.regex(message, /a comma or \] is missing, at line 1 column \d+$/)
    await t.throwsAsync(parseLongJson(damaged), { instanceOf: HttpError, message })
  }
})
