import type { Environment } from '#actors/environment.ts'
import { undefinedIfDamage } from '#log/damage.ts'
import { showOrganization } from '#src/http/organization_routes.ts'
import { everybody } from '#src/http/person_audience.ts'
import { showPerson } from '#src/http/shown_person.ts'
import { documentArk } from '#src/search/documents.ts'
import type { IndexKind } from '#src/search/search_engine.ts'

/** Where records are read, and the base of the links in them. */
type Registry = { readonly environment: Environment; readonly baseUrl: string }

/**
 * The records that an index names, as JSON texts in its order. They are read where they are kept,
 * as they stand now: what is withdrawn, erased or damaged since it was indexed is left out.
 */
export async function renderResults(
  kind: IndexKind,
  ids: readonly string[],
  registry: Registry,
): Promise<string[]> {
  const results = ids.map((id) => renderResult(kind, id, registry).catch(undefinedIfDamage))
  const rendered = await Promise.all(results)
  return rendered.filter((text) => text !== undefined)
}

async function renderResult(
  kind: IndexKind,
  id: string,
  { environment, baseUrl }: Registry,
): Promise<string | undefined> {
  switch (kind) {
    case 'works': {
      const found = await environment.catalogue.work(documentArk(id))
      if (found.type === 'not_found' || found.status !== 'registered') return undefined
      return Buffer.from(found.body).toString('utf8')
    }
    case 'people': {
      const person = environment.people.read(id)
      if (person?.type !== 'person') return undefined
      const worksCount = environment.claims.worksCount(id)
      const known = { person, account: undefined, claims: [], worksCount }
      const { claims: _, ...shown } = showPerson(known, everybody, baseUrl)
      return JSON.stringify(shown)
    }
    case 'organizations': {
      const organization = environment.organizations.read(id)
      return organization && JSON.stringify(showOrganization(baseUrl, environment, organization))
    }
  }
}
