import type { Organization } from '#actors/people/organizations/events.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { formatSetSpec } from '#src/discovery/oai/oai_request.ts'
import { HttpError } from '#src/edge/errors.ts'
import { belowCounts } from '#src/use_cases/consortium.ts'

/** An organization as everybody may read it. `baseUrl` has no slash at its end. */
export function organizationReply(
  baseUrl: string,
  environment: Pick<ServedEnvironment, 'holdings' | 'organizations'>,
  organization: Organization,
) {
  const { slug } = organization
  const below = belowCounts(environment, slug)
  const { works_count, people_count } = environment.holdings.counts({
    type: 'organization',
    id: slug,
  })
  const self = `${baseUrl}/api/v1/organizations/${slug}`
  return {
    ...organization,
    works_count,
    people_count,
    ...(below && { below }),
    set_spec: formatSetSpec(slug),
    links: { self, works: `${self}/works`, page: `${baseUrl}/publishers/${slug}` },
  }
}

/** Organizations of which a list counts the works: a lead counts as all that are below it, too. */
const countsEnough = 2_000

/**
 * The organizations of a page of a list, in their order: as many as take `enough` counts of works,
 * and one at least. An organization with many below it makes a page shorter, and no request longer.
 */
export function organizationReplies(
  baseUrl: string,
  environment: Pick<ServedEnvironment, 'holdings' | 'organizations'>,
  organizations: readonly Organization[],
  enough = countsEnough,
): ReturnType<typeof organizationReply>[] {
  const replies: ReturnType<typeof organizationReply>[] = []
  let counts = 0
  for (const each of organizations) {
    if (counts >= enough) break
    const reply = organizationReply(baseUrl, environment, each)
    counts += 1 + (reply.below?.organizations_count ?? 0)
    replies.push(reply)
  }
  return replies
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
