import type { FastifyRequest } from 'fastify'

import type { Membership } from '#actors/people/organizations/events.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Agent } from '#actors/values/agent.ts'
import { undefinedIfDamage } from '#log/tlog/errors.ts'
import { may } from '#actors/values/authority.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import { pageAgent } from '#src/pages/account/context.ts'
import type { BrowserSessions } from '#src/pages/sessions/browser_sessions.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { PersonalParts, Readers } from '#src/pages/kit/public_page.ts'
import { type SignedInReader, whoMenu } from '#src/pages/kit/page.ts'
import { organizationsPath } from '#src/pages/organization/context.ts'

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

/**
 * Who somebody is for the menus of pages. People of the sandbox are members of nothing and
 * administer nothing.
 */
export async function signedInReader(
  { name: environmentName, people, organizations }: ReaderEnvironment,
  { ppid, roles }: Account,
  unreadOf: (ppid: string) => Promise<string>,
): Promise<SignedInReader> {
  const person = people.read(ppid)
  const name = person?.type === 'person' ? person.profile.name : ppid
  const unread = await unreadOf(ppid)
  if (environmentName === 'sandbox') return { name, organizations: [], isAdmin: false, unread }
  const memberships = (await organizations.organizationsOf(ppid).catch(undefinedIfDamage)) ?? []
  const named = memberships.map(({ slug }) => ({
    slug,
    name: organizations.read(slug)?.name ?? slug,
  }))
  return { name, organizations: named, isAdmin: roles.includes('admin'), unread }
}

type ReaderEnvironment = Pick<ServedEnvironment, 'name' | 'people' | 'organizations'>

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
        menu: whoMenu(
          await signedInReader(environment, account, options.unreadOf),
          options.prefix,
          signOut(options),
        ),
        workActions: (ark) => workActions(options, account, memberships, ark),
      }
    },
  }
}

function signOut({ prefix }: SignedInReaderOptions): Html {
  return html`<a href="${prefix}/sign-out">Sign out</a>`
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
