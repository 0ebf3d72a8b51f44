import type { Organization } from '#actors/people/organizations/events.ts'
import type { Agent } from '#actors/values/agent.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
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
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  emptyForm,
  field,
  form,
  type FormBody,
  formCard,
  type FormState,
  givenBack,
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
import { formatNumber } from '#src/pages/kit/words.ts'
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

const path = `${adminPath}/organizations`
/** Owners are named below a path of their own: what stands below the other is named by people. */
const ownersPath = `${adminPath}/owners`
const organizationsOnPage = 100

/** Organizations that are looked through for one page: a text may be in the names of few. */
const lookedThroughMax = 5_000

const flashes: Flashes = {
  approved: 'The organization is entered, and the person is its owner.',
  refused: 'The request is refused.',
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
  const none = emptyState('Nothing waits', 'Requests of people for an organization stand here.')
  return administrationPage(visit.context, '/organizations', {
    title: 'Organizations',
    flashes,
    state: givenBack(kept, emptyForm),
    content: html`<div class="buttons desk-buttons">
${buttonLink(address, 'Enter an organization')}</div>
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
  const { name, slug, ror = 'none', country = 'none', url = 'none' } = profile
  const base = `${visit.context.pages.prefix}${path}/${ppid}`
  const { csrf } = visit
  const state = givenBack(kept?.action === `${base}/refuse` ? kept : undefined, emptyForm)
  return html`<section class="card"><h2>${name}</h2>
${facts([
  ['Short name', html`<code>${slug}</code>`],
  ['ROR ID', ror],
  ['Country', country],
  ['Home page', url],
  ['Asked for by', html`${askersName(visit.context, ppid)} <code>${ppid}</code>`],
  ['They say', message || 'nothing'],
  ['Since', time(created_at)],
])}
<div class="buttons">${form({
    action: `${base}/approve`,
    csrf,

    submit: 'Approve',
    inline: true,
  })}</div>
<hr>
${form({
  action: `${base}/refuse`,
  csrf,
  fields: field({ name: 'reason', label: `Why ${slug} is refused`, hint: 'They read it.' }, state),
  submit: 'Refuse it',
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
  const none = html`<p>${next === undefined ? 'None' : 'None so far'} has this in its name.</p>`
  return html`<h2>All organizations</h2>
${listFilter(prefix + path, 'Organizations', [textFilter('q', 'Name or short name', asked)])}
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
  return html`<div class="admin-table">${table('Organizations', rows, {
    Organization: ({ slug, name }) =>
      html`<a href="${prefix}${organizationsPath}/${slug}">${name}</a> <code>${slug}</code>`,
    Works: ({ works }) => formatNumber(works),
    Members: ({ members }) => formatNumber(members),
    'Last use': ({ lastUse }) => (lastUse === '' ? 'never' : time(lastUse)),
    '': ({ slug, name }) => html`<a href="${prefix}${organizationsPath}/${slug}/edit"
aria-label="Edit ${name}">Edit</a> <a href="${prefix}${ownersPath}/${slug}"
aria-label="Name an owner of ${name}">Name an owner</a>`,
  })}</div>`
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
    title: `Name an owner of ${name}`,
    state,
    lead: 'For an organization that has lost its owners. All owners are told by mail.',
    content: formCard({
      action: `${prefix}${ownersPath}/${slug}`,
      csrf,
      fields: field(
        {
          name: 'account',
          label: 'E-mail address or identifier of the new owner',
          hint: 'The person must have an account with a confirmed address.',
          required: true,
          maxLength: 254,
        },
        state,
      ),
      submit: 'Name owner',
      beside: html`<a href="${prefix}${organizationsPath}/${slug}/members">Leave it</a>`,
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
): Promise<readonly FieldFault[]> {
  const answer = await enterOrganization(environments, { body, by })
  if (answer.type === 'invalid') return answer.faults.map(asFormFault)
  if (answer.type === 'entered') return []
  const message = `There is an organization ${answer.organization.slug} already.`
  return [{ field: 'slug', code: 'taken', message }]
}

function newPage({ context, csrf }: AdminVisit, state: FormState): Promise<AccountPage> {
  const { prefix } = context.pages
  const slug = field(
    {
      name: 'slug',
      label: 'Short name',
      required: true,
      maxLength: 63,
      hint:
        'For addresses and keys, for ever: 2 to 63 lower-case letters and digits, with single ' +
        'hyphens between, such as brown-university.',
    },
    state,
  )
  return administrationPage(context, '/organizations', {
    title: 'Enter an organization',
    state,
    lead: 'It is in both registries at once. Nobody is its member yet: the next page adds people.',
    content: formCard({
      action: prefix + newPath,
      csrf,
      fields: html`${slug}${descriptionFields(state)}`,
      submit: 'Enter it',
      beside: html`<a href="${prefix}${path}">Leave it</a>`,
    }),
  })
}
