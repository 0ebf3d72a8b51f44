import { publicSource } from '#actors/catalogue/representation.ts'
import type { Claim } from '#actors/claims/port.ts'
import type { Item, Person, Visibility } from '#actors/people/port.ts'
import { type Agent, isPerson, isSource, personOf } from '#actors/values/agent.ts'
import { may } from '#actors/values/authority.ts'
import type { Caller } from '#src/edge/caller.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import { grants, type Right } from '#src/identity/keys/scope.ts'

/**
 * Who reads about a person: `self`, which is the person or an administrator, with the right to
 * read; an application that the person has permitted something; or anybody. `agent` is the reader,
 * if it is known who.
 */
export type Audience = {
  readonly type: 'self' | 'permitted' | 'public'
  readonly scopes: ReadonlySet<string>
  readonly agent?: Agent
}

/** Anybody, of whom nothing is known. */
export const everybody: Audience = { type: 'public', scopes: new Set() }

/** What a caller is to a person. */
export function audienceOf(caller: Caller, ppid: string): Audience {
  if (caller.kind === 'anonymous') return everybody
  const { agent, scopes } = caller
  // A key of the person that was not made to read sees no more than anybody.
  const isSelf = may(agent, 'person', 'read private', { ppid }) && grants(scopes, 'read people')
  const isPermitted = caller.kind === 'token' && caller.ppid === ppid
  return { type: isSelf ? 'self' : isPermitted ? 'permitted' : 'public', scopes, agent }
}

/** Whether an audience sees what has a visibility; `right` is what an application needs for it. */
export function sees(audience: Audience, visibility: Visibility, right: Right): boolean {
  if (visibility === 'public' || audience.type === 'self') return true
  const { type, scopes } = audience
  return visibility === 'trusted' && type === 'permitted' && grants(scopes, right)
}

/**
 * Whether an audience sees an e-mail address. `email` is permission to read this one field, so that
 * it is seen with it even by applications that see nothing else that is private.
 */
function seesEmail(audience: Audience, visibility: Visibility): boolean {
  const isPermitted = audience.type === 'permitted' && audience.scopes.has('email')
  return visibility === 'public' || audience.type === 'self' || isPermitted
}

/** Whether an audience sees an item: what is hidden is seen by its source and the person alone. */
export function seesItem(audience: Audience, item: Item): boolean {
  if (isSelfOrSource(audience, item)) return true
  return item.status !== 'hidden' && sees(audience, item.visibility, 'read affiliations')
}

/**
 * Whether an audience sees a claim. What others say of a person counts once the person agrees, and
 * what has come to nothing is theirs alone. `visibility` is that of the person's claims, and
 * `right` what an application needs for them.
 */
export function seesClaim(
  audience: Audience,
  visibility: Visibility,
  claim: Claim,
  right: Right = 'read claims',
): boolean {
  if (isSelfOrSource(audience, claim)) return true
  const { status, source, ppid } = claim
  const counts = status === 'verified' || (status === 'pending' && isPerson(source, ppid))
  return counts && sees(audience, visibility, right)
}

/** Whether an audience is the person, or has written a record of them. */
function isSelfOrSource(
  { type, agent }: Audience,
  { source }: { readonly source: Agent },
): boolean {
  return type === 'self' || (agent !== undefined && isSource(agent, source))
}

/** A person with what is known of them elsewhere: their account and their claims. */
type KnownPerson = {
  readonly person: Person
  readonly account: Pick<Account, 'email' | 'email_verified'> | undefined
  /** The newest ones, and the number of works that count as the person's. */
  readonly claims: readonly Claim[]
  readonly worksCount: number
}

/** A record as JSON, of what its audience sees of it. */
export type JsonReply = Readonly<Record<string, unknown>>

/**
 * `GET /v1/people/{ppid}`: a person as far as an audience sees them. What it does not see is
 * absent, as is what is not there; the three lists are always there. `baseUrl` has no slash at its
 * end.
 */
