import type { ItemOccurrence, Occurrence } from '#actors/catalogue/occurrence.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import { isPerson } from '#actors/values/agent.ts'
import { type Audience, sees } from '#src/use_cases/person_reply.ts'
import { grants as mayUse } from '#src/identity/keys/scope.ts'
import type { OAuth } from '#src/identity/oauth/oauth.ts'
import type { Permissions } from '#src/delivery/webhooks/audience.ts'

/** Fields of a profile that `profile` lets an application read. */
const shownFields = ['name', 'username', 'avatar_url', 'bio', 'urls', 'orcid'] as const

/** What applications of a realm may read, as replies to them show it. */
export function webhookPermissions(
  { oauth: { applications, grants } }: { readonly oauth: Pick<OAuth, 'applications' | 'grants'> },
  { people }: Pick<ServedEnvironment, 'people'>,
): Permissions {
  const audienceOf = (clientId: string, ppid: string): Audience | undefined => {
    const grant = grants.findFor(ppid, clientId)
    return grant && { type: 'permitted', scopes: new Set(grant.scopes) }
  }
  return {
    isOf: (clientId, organization) =>
      applications.findUsable(clientId)?.organization === organization,
    permittedBy: (ppid) => grants.list(ppid).map(({ client_id }) => client_id),
    mayRead: (clientId, occurrence) => mayRead(clientId, occurrence, audienceOf, people),
  }
}

function mayRead(
  clientId: string,
  occurrence: Occurrence,
  audienceOf: (clientId: string, ppid: string) => Audience | undefined,
  people: ServedEnvironment['people'],
): boolean {
  if (occurrence.about === 'work') {
    const { client, owner } = occurrence
    if (client?.client_id === clientId) return true
    const audience = owner.type === 'person' ? audienceOf(clientId, owner.id) : undefined
    return audience !== undefined && mayUse(audience.scopes, 'read works')
  }
  const audience = audienceOf(clientId, occurrence.ppid)
  if (audience === undefined) return false
  if (occurrence.about === 'item') return seesAdded(clientId, occurrence, audience)
  const person = people.read(occurrence.ppid)
  if (person?.type !== 'person') return false
  const { visibility } = person.profile
  if (occurrence.about === 'profile') {
    const changed = shownFields.filter((field) => occurrence.fields.includes(field))
    return changed.some((field) => sees(audience, visibility[field], 'read people'))
  }
  if (occurrence.source.client_id === clientId) return true
  const counts = occurrence.type === 'verified' || isPerson(occurrence.source, occurrence.ppid)
  return counts && sees(audience, visibility.claims, 'read claims')
}

function seesAdded(
  clientId: string,
  { source, visibility }: ItemOccurrence,
  audience: Audience,
): boolean {
  if (source.client_id === clientId) return true
  const mayReadItems = mayUse(audience.scopes, 'read affiliations')
  return mayReadItems && sees(audience, visibility, 'read affiliations')
}
