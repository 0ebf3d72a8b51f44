import type { WriteByOther } from '#actors/people/port.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { HttpError } from '#src/edge/errors.ts'
import { auditHappening } from '#src/pages/account/audit_list.ts'
import {
  type AccountContext,
  type AccountVisit,
  pageAgent,
  writerName,
} from '#src/pages/account/context.ts'
import { itemKinds } from '#src/pages/account/profile_pages.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { form, hiddenField, textOf } from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { noticesPath } from '#src/pages/kit/page_address.ts'
import { type PageReply, redirectDone, routesIn } from '#src/pages/kit/pages.ts'
import { badge, emptyState, pagination, quietLink, table, time } from '#src/pages/kit/parts.ts'
import { type Notice, noticesMax, readNoticesOf } from '#src/use_cases/account_record.ts'
import { refusedPerson } from '#src/use_cases/person_reply.ts'
import { changes as words, frame, report as reports } from '#src/words/english.ts'
import { joined } from '#src/words/format.ts'
import { termOf } from '#src/words/message.ts'
import type { Text } from '#src/words/wording.ts'

const path = '/account/writes'
const writesOnPage = 20

const flashes: Flashes = {
  undone: words.undone,
  before: { kind: 'info', text: words.undoneBefore },
}

/** Adds the page on which a person sees what others wrote for them, and undoes it. */
export function addWritePages(context: AccountContext): void {
  const { member } = routesIn(context)
  member.get(path, writesPage)
  member.post(`${path}/:position/undo`, undo)
}

async function undo(visit: AccountVisit): Promise<PageReply> {
  const { ppid } = visit.account
  const position = parseDecimal(visit.parameters['position'] ?? '')
  if (position === undefined) throw noWrite()
  const answer = await visit.context.environment.people.undo({
    ppid,
    position,
    by: pageAgent(ppid),
  })
  if (answer.type === 'undone') return redirectDone(path, 'undone')
  if (answer.type === 'already_undone') return redirectDone(path, 'before')
  throw refusedPerson(answer, {
    forbidden: 'Only the person undoes what was written for them',
    invalid: 'This cannot be undone',
    notFound: noWrite().message,
  })
}

function noWrite(): HttpError {
  return new HttpError('not_found', 'Nothing of this kind was written for you')
}

async function writesPage(visit: AccountVisit): Promise<AccountPage> {
  const { ppid } = visit.account
  const before = parseDecimal(visit.query.get('before') ?? '')
  const writes = await visit.context.environment.people.writes({
    ppid,
    limit: writesOnPage,
    ...(before !== undefined && { cursor: before }),
  })
  const cards = writes.map((write) => writeCard(visit, write))
  const last = writes.length < writesOnPage ? undefined : writes.at(-1)
  const list = {
    path: visit.context.pages.prefix + path,
    parameter: 'before',
    next: last?.position,
  }
  return {
    title: words.title,
    current: path,
    wide: true,
    flashes,
    lead: words.lead,
    content: html`${cards.length === 0 ? emptyState(words.none, words.noneText) : cards}
${pagination(list)}`,
  }
}

function writeCard(visit: AccountVisit, write: WriteByOther): Html {
  const { position, at, by, undoable, undone_at, diff } = write
  const action = `${visit.context.pages.prefix}${path}/${position}/undo`
  const { csrf } = visit
  const undoing = form({ action, csrf, submit: words.undo, inline: true })
  const undone =
    undone_at === undefined ? '' : html`<p>${badge(words.undoneMark)} ${time(undone_at)}</p>`
  const said = { writer: writerName(visit.context, by, visit.account.ppid), time: time(at) }
  const what = subject(visit.context, write)
  return html`<section class="card"><h2>${whatHappened(write)}</h2>
<p>${
    what === undefined ? words.writerAndTime(said) : words.writerTimeAndWhat({ ...said, what })
  }</p>
${diff.length === 0 ? '' : diffTable(write)}
${undoable ? undoing : undone}
</section>`
}

/** What was written, and by whom, each in a line. */
function writeHappening(context: AccountContext, write: WriteByOther, ppid: string) {
  return { what: whatHappened(write), by: writerName(context, write.by, ppid) }
}

function whatHappened({ type, item }: WriteByOther): Text {
  const event = item === undefined ? type : type.replace('Item', item.kind)
  return termOf(words, event) ?? words.somethingChanged
}

