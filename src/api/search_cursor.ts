import { hash } from 'node:crypto'
import { Type } from 'typebox'
import { Check } from 'typebox/schema'

import type { Place } from '#src/search/search_engine.ts'

const placeSchema = Type.Object(
  {
    engine: Type.Union([Type.Literal('embedded'), Type.Literal('meilisearch')]),
    sort: Type.String(),
    value: Type.Union([Type.String({ maxLength: 400 }), Type.Number()]),
    seq: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    total: Type.Integer({ minimum: 0 }),
    isExact: Type.Boolean(),
    isLoose: Type.Boolean(),
  },
  { additionalProperties: false },
)

/** What makes a search the same one on its next page: `asked` is what is asked for, in words. */
function fingerprint(asked: string): string {
  return hash('sha256', asked).slice(0, 16)
}

/** The place after a page, as clients carry it to the next one. */
export function formatCursor(place: Place, asked: string): string {
  return Buffer.from(JSON.stringify([fingerprint(asked), place])).toString('base64url')
}

/** The place in a cursor; undefined for what is none, or is one of another search. */
export function parseCursor(cursor: string, asked: string): Place | undefined {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (!Array.isArray(parsed) || parsed.length !== 2) return undefined
    const [mark, place] = parsed as readonly unknown[]
    return mark === fingerprint(asked) && Check(placeSchema, place) ? place : undefined
  } catch {
    return undefined
  }
}
