import type { FastifyRequest } from 'fastify'

import type { Membership } from '#actors/organizations/port.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Agent } from '#actors/values/agent.ts'
import { may } from '#actors/values/authority.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import { pageAgent } from '#src/web/account/context.ts'
import type { BrowserSessions } from '#src/web/kit/browser_sessions.ts'
import { noticesName } from '#src/web/kit/account_frame.ts'
import { noticesPath } from '#src/web/kit/page_address.ts'
import { html, type Html, nothing } from '#src/web/kit/html.ts'
import type { PersonalParts, Readers } from '#src/web/kit/personal_page.ts'
import { adminPath } from '#src/web/organization/admin_frame.ts'
import { organizationsPath } from '#src/web/organization/context.ts'

/** What tells who reads public pages. */
export type SignedInReaderOptions = {
  readonly browserSessions: Pick<BrowserSessions, 'isNamed' | 'signedInOn'>
  /** The live one: of the sandbox there are no public pages for people. */
  readonly environment: ServedEnvironment
  /** What stands before the paths of the pages of accounts, such as `/auth`. */
  readonly prefix: string
  /** How many notices wait for a person, such as `3`; empty if none do. */
  readonly unreadOf: (ppid: string) => Promise<string>
}

/** Organizations that the menu of a person names. */
const organizationsMax = 10

/** Says of public pages who is signed in, and what they may do to the work on them. */
export function signedInReaders(options: SignedInReaderOptions): Readers {
  const { browserSessions, environment } = options
  // Where nobody can tell who is signed in, as in a node that is cut off, readers still read.
  const recognize = (request: FastifyRequest): Account | undefined => {
    try {
      return browserSessions.signedInOn(request)
    } catch (error) {
      if (error instanceof IdentityError && error.code === 'identity_stale') return undefined
      throw error
    }
  }
  return {
    isNamed: (request: FastifyRequest) => browserSessions.isNamed(request),
    async partsFor(request): Promise<PersonalParts | undefined> {
      const account = recognize(request)
      if (account === undefined) return undefined
      const memberships = await environment.organizations.organizationsOf(account.ppid)
      return {
        menu: menuOf(options, account, memberships, await options.unreadOf(account.ppid)),
        workActions: (ark) => workActions(options, account, memberships, ark),
      }
    },
  }
}

function menuOf(
  { environment, prefix }: SignedInReaderOptions,
  { ppid, roles }: Account,
  memberships: readonly Membership[],
  unread: string,
): Html {
  const person = environment.people.read(ppid)
  const name = person?.type === 'person' ? person.profile.name : ppid
  const link = (path: string, text: string) => html`<li><a href="${prefix}${path}">${text}</a></li>`
  const named = memberships.slice(0, organizationsMax).map(({ slug }) => {
    return link(`${organizationsPath}/${slug}`, environment.organizations.read(slug)?.name ?? slug)
  })
  return html`<details class="who-menu"><summary>${name}${
    unread === '' ? '' : html` <span class="badge badge-waiting">${unread} new</span>`
  }</summary><ul>
${link('/account', 'Profile')}
${link('/account/works', 'Works')}
${link(noticesPath, noticesName(unread))}
${named}
${memberships.length > named.length ? link(organizationsPath, 'All organizations') : ''}
${roles.includes('admin') ? link(adminPath, 'Administration') : ''}
${link('/sign-out', 'Sign out')}
</ul></details>`
}

/** Links to what the reader may do to a work, as a member of the organization that has it. */
function workActions(
  { environment, prefix }: SignedInReaderOptions,
  { ppid }: Account,
  memberships: readonly Membership[],
  ark: string,
): Html {
  const state = environment.catalogue.state(ark.replace(/^ark:\/?/, ''))
  if (state === undefined || state.status === 'withdrawn') return nothing
  const { owner } = state
  const membership = memberships.find(
    ({ slug }) => owner.type === 'organization' && owner.id === slug,
  )
  if (membership === undefined) return nothing
  const { slug } = membership
  const members = environment.organizations.members(slug) ?? []
  if (!may(pageAgent(ppid), 'organization', 'register works', { members })) return nothing
  const by: Agent = { type: 'organization', id: slug, name: slug, via: 'ui', member: ppid }
  const base = `${prefix}${organizationsPath}/${slug}/works/${ark.slice(ark.lastIndexOf('/') + 1)}`
  const changes = html`<a class="button button-quiet" href="${base}/edit">Edit</a>
<a class="button button-quiet" href="${base}/new-version">New version</a>`
  const withdrawal = html`<a class="button button-quiet" href="${base}/withdraw">Withdraw</a>`
  return html`<nav class="buttons" aria-label="What you may do to this work">
${may(by, 'work', 'change', state) ? changes : ''}
${may(by, 'work', 'withdraw', state) ? withdrawal : ''}</nav>`
}
