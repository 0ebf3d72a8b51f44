import type { Organization } from '#actors/people/organizations/events.ts'
import type { Agent } from '#actors/values/agent.ts'
import { assert } from '#log/tlog/errors.ts'
import { foldText } from '#src/discovery/search/fold.ts'
import { HttpError } from '#src/edge/errors.ts'
import { enterOrganization, nameOwner } from '#src/use_cases/organization_service.ts'
import type { OrganizationRequest } from '#src/identity/accounts/organization_requests.ts'
import {
  administrationPage,
  adminPath,
  adminRoutes,
  type AdminVisit,
} from '#src/pages/administration/frame.ts'
import { faultOf } from '#src/pages/kit/account_fields.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  emptyForm,
  field,
  form,
  type FormBody,
  formCard,
  type FormState,
  givenBack,
  type PageFault,
  textOf,
} from '#src/pages/kit/form.ts'
import type { KeptForm } from '#src/pages/sessions/kept_form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { redirectDone } from '#src/pages/kit/pages.ts'
import {
  buttonLink,
  emptyState,
  facts,
  filterQuery,
  listFilter,
  pagination,
  table,
  textFilter,
  time,
} from '#src/pages/kit/parts.ts'
import {
  askersName,
  type OrganizationContext,
  organizationsPath,
} from '#src/pages/organization/context.ts'
import {
  asFormFault,
  descriptionFields,
  descriptionOf,
} from '#src/pages/organization/overview_pages.ts'
import { administration, adminOrganizations as words } from '#src/words/administrator_desk.ts'
import {
  claims,
  consortium,
  desk,
  frame,
  organizations as about,
  owners,
  permissions,
  search,
} from '#src/words/english.ts'
import { number } from '#src/words/format.ts'

const path = `${adminPath}/organizations`
/** Owners are named below a path of their own: what stands below the other is named by people. */
const ownersPath = `${adminPath}/owners`
const organizationsOnPage = 100

/** Organizations that are looked through for one page: a text may be in the names of few. */
const lookedThroughMax = 5_000

const flashes: Flashes = {
  approved: words.approved,
  refused: words.declined,
}

/** Adds the page on which administrators approve organizations, and find them. */
export function addAdminOrganizationPages(context: OrganizationContext): void {
  const { member, fresh } = adminRoutes(context)
  member.get(path, adminPage)
  fresh.post(`${path}/:ppid/approve`, async (visit) => {
    await approve(context, visit.parameters['ppid'] ?? '', visit.by)
    return redirectDone(path, 'approved')
  })
  fresh.post(`${path}/:ppid/refuse`, async (visit, body) => {
    const { by } = visit
    const reason = textOf(body, 'reason').trim().slice(0, 1_000)
    const to = { state: 'refused', ...(reason !== '' && { reason }) } as const
    const ppid = visit.parameters['ppid'] ?? ''
    if ((await context.requests.decide(ppid, ['waiting'], to, by)) === undefined) throw noRequest()
    return redirectDone(path, 'refused')
  })
}

function noRequest(): HttpError {
  return new HttpError('not_found', 'There is no such request, or it was decided on')
}

/** Creates the organization that a person has asked for. It can be repeated if it was cut off. */
async function approve(context: OrganizationContext, ppid: string, by: Agent): Promise<void> {
  const { requests, environments } = context
  const { live } = environments
  const known = requests.find(ppid)
  if (known === undefined) throw noRequest()
  const { slug } = known.profile
  if (known.state === 'waiting' && live.organizations.read(slug) !== undefined) {
    throw new HttpError('conflict', `There is an organization ${slug} already: refuse this request`)
  }
  const request = await requests.decide(ppid, ['waiting', 'approving'], { state: 'approving' }, by)
  if (request === undefined) throw noRequest()
  const { aliases, ...unaliased } = request.profile
  const body = aliases.length === 0 ? unaliased : request.profile
  const entered = await enterOrganization(environments, { body, by })
  assert(entered.type !== 'invalid', 'a request was checked when it was made')
  const owner = { slug, ppid, role: 'owner', by } as const
  const answer = await live.organizations.addMember(owner)
  if (answer.type !== 'changed' && answer.type !== 'unchanged') {
    throw new HttpError('conflict', `The person cannot be made its owner: ${answer.type}`)
  }
  await requests.decide(ppid, ['approving'], { state: 'approved' }, by)
}

