import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { Check } from 'typebox/schema'

import type { SearchPlace } from '#src/discovery/search/search_engine.ts'

/** Characters of a cursor at most: a thousand hits that were given take a few thousand. */
export const cursorCharactersMax = 12_000

/** Words of a place, and characters of each: what is typed has a thousand. */
const wordCharactersMax = 2_000
const meantMax = 32
const beginningsMax = 32

const wordSchema = Type.String({ maxLength: wordCharactersMax })
const integerSchema = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** A place but for its ranked hits, which are written shorter. */
const placeSchema = Type.Object(
  {
    engine: Type.Union([Type.Literal('embedded'), Type.Literal('meilisearch')]),
    sort: Type.String(),
    last: Type.Optional(
      Type.Object(
        {
          value: Type.Union([Type.String({ maxLength: 400 }), Type.Number()]),
          seq: integerSchema,
        },
        { additionalProperties: false },
      ),
    ),
    total: integerSchema,
    isExact: Type.Boolean(),
    meant: Type.Array(
      Type.Object({ typed: wordSchema, meant: wordSchema }, { additionalProperties: false }),
      { maxItems: meantMax },
    ),
    beginnings: Type.Array(wordSchema, { maxItems: beginningsMax }),
    named: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)

/** What makes a search the same one on its next page: `asked` is what is asked for, in words. */
function fingerprint(asked: string): string {
  return hash('sha256', asked).slice(0, 16)
}

/** The place after a page, as clients carry it to the next one: of base64url, and a dot at most. */
export function formatCursor({ ranked, ...place }: SearchPlace, asked: string): string {
  const text = Buffer.from(JSON.stringify([fingerprint(asked), place])).toString('base64url')
  return ranked.length === 0 ? text : `${text}.${encodeRising(ranked).toString('base64url')}`
}

/** The place in a cursor; undefined if it is not a cursor, or is one of another search. */
export function parseCursor(cursor: string, asked: string): SearchPlace | undefined {
  const [text = '', rising = ''] = cursor.split('.')
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (!Array.isArray(parsed) || parsed.length !== 2) return undefined
    const [mark, place] = parsed as readonly unknown[]
    if (mark !== fingerprint(asked) || !Check(placeSchema, place)) return undefined
    return { ...place, ranked: decodeRising(Buffer.from(rising, 'base64url')) }
  } catch {
    return undefined
  }
}

/**
 * Rising numbers as bytes: of each how much it is more than the one before, seven bits a byte, the
 * lowest first, and the eighth bit where more follow. A thousand of a million take two kilobytes.
 */
function encodeRising(numbers: readonly number[]): Buffer {
  const bytes: number[] = []
  let before = 0
  for (const number of numbers) {
    let left = number - before
    for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
    bytes.push(left)
    before = number
  }
  return Buffer.from(bytes)
}

/** The numbers in such bytes; what are none give numbers that no place has. */
function decodeRising(bytes: Uint8Array): number[] {
  const numbers: number[] = []
  let number = 0
  let unit = 1
  for (const byte of bytes) {
    number += (byte % 128) * unit
    unit *= 128
    if (byte >= 128) continue
    numbers.push(number)
    unit = 1
  }
  return numbers
}