export function personReply(known: KnownPerson, audience: Audience, baseUrl: string): JsonReply {
  const { person } = known
  const { ppid, profile, items } = person
  const { visibility } = profile
  const claims = known.claims.filter((claim) => seesClaim(audience, visibility.claims, claim))
  const seesWorks = sees(audience, visibility.claims, 'read claims')
  const shownItems = (kind: Item['kind']) =>
    items
      .filter((item) => item.kind === kind && seesItem(audience, item))
      .map((item) => itemReply(item, audience, person))
  return {
    ppid,
    ...shownFields(person, audience),
    ...shownEmail(known, audience),
    claims: claims.map((claim) => claimReply(claim, audience, person)),
    affiliations: shownItems('affiliation'),
    education: shownItems('education'),
    ...(seesWorks && { works_count: known.worksCount }),
    ...(audience.type === 'self' && { visibility, created_at: person.created_at }),
    // An application that sends the whole of it back says by this what it has read.
    ...(audience.type !== 'public' && { updated_at: person.updated_at }),
    links: personLinks(baseUrl, ppid),
  }
}

function shownFields({ profile }: Person, audience: Audience): JsonReply {
  const { visibility } = profile
  const { name, username, avatar_url, bio, urls, orcid, orcid_authenticated = false } = profile
  const fields = { name, username, avatar_url, bio, urls } as const
  const seen = Object.entries(fields).filter(
    ([field, value]) =>
      value !== undefined &&
      sees(audience, visibility[field as keyof typeof fields], 'read people'),
  )
  const seesOrcid = orcid !== undefined && sees(audience, visibility.orcid, 'read people')
  return { ...Object.fromEntries(seen), ...(seesOrcid && { orcid, orcid_authenticated }) }
}

function shownEmail({ person, account }: KnownPerson, audience: Audience): JsonReply {
  if (!seesEmail(audience, person.profile.visibility.email)) return {}
  if (account === undefined || account.email === null) return {}
  return { email: account.email, email_verified: account.email_verified }
}

/**
 * A claim of a person. What was written with it is read by those alone whom it concerns: the
 * person, its source, and who is asked to agree to it, if `isParty` says that this is the reader.
 */
export function claimReply(
  claim: Claim,
  audience: Audience,
  person: Person,
  isParty = isSelfOrSource(audience, claim),
): JsonReply {
  const { claim_id, ark_identifier, ppid, status, waits_for, basis } = claim
  const { author_position, message, reason, blocked } = claim
  return {
    claim_id,
    ark_identifier,
    ppid,
    status,
    ...(status === 'pending' && { waits_for }),
    ...(basis !== undefined && { basis }),
    ...(author_position !== undefined && { author_position }),
    ...(isParty && message !== undefined && { message }),
    ...(isParty && reason !== undefined && { reason }),
    ...(isParty && blocked === true && { blocked }),
    created_at: claim.created_at,
    updated_at: claim.updated_at,
    source: sourceReply(claim.source, person, audience),
  }
}

/** An affiliation or an education record, with its fields as they were written. */
export function itemReply(item: Item, audience: Audience, person: Person): JsonReply {
  const { id, source, visibility, status, contest_reason, created_at, updated_at } = item
  const isContested = contest_reason !== undefined && isSelfOrSource(audience, item)
  return {
    ...item.fields,
    id,
    source: sourceReply(source, person, audience),
    visibility,
    status,
    ...(isContested && { contest_reason }),
    created_at,
    updated_at,
  }
}

/**
 * Who wrote something of a person. What the person is called is not kept with what they write, so
 * it is looked up, for those who may see it.
 */
export function sourceReply(by: Agent, { ppid, profile }: Person, audience: Audience): JsonReply {
  const source = publicSource(by)
  const isOwn = by.type === 'person' && personOf(by) === ppid
  const isNamed = isOwn && sees(audience, profile.visibility.name, 'read people')
  return isNamed ? { ...source, name: profile.name } : source
}

/** The addresses of a person's records. */
export function personLinks(baseUrl: string, ppid: string): Readonly<Record<string, string>> {
  return { self: `${baseUrl}/api/v1/people/${ppid}`, page: `${baseUrl}/people/${ppid}` }
}
