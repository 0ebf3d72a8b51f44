import { html } from 'ghtml'

import type { Agent } from '#actors/agent.ts'
import type { Environment, EnvironmentName } from '#actors/environment.ts'
import type { MemberRole, Organization } from '#actors/organizations.ts'
import { HttpError } from '#src/errors.ts'
import type { OrganizationRequests } from '#src/identity/organization_requests.ts'
import { operator } from '#src/identity/owner_text.ts'
import type { AccountDesk } from '#src/web/account_desk.ts'
import type { Html, Page } from '#src/web/page.ts'
import type { MemberVisit } from '#src/web/pages.ts'

/** What the pages of organizations are made from. */
export type OrganizationDesk = Pick<
  AccountDesk,
  'pages' | 'keys' | 'applications' | 'audit' | 'baseUrl' | 'nowMs'
> & {
  readonly environments: Readonly<Record<EnvironmentName, Environment>>
  readonly requests: OrganizationRequests
  /** That many bytes of a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array
}

/** A visit of a member to an organization. */
export type OrganizationVisit = MemberVisit & {
  readonly organization: Organization
  /** What the visitor may do; administrators may do what owners may. */
  readonly role: MemberRole
  /** Whether the role comes from administering the registry. */
  readonly isAdmin: boolean
}

/** The pages of organizations, below the prefix. */
export const organizationsPath = '/organizations'

const ranks: Readonly<Record<MemberRole, number>> = { viewer: 0, editor: 1, owner: 2 }

/**
 * The organization that a visit is to. HttpError `not_found` if there is none, `forbidden` if the
 * visitor is less than `least` in it.
 */
export function visitOrganization(
  { environments }: OrganizationDesk,
  visit: MemberVisit,
  least: MemberRole,
): OrganizationVisit {
  const { account, parameters } = visit
  const { organizations } = environments.live
  const slug = parameters['slug'] ?? ''
  const organization = organizations.read(slug)
  if (organization === undefined) throw new HttpError('not_found', 'There is no such organization')
  const own = organizations.roleOf(slug, account.ppid)
  if (own !== undefined && ranks[own] >= ranks[least]) {
    return { ...visit, organization, role: own, isAdmin: false }
  }
  if (account.roles.includes('admin')) {
    return { ...visit, organization, role: 'owner', isAdmin: true }
  }
  throw new HttpError('forbidden', refusal(organization, own, least))
}

function refusal({ name }: Organization, own: MemberRole | undefined, least: MemberRole): string {
  if (own === undefined) return `You are no member of ${name}: one of its owners can add you`
  const who = least === 'owner' ? 'Owners' : 'Owners and editors'
  return `${who} of ${name} can do this, and you are its ${own}`
}

/** Whether a visitor is `least` or more. */
export function mayDo({ role }: OrganizationVisit, least: MemberRole): boolean {
  return ranks[role] >= ranks[least]
}

/** The visitor, as who changes the organization itself and its members. */
export function memberAgent({ account, isAdmin }: OrganizationVisit): Agent {
  const { ppid } = account
  return { type: 'person', id: ppid, name: ppid, via: 'ui', ...(isAdmin && { admin: true }) }
}

/** The organization for which the visitor registers works. */
export function organizationAgent({ account, organization }: OrganizationVisit): Agent {
  const { slug, name } = organization
  return { type: 'organization', id: slug, name, via: 'ui', member: account.ppid }
}

/**
 * Who copies into the sandbox what was done in the live environment, where alone people and their
 * roles are.
 */
export const copyingAgent: Agent = { ...operator, via: 'service', admin: true }

/** What somebody is called by a person: their name if everybody may see it or it is their own. */
export function shownName({ environments }: OrganizationDesk, ppid: string, by: string): string {
  const person = environments.live.people.read(ppid)
  if (person?.type !== 'person') return ppid
  const { name, visibility } = person.profile
  return visibility.name === 'public' || ppid === by ? name : ppid
}

/** The path of a page of an organization, without the prefix: `/organizations/demo/keys`. */
export function pathIn({ organization }: OrganizationVisit, section = ''): string {
  return `${organizationsPath}/${organization.slug}${section}`
}

const sections = [
  ['', 'Overview', 'viewer'],
  ['/works', 'Works', 'viewer'],
  ['/content', 'Content', 'viewer'],
  ['/claims', 'Claims', 'viewer'],
  ['/keys', 'Keys', 'viewer'],
  ['/applications', 'Applications', 'viewer'],
  ['/members', 'Members', 'viewer'],
  ['/history', 'History', 'owner'],
] as const

/** A page of an organization: its name, its sections, and below them what is shown. */
export function organizationPage(
  { pages }: OrganizationDesk,
  visit: OrganizationVisit,
  page: Omit<Page, 'current' | 'wide'> & { readonly section: (typeof sections)[number][0] },
): Page {
  const { section, title, body, ...rest } = page
  const links = sections.flatMap(([path, name, least]) => {
    if (!mayDo(visit, least)) return []
    const href = pages.prefix + pathIn(visit, path)
    const current = path === section ? ' aria-current="page"' : ''
    return [html`<li><a href="${href}"!${current}>${name}</a></li>`]
  })
  const { organization } = visit
  return {
    ...rest,
    title: `${title} · ${organization.name}`,
    current: organizationsPath,
    wide: true,
    body: html`!${section === '' ? '' : html`<p class="aside">${organization.name}</p>`}
<nav class="navigation sections" aria-label="Organization"><ul>!${links}</ul></nav>
<h1>${section === '' ? organization.name : title}</h1>
!${body}`,
  }
}

/** A link to the world outside; an address that is none of the web is text. */
export function webLink(url: string): Html {
  // Stored addresses are http or https already; what makes links of them checks again.
  return /^https?:\/\//.test(url)
    ? html`<a href="${url}" rel="noreferrer">${url}</a>`
    : html`${url}`
}

/** A link to a work of ours, by its ARK. */
export function arkLink({ baseUrl }: OrganizationDesk, ark: string): Html {
  return html`<a href="${baseUrl}/${ark}"><code>${ark}</code></a>`
}
