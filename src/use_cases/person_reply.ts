import { publicSource } from '#actors/registry/catalogue/representation.ts'
import type { Claim } from '#actors/people/claims/port.ts'
import type {
  ChangeItemAnswer,
  Item,
  MarkItemAnswer,
  Person,
  PersonRefusal,
  PutItemAnswer,
  RemoveItemAnswer,
  TakenName,
  UndoAnswer,
  Visibility,
} from '#actors/people/port.ts'
import type { ServedEnvironment, ServedEnvironments } from '#actors/registry/environment.ts'
import { type Agent, isPerson, isSource, personOf } from '#actors/values/agent.ts'
import { may } from '#actors/values/authority.ts'
import { foldOrcid, isPpid } from '#actors/values/identifier.ts'
import { type Caller, environmentOf, type KnownCaller } from '#src/edge/caller.ts'
import { editedSince } from '#src/edge/record_sent_back.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
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

/** A person that a request is about, and what its caller is to them. */
export type NamedPerson = {
  readonly environment: ServedEnvironment
  readonly person: Person
  readonly audience: Audience
}

/**
 * The person that a caller names by ppid or by ORCID iD, in any of its spellings. Throws HttpError
 * `not_found`, and `gone` for an account that was deleted. An ORCID iD finds nobody who does not
 * show it to the caller. Without a credential a ppid is looked up in both environments: no two
 * people have the same.
 */
export function namePerson(
  environments: ServedEnvironments,
  caller: Caller,
  name: string,
): NamedPerson {
  const own = environmentOf(environments, caller)
  if (isPpid(name)) {
    const { sandbox } = environments
    const isOther = caller.kind === 'anonymous' && own.people.read(name) === undefined
    const environment = isOther ? sandbox : own
    const person = readPerson(environment, name)
    return { environment, person, audience: audienceOf(caller, person.ppid) }
  }
  const orcid = foldOrcid(name)
  const ppid = orcid === undefined ? undefined : own.people.findByOrcid(orcid)
  if (ppid === undefined) throw noPerson()
  const person = readPerson(own, ppid)
  const audience = audienceOf(caller, ppid)
  if (!sees(audience, person.profile.visibility.orcid, 'read people')) throw noPerson()
  return { environment: own, person, audience }
}

/**
 * The person for whom a caller acts: that of an access token, or who has made the key. Throws
 * HttpError `forbidden` for a key of anybody else.
 */
export function callingPerson(environments: ServedEnvironments, caller: KnownCaller): NamedPerson {
  const environment = environments[caller.environment]
  const ppid = callingPpid(caller.agent)
  const person = readPerson(environment, ppid)
  return { environment, person, audience: audienceOf(caller, ppid) }
}

/** The same, for what no application is given: throws HttpError `forbidden` for a token. */
export function callingSelf(environments: ServedEnvironments, caller: KnownCaller): NamedPerson {
  const named = callingPerson(environments, caller)
  if (may(caller.agent, 'person', 'read private', named.person)) return named
  throw new HttpError('forbidden', 'Only the person can do this, with a key of their own')
}

function callingPpid(agent: Agent): string {
  const ppid = personOf(agent)
  if (ppid !== undefined) return ppid
  const message = 'This key acts for no person: send an access token, or a key that a person made'
  throw new HttpError('forbidden', message)
}

function readPerson({ people }: ServedEnvironment, ppid: string): Person {
  const found = people.read(ppid)
  if (found === undefined) throw noPerson()
  if (found.type === 'person') return found
  throw personGone(found.erased_at)
}

/** The refusal for a name that is nobody's. */
export function noPerson(): HttpError {
  return new HttpError('not_found', 'There is no person with this identifier')
}

function personGone(erasedAt: string): HttpError {
  return new HttpError('gone', `The account of this person was deleted on ${erasedAt}`)
}

type Answer =
  | PutItemAnswer
  | ChangeItemAnswer
  | RemoveItemAnswer
  | MarkItemAnswer
  | UndoAnswer
  | PersonRefusal
  | TakenName

/** Why nothing of a person was changed. */
export type Refusal = Exclude<
  Answer,
  { type: 'put' | 'changed' | 'unchanged' | 'removed' | 'marked' | 'undone' | 'already_undone' }
>

/** The words of a refusal that depend on what was asked for. */
type RefusalWords = {
  readonly forbidden: string
  readonly invalid: string
  /** Unless told, it is the person that there is not. */
  readonly notFound?: string
}

/** The HttpError that a refusal of a change of a person is. */
export function refusedPerson(refusal: Refusal, words: RefusalWords): HttpError {
  switch (refusal.type) {
    case 'not_found':
      return words.notFound === undefined ? noPerson() : new HttpError('not_found', words.notFound)
    case 'gone':
      return personGone(refusal.erased_at)
    case 'forbidden':
      return new HttpError('forbidden', words.forbidden)
    case 'invalid':
      return invalidInput(words.invalid, refusal.faults)
    case 'precondition_failed':
      return editedSince('The record', refusal)
    case 'not_source': {
      const message = `You are not the source: only ${refusal.source.name} changes this record`
      return new HttpError('forbidden', message)
    }
    case 'idempotency_mismatch': {
      const message = 'This Idempotency-Key was sent before with another body'
      return new HttpError('validation_failed', message)
    }
    case 'removed_since':
      return new HttpError('gone', 'What this request has written was removed since')
    case 'username_taken':
      return conflict('Somebody else has this username')
    case 'orcid_taken':
      return conflict('Somebody else has signed in with this ORCID iD')
    case 'too_many_items':
      return conflict(`A person can have at most ${refusal.max} records of a kind`)
    case 'duplicate_item':
      return conflict('You have already written a record that says the same', { id: refusal.id })
    case 'own_item':
      return conflict('This record is your own: change it, or delete it')
    case 'changed_since': {
      const extra = refusal.position < 0 ? {} : { position: refusal.position }
      return conflict('What this write has written was changed since', extra)
    }
    case 'not_undoable':
      return conflict('A write of this kind cannot be undone')
  }
}

function conflict(message: string, extra: Record<string, unknown> = {}): HttpError {
  return new HttpError('conflict', message, { extra })
}
