import type { MemberRole } from '#actors/values/authority.ts'
import type { FailingWork } from '#actors/registry/catalogue/owner_lists.ts'
import { checkOrganization } from '#actors/people/organizations/rules.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { type ContentState, contentStates } from '#actors/works/views.ts'
import { HttpError } from '#src/edge/errors.ts'
import { updateOrganization } from '#src/use_cases/organization_service.ts'
import type { OrganizationRequest } from '#src/identity/accounts/organization_requests.ts'
import type { KeyInfo } from '#src/identity/keys/key_store.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { barDrawing, shareBar } from '#src/pages/kit/drawing.ts'
import {
  emptyForm,
  field,
  fieldList,
  form,
  type FormBody,
  type FormState,
  type PageFault,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { keyName } from '#src/pages/kit/key_pages.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { redirectDone, routesIn, type VisitIn } from '#src/pages/kit/pages.ts'
import {
  asLink,
  badge,
  type BadgeKind,
  buttonLink,
  card,
  emptyState,
  facts,
  quietLink,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import { usageFigure } from '#src/pages/kit/usage_figure.ts'
import { typeName } from '#src/pages/kit/words.ts'
import {
  hrefIn,
  mayDo,
  memberAgent,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  organizationsPath,
  type OrganizationVisit,
  pathIn,
  webLink,
} from '#src/pages/organization/context.ts'
import { readUsage } from '#src/use_cases/usage_report.ts'
import {
  claims as claimWords,
  consortium,
  desk,
  figures,
  frame,
  organizations as words,
  owners,
  search,
} from '#src/words/english.ts'
import { inEnglish, number } from '#src/words/format.ts'
import type { Slot } from '#src/words/message.ts'
import type { Text, Wording } from '#src/words/wording.ts'

/** Months that the figure of registrations goes back, this one included. */
const monthsShown = 24

/** Types that are shown one by one; the rest are one line. */
const typesMax = 8

/** What the owner of a work is told of its content, in the words of public pages, and by a look. */
const contentStateWords: Readonly<Record<ContentState, readonly [Text, BadgeKind]>> = {
  verified: [words.verified, 'good'],
  pending: [words.pending, 'waiting'],
  changed: [words.changed, 'bad'],
  unreachable: [words.unreachable, 'bad'],
  never_read: [words.never_read, 'bad'],
}

/** What is known of the content of a work, as a badge. */
export function contentStateBadge(standing: ContentState): Html {
  return badge(...contentStateWords[standing])
}

/** The months `YYYY-MM` of UTC up to the one that a time, in milliseconds, is in, oldest first. */
function monthsUntil(nowMs: number, count: number): readonly string[] {
  const now = new Date(nowMs)
  return Array.from({ length: count }, (_, index) => {
    const back = count - 1 - index
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))
    return first.toISOString().slice(0, 7)
  })
}

function monthFigure(months: readonly string[], counts: readonly number[]): Html {
  const bars = months.map((label, index) => ({ label, count: counts[index] ?? 0 }))
  const total = counts.reduce((sum, count) => sum + count, 0)
  const [first = ''] = months
  if (total === 0) return html`<p class="aside">${words.noneSince({ month: first })}</p>`
  const sum = html`<strong>${number(total)}</strong>`
  const list = table(words.byMonth, bars.toReversed(), [
    [figures.month, ({ label }) => label],
    [frame.works, ({ count }) => number(count)],
  ])
  return html`<figure><figcaption>${words.sinceMonth({ count: sum, month: first })}</figcaption>
${barDrawing(bars, words.worksRegistered)}</figure>
<details class="fold"><summary>${words.allMonths}</summary>
${list}</details>`
}

/** A line of a figure of shares: its name, its number, and where to find what it counts. */
type Share = { readonly name: Wording | string; readonly count: number; readonly href?: string }

