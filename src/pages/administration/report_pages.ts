import type { Owner } from '#actors/values/agent.ts'
import { may } from '#actors/values/authority.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { HttpError } from '#src/edge/errors.ts'
import { refuseSuspended } from '#src/edge/suspended.ts'
import type { WorkReport } from '#src/identity/accounts/work_reports.ts'
import { operator, personOwner } from '#src/identity/store/owner_text.ts'
import { pageAgent } from '#src/pages/account/context.ts'
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
  type FormState,
  hiddenField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import {
  type MemberVisit,
  type PageReply,
  type PageRoutes,
  redirectDone,
  routesIn,
} from '#src/pages/kit/pages.ts'
import { badge, emptyState, time } from '#src/pages/kit/parts.ts'
import { askersName, type OrganizationContext } from '#src/pages/organization/context.ts'
import { disputes } from '#src/words/administrator_desk.ts'
import { adminSections, report as words } from '#src/words/english.ts'
import { organizationClaims } from '#src/words/publisher_desk.ts'
import { addReviewPages, claimList, type ReviewDesk } from '#src/pages/account/claim_review.ts'
import type { Flashes } from '#src/pages/kit/page.ts'

const ownPath = '/account/reports'
const operatorPath = `${adminPath}/reports`

/** Reports of one registrant that are shown: more than come on ten of the busiest days. */
export const reportsShownMax = 500

const answerCharactersMax = 2_000

/** Where reports are answered: by whose registrants, and how the page looks. */
type Desk = {
  readonly path: string
  readonly owners: (visit: MemberVisit) => Promise<readonly Owner[]>
  readonly show: (
    page: Omit<AccountPage, 'current' | 'desk' | 'wide'>,
  ) => PageReply | Promise<PageReply>
}

/** Adds the page on which people answer reports on their works, or on those of organizations. */
export function addReportPages(context: OrganizationContext): void {
  const { member } = routesIn(context)
  addDesk(context, member, {
    path: ownPath,
    owners: (visit) => answeringFor(context, visit),
    show: (page) => ({ ...page, current: '/account/notices' }),
  })
}

/** Adds the page on which administrators answer what readers report of works of the operator. */
export function addAdminReportPages(context: OrganizationContext): void {
  const { member } = adminRoutes(context)
  addDesk(context, member, {
    path: operatorPath,
    owners: () => Promise.resolve([operator]),
    show: (page) => administrationPage(context, '/reports', page),
  })
}

function addDesk<V extends MemberVisit>(
  context: OrganizationContext,
  routes: PageRoutes<V>,
  desk: Desk,
): void {
  routes.get(desk.path, (visit) => listPage(context, visit, desk, emptyForm))
  routes.post(desk.path, (visit, body) => answer(context, visit, desk, body))
}

/** The person of a visit, and the organizations whose works they may change. */
async function answeringFor(
  { environments: { live } }: OrganizationContext,
  { account: { ppid } }: MemberVisit,
): Promise<readonly Owner[]> {
  const by = pageAgent(ppid)
  const memberships = await live.organizations.organizationsOf(ppid)
  const organizations = memberships.flatMap(({ slug }) => {
    const members = live.organizations.members(slug) ?? []
    if (!may(by, 'organization', 'register works', { members })) return []
    const name = live.organizations.read(slug)?.name ?? slug
    return [{ type: 'organization', id: slug, name } as const]
  })
  return [personOwner(ppid), ...organizations]
}

async function answer(
  context: OrganizationContext,
  visit: MemberVisit,
  desk: Desk,
  body: FormBody,
): Promise<PageReply> {
  const { service, audit, suspensions, nowMs } = context
  const [id, atText] = [textOf(body, 'owner'), textOf(body, 'at')]
  const owner = (await desk.owners(visit)).find((each) => each.id === id)
  const atMs = parseDecimal(atText)
  if (owner === undefined || atMs === undefined) throw noReport()
  if (owner.type === 'organization') refuseSuspended(suspensions, [{ type: 'organization', id }])
  const name = answerName(owner, atMs)
  const text = textOf(body, name).trim()
  const failed = (fault: ReturnType<typeof faultOf>) =>
    listPage(context, visit, desk, { values: new Map([[name, text]]), faults: [fault] })
  if (text === '' || text.length > answerCharactersMax) {
    return failed(faultOf(name, 'required', words.answerNeeded))
  }
  const by = personOwner(visit.account.ppid)
  const answered = await service.reports.answer(owner, atMs, { text, by, nowMs: nowMs() }, audit)
  if (answered.type === 'not_found') throw noReport()
  if (answered.type !== 'answered') {
    return failed(faultOf(name, 'answered', words.answeredBefore))
  }
  const { reader, report } = answered
  if (reader !== undefined) {
    const registrant = registrantName(context, owner, report)
    service.mail.sendReportAnswer(reader, { ark: report.ark, registrant, answer: text })
  }
  return redirectDone(desk.path, 'answered')
}

