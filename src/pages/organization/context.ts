import type { Member, Organization } from '#actors/people/organizations/events.ts'
import type { EnvironmentName, ServedEnvironments } from '#actors/registry/environment.ts'
import type { Agent } from '#actors/values/agent.ts'
import {
  type Action,
  actsThrough,
  leastRole,
  may,
  type MemberRole,
} from '#actors/values/authority.ts'
import { isPpid } from '#actors/values/identifier.ts'
import { HttpError } from '#src/edge/errors.ts'
import { refuseSuspended } from '#src/edge/suspended.ts'
import type { OrganizationRequests } from '#src/identity/accounts/organization_requests.ts'
import type { Applications } from '#src/identity/oauth/applications.ts'
import type { Grants } from '#src/identity/oauth/grants.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'
import { type Suspensions, suspensionText } from '#src/identity/store/suspensions.ts'
import type { Operations, RegistryReadiness } from '#src/operations/operations.ts'
import type { AuditAct, AuditLog } from '#src/identity/store/audit.ts'
import { type AccountContext, nameAndAddress, pageAgent } from '#src/pages/account/context.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import type { FormBody } from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import {
  type EnteredRoutes,
  enteredRoutes,
  type MemberVisit,
  type PageReply,
  type PageRoutes,
  type VisitIn,
} from '#src/pages/kit/pages.ts'
import type { Usage } from '#src/operations/usage/usage.ts'
import type { BulkChanges } from '#src/use_cases/bulk_change_jobs.ts'
import type { Realm } from '#src/use_cases/registry_edge.ts'
import { actingOperator } from '#src/use_cases/takedown.ts'
import type { WorkExporter } from '#src/use_cases/work_export.ts'
import { consortium, desk as words, frame } from '#src/words/english.ts'
import { inEnglish, joined } from '#src/words/format.ts'

/** What the pages of organizations are made from. */
export type OrganizationContext = Pick<
  AccountContext,
  | 'pages'
  | 'service'
  | 'keys'
  | 'applications'
  | 'grants'
  | 'audit'
  | 'search'
  | 'baseUrl'
  | 'nowMs'
