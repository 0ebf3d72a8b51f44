import { type TSchema, Type } from 'typebox'

import { organizationSchema } from '#src/http/organizations/organization_schemas.ts'
import { personSchema } from '#src/http/people/person_schemas.ts'
import { pageLinksSchema } from '#src/edge/list_page.ts'
import { component, nullable } from '#src/edge/reply_schemas.ts'
import { workSchema } from '#src/http/works/work_schemas.ts'
import type { IndexKind } from '#src/discovery/search/search_engine.ts'

const facetSchema = Type.Array(
  component('FacetValue', { value: Type.String(), count: Type.Integer() }),
)

function pageSchema(name: string, result: TSchema) {
  return component(name, {
    query: Type.String({ description: 'The text that was looked for, as it was typed.' }),
    total: Type.Integer({ description: 'Records that were found, as far as they were counted.' }),
    total_is_exact: Type.Boolean({ description: 'Whether there are no more than `total`.' }),
    sort: Type.String({
      description:
        'The order of the results. If there are more than can be ranked, they come newest first, ' +
        'no matter which order was asked for.',
    }),
    results: Type.Array(result),
    facets: Type.Record(Type.String(), facetSchema, {
      title: 'Facets',
      description: 'The values that most results have; on the first page only.',
    }),
    facets_of: Type.Integer({
      description: 'How many results, the newest ones, the facets were counted over.',
    }),
    also_searched_for: Type.Array(Type.String(), {
      description:
        'Words with a similar spelling that were searched for too, because nothing had all words.',
    }),
    next_cursor: nullable(Type.String(), 'What `cursor` takes for the next page; null at the end.'),
    took_ms: Type.Integer(),
    engine: Type.String({ title: 'SearchEngine', enum: ['embedded', 'meilisearch'] }),
    fallback: Type.Boolean({
      description: 'Whether the embedded index answered in place of the search server.',
    }),
    links: pageLinksSchema,
  })
}

const { claims: _, ...shownPerson } = personSchema.properties

/** The replies of each kind of search. */
export const searchSchemas: Readonly<Record<IndexKind, TSchema>> = {
  works: pageSchema('WorkSearchPage', workSchema),
  people: pageSchema('PersonSearchPage', component('FoundPerson', shownPerson)),
  organizations: pageSchema('OrganizationSearchPage', organizationSchema),
}