function typeFigure(types: Readonly<Record<string, number>>): Html {
  const sorted = Object.entries(types).toSorted(([, a], [, b]) => b - a)
  const named = sorted.slice(0, typesMax).map(([type, count]): Share => {
    return { name: typeName(type), count }
  })
  const others = sorted.slice(typesMax)
  const rest = others.reduce((sum, [, count]) => sum + count, 0)
  const shares: Share[] = rest === 0 ? named : [...named, { name: words.otherTypes, count: rest }]
  return shareTable(words.byType, search.type, shares)
}

/**
 * Works by what is known of their content, and those that were withdrawn; `path` is that of the
 * page of those that fail.
 */
function contentFigure(
  content: Readonly<Partial<Record<ContentState, number>>>,
  withdrawn: number,
  path: string,
): Html {
  const shares = contentStates.map((standing): Share => {
    const name = contentStateBadge(standing)
    const [, look] = contentStateWords[standing]
    return { name, count: content[standing] ?? 0, ...(look === 'bad' && { href: path }) }
  })
  const gone: Share = { name: badge(words.withdrawn), count: withdrawn }
  return shareTable(words.byContent, desk.content, [...shares, gone])
}

function shareTable(caption: Text, heading: Text, shares: readonly Share[]): Html {
  const most = Math.max(...shares.map(({ count }) => count), 1)
  const rows = shares.map(({ name, count, href }) => {
    const shown = href === undefined || count === 0 ? name : html`<a href="${href}">${name}</a>`
    return html`<tr><th scope="row">${shown}</th><td class="share-count">${number(count)}</td>
<td>${shareBar(count, most)}</td></tr>`
  })
  // The bars repeat the numbers, for eyes alone.
  return html`<table class="shares"><caption class="unseen">${caption}</caption>
<thead class="unseen"><tr><th scope="col">${heading}</th><th scope="col">${frame.works}</th>
<th scope="col">${words.share}</th></tr></thead><tbody>${rows}</tbody></table>`
}

/** Claims and failures that are looked at; of more the page says that there are more. */
const claimsMax = 100
const failuresMax = 5

/** How long before its end a key is spoken of. */
const soonMs = 30 * 86_400_000

const flashes: Flashes = {
  saved: words.saved,
  joined: words.joined,
}

/** The start page of an organization: what waits for its members, and what it has, in numbers. */
async function startPage(visit: OrganizationVisit): Promise<AccountPage> {
  const { environments, usage, nowMs } = visit.context
  const { slug } = visit.organization
  const { holdings, claims } = environments.live
  const owner = { type: 'organization', id: slug } as const
  const base = hrefIn(visit)
  const months = monthsUntil(nowMs(), monthsShown)
  const { content, types, withdrawn } = holdings.breakdown(owner)
  const counts = holdings.counts(owner)
  const [waiting, failures] = await Promise.all([
    claims.awaiting(owner, { limit: claimsMax }),
    holdings.newestFailures(owner, failuresMax),
  ])
  const subject = { environment: 'live', of: { organization: slug } } as const
  const report = usage && readUsage(usage, subject, { granularity: 'month' }, nowMs())
  const href = `${visit.context.baseUrl}/api/v1/organizations/${slug}/usage`
  const figure = report && usageFigure(report, { heading: figures.theseWorksUsed, href })
  const use = figure === undefined ? nothing : html`<div class="card">${figure}</div>`
  const claimsWaiting = { count: waiting.claims.length, isMore: waiting.next !== null }
  const ending = endingKeys(visit)
  const failing = counts.failing_count
  return organizationPage(visit, {
    section: '',
    title: desk.start,
    isOfDesk: false,
    flashes,
    content: html`${todo(base, { claimsWaiting, ending, failing })}
${actions(base, visit)}
<div class="desk">
${card(words.worksRegistered, monthFigure(months, holdings.registered(owner, months)))}
${card(desk.content, contentFigure(content, withdrawn, `${base}/content`))}
${card(words.types, Object.keys(types).length === 0 ? noWorks : typeFigure(types))}
${use}
</div>
${failures.length === 0 ? nothing : card(words.failures, failureTable(base, failures))}
${description(visit)}`,
  })
}

