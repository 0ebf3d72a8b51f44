import type { SearchParams } from 'meilisearch'

import { nameBreak } from '#src/discovery/search/documents.ts'
import {
  charactersOf,
  indexedText,
  indexedWords,
  isUnparted,
  lookedForPieces,
  lookedForWords,
} from '#src/discovery/search/fold.ts'
import { indexShapes, newest, type SortOrder } from '#src/discovery/search/index_shape.ts'
import { wordsAttribute } from '#src/discovery/search/meilisearch/server_settings.ts'
import type { Clause } from '#src/discovery/search/query_text.ts'
import type {
  EngineQuery,
  Filter,
  IndexKind,
  LastHit,
  SearchDocument,
} from '#src/discovery/search/search_engine.ts'

/** The body of a search, but for what has to be known of its hits first. */
export type ServerQuery = SearchParams & { readonly q: string }

/**
 * A document as the server keeps it: all members beside one another. Its texts are folded by us:
 * the server leaves `ß` and `ł` as they are, and how it parts Chinese depends on how it was built.
 */
export function serverDocument(kind: IndexKind, document: SearchDocument): Record<string, unknown> {
  const { id, seq, texts, values, lists, numbers } = document
  const folded = Object.entries(texts).map(([name, text]) => {
    return [name, indexedText(text).replaceAll(nameBreak, '. ')] as const
  })
  const words = indexShapes[kind].worded.map((text) => {
    return [wordsAttribute(text), [...new Set(indexedWords(texts[text] ?? ''))]] as const
  })
  const texted = { ...Object.fromEntries(folded), ...Object.fromEntries(words) }
  return { id, seq, ...texted, ...values, ...lists, ...numbers }
}

/** Which hits of a query are read: the first ones in the order `sort`, without some, by `seq`. */
export type ServerPart = {
  readonly sort: string
  readonly limit: number
  readonly without: readonly number[]
}

/** A query for a part of its hits, which in an order begins after the last hit given. */
export function serverQuery(kind: IndexKind, query: EngineQuery, part: ServerPart): ServerQuery {
  const { sort, limit, without } = part
  const order = indexShapes[kind].sorts[sort]
  const { clauses, filters, after, facets } = query
  const last = after?.last
  const place = order === undefined || last === undefined ? [] : [afterPlace(order, last)]
  const others = without.length === 0 ? [] : [`seq NOT IN [${without.join(', ')}]`]
  const isFirst = after === undefined
  return {
    q: clauses.map(clauseText).join(' ') + (clauses.at(-1)?.isPrefix === true ? '' : ' '),
    filter: [...filters.flatMap(filterTexts), ...place, ...others],
    limit,
    matchingStrategy: 'all',
    attributesToRetrieve: [...new Set(['id', 'seq', order?.by ?? 'seq'])],
    ...(order !== undefined && { sort: sortTexts(order) }),
    ...(isFirst && facets.length > 0 && { facets: [...facets] }),
  }
}

/** The order of hits that are too many to be ranked. */
export const unrankedSort = newest

function sortTexts({ by, descending }: SortOrder): string[] {
  const way = descending ? 'desc' : 'asc'
  return by === 'seq' ? [`seq:${way}`] : [`${by}:${way}`, `seq:${way}`]
}

function afterPlace({ by, descending }: SortOrder, { value, seq }: LastHit): string {
  const sign = descending ? '<' : '>'
  if (by === 'seq') return `seq ${sign} ${seq}`
  const bound = literal(value)
  return `(${by} ${sign} ${bound} OR (${by} = ${bound} AND seq ${sign} ${seq}))`
}

// Each piece is looked for by itself, but the server cannot leave out what has several of them.
function clauseText({ type, text, isExcluded }: Clause): string {
  const pieces = lookedForPieces(text).map(plainText)
  const asked = isExcluded ? [pieces.join(' ')] : pieces
  const quoted = asked.map((words) => {
    return type === 'phrase' || isSeveral(words) ? `"${words}"` : words
  })
  return (isExcluded ? '-' : '') + quoted.join(' ')
}

// The server may take a pair of characters for two words.
function isSeveral(words: string): boolean {
  return words.includes(' ') || (isUnparted(words) && charactersOf(words).length > 1)
}

// Folding may make a sign out of a wide one that says something to the server.
function plainText(piece: string): string {
  return piece.replaceAll('"', ' ').replace(/^-+/, '')
}

function filterTexts(filter: Filter): string[] {
  switch (filter.type) {
    case 'any_of':
      return [`${filter.field} IN [${filter.values.map(literal).join(', ')}]`]
    case 'range': {
      const { field, from, to } = filter
      return [
        ...(from === undefined ? [] : [`${field} >= ${from}`]),
        ...(to === undefined ? [] : [`${field} <= ${to}`]),
      ]
    }
    case 'words': {
      const attribute = wordsAttribute(filter.field)
      const words = [...new Set(lookedForWords(filter.text))]
      return words.map((word) => `${attribute} = ${literal(word)}`)
    }
  }
}

function literal(value: string | number): string {
  if (typeof value === 'number') return String(value)
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