/** The name under which a work is registered, as its page tells it. */
function registrantName(
  { environments }: OrganizationContext,
  owner: Owner,
  { ark }: WorkReport,
): string {
  return environments.live.catalogue.state(ark)?.owner.name ?? owner.name
}

function noReport(): HttpError {
  return new HttpError('not_found', 'There is no such report')
}

/** Of one form among many on the page. */
function answerName({ id }: Owner, atMs: number): string {
  return `answer-${id}-${atMs}`
}

async function listPage(
  context: OrganizationContext,
  visit: MemberVisit,
  desk: Desk,
  state: FormState,
): Promise<PageReply> {
  const owners = await desk.owners(visit)
  const lists = await Promise.all(
    owners.map(async (owner) => {
      const reports = await context.service.reports.newest(owner, { limit: reportsShownMax })
      return reports.map((report) => ({ owner, report }))
    }),
  )
  const found = lists.flat().toSorted((a, b) => b.report.atMs - a.report.atMs)
  const open = found.filter(({ report }) => report.answer === undefined)
  const done = found.filter(({ report }) => report.answer !== undefined)
  const cards = [...open, ...done]
    .slice(0, reportsShownMax)
    .map(({ owner, report }) =>
      reportCard(
        { context, visit, action: context.pages.prefix + desk.path, state },
        owner,
        report,
      ),
    )
  return desk.show({
    title: words.listTitle,
    isOfDesk: false,
    lead: words.listLead,
    flashes: { answered: words.doneAnswer },
    state,
    content: html`${cards.length === 0 ? emptyState(words.none, words.noneText) : cards}`,
  })
}

type Shown = {
  readonly context: OrganizationContext
  readonly visit: MemberVisit
  readonly action: string
  readonly state: FormState
}

function reportCard(
  { context, visit, action, state }: Shown,
  owner: Owner,
  report: WorkReport,
): Html {
  const { ark, because, atMs, answer: given } = report
  const at = time(formatTimestamp(atMs))
  const work = html`<a href="${context.baseUrl}/ark:/${ark}"><code>ark:/${ark}</code></a>`
  const isOpen = given === undefined
  const status = isOpen ? badge(words.open, 'waiting') : badge(words.answered, 'good')
  const name = html`<bdi>${registrantName(context, owner, report)}</bdi>`
  const head = html`<p>${status} ${work} · ${name} · ${at}</p><p dir="auto">${because}</p>`
  if (given !== undefined) {
    return html`<section class="card">${head}
<p class="hint">${time(given.at)}</p><p dir="auto">${given.text}</p></section>`
  }
  const answerField = {
    name: answerName(owner, atMs),
    label: words.answer,
    type: 'textarea',
    required: true,
    maxLength: answerCharactersMax,
  } as const
  const fields = html`${hiddenField('owner', owner.id)}${hiddenField('at', `${atMs}`)}
${field(answerField, state)}`
  return html`<section class="card">${head}
${form({ action, csrf: visit.csrf, fields, submit: words.sendAnswer })}</section>`
}

const disputesPath = `${adminPath}/claims`

const disputeFlashes: Flashes = {
  confirm: organizationClaims.confirmed,
  reject: organizationClaims.rejected,
}

/** Adds the pages of claims in dispute, on which administrators decide. */
export function addDisputePages(context: OrganizationContext): void {
  const { member } = adminRoutes(context)
  member.get(disputesPath, disputesPage)
  addReviewPages<AdminVisit>(
    disputesPath,
    { read: member, review: member },
    {
      deskOf,
      isTheirs: () => true,
      show: (_visit, page) => administrationPage(context, '/claims', page),
      done: (_visit, step) => redirectDone(disputesPath, step),
    },
  )
}

async function disputesPage(visit: AdminVisit): Promise<AccountPage> {
  const { claims } = visit.context.environments.live
  const content = await claimList(visit, deskOf(visit), {
    read: (page) => claims.disputed(page),
    none: emptyState(disputes.none, disputes.noneText),
  })
  return administrationPage(visit.context, '/claims', {
    title: adminSections.disputes,
    flashes: disputeFlashes,
    content,
  })
}

function deskOf({ context, csrf, by }: AdminVisit): ReviewDesk {
  const { environments, baseUrl, pages, audit, nowMs } = context
  const base = pages.prefix + disputesPath
  const nameOf = (ppid: string) => askersName(context, ppid)
  const place = { environment: environments.live, baseUrl, askersName: nameOf }
  return { ...place, audit, nowMs, base, csrf, by, isAdmin: true }
}