async function adminPage(visit: AdminVisit): Promise<AccountPage> {
  const requests = await visit.context.requests.open()
  const address = `${visit.context.pages.prefix}${path}/new`
  const kept = visit.context.pages.takeForm(visit)
  const none = emptyState(words.none, words.noneText)
  return administrationPage(visit.context, '/organizations', {
    title: frame.organizations,
    flashes,
    state: givenBack(kept, emptyForm),
    content: html`<div class="buttons desk-buttons">
${buttonLink(address, words.addTitle)}</div>
${requests.length === 0 ? none : ''}
${requests.map((request) => requestCard(visit, request, kept))}
${await organizationList(visit)}`,
  })
}

function requestCard(
  visit: AdminVisit,
  request: OrganizationRequest,
  kept: KeptForm | undefined,
): Html {
  const { ppid, profile, message, created_at } = request
  const { none } = administration
  const { name, slug, ror = none, country = none, url = none } = profile
  const base = `${visit.context.pages.prefix}${path}/${ppid}`
  const { csrf } = visit
  const state = givenBack(kept?.action === `${base}/refuse` ? kept : undefined, emptyForm)
  return html`<section class="card"><h2>${name}</h2>
${facts([
  [words.shortName, html`<code>${slug}</code>`],
  [search.ror, ror],
  [owners.country, country],
  [about.homePage, url],
  [words.requestedBy, html`<bdi>${askersName(visit.context, ppid)}</bdi> <code>${ppid}</code>`],
  [about.whoYouAre, message || none],
  [claims.since, time(created_at)],
])}
<div class="buttons">${form({
    action: `${base}/approve`,
    csrf,
    submit: words.approve,
    inline: true,
  })}</div>
<hr>
${form({
  action: `${base}/refuse`,
  csrf,
  fields: field(
    { name: 'reason', label: words.reasonLabel({ slug }), hint: words.reasonHint },
    state,
  ),
  submit: words.decline,
  danger: true,
})}
</section>`
}

async function organizationList({ context, query }: AdminVisit): Promise<Html> {
  const { prefix } = context.pages
  const after = query.get('after') ?? ''
  const asked = (query.get('q') ?? '').trim().slice(0, 200)
  const { found, next } = await findOrganizations(context, asked, after)
  const { holdings, organizations } = context.environments.live
  const keys = context.realms.live.keys
  const rows = await Promise.all(
    found.map(async ({ slug, name }) => {
      const owner = { type: 'organization', id: slug } as const
      const { works_count: works } = holdings.counts(owner)
      const [newest] = (await holdings.works(owner, { limit: 1 })).works
      const uses = keys.list(owner).map(({ last_used: use }) => use?.at ?? '')
      const lastUse = [newest?.updated_at ?? '', ...uses].toSorted().at(-1) ?? ''
      return { slug, name, works, lastUse, members: organizations.members(slug)?.length ?? 0 }
    }),
  )
  const none = html`<p>${next === undefined ? words.noMatch : words.noMatchSoFar}</p>`
  return html`<h2>${frame.allOrganizations}</h2>
${listFilter(prefix + path, frame.organizations, [textFilter('q', words.filter, asked)])}
${rows.length === 0 ? none : organizationTable(prefix, rows)}
${pagination({
  path: prefix + path,
  parameter: 'after',
  next,
  isFirst: after === '',
  kept: filterQuery({ q: asked }),
})}`
}

type OrganizationRow = {
  readonly slug: string
  readonly name: string
  readonly works: number
  readonly members: number
  /** When a key was used last, or the newest work changed; empty if never. */
  readonly lastUse: string
}

function organizationTable(prefix: string, rows: readonly OrganizationRow[]): Html {
  const nameLink = ({ slug, name }: OrganizationRow) =>
    html`<a href="${prefix}${organizationsPath}/${slug}"><bdi>${name}</bdi></a>
<code>${slug}</code>`
  const actions = ({ slug, name }: OrganizationRow) =>
    html`<a href="${prefix}${organizationsPath}/${slug}/edit"
aria-label="${words.editOf({ name })}">${words.edit}</a> <a href="${prefix}${ownersPath}/${slug}"
aria-label="${words.nameOwnerOf({ name })}">${words.nameOwner}</a>`
  const list = table(frame.organizations, rows, [
    [consortium.organization, nameLink],
    [frame.works, ({ works }) => number(works)],
    [desk.members, ({ members }) => number(members)],
    [permissions.lastUsed, ({ lastUse }) => (lastUse === '' ? permissions.never : time(lastUse))],
    ['', actions],
  ])
  return html`<div class="admin-table">${list}</div>`
}