const noWorks = html`<p class="aside">${words.noWorks}</p>`

type Waiting = {
  readonly claimsWaiting: { readonly count: number; readonly isMore: boolean }
  readonly ending: readonly KeyInfo[]
  readonly failing: number
}

/** What somebody should look at, each with where to do so; a word that there is nothing. */
function todo(base: string, { claimsWaiting, ending, failing }: Waiting): Html {
  const { count, isMore } = claimsWaiting
  const to = (path: string): Slot => asLink(`${base}${path}`)
  const claims = isMore ? words.moreClaimsWait : words.claimsWait
  const items: Text[] = [
    ...(count === 0 ? [] : [claims({ count, link: to('/claims') })]),
    ...(failing === 0 ? [] : [words.contentFails({ count: failing, link: to('/content') })]),
    ...ending.map((key) => {
      const name = html`<a href="${base}/keys">${keyName(key)}</a>`
      return words.keyEnds({ key: name, time: time(key.expires_at) })
    }),
  ]
  if (items.length === 0) return html`<p class="aside">${words.nothingToDo}</p>`
  return html`<section class="flash flash-info todo" aria-labelledby="todo"><h2
id="todo">${words.toDo}</h2><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></section>`
}

/** Keys that work and end soon, the first to end first. */
function endingKeys({
  context: { keys, nowMs },
  organization,
}: OrganizationVisit): readonly KeyInfo[] {
  const owner = { type: 'organization', id: organization.slug } as const
  const now = nowMs()
  const soon = keys.list(owner).filter(({ state, expires_at }) => {
    const endMs = Date.parse(expires_at)
    return state === 'active' && endMs > now && endMs - now < soonMs
  })
  return soon.toSorted((a, b) => Date.parse(a.expires_at) - Date.parse(b.expires_at))
}

function actions(base: string, visit: OrganizationVisit): Html {
  if (!mayDo(visit, 'register works')) return nothing
  return html`<div class="buttons desk-buttons">
${buttonLink(`${base}/works/new`, words.register)}
${quietLink(`${base}/import`, words.import)}</div>`
}

function failureTable(base: string, failures: readonly FailingWork[]): Html {
  const list = table(words.failuresTable, failures, [
    [claimWords.work, ({ work_title: title }) => title ?? words.erased],
    [desk.content, ({ standing }) => contentStateBadge(standing)],
    [words.reason, ({ message, hostName }) => html`${inEnglish(message ?? '')} (${hostName})`],
    [words.since, ({ since }) => time(since)],
  ])
  return html`${list}
<p><a href="${base}/content">${words.allFailures}</a></p>`
}

function description(visit: OrganizationVisit): Html {
  const { environments, baseUrl } = visit.context
  const { organization, role, isAdmin } = visit
  const { slug, aliases, ror, country, url, created_at } = organization
  const counts = environments.live.holdings.counts({ type: 'organization', id: slug })
  const edit = mayDo(visit, 'describe')
    ? html`<p><a href="${hrefIn(visit, '/edit')}">${words.edit}</a></p>`
    : nothing
  return card(
    words.description,
    html`${facts([
      [frame.works, number(counts.works_count)],
      [words.people, number(counts.people_count)],
      [owners.registryName, html`<code>${slug}</code>`],
      [words.otherNames, aliases.length === 0 ? undefined : aliases.join('; ')],
      [search.ror, ror === undefined ? undefined : webLink(ror)],
      [search.country, country],
      [words.homePage, url === undefined ? undefined : webLink(url)],
      [owners.since, time(created_at)],
      [words.forReaders, webLink(`${baseUrl}/publishers/${slug}`)],
      [words.publicRecord, webLink(`${baseUrl}/api/v1/organizations/${slug}`)],
      [words.role, isAdmin || role === undefined ? words.administrator : words[role]],
    ])}${edit}`,
  )
}

