import type { IndexKind } from '#src/discovery/search/search_engine.ts'

/** An order: by what, which way. Hits that are equal in it are given newest first. */
export type SortOrder = {
  readonly by: string
  readonly type: 'number' | 'text'
  readonly descending: boolean
}

/**
 * What the documents of a kind consist of. `texts` are searched, each with the weight of a word
 * found in it; `values` and `numbers` a document has once, `lists` many times. `named` are lists
 * that are counted by what people call their values. `facets` are some of the values and numbers,
 * and all that is named; of `worded` texts single words can be asked for. `seq` and `id` every
 * document has.
 */
export type IndexShape = {
  readonly texts: Readonly<Record<string, number>>
  readonly worded: readonly string[]
  readonly values: readonly string[]
  readonly lists: readonly string[]
  readonly numbers: readonly string[]
  readonly named: readonly string[]
  readonly facets: readonly string[]
  readonly sorts: Readonly<Record<string, SortOrder>>
}

/** The order in which there is no end of hits: by what every document has, and has alone. */
export const newest = 'newest'

const bySeq = {
  [newest]: { by: 'seq', type: 'number', descending: true },
  oldest: { by: 'seq', type: 'number', descending: false },
} as const

const byUpdate = { updated: { by: 'updated', type: 'number', descending: true } } as const

const byName = { name: { by: 'sort_name', type: 'text', descending: false } } as const

/** What works are counted by beside their plain values. */
const namedOfWorks = ['affiliation', 'publisher', 'journal', 'funder'] as const

export type NamedOfWorks = (typeof namedOfWorks)[number]

/** The shapes of all kinds. Texts stand in the order of their weight. */
export const indexShapes: Readonly<Record<IndexKind, IndexShape>> = {
  works: {
    texts: { title: 10, authors: 5, identifiers: 4, keywords: 4, venue: 2, abstract: 1 },
    worded: ['title', 'authors'],
    values: [
      'type',
      'language',
      'license',
      'organization',
      'status',
      'fixity_status',
      'notice',
      'has_doi',
      'has_orcid',
      'has_abstract',
      'registered_in',
      'sort_title',
    ],
    lists: ['doi', 'orcid', 'ppid', 'keyword', 'related_to', ...namedOfWorks],
    numbers: ['year', 'published', 'created', 'updated'],
    named: namedOfWorks,
    facets: [
      'type',
      'language',
      'license',
      'organization',
      'year',
      'status',
      'fixity_status',
      'notice',
      'has_doi',
      'has_orcid',
      'has_abstract',
      'registered_in',
      ...namedOfWorks,
    ],
    sorts: {
      ...bySeq,
      ...byUpdate,
      published: { by: 'published', type: 'number', descending: true },
      title: { by: 'sort_title', type: 'text', descending: false },
    },
  },
  people: {
    texts: { name: 10, identifiers: 6, affiliations: 3, education: 2, bio: 1 },
    worded: ['name', 'affiliations'],
    values: ['sort_name'],
    lists: ['orcid', 'username', 'ror'],
    numbers: ['updated'],
    named: [],
    facets: [],
    sorts: { ...bySeq, ...byUpdate, ...byName },
  },
  organizations: {
    texts: { name: 10, aliases: 6, identifiers: 4 },
    worded: ['name'],
    values: ['country', 'sort_name'],
    lists: ['ror'],
    numbers: ['updated'],
    named: [],
    facets: ['country'],
    sorts: { ...bySeq, ...byUpdate, ...byName },
  },
}

/** Number of the shapes and of what is made of them; an index of another number is made anew. */
export const indexSchema = 10

/** The fields whose words can be typed with their names, by what people call them. */
export const fieldNames: Readonly<Record<IndexKind, Readonly<Record<string, string>>>> = {
  works: { author: 'authors', authors: 'authors', title: 'title' },
  people: { name: 'name', affiliation: 'affiliations' },
  organizations: { name: 'name' },
}