/** Adds the page on which an administrator names an owner of an organization. */
export function addOwnerNamingPage(context: OrganizationContext): void {
  const { member, fresh } = adminRoutes(context)
  const { service: accounts, environments, audit, nowMs } = context
  member.get(`${ownersPath}/:slug`, (visit) =>
    ownerPage(visit, givenBack(context.pages.takeForm(visit), emptyForm)),
  )
  fresh.post(`${ownersPath}/:slug`, async (visit, body) => {
    const { slug } = namedOrganization(visit)
    const wish = { slug, account: textOf(body, 'account').trim() }
    try {
      await nameOwner({ environments, accounts, audit, nowMs }, wish, visit.by)
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      const fault = { field: 'account', code: error.code, message: `${error.message}.` }
      return ownerPage(visit, { values: body, faults: [fault] })
    }
    return redirectDone(`${organizationsPath}/${slug}/members`, 'added')
  })
}

function namedOrganization({ context, parameters }: AdminVisit): Organization {
  const found = context.environments.live.organizations.read(parameters['slug'] ?? '')
  if (found !== undefined) return found
  throw new HttpError('not_found', 'There is no such organization')
}

function ownerPage(visit: AdminVisit, state: FormState): Promise<AccountPage> {
  const { context, csrf } = visit
  const { slug, name } = namedOrganization(visit)
  const { prefix } = context.pages
  return administrationPage(context, '/organizations', {
    title: words.nameOwnerOf({ name }),
    state,
    lead: words.ownerLead,
    content: formCard({
      action: `${prefix}${ownersPath}/${slug}`,
      csrf,
      fields: field(
        {
          name: 'account',
          label: words.ownerLabel,
          hint: words.ownerHint,
          required: true,
          maxLength: 254,
        },
        state,
      ),
      submit: words.nameOwner,
      beside: html`<a href="${prefix}${organizationsPath}/${slug}/members">${claims.leave}</a>`,
    }),
  })
}

/** Those on a page, and the slug after which the next one begins, if there may be more. */
type FoundOrganizations = {
  readonly found: readonly Organization[]
  readonly next: string | undefined
}

/** Organizations after a slug that have a text in one of their names: as many as fit a page. */
async function findOrganizations(
  { environments }: OrganizationContext,
  asked: string,
  after: string,
): Promise<FoundOrganizations> {
  const text = foldText(asked)
  const found: Organization[] = []
  let last = after
  for (let looked = 0; looked < lookedThroughMax; looked += organizationsOnPage) {
    const page = { after: last, limit: organizationsOnPage }
    const organizations = await environments.live.organizations.list(page)
    for (const organization of organizations) {
      const { slug, name, aliases } = organization
      last = slug
      if (![slug, name, ...aliases].some((each) => foldText(each).includes(text))) continue
      if (found.push(organization) === organizationsOnPage) return { found, next: last }
    }
    if (organizations.length < organizationsOnPage) return { found, next: undefined }
  }
  return { found, next: last }
}

const newPath = `${path}/new`

/** Adds the page on which an administrator enters an organization that nobody has asked for. */
export function addAdminOrganizationPage(context: OrganizationContext): void {
  const { member, fresh } = adminRoutes(context)
  member.get(newPath, (visit) =>
    newPage(visit, givenBack(context.pages.takeForm(visit), emptyForm)),
  )
  fresh.post(newPath, async (visit, body) => {
    const { by } = visit
    const slug = textOf(body, 'slug').trim()
    const faults = await enter(context, { ...described(body), slug }, by)
    if (faults.length > 0) return newPage(visit, { values: body, faults })
    return redirectDone(`${organizationsPath}/${slug}/members`, 'entered')
  })
}

/** What was filled in, without what was left empty: nothing is removed from what is new. */
function described(body: FormBody): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(descriptionOf(body)).filter(([, value]) => value !== null),
  )
}

/** Enters it in both environments; gives what is wrong. What the sandbox lacked is made good. */
async function enter(
  { environments }: OrganizationContext,
  body: Readonly<Record<string, unknown>>,
  by: Agent,
): Promise<readonly PageFault[]> {
  const answer = await enterOrganization(environments, { body, by })
  if (answer.type === 'invalid') return answer.faults.map(asFormFault)
  if (answer.type === 'entered') return []
  return [faultOf('slug', 'taken', words.taken({ slug: answer.organization.slug }))]
}

function newPage({ context, csrf }: AdminVisit, state: FormState): Promise<AccountPage> {
  const { prefix } = context.pages
  const slug = field(
    {
      name: 'slug',
      label: words.shortName,
      required: true,
      maxLength: 63,
      hint: words.slugHint,
    },
    state,
  )
  return administrationPage(context, '/organizations', {
    title: words.addTitle,
    state,
    lead: words.addLead,
    content: formCard({
      action: prefix + newPath,
      csrf,
      fields: html`${slug}${descriptionFields(state)}`,
      submit: words.add,
      beside: html`<a href="${prefix}${path}">${claims.leave}</a>`,
    }),
  })
}