/** A link to what was written, as far as it is still there. */
function subject(
  { pages, baseUrl, environment }: AccountContext,
  { item, ark, version }: WriteByOther,
): Html | undefined {
  if (ark !== undefined) {
    const identifier = environment.catalogue.state(ark)?.identifier ?? `ark:/${ark}`
    const work = html`<a href="${baseUrl}/${identifier}"><bdi>${identifier}</bdi></a>`
    return version === undefined ? work : html`${words.workVersion({ work, version })}`
  }
  if (item === undefined || item.status === 'deleted') return undefined
  const href = `${pages.prefix}${itemKinds[item.kind].path}/${item.id}`
  return html`<a href="${href}">${words.theEntry}</a>`
}

function diffTable({ diff }: WriteByOther): Html {
  return table(words.whatChanged, diff, [
    [words.field, ({ field }) => html`<span lang="en" dir="ltr">${wordsOf(field)}</span>`],
    [words.before, ({ before }) => valueText(before)],
    [words.after, ({ after }) => valueText(after)],
  ])
}

/** The name of a field as the API has it, as words. */
function wordsOf(field: string): string {
  return field.replaceAll('_', ' ').replaceAll('.', ': ')
}

const valueCharactersMax = 500

function valueText(value: unknown): Html {
  if (value === null || value === undefined) return html`<span class="hint">${words.noValue}</span>`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isLong = text.length > valueCharactersMax
  return html`<bdi>${isLong ? `${text.slice(0, valueCharactersMax)}…` : text}</bdi>`
}

const noticeFlashes: Flashes = { read: words.allRead }

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Adds the page of a person's notices: all that happened to them and their account. */
export function addNoticePages(context: AccountContext): void {
  const { member } = routesIn(context)
  member.get(noticesPath, noticesPage)
  member.post(`${noticesPath}/read`, async ({ account }, body) => {
    // What came since the page was loaded stays unread.
    const until = textOf(body, 'until')
    if (timeForm.test(until)) await context.service.readNotices.mark(account.ppid, until)
    return redirectDone(noticesPath, 'read')
  })
}

async function noticesPage(visit: AccountVisit): Promise<AccountPage> {
  const { pages, environment, audit, service } = visit.context
  const { people, organizations } = environment
  const sources = { people, organizations, audit, readNotices: service.readNotices }
  const notices = await readNoticesOf(sources, visit.account.ppid)
  const unread = notices.filter(({ isUnread }) => isUnread).length
  const [newest] = notices
  const isAdmin = visit.account.roles.includes('admin')
  const adminReports = joined([reports.listTitle, frame.administration], ' · ')
  const marking =
    newest === undefined || unread === 0
      ? nothing
      : form({
          action: `${pages.prefix}${noticesPath}/read`,
          csrf: visit.csrf,
          fields: hiddenField('until', newest.at),
          submit: words.markAllRead,
        })
  return {
    title: frame.notices,
    current: noticesPath,
    wide: true,
    flashes: noticeFlashes,
    lead: html`${words.newNotices({ count: unread })} ${words.noticesLead({ count: noticesMax })}`,
    content: html`${marking}
${notices.length === 0 ? none : noticeTable(visit, notices)}
<div class="buttons">${quietLink(`${pages.prefix}/account/writes`, words.allChanges)}
${quietLink(`${pages.prefix}/account/audit`, words.allAudit)}
${quietLink(`${pages.prefix}/account/reports`, reports.listTitle)}
${isAdmin ? quietLink(`${pages.prefix}/admin/reports`, adminReports) : nothing}</div>`,
  }
}

const none = emptyState(words.noNotices, words.noNoticesText)

function noticeTable(
  { context, account: { ppid } }: AccountVisit,
  notices: readonly Notice[],
): Html {
  const { prefix } = context.pages
  const describe = (notice: Notice) =>
    notice.type === 'write'
      ? writeHappening(context, notice.write, ppid)
      : auditHappening(context, notice.entry, ppid)
  const linked = (notice: Notice) => {
    const { what } = describe(notice)
    const of = notice.type === 'audit' ? notice.organization : undefined
    const own = notice.type === 'write' ? '/account/writes' : '/account/audit'
    const where = of === undefined ? own : `/organizations/${of}/history`
    const text = of === undefined ? what : words.ofOrganization({ name: of, what })
    const mark = notice.isUnread ? badge(words.newMark, 'waiting') : nothing
    return html`${mark} <a href="${prefix}${where}">${text}</a>`
  }
  return table(words.newestFirst, notices, [
    [words.what, linked],
    [words.byOrFrom, (notice) => describe(notice).by],
    [words.when, ({ at }) => time(at)],
  ])
}
