import { type Agent, isPerson, isSource } from '#actors/values/agent.ts'
import { may } from '#actors/values/authority.ts'
import type { Claim } from '#actors/claims/port.ts'
import type { Item, Visibility } from '#actors/people/port.ts'
import type { Caller } from '#src/edge/caller.ts'
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
export function seesEmail(audience: Audience, visibility: Visibility): boolean {
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
export function isSelfOrSource(
  { type, agent }: Audience,
  { source }: { readonly source: Agent },
): boolean {
  return type === 'self' || (agent !== undefined && isSource(agent, source))
}