> & {
  /** What acts for the organization in the sandbox. */
  readonly sandbox: {
    readonly oauth: { readonly applications: Applications; readonly grants: Grants }
  }
  readonly environments: ServedEnvironments
  readonly exporter: WorkExporter
  /** The webhooks, the applications and the keys of both environments. */
  readonly realms: Readonly<
    Record<EnvironmentName, Pick<Realm, 'accounts' | 'webhooks' | 'oauth' | 'keys'>>
  >
  readonly requests: OrganizationRequests
  readonly bulkChanges: BulkChanges
  readonly suspensions: Suspensions
  /** How often works are used, where it is counted. */
  readonly usage?: Usage
  /** Whether the registry can do its work, and what a node of a cluster knows of it. */
  readonly readiness: () => Promise<RegistryReadiness>
  /** How the registry has done of late; without it, no history is kept. */
  readonly operations?: Operations
  /** That many bytes of a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array
}

/** A visit of a member to an organization. */
export type OrganizationVisit = VisitIn<OrganizationContext> & {
  readonly organization: Organization
  readonly members: readonly Member[]
  /** The visitor's role; undefined for an administrator who is not a member. */
  readonly role: MemberRole | undefined
  /** The organizations above it that are not suspended, and the members of each. */
  readonly above: readonly (readonly Member[])[]
  /** The one of these by which the visitor is there, without being a member or an administrator. */
  readonly lead?: Organization
  /** Whether the visit is made by administering the registry, and not as a member. */
  readonly isAdmin: boolean
}

/** The pages of organizations, below the prefix. */
export const organizationsPath = '/organizations'

/**
 * The organization that a visit is to. HttpError `not_found` if it does not exist, `forbidden` if
 * the visitor may not do that there, `suspended` for a form of a member of one that is.
 */
export function visitOrganization(
  context: OrganizationContext,
  visit: MemberVisit,
  action: Action<'organization'>,
): OrganizationVisit {
  const { account, parameters } = visit
  const { organizations } = context.environments.live
  const slug = parameters['slug'] ?? ''
  const organization = organizations.read(slug)
  if (organization === undefined) throw new HttpError('not_found', 'There is no such organization')
  const members = organizations.members(slug) ?? []
  const role = organizations.roleOf(slug, account.ppid)
  const leads = organizations
    .above(slug)
    .filter((id) => context.suspensions.first([{ type: 'organization', id }]) === undefined)
  const above = leads.map((each) => organizations.members(each) ?? [])
  const asMember = { ...visit, context, organization, members, role, above, isAdmin: false }
  const isForm = visit.request.method === 'POST'
  const asAdmin = { ...asMember, isAdmin: true }
  const isAdmin = account.roles.includes('admin') && mayDo(asAdmin, action)
  const stopped = isForm ? actsThrough(organizationAgent(asMember)) : []
  // An administrator who is a member sets things right as an administrator.
  if (isAdmin && context.suspensions.first(stopped) !== undefined) return asAdmin
  const isLead = role === undefined && !mayDo({ ...asMember, above: [] }, action)
  // An administrator who owns an organization above is there as an administrator.
  if (mayDo(asMember, action) && !(isAdmin && isLead)) {
    refuseSuspended(context.suspensions, stopped)
    const lead = isLead ? leads.find((each) => isOwnerOf(context, each, account.ppid)) : undefined
    const found = lead === undefined ? undefined : organizations.read(lead)
    return found === undefined ? asMember : { ...asMember, lead: found }
  }
  if (isAdmin) return asAdmin
  throw new HttpError('forbidden', refusal(organization, role, action))
}

function isOwnerOf({ environments }: OrganizationContext, slug: string, ppid: string): boolean {
  return environments.live.organizations.roleOf(slug, ppid) === 'owner'
}

/** Routes below the path of an organization, for those who may do something there. */
export function organizationRoutes(
  context: OrganizationContext,
  action: Action<'organization'>,
): EnteredRoutes<OrganizationVisit> {
  const enter = (visit: MemberVisit) => visitOrganization(context, visit, action)
  const routes = enteredRoutes(context.pages, enter, `${organizationsPath}/:slug`)
  return auditedRoutes(routes, administeredAct)
}

/** Sections whose forms write entries of their own, whoever sends them. */
const tellingSections =
  /^\/(?:keys|applications|consortium|members\/(?:invite|invitations))(?:\/|$)/

/** Forms that only look, or change nothing that stays. */
const lookingForms = /\/(?:change|fill|selected|look)$/

/** The ppid of the person with a username; any other text is taken for a ppid. */
export function findPerson({ environments }: OrganizationContext, text: string): string {
  const name = text.replace(/^@/, '')
  return (isPpid(name) ? undefined : environments.live.people.findByUsername(name)) ?? name
}

/** Changes of members are told of whoever makes them: they are done to somebody. */
const memberChanges: Readonly<
  Record<string, (context: OrganizationContext, body: FormBody) => AuditAct>
> = {
  '/members': (...asked) => ({
    action: 'member_added',
    ...memberIn(asked, 'person', 'member_role'),
  }),
  '/members/role': (...asked) => ({
    action: 'member_role_changed',
    ...memberIn(asked, 'ppid', 'role'),
  }),
  '/members/remove': (...asked) => ({ action: 'member_removed', ...memberIn(asked, 'ppid') }),
}

function memberIn(
  [context, body]: readonly [OrganizationContext, FormBody],
  person: string,
  roleName?: string,
) {
  const role = roleName === undefined ? undefined : body.get(roleName)
  return {
    ppid: findPerson(context, body.get(person)?.trim() ?? ''),
    ...(role !== undefined && { role }),
  }
}

function administeredAct(
  { isAdmin, organization: { slug }, context }: OrganizationVisit,
  path: string,
  body: FormBody,
): AuditAct | undefined {
  const change = memberChanges[path]
  if (change !== undefined)
    return { owner: { type: 'organization', id: slug }, ...change(context, body) }
  if (!isAdmin || tellingSections.test(path) || lookingForms.test(path)) return undefined
  const owner = { type: 'organization', id: slug } as const
  const ppid = body.get('ppid')
  const about = { slug, because: path.slice(1), ...(ppid !== undefined && { ppid }) }
  return { owner, action: 'organization_administered', ...about }
}

function refusal(
  { name }: Organization,
  own: MemberRole | undefined,
  action: Action<'organization'>,
): string {
  if (own === undefined) return `You are not a member of ${name}: one of its owners can add you`
  const who = leastRole(action) === 'owner' ? 'Owners' : 'Owners and editors'
  return `${who} of ${name} can do this, and you are its ${own}`
}

/** Whether a visitor may do something in the organization. */
export function mayDo(visit: OrganizationVisit, action: Action<'organization'>): boolean {
  return may(memberAgent(visit), 'organization', action, visit)
}

/** The agent that changes the organization itself and its members. */
export function memberAgent({ account, isAdmin }: OrganizationVisit): Agent {
  return { ...pageAgent(account.ppid), ...(isAdmin && { admin: true }) }
}

/** The organization for which the visitor registers works, be it as an administrator. */
export function organizationAgent({ account, organization, isAdmin }: OrganizationVisit): Agent {
  const { slug, name } = organization
  const admin = isAdmin && { admin: true }
  return { type: 'organization', id: slug, name, via: 'ui', member: account.ppid, ...admin }
}

/**
 * Who changes and withdraws works of the organization: an administrator who is not a member acts
 * for the registry's operator, and nothing they do is published as the organization's own act.
 */
export function workAgent(visit: OrganizationVisit): Agent {
  if (!visit.isAdmin) return organizationAgent(visit)
  return actingOperator(personOwner(visit.account.ppid), 'ui')
}

/** Tells an administrator as whose act a change of a work is published. */
export function operatorNote({ isAdmin, organization }: OrganizationVisit): Html {
  if (!isAdmin) return nothing
  return html`<p class="hint">${words.asAdministrator({ name: organization.name })}</p>`
}

/** What a person is called for `by`: by their name if it is public or their own, else by ppid. */
export function publicName(
  { environments }: OrganizationContext,
  ppid: string,
  by: string,
): string {
  const person = environments.live.people.read(ppid)
  if (person?.type !== 'person') return ppid
  const { name, visibility } = person.profile
  return visibility.name === 'public' || ppid === by ? name : ppid
}

/** The name and the address of who asks for something, for those who decide on it. */
export function askersName({ environments, service }: OrganizationContext, ppid: string): string {
  return nameAndAddress({ environment: environments.live, service }, ppid)
}

/** The path of a page of an organization, without the prefix: `/organizations/demo/keys`. */
export function pathIn({ organization }: OrganizationVisit, section = ''): string {
  return `${organizationsPath}/${organization.slug}${section}`
}

/** The full path of a page of an organization, prefix included. */
export function hrefIn(visit: OrganizationVisit, section = ''): string {
  return visit.context.pages.prefix + pathIn(visit, section)
}

const sections = [
  ['', words.start, 'read'],
  ['/works', frame.works, 'read'],
  ['/content', words.content, 'read'],
  ['/claims', words.claims, 'read'],
  ['/keys', frame.apiKeys, 'read'],
  ['/applications', frame.applications, 'read'],
  ['/webhooks', words.webhooks, 'manage applications'],
  ['/members', words.members, 'read'],
  ['/consortium', consortium.heading, 'read'],
  ['/history', words.history, 'read history'],
] as const

/** A page of an organization, at whose head are its name and its sections. */
export function organizationPage(
  visit: OrganizationVisit,
  page: Omit<AccountPage, 'current' | 'desk' | 'wide'> & {
    readonly section: (typeof sections)[number][0]
  },
): AccountPage {
  const { section, title, content, ...rest } = page
  const { name } = visit.organization
  const shown = sections.filter(([, , action]) => mayDo(visit, action))
  return {
    isOfDesk: true,
    ...rest,
    content: html`${suspensionNotice(visit)}${leadNotice(visit)}${content}`,
    title: joined([title, name], ' · '),
    desk: {
      name,
      label: consortium.organization,
      path: pathIn(visit),
      current: pathIn(visit, section),
      sections: shown.map(([path, text]) => [pathIn(visit, path), text]),
    },
    wide: true,
    heading: title,
  }
}

/** What members of an organization that is suspended are told on all of its pages. */
function suspensionNotice({ context: { suspensions }, organization: { slug } }: OrganizationVisit) {
  const suspension = suspensions.first([{ type: 'organization', id: slug }])
  if (suspension === undefined) return nothing
  const text = words.suspended({
    strong: (name) => html`<strong>${name}</strong>`,
    reason: inEnglish(suspensionText(suspension, suspensions.contact)),
  })
  return html`<div class="flash flash-error" role="note"><p>${text}</p></div>`
}

/** What an owner of an organization above is told on all pages of one below. */
function leadNotice({ lead, organization: { name } }: OrganizationVisit): Html {
  if (lead === undefined) return nothing
  return html`<p class="hint">${consortium.visit({ name, lead: lead.name })}</p>`
}

/** A link to another site; an address that is not http or https stays text. */
export function webLink(url: string): Html {
  // Stored addresses are http or https already; what makes links of them checks again.
  return /^https?:\/\//.test(url)
    ? html`<a href="${url}" rel="noreferrer">${url}</a>`
    : html`${url}`
}

/** A link to a work of ours, by its ARK. */
export function arkLink({ baseUrl }: OrganizationContext, ark: string): Html {
  return html`<a href="${baseUrl}/${ark}"><code>${ark}</code></a>`
}

/** What a form of an administrator has done; undefined where its use case has written it. */
export type ActOf<V> = (visit: V, path: string, body: FormBody) => AuditAct | undefined

type Administered = MemberVisit & {
  readonly context: { readonly audit: AuditLog; readonly nowMs: () => number }
}

/**
 * The same routes, but that each form which was carried out leaves an entry in the audit list: who
 * administers does nothing unseen.
 */
export function auditedRoutes<V extends Administered>(
  { member, fresh }: EnteredRoutes<V>,
  actOf: ActOf<V>,
): EnteredRoutes<V> {
  const audited = (routes: PageRoutes<V>): PageRoutes<V> => ({
    get: (...given) => routes.get(...given),
    post: (path, handler, options) =>
      routes.post(
        path,
        async (visit, body) => {
          const reply = await handler(visit, body)
          const act = isDone(reply) ? actOf(visit, path, body) : undefined
          if (act !== undefined) await note(visit, act)
          return reply
        },
        options,
      ),
  })
  return { member: audited(member), fresh: audited(fresh) }
}

function isDone(reply: PageReply): boolean {
  return 'redirect' in reply || ('flash' in reply && reply.flash?.kind === 'success')
}

async function note<V extends Administered>(visit: V, act: AuditAct): Promise<void> {
  const { context, account, request } = visit
  const by = personOwner(account.ppid)
  await context.audit.note(act, { by, nowMs: context.nowMs(), ip: request.ip })
}
