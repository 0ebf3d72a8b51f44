import { type Agent, personOf } from '#actors/values/agent.ts'
import { may } from '#actors/values/authority.ts'
import type { ServedEnvironment, ServedEnvironments } from '#actors/registry/environment.ts'
import { foldOrcid } from '#actors/values/orcid.ts'
import type { Person } from '#actors/people/port.ts'
import { isPpid } from '#actors/values/ppid.ts'
import { HttpError } from '#src/errors.ts'
import { type Caller, environmentOf, type KnownCaller } from '#src/edge/caller.ts'
import { type Audience, audienceOf, sees } from '#src/use_cases/person_reply.ts'

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

/** The refusal for a person whose account was deleted. */
export function personGone(erasedAt: string): HttpError {
  return new HttpError('gone', `The account of this person was deleted on ${erasedAt}`)
}
