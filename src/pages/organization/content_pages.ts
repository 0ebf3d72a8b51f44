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
import { formatNumber, plural } from '#src/pages/kit/words.ts'
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

const worksOnPage = 25

/** Works of one cause that are read again by one click: each is a write of its own. */
const rechecksMax = 200

const section = '/content'

const flashes: Flashes = {
  recheck: 'We check the content again as soon as its host allows.',
  recheck_group: 'We check the contents again, one after another, as their host allows.',
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
  const readMax = formatNumber(failuresReadMax)
  const bound = `Of the first ${readMax} works that fail, the ${causesMax} most
frequent causes.`
  return organizationPage(visit, {
    section,
    title: 'Content that needs you',
    flashes,
    content: html`${groups.length === 0 ? allIsWell() : groups}
${isWhole && causes.length < causesMax ? nothing : html`<p class="hint">${bound}</p>`}`,
  })
}

function allIsWell(): Html {
  return emptyState(
    'Nothing needs you',
    'Here you see works with content that changed or is not confirmed, by host and cause, with ' +
      'what to do. Not confirmed: we cannot fetch it, or it differs each time.',
  )
}

type Standing = FailureCause['standing']

const headings: Readonly<Record<Standing, string>> = {
  changed: 'Content has changed',
  unreachable: 'Content is not confirmed now, but was confirmed before',
  never_read: 'Content was never confirmed',
}

const advice: Readonly<Record<Standing, string>> = {
  changed:
    'If the bytes at the address were changed by mistake, put the former ones back. If they are ' +
    'a new version, register them as one: the former receipt stays as it is.',
  unreachable:
    'Make the address answer with the file again, or change the address of the work to where ' +
    'the file is now.',
  never_read:
    'Make the address answer with the file, or change the address of the work to that of the ' +
    'file. Link to the file itself, not to its landing page.',
}

type Cause = FailureCauses['causes'][number]

function causeTable(visit: OrganizationVisit, standing: Standing, causes: readonly Cause[]): Html {
  const base = hrefIn(visit, section)
  const mayRecheck = mayDo(visit, 'register works')
  const list = table(headings[standing], causes, {
    Host: (cause) => html`<a href="${base}?${queryOf(cause)}">${cause.hostName || 'unknown'}</a>`,
    Because: ({ reason, message }) => message ?? reasonWords(reason),
    Works: ({ count }) => formatNumber(count),
    ...(mayRecheck && {
      Again: (cause) => groupForm(visit, cause, `Check ${cause.count === 1 ? 'it' : 'them'} again`),
    }),
  })
  const total = causes.reduce((sum, { count }) => sum + count, 0)
  return html`<section class="card"><h2>${headings[standing]}</h2>
<p>${plural(total, 'work')}. ${advice[standing]}</p>
${list}</section>`
}

function reasonWords(reason: string): string {
  return reason === '' ? 'not known' : reason.replaceAll('_', ' ')
}

function queryOf({ standing, reason, host }: FailureCause): string {
  return `${new URLSearchParams({ standing, reason, host })}`
}

function groupForm(
  visit: OrganizationVisit,
  { standing, reason, host }: FailureCause,
  submit: string,
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
  const again = againAfter === '' ? 'Check these again' : `Check the next ${rechecksMax} again`
  const group = mayDo(visit, 'register works') && works.length > 0
  const older = new URLSearchParams(queryOf(cause))
  if (next !== null) older.set('after', next)
  return organizationPage(visit, {
    section,
    title: headings[cause.standing],
    lead: advice[cause.standing],
    flashes,
    content: html`${group ? groupForm(visit, cause, again, againAfter) : nothing}
${works.length === 0 ? noneHere(next) : workTable(visit, works)}
<nav class="pagination" aria-label="Pages"><a href="${base}">All causes</a>
${next === null ? nothing : html`<a href="${base}?${older.toString()}" rel="next">More</a>`}</nav>`,
  })
}

function noneHere(next: string | null): Html {
  if (next === null) {
    return emptyState('No work fails for this cause now', 'They were read again, or changed.')
  }
  return emptyState(
    'None of these fails for this cause',
    `${formatNumber(failuresReadMax)} works that fail were looked at: go on to the next.`,
  )
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
      submit: 'Check it again',
      inline: true,
    })
  return table('Works of this cause', rows, {
    Work: ({ work: { work_title: title, ark_identifier: ark } }) =>
      html`<bdi>${title ?? 'erased'}</bdi> ${arkLink(visit.context, ark)}`,
    Address: ({ url }) => (url === null ? 'none' : webLink(url)),
    Because: ({ message }) => message ?? 'it was not said',
    'Last checked': ({ checked }) => (checked === null ? 'never' : time(checked)),
    ...(mayDo(visit, 'register works') && { Again: recheck }),
  })
}
