import type { Settings } from 'meilisearch'

import { type IndexShape, indexShapes } from '#src/discovery/search/index_shape.ts'
import {
  facetValuesMax,
  type IndexKind,
  rankedHitsMax,
} from '#src/discovery/search/search_engine.ts'

/** The attribute with the single words of a text, by which it is filtered. */
export function wordsAttribute(text: string): string {
  return `${text}_words`
}

/**
 * The settings of an index. `sort` is the first of the ranking rules: where no order is asked for
 * it does nothing, and with one nothing else comes before it, so that a page can begin where the
 * last one ended. Phrases need the places of words, so that proximity stays by word.
 */
export function serverSettings(kind: IndexKind): Settings {
  const shape = indexShapes[kind]
  const { texts, lists, worded } = shape
  const ordered = [...new Set(Object.values(shape.sorts).map(({ by }) => by))]
  return {
    searchableAttributes: Object.keys(texts),
    displayedAttributes: [...new Set(['id', ...ordered])],
    filterableAttributes: [
      filterable([...equalValues(shape, ordered), ...lists, 'id'], false),
      filterable(worded.map(wordsAttribute), false),
      filterable([...new Set([...ordered, ...shape.numbers])], true),
    ],
    sortableAttributes: ordered,
    rankingRules: [
      'sort',
      'words',
      'typo',
      'proximity',
      'attributeRank',
      'wordPosition',
      'exactness',
    ],
    typoTolerance: { disableOnAttributes: ['identifiers'], disableOnNumbers: true },
    // One more than are ranked tells that there are more.
    pagination: { maxTotalHits: rankedHitsMax + 1 },
    faceting: { maxValuesPerFacet: facetValuesMax, sortFacetValuesBy: { '*': 'count' } },
  }
}

function equalValues({ values }: IndexShape, ordered: readonly string[]): string[] {
  return values.filter((name) => !ordered.includes(name))
}

function filterable(attributePatterns: string[], comparison: boolean) {
  return {
    attributePatterns,
    features: { facetSearch: false, filter: { equality: true, comparison } },
  }
}
