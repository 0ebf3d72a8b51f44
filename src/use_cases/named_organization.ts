import type { Organization } from '#actors/organizations/port.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { HttpError } from '#src/errors.ts'

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
