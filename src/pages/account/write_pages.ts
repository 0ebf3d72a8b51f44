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
import { plural } from '#src/pages/kit/words.ts'
import { type Notice, noticesMax, readNoticesOf } from '#src/use_cases/account_record.ts'
import { refusedPerson } from '#src/use_cases/person_reply.ts'

const path = '/account/writes'
const writesOnPage = 20

const flashes: Flashes = {
  undone: 'It is undone. That it was written stays in your history.',
  before: { kind: 'info', text: 'It was undone before.' },
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
    title: 'Who wrote what',
    current: path,
    wide: true,
    flashes,
    lead: html`What others, applications and your keys wrote for you: what it was before, what it
is now, and a way back.`,
    content: html`${cards.length === 0 ? nothingYet() : cards}
${pagination(list)}`,
  }
}

function nothingYet(): Html {
  return emptyState(
    'Nobody has written anything for you yet',
    'When a publisher, your institution or a program that you permit adds or changes something, ' +
      'you see it here.',
  )
}

function writeCard(visit: AccountVisit, write: WriteByOther): Html {
  const { position, at, by, undoable, undone_at, diff } = write
  const action = `${visit.context.pages.prefix}${path}/${position}/undo`
  const { csrf } = visit
  const undoing = form({ action, csrf, submit: 'Undo', inline: true })
  const undone = undone_at === undefined ? '' : html`<p>${badge('undone')} ${time(undone_at)}</p>`
  const writer = writerName(visit.context, by, visit.account.ppid)
  return html`<section class="card"><h2>${whatHappened(write)}</h2>
<p>${writer}, ${time(at)}${subject(visit.context, write)}</p>
${diff.length === 0 ? '' : diffTable(write)}
${undoable ? undoing : undone}
</section>`
}

const happenings: Readonly<Record<string, string>> = {
  ProfileUpdated: 'Your profile was changed',
  WorkRegistered: 'A work was registered for you',
  WorkVersioned: 'A work of yours was changed',
  WorkWithdrawn: 'A work of yours was withdrawn',
  WorkErased: 'The metadata of a work of yours was erased',
  ClaimMade: 'A work was attached to you',
  ClaimChanged: 'A claim to a work of yours was changed',
}

const itemHappenings: Readonly<Record<string, string>> = {
  ItemAdded: 'was added',
  ItemChanged: 'was changed',
  ItemRemoved: 'was removed',
  ItemMarked: 'was marked',
}

/** What was written, and by whom, each in a line. */
function writeHappening(context: AccountContext, write: WriteByOther, ppid: string) {
  return { what: whatHappened(write), by: writerName(context, write.by, ppid) }
}

function whatHappened({ type, item }: WriteByOther): string {
  const happened = itemHappenings[type]
  if (item === undefined || happened === undefined) return happenings[type] ?? 'Something changed'
  return `${item.kind === 'affiliation' ? 'An affiliation' : 'An education record'} ${happened}`
}

/** A link to what was written, as far as it is still there. */
function subject(
  { pages, baseUrl, environment }: AccountContext,
  { item, ark, version }: WriteByOther,
): Html {
  if (ark !== undefined) {
    const identifier = environment.catalogue.state(ark)?.identifier ?? `ark:/${ark}`
    const which = version === undefined ? '' : `, version ${version}`
    return html`: <a href="${baseUrl}/${identifier}">${identifier}</a>${which}`
  }
  if (item === undefined || item.status === 'deleted') return nothing
  return html`: <a href="${pages.prefix}${itemKinds[item.kind].path}/${item.id}">the entry</a>`
}

function diffTable({ diff }: WriteByOther): Html {
  return table('What it changed', diff, {
    Field: ({ field }) => field.replaceAll('_', ' ').replaceAll('.', ': '),
    Before: ({ before }) => valueText(before),
    After: ({ after }) => valueText(after),
  })
}

const valueCharactersMax = 500

function valueText(value: unknown): Html {
  if (value === null || value === undefined) return html`<span class="hint">nothing</span>`
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isLong = text.length > valueCharactersMax
  return html`${isLong ? `${text.slice(0, valueCharactersMax)}…` : text}`
}

const noticeFlashes: Flashes = { read: 'All notices are marked as read.' }

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
  const marking =
    newest === undefined || unread === 0
      ? nothing
      : form({
          action: `${pages.prefix}${noticesPath}/read`,
          csrf: visit.csrf,
          fields: hiddenField('until', newest.at),
          submit: 'Mark all as read',
        })
  return {
    title: 'Notices',
    current: noticesPath,
    wide: true,
    flashes: noticeFlashes,
    lead: html`${unread === 0 ? 'Nothing new.' : `${plural(unread, 'new notice')}.`} What others
wrote for you, what became of claims, and what happened to your account, keys and permissions: the
newest ${noticesMax}.`,
    content: html`${marking}
${notices.length === 0 ? none : noticeTable(visit, notices)}
<div class="buttons">${quietLink(`${pages.prefix}/account/writes`, 'All that others wrote')}
${quietLink(`${pages.prefix}/account/audit`, 'All of account and keys')}</div>`,
  }
}

const none = emptyState(
  'No notices yet',
  'When somebody writes for you, or something happens to your account, you see it here.',
)

function noticeTable(
  { context, account: { ppid } }: AccountVisit,
  notices: readonly Notice[],
): Html {
  const { prefix } = context.pages
  const describe = (notice: Notice) =>
    notice.type === 'write'
      ? writeHappening(context, notice.write, ppid)
      : auditHappening(context, notice.entry, ppid)
  return table('Notices, the newest first', notices, {
    What: (notice) => {
      const of = notice.type === 'audit' ? notice.organization : undefined
      const own = notice.type === 'write' ? '/account/writes' : '/account/audit'
      const where = of === undefined ? own : `/organizations/${of}/history`
      const name = of === undefined ? '' : `${of}: `
      const link = html`<a href="${prefix}${where}">${name}${describe(notice).what}</a>`
      return html`${notice.isUnread ? badge('new', 'waiting') : nothing} ${link}`
    },
    'By or from': (notice) => describe(notice).by,
    When: ({ at }) => time(at),
  })
}
