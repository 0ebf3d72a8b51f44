import {
  causesMax,
  type FailureCause,
  type FailureCauses,
  failuresReadMax,
  type OwnerListWork,
} from '#actors/registry/catalogue/owner_lists.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { form, type FormBody, hiddenField, textOf } from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import { emptyState, table, time } from '#src/pages/kit/parts.ts'
import {
  arkLink,
  hrefIn,
  mayDo,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  type OrganizationVisit,
  pathIn,
  webLink,
  workAgent,
} from '#src/pages/organization/context.ts'
import { plainArk, recheckAll } from '#src/pages/organization/held_works.ts'
import { ownWork } from '#src/pages/organization/work_pages.ts'
import { frame, organizations } from '#src/words/english.ts'
import { inEnglish, number } from '#src/words/format.ts'
import { contentChecks as words, worksList } from '#src/words/publisher_desk.ts'
import type { Text } from '#src/words/wording.ts'

const worksOnPage = 25

/** Works of one cause that are read again by one click: each is a write of its own. */
const rechecksMax = 200

const section = '/content'

const flashes: Flashes = {
  recheck: words.recheckOne,
  recheck_group: words.recheckMany,
}

/** Adds the pages of works whose content is not as it should be, by host and cause. */
export function addContentPages(context: OrganizationContext): void {
  const read = organizationRoutes(context, 'read')
  const register = organizationRoutes(context, 'register works')
  const path = section
  read.member.get(path, (visit) => {
    const cause = causeOf((name) => visit.query.get(name) ?? '')
    return cause === undefined ? causesPage(visit) : causePage(visit, cause)
  })
  register.member.post(`${path}/recheck`, async (visit, body) => {
    const ark = ownWork(visit, textOf(body, 'ark'))
    await context.environments.live.fixity.recheck(ark, workAgent(visit))
    return redirectDone(pathIn(visit, section), 'recheck')
  })
  register.member.post(`${path}/recheck-group`, recheckGroup)
}

function causeOf(valueOf: (name: string) => string): FailureCause | undefined {
  const [named, reason, host] = [valueOf('standing'), valueOf('reason'), valueOf('host')]
  const standing = failingStates.find((each) => each === named)
  return standing === undefined ? undefined : { standing, reason, host }
}

const failingStates = ['changed', 'unreachable', 'never_read'] as const

async function recheckGroup(visit: OrganizationVisit, body: FormBody): Promise<PageReply> {
  const cause = causeOf((name) => textOf(body, name))
  if (cause === undefined) return { redirect: pathIn(visit, section) }
  const { holdings, fixity } = visit.context.environments.live
  const owner = { type: 'organization', id: visit.organization.slug } as const
  const page = { limit: rechecksMax, after: textOf(body, 'again_after'), cause }
  const { works, next } = await holdings.failing(owner, page)
  const by = workAgent(visit)
  const arks = works.map(({ ark_identifier: ark }) => plainArk(ark))
  await recheckAll(fixity, arks, by)
  const query = new URLSearchParams({ ...cause, ...(next !== null && { again_after: next }) })
  query.set('done', 'recheck_group')
  return { redirect: `${pathIn(visit, section)}?${query}` }
}

async function causesPage(visit: OrganizationVisit): Promise<AccountPage> {
  const owner = { type: 'organization', id: visit.organization.slug } as const
  const { causes, isWhole } = await visit.context.environments.live.holdings.failureCauses(owner)
  const groups = failingStates.flatMap((standing) => {
    const some = causes.filter((cause) => cause.standing === standing)
    return some.length === 0 ? [] : [causeTable(visit, standing, some)]
  })
  const bound = words.bound({ works: failuresReadMax, causes: causesMax })
  return organizationPage(visit, {
    section,
    title: words.heading,
    flashes,
    content: html`${groups.length === 0 ? emptyState(words.none, words.noneText) : groups}
${isWhole && causes.length < causesMax ? nothing : html`<p class="hint">${bound}</p>`}`,
  })
}

type Standing = FailureCause['standing']

const advice: Readonly<Record<Standing, Text>> = {
  changed: words.changedAdvice,
  unreachable: words.unreachableAdvice,
  never_read: words.never_readAdvice,
}

type Cause = FailureCauses['causes'][number]