/** Adds the page of an organization, and that on which it is described. */
export function addOrganizationPages(context: OrganizationContext): void {
  const read = organizationRoutes(context, 'read')
  const describe = organizationRoutes(context, 'describe')
  read.member.get('', startPage)
  describe.member.get('/edit', (visit) => {
    return editPage(visit, { ...emptyForm, values: valuesOf(visit) })
  })
  describe.member.post('/edit', async (visit, body) => {
    const { slug } = visit.organization
    const change = { body: descriptionOf(body), by: memberAgent(visit) }
    const answer = await updateOrganization(visit.context.environments, slug, change)
    if (answer.type === 'invalid') {
      return editPage(visit, { values: body, faults: answer.faults.map(asFormFault) })
    }
    if (answer.type === 'not_found' || answer.type === 'forbidden') {
      throw new HttpError(answer.type, 'The organization cannot be changed by you any more')
    }
    return redirectDone(pathIn(visit), 'saved')
  })
}

/** The fields of a description as a body of `Organizations` has them; empty ones are null. */
export function descriptionOf(body: FormBody): Record<string, unknown> {
  const text = (name: string) => textOf(body, name).trim() || null
  const lines = textOf(body, 'aliases').split('\n')
  const aliases = lines.map((alias) => alias.trim()).filter((alias) => alias !== '')
  return {
    name: textOf(body, 'name').trim(),
    aliases: aliases.length === 0 ? null : aliases,
    ror: text('ror'),
    country: text('country'),
    url: text('url'),
  }
}

/** The fields that describe an organization. */
export function descriptionFields(state: FormState): Html {
  return fieldList(state, [
    { name: 'name', label: words.name, required: true, maxLength: 500 },
    { name: 'aliases', label: words.otherNames, type: 'textarea', hint: words.onePerLine },
    { name: 'ror', label: search.ror, hint: words.rorHint },
    { name: 'country', label: search.country, hint: words.countryHint },
    { name: 'url', label: words.homePage, type: 'url' },
  ])
}

