import { parseArkReference } from '#actors/values/ark.ts'
import type { ServedEnvironments } from '#actors/registry/environment.ts'
import { workNotFound } from '#src/use_cases/work_lookup.ts'
import type { SearchSource } from '#src/use_cases/record_search.ts'
import { documentArk } from '#src/discovery/search/documents.ts'
import { identifierFilters } from '#src/discovery/search/identifiers.ts'
import { newest } from '#src/discovery/search/index_shape.ts'
import type { Filter, IndexKind } from '#src/discovery/search/search_engine.ts'

/**
 * The path of the one record that an identifier names: a work's ARK or DOI, a person's ppid or
 * ORCID iD, an organization's ROR id. Undefined if the text is not an identifier, or if it names
 * several records. Withdrawn works are in no index: one is found by its ARK, and by its DOI if no
 * other work has that now.
 * Errors: SearchError, QueueError.
 */
export async function exactRecord(
  typed: string,
  environments: ServedEnvironments,
  { service, searcher }: SearchSource,
): Promise<string | undefined> {
  const { live } = environments
  const ark = parseArkReference(typed.trim(), live.naan)
  if ('ark' in ark && knownIn(environments, ark.ark)) return `/ark:/${ark.ark}`
  if (service === undefined) return undefined
  for (const kind of ['works', 'people', 'organizations'] as const) {
    const named = identifierFilters(kind, typed, live.naan).filter(isOwn(kind))
    for (const filter of named) {
      const query = { text: '', filters: [filter], sort: newest, limit: 2, facets: [] }
      const [id, ...others] = (await service.find(kind, query, searcher)).ids
      if (id !== undefined) return others.length === 0 ? pathOf[kind](id) : undefined
    }
  }
  return withdrawnPath(typed, environments)
}

function withdrawnPath(typed: string, { live }: ServedEnvironments): string | undefined {
  const dois = identifierFilters('works', typed, live.naan).flatMap((filter) =>
    filter.type === 'any_of' && filter.field === 'doi' ? filter.values : [],
  )
  const [ark] = dois.flatMap((doi) => live.catalogue.withdrawnWithDoi(doi) ?? [])
  return ark === undefined ? undefined : `/ark:/${ark}`
}

/** The ARK to suggest for one that no work has, if the text is an ARK at all. */
export function suggestedArk(typed: string, { live }: ServedEnvironments): string | undefined {
  const parsed = parseArkReference(typed.trim(), live.naan)
  if (!('ark' in parsed)) return undefined
  const suggested = workNotFound(live, parsed.ark).extra['did_you_mean']
  return typeof suggested === 'string' ? suggested : undefined
}

const pathOf: Readonly<Record<IndexKind, (id: string) => string>> = {
  works: (id) => `/ark:/${documentArk(id)}`,
  people: (id) => `/people/${id}`,
  organizations: (slug) => `/publishers/${slug}`,
}

// Works have people among their values; what they are found by there names the person.
function isOwn(kind: IndexKind): (filter: Filter) => boolean {
  return ({ field }) => kind !== 'works' || field === 'doi' || field === 'id'
}

function knownIn({ live, sandbox }: ServedEnvironments, ark: string): boolean {
  const owner = ark.startsWith(`${sandbox.naan}/`) ? sandbox : live
  return owner.catalogue.state(ark) !== undefined
}
