import type { Organization } from '#actors/people/organizations/events.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { formatSetSpec } from '#src/discovery/oai/set_spec.ts'
import { HttpError } from '#src/edge/errors.ts'

/** An organization as everybody may read it. `baseUrl` has no slash at its end. */
export function organizationReply(
  baseUrl: string,
  { holdings }: Pick<ServedEnvironment, 'holdings'>,
  organization: Organization,
) {
  const { slug } = organization
  const { works_count, people_count } = holdings.counts({ type: 'organization', id: slug })
  const self = `${baseUrl}/api/v1/organizations/${slug}`
  return {
    ...organization,
    works_count,
    people_count,
    set_spec: formatSetSpec(slug),
    links: { self, works: `${self}/works`, page: `${baseUrl}/publishers/${slug}` },
  }
}

/** The organization that a slug names. Throws HttpError `not_found`. */
export function nameOrganization(
  { organizations }: Pick<ServedEnvironment, 'organizations'>,
  slug: string,
): Organization {
  const organization = organizations.read(slug)
  if (organization === undefined) throw noOrganization()
  return organization
}

/** The refusal for a slug that is no organization's. */
export function noOrganization(): HttpError {
  return new HttpError('not_found', 'There is no organization with this name')
}