/** A fault of a description, at the field of the form that it comes from. */
export function asFormFault(fault: FieldFault): PageFault {
  return { ...fault, field: fault.field.replace(/\[.*$/, '') }
}

function valuesOf({ organization }: OrganizationVisit): FormBody {
  const { name, aliases, ror = '', country = '', url = '' } = organization
  return new Map(Object.entries({ name, aliases: aliases.join('\n'), ror, country, url }))
}

function editPage(visit: OrganizationVisit, state: FormState): AccountPage {
  const action = hrefIn(visit, '/edit')
  const back = html`<a href="${hrefIn(visit)}">${words.cancel}</a>`
  const { csrf } = visit
  const fields = descriptionFields(state)
  const editing = form({ action, csrf, fields, submit: words.save, beside: back })
  return organizationPage(visit, {
    section: '',
    title: words.edit,
    isOfDesk: false,
    state,
    content: card(words.description, editing),
  })
}

const messageCharactersMax = 2_000

const ownFlashes: Flashes = {
  left: words.left,
  requested: words.requested,
}

/** Adds the page of a person's organizations, on which they can ask for one. */
export function addOwnOrganizationPages(context: OrganizationContext): void {
  const { member } = routesIn(context)
  member.get(organizationsPath, (visit) => ownPage(visit, emptyForm))
  member.post(`${organizationsPath}/request`, async (visit, body) => {
    const faults = await request(visit, body)
    if (faults.length > 0) return ownPage(visit, { values: body, faults })
    return redirectDone(organizationsPath, 'requested')
  })
}

async function request({ context, account }: VisitIn<OrganizationContext>, body: FormBody) {
  const slug = textOf(body, 'slug').trim()
  const checked = checkOrganization({ slug, ...descriptionOf(body) })
  const message = textOf(body, 'message').trim()
  const faults = checked.type === 'invalid' ? checked.faults.map(asFormFault) : []
  if (message.length > messageCharactersMax) {
    const text = words.tooLong({ max: messageCharactersMax })
    faults.push({ field: 'message', code: 'too_long', message: '', text })
  }
  if (context.environments.live.organizations.read(slug) !== undefined) {
    const text = words.taken({ slug })
    faults.push({ field: 'slug', code: 'taken', message: '', text })
  }
  if (checked.type === 'invalid' || faults.length > 0) return faults
  const { profile } = checked
  const answer = await context.requests.make({ ppid: account.ppid, profile, message })
  if (answer === 'waits_already') throw new HttpError('conflict', 'You have asked for one already')
  if (answer === 'too_many') throw new HttpError('unavailable', 'Too many requests wait: come back')
  const by = personOwner(account.ppid)
  await context.audit.note(
    { owner: by, slug, action: 'organization_requested' },
    { by, nowMs: context.nowMs() },
  )
  return []
}

async function ownPage(
  visit: VisitIn<OrganizationContext>,
  state: FormState,
): Promise<AccountPage> {
  const { environments, requests, pages } = visit.context
  const { ppid, roles } = visit.account
  const memberships = await environments.live.organizations.organizationsOf(ppid)
  const made = requests.find(ppid)
  const isOpen = made?.state === 'waiting' || made?.state === 'approving'
  const admin = html`<p><a href="${pages.prefix}/admin">${words.toAdministration}</a></p>`
  return {
    title: frame.organizations,
    current: organizationsPath,
    flashes: ownFlashes,
    state,
    lead: words.lead,
    content: html`${roles.includes('admin') ? admin : ''}
${memberships.length === 0 ? nothingYet() : membershipTable(visit.context, memberships)}
${made === undefined ? '' : requestCard(made)}
${isOpen ? '' : requestForm(visit, state)}`,
  }
}

function nothingYet(): Html {
  return emptyState(words.none, words.noneText)
}

function membershipTable(
  { environments, pages }: OrganizationContext,
  memberships: readonly { readonly slug: string; readonly role: MemberRole }[],
): Html {
  const { organizations, holdings } = environments.live
  return table(words.yours, memberships, [
    [
      consortium.organization,
      ({ slug }) =>
        html`<a href="${pages.prefix}${organizationsPath}/${slug}">${
          organizations.read(slug)?.name ?? slug
        }</a>`,
    ],
    [words.role, ({ role }) => words[role]],
    [
      frame.works,
      ({ slug }) => number(holdings.counts({ type: 'organization', id: slug }).works_count),
    ],
  ])
}

const stateWords = {
  waiting: [words.waiting, 'waiting'],
  approving: [words.waiting, 'waiting'],
  approved: [words.approved, 'good'],
  refused: [words.refused, 'bad'],
} as const

function requestCard({ profile, state, created_at, reason }: OrganizationRequest): Html {
  const [word, kind] = stateWords[state]
  return card(
    words.yourRequest,
    html`${facts([
      [consortium.organization, html`${profile.name} (<code>${profile.slug}</code>)`],
      [words.requestedAt, time(created_at)],
      [words.status, badge(word, kind)],
      [words.reason, reason],
    ])}`,
  )
}

function requestForm(
  { context: { pages }, csrf }: VisitIn<OrganizationContext>,
  state: FormState,
): Html {
  const fields = [
    field(
      {
        name: 'slug',
        label: owners.registryName,
        required: true,
        hint: words.shortNameHint,
      },
      state,
    ),
    descriptionFields(state),
    field(
      {
        name: 'message',
        label: words.whoYouAre,
        type: 'textarea',
        hint: words.whoYouAreHint,
      },
      state,
    ),
  ]
  const action = `${pages.prefix}${organizationsPath}/request`
  return card(words.request, form({ action, csrf, fields, submit: words.sendRequest }))
}
