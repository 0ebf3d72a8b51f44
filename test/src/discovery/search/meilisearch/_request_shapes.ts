// What our requests to Meilisearch look like, written by hand: a change of what we send, or of what
// the client makes of it, is seen here first. `check_requests.ts` holds the requests against the
// server's own description.

const uid = 'arklog_(?:works|people|organizations|state)(?:_next)?'
const strings = { type: 'array', items: { type: 'string' } } as const
const closed = { type: 'object', additionalProperties: false } as const

const settings = {
  ...closed,
  required: ['searchableAttributes', 'filterableAttributes', 'sortableAttributes', 'rankingRules'],
  properties: {
    searchableAttributes: strings,
    displayedAttributes: strings,
    filterableAttributes: {
      type: 'array',
      items: {
        ...closed,
        required: ['attributePatterns', 'features'],
        properties: {
          attributePatterns: strings,
          features: {
            ...closed,
            properties: {
              facetSearch: { const: false },
              filter: {
                ...closed,
                properties: { equality: { const: true }, comparison: { type: 'boolean' } },
              },
            },
          },
        },
      },
    },
    sortableAttributes: strings,
    rankingRules: {
      const: ['sort', 'words', 'typo', 'proximity', 'attributeRank', 'wordPosition', 'exactness'],
    },
    typoTolerance: {
      const: { disableOnAttributes: ['identifiers'], disableOnNumbers: true },
    },
    pagination: { const: { maxTotalHits: 10_001 } },
    faceting: { const: { maxValuesPerFacet: 500, sortFacetValuesBy: { '*': 'count' } } },
  },
} as const

const search = {
  ...closed,
  required: ['q', 'filter', 'limit', 'matchingStrategy', 'attributesToRetrieve'],
  properties: {
    q: { type: 'string' },
    filter: strings,
    limit: { type: 'integer', minimum: 1, maximum: 201 },
    matchingStrategy: { enum: ['all', 'frequency'] },
    attributesToRetrieve: strings,
    sort: strings,
    facets: strings,
  },
} as const

const documents = {
  type: 'array',
  items: {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,511}$' } },
  },
} as const

/** One kind of request: where it goes, its parameters, and the schema of its body, if any. */
export type RequestShape = {
  readonly method: string
  readonly path: RegExp
  readonly query?: readonly string[]
  readonly body?: object
}

/** All kinds of requests that we make. */
export const requestShapes: readonly RequestShape[] = [
  { method: 'GET', path: /^\/version$/ },
  { method: 'GET', path: /^\/tasks\/\d+$/ },
  { method: 'GET', path: /^\/indexes\/arklog_state\/documents\/state$/ },
  {
    method: 'POST',
    path: /^\/indexes$/,
    body: {
      ...closed,
      required: ['uid', 'primaryKey'],
      properties: { uid: { type: 'string', pattern: `^${uid}$` }, primaryKey: { const: 'id' } },
    },
  },
  { method: 'DELETE', path: new RegExp(`^/indexes/${uid}$`) },
  { method: 'PATCH', path: new RegExp(`^/indexes/${uid}/settings$`), body: settings },
  {
    method: 'POST',
    path: new RegExp(`^/indexes/${uid}/documents$`),
    query: ['primaryKey', 'customMetadata'],
    body: documents,
  },
  {
    method: 'POST',
    path: new RegExp(`^/indexes/${uid}/documents/delete-batch$`),
    query: ['customMetadata'],
    body: strings,
  },
  { method: 'POST', path: new RegExp(`^/indexes/${uid}/search$`), body: search },
  {
    method: 'POST',
    path: /^\/swap-indexes$/,
    body: {
      type: 'array',
      minItems: 4,
      maxItems: 4,
      items: {
        ...closed,
        properties: {
          indexes: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string' } },
          rename: { const: false },
        },
      },
    },
  },
]
