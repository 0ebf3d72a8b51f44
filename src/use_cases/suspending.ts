import type { Owner } from '#actors/values/agent.ts'
import type { Suspendable } from '#actors/values/authority.ts'
import type { ServedEnvironments } from '#actors/registry/environment.ts'
import { HttpError, invalidInput } from '#src/edge/errors.ts'
import type { NewAuditEntry } from '#src/identity/store/audit.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'
import type { Suspension } from '#src/identity/store/suspensions.ts'
import type { Realms } from '#src/use_cases/registry_edge.ts'
import { workNamed } from '#src/use_cases/work_lookup.ts'

/**
 * What is suspended where, and by whom. An `account` is named by its ppid or its address, a `work`
 * by its ARK, the address of its page, or its DOI. `ip`: from which address it was asked for.
 */
export type Suspending = {
  readonly subject: Suspendable
  readonly by: Owner
  readonly ip?: string
}

type Registry = Pick<Realms, 'accounts' | 'oauth' | 'suspensions'> & {
  readonly sandbox: Pick<Realms, 'accounts' | 'oauth'>
  readonly environments: ServedEnvironments
}

/** What was found: as it is named everywhere, and whose list tells of it. */
type Found = { readonly subject: Suspendable; readonly owner: NewAuditEntry['owner'] }

/** Characters of a reason. */
export const reasonCharactersMax = 500

/**
 * Suspends an organization, an account or an application: from the next request on, on every thread
 * and node, nobody acts through it. A work is withheld in this way. Its owners are told by mail.
 * HttpErrors: `not_found`, `conflict` for what is suspended and for one's own account,
 * `malformed_ark`, `gone` for a withdrawn work, `validation_failed` for the reason.
 */
export async function suspend(
  registry: Registry,
  { subject: named, ...hand }: Suspending,
  reason: string,
): Promise<Suspension> {
  const { subject, owner } = find(registry, named)
  const text = checkedReason(reason)
  const { by } = hand
  if (by.type === 'person' && subject.type === 'account' && subject.id === by.id) {
    throw new HttpError('conflict', 'You cannot suspend your own account')
  }
  const answer = await registry.suspensions.suspend({ subject, owner, ...hand }, text)
  if (answer.type === 'too_many') throw new HttpError('conflict', 'Too much is suspended already')
  if (answer.type === 'unchanged') {
    const { reason: known } = answer.suspension
    const message = `The ${subject.type} ${subject.id} is suspended already: ${known}`
    throw new HttpError('conflict', message)
  }
  return answer.suspension
}

/** Ends a suspension at once. HttpError `not_found` if there is none. */
export async function resume(
  registry: Registry,
  { subject: named, ...hand }: Suspending,
): Promise<Suspension> {
  const { subject, owner } = find(registry, named)
  const ended = await registry.suspensions.resume({ subject, owner, ...hand })
  if (ended === undefined) {
    throw new HttpError('not_found', `The ${subject.type} ${subject.id} is not suspended`)
  }
  return ended
}

function checkedReason(reason: string): string {
  const text = reason.trim()
  if (text !== '' && text.length <= reasonCharactersMax && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) {
    return text
  }
  const message = `A reason is one line of 1 to ${reasonCharactersMax} characters.`
  throw invalidInput('It cannot be suspended like this', [
    { field: 'reason', code: text === '' ? 'required' : 'bad_value', message },
  ])
}

function find(registry: Registry, { type, id }: Suspendable): Found {
  const found = finders[type](registry, id.trim())
  if (found !== undefined) return found
  throw new HttpError('not_found', `There is no ${type} ${id}`)
}

const finders: Readonly<
  Record<Suspendable['type'], (registry: Registry, id: string) => Found | undefined>
> = {
  organization(registry, id) {
    if (registry.environments.live.organizations.read(id) === undefined) return undefined
    const owner = { type: 'organization', id } as const
    return { subject: owner, owner }
  },
  account({ accounts, sandbox }, id) {
    const [account] = [accounts, sandbox.accounts].flatMap(({ accounts: known }) => {
      return (id.includes('@') ? known.findByEmail(id) : known.find(id)) ?? []
    })
    if (account === undefined) return undefined
    const { ppid } = account
    return { subject: { type: 'account', id: ppid }, owner: personOwner(ppid) }
  },
  application({ oauth, sandbox }, id) {
    const application = oauth.applications.find(id) ?? sandbox.oauth.applications.find(id)
    if (application === undefined) return undefined
    const { organization: slug, owner } = application
    const ofOrganization = slug !== null && ({ type: 'organization', id: slug } as const)
    return { subject: { type: 'application', id }, owner: ofOrganization || owner }
  },
  work({ environments }, id) {
    const { ark, state } = workNamed(environments, id)
    if (state.status === 'withdrawn') throw new HttpError('gone', 'The work is withdrawn already')
    const { type, id: owner } = state.owner
    return { subject: { type: 'work', id: ark }, owner: { type, id: owner } }
  },
}
