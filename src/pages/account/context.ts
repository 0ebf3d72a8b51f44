import { keyName } from '#src/pages/kit/key_pages.ts'
import { type Agent, personOf as ppidOf } from '#actors/values/agent.ts'
import type { EnvironmentName, ServedEnvironment } from '#actors/registry/environment.ts'
import type { Person } from '#actors/people/port.ts'
import type { AccountService } from '#src/use_cases/registry_edge.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { Applications } from '#src/identity/oauth/applications.ts'
import type { AuditLog } from '#src/identity/store/audit.ts'
import type { Grants } from '#src/identity/oauth/grants.ts'
import type { KeyStore } from '#src/identity/keys/key_store.ts'
import type { UpstreamLogin } from '#src/identity/oauth/upstream_login.ts'
import type { RecordSearch } from '#src/discovery/search/search_service.ts'
import type { Pages, VisitIn } from '#src/pages/kit/pages.ts'
import { account as words } from '#src/words/english.ts'
import type { Text } from '#src/words/wording.ts'

/** What the pages of a person's own account are made from. */
export type AccountContext = {
  readonly pages: Pages
  /** The one whose people they are. */
  readonly environment: ServedEnvironment
  readonly service: AccountService
  readonly keys: KeyStore
  readonly applications: Applications
  /** Those whose secrets people here may have been shown: of the sandbox too, in the live one. */
  readonly shownApplications: readonly Applications[]
  readonly grants: Grants
  readonly audit: AuditLog
  /** Finds works of each environment, if anything is searched. */
  readonly search?: Readonly<Record<EnvironmentName, RecordSearch>>
  /** What else people sign in with. */
  readonly upstreams: readonly UpstreamLogin[]
  /** The public address of the registry, without a slash at its end. */
  readonly baseUrl: string
  readonly nowMs: () => number
}

/** A visit of a person to the pages of their account. */
export type AccountVisit = VisitIn<AccountContext>

/** The agent as which a person acts on the pages. */
export function pageAgent(ppid: string): Agent {
  return { type: 'person', id: ppid, name: ppid, via: 'ui' }
}

/** The person of a visit. */
export function personOf({ context: { environment }, account }: AccountVisit): Person {
  const person = environment.people.read(account.ppid)
  if (person?.type === 'person') return person
  throw new HttpError('gone', 'This account was deleted')
}

/** Who did something, in words for the person `ppid`. */
export function writerName({ applications, keys }: AccountContext, by: Agent, ppid: string): Text {
  const application = by.client_id === undefined ? undefined : applications.find(by.client_id)
  const through = (name: Text) =>
    application === undefined ? name : words.through({ name, application: application.name })
  switch (by.type) {
    case 'operator':
      return words.theOperator
    case 'organization':
      return through(by.name)
    case 'person': {
      if (ppidOf(by) !== ppid) return through(words.anotherPerson({ id: by.id }))
      const key = keys.list({ type: 'person', id: ppid }).find(({ id }) => id === by.key_id)
      return key === undefined ? through(words.you) : words.youByKey({ key: keyName(key) })
    }
  }
}

/**
 * The name and the address of a person, for those who decide on what they ask for; the person is
 * told so before.
 */
export function nameAndAddress(
  { environment, service }: Pick<AccountContext, 'environment' | 'service'>,
  ppid: string,
): string {
  const person = environment.people.read(ppid)
  const name = person?.type === 'person' ? person.profile.name : ppid
  const email = service.accounts.find(ppid)?.email
  return email === null || email === undefined ? name : `${name} (${email})`
}