function causeTable(visit: OrganizationVisit, standing: Standing, causes: readonly Cause[]): Html {
  const base = hrefIn(visit, section)
  const mayRecheck = mayDo(visit, 'register works')
  const again = (cause: Cause) => groupForm(visit, cause, words.again)
  const list = table(words[standing], causes, [
    [
      words.host,
      (cause) =>
        html`<a href="${base}?${queryOf(cause)}">${cause.hostName || words.unknownHost}</a>`,
    ],
    [words.cause, ({ reason, message }) => causeName(message ?? reason.replaceAll('_', ' '))],
    [words.works, ({ count }) => number(count)],
    ...(mayRecheck ? [[words.again, again] as const] : []),
  ])
  const total = causes.reduce((sum, { count }) => sum + count, 0)
  return html`<section class="card"><h2>${words[standing]}</h2>
<p>${worksList.count({ count: total })} ${advice[standing]}</p>
${list}</section>`
}

/** What a check found, as the API says it. */
function causeName(message: string | null): Text {
  return message === null || message === '' ? words.unknownCause : inEnglish(message)
}

function queryOf({ standing, reason, host }: FailureCause): string {
  return `${new URLSearchParams({ standing, reason, host })}`
}

function groupForm(
  visit: OrganizationVisit,
  { standing, reason, host }: FailureCause,
  submit: Text,
  after = '',
): Html {
  return form({
    action: hrefIn(visit, `${section}/recheck-group`),
    csrf: visit.csrf,
    fields: html`${hiddenField('standing', standing)}${hiddenField('reason', reason)}
${hiddenField('host', host)}${hiddenField('again_after', after)}`,
    submit,
    inline: true,
  })
}

/** The works of one cause, each with where it should be and what was found. */
async function causePage(visit: OrganizationVisit, cause: FailureCause): Promise<AccountPage> {
  const { environments } = visit.context
  const { query, organization } = visit
  const after = query.get('after') ?? ''
  const againAfter = query.get('again_after') ?? ''
  const owner = { type: 'organization', id: organization.slug } as const
  const page = { after, limit: worksOnPage, cause }
  const { works, next } = await environments.live.holdings.failing(owner, page)
  const base = hrefIn(visit, section)
  const again = againAfter === '' ? words.again : words.againNext({ count: rechecksMax })
  const group = mayDo(visit, 'register works') && works.length > 0
  const older = new URLSearchParams(queryOf(cause))
  if (next !== null) older.set('after', next)
  const href = `${base}?${older.toString()}`
  const more = html`<a href="${href}" rel="next">${frame.nextPage}</a>`
  return organizationPage(visit, {
    section,
    title: words[cause.standing],
    lead: advice[cause.standing],
    flashes,
    content: html`${group ? groupForm(visit, cause, again, againAfter) : nothing}
${works.length === 0 ? noneHere(next) : workTable(visit, works)}
<nav class="pagination" aria-label="${frame.pages}"><a href="${base}">${words.allCauses}</a>
${next === null ? nothing : more}</nav>`,
  })
}

function noneHere(next: string | null): Html {
  if (next === null) {
    return emptyState(words.noneHere, words.noneHereText)
  }
  return emptyState(words.noneOfThese, words.noneOfTheseText({ count: failuresReadMax }))
}

function workTable(visit: OrganizationVisit, works: readonly OwnerListWork[]): Html {
  const { fixity } = visit.context.environments.live
  const rows = works.map((work) => {
    const record = fixity.read(plainArk(work.ark_identifier))
    const { content_url: url = null, checked_at: checked = null, message = null } = record ?? {}
    return { work, url, checked, message }
  })
  type Row = (typeof rows)[number]
  const recheck = ({ work }: Row) =>
    form({
      action: hrefIn(visit, `${section}/recheck`),
      csrf: visit.csrf,
      fields: hiddenField('ark', work.ark_identifier),
      submit: words.again,
      inline: true,
    })
  return table(words.table, rows, [
    [
      words.work,
      ({ work: { work_title: title, ark_identifier: ark } }) =>
        html`<bdi>${title ?? organizations.erased}</bdi> ${arkLink(visit.context, ark)}`,
    ],
    [words.address, ({ url }) => (url === null ? words.noAddress : webLink(url))],
    [words.cause, ({ message }) => causeName(message)],
    [words.lastChecked, ({ checked }) => (checked === null ? words.never : time(checked))],
    ...(mayDo(visit, 'register works') ? [[words.again, recheck] as const] : []),
  ])
}
