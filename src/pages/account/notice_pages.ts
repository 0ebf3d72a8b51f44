import { type Notice, noticesMax, readNoticesOf } from '#src/use_cases/account_record.ts'
import { auditHappening } from '#src/pages/account/audit_list.ts'
import type { AccountContext } from '#src/pages/account/context.ts'
import { writeHappening } from '#src/pages/account/write_pages.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { textOf } from '#src/pages/kit/form_body.ts'
import { form, hiddenField } from '#src/pages/kit/form_field.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { noticesPath as path } from '#src/pages/kit/page_address.ts'
import { type MemberVisit, redirectDone } from '#src/pages/kit/pages.ts'
import { badge, emptyState, quietLink, table, time } from '#src/pages/kit/parts.ts'
import { plural } from '#src/pages/kit/words.ts'

const flashes: Flashes = { read: 'All notices are marked as read.' }

/** A time as the registry writes it. */
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Adds the page of a person's notices: all that happened to them and their account. */
export function addNoticePages(context: AccountContext): void {
  const { member } = context.pages
  member.get(path, (visit) => noticesPage(context, visit))
  member.post(`${path}/read`, async ({ account }, body) => {
    // What came since the page was loaded stays unread.
    const until = textOf(body, 'until')
    if (timeForm.test(until)) await context.service.readNotices.mark(account.ppid, until)
    return redirectDone(path, 'read')
  })
}

async function noticesPage(context: AccountContext, visit: MemberVisit): Promise<AccountPage> {
  const { pages, environment, audit, service } = context
  const { people } = environment
  const sources = { people, audit, readNotices: service.readNotices }
  const notices = await readNoticesOf(sources, visit.account.ppid)
  const unread = notices.filter(({ isUnread }) => isUnread).length
  const [newest] = notices
  const marking =
    newest === undefined || unread === 0
      ? nothing
      : form({
          action: `${pages.prefix}${path}/read`,
          csrf: visit.csrf,
          fields: hiddenField('until', newest.at),
          submit: 'Mark all as read',
        })
  return {
    title: 'Notices',
    current: path,
    wide: true,
    flashes,
    lead: html`${unread === 0 ? 'Nothing new.' : `${plural(unread, 'new notice')}.`} What others
wrote for you, what became of claims, and what happened to your account, keys and permissions: the
newest ${noticesMax}.`,
    content: html`${marking}
${notices.length === 0 ? none : noticeTable(context, visit, notices)}
<div class="buttons">${quietLink(`${pages.prefix}/account/writes`, 'All that others wrote')}
${quietLink(`${pages.prefix}/account/audit`, 'All of account and keys')}</div>`,
  }
}

const none = emptyState(
  'No notices yet',
  'When somebody writes for you, or something happens to your account, you see it here.',
)

function noticeTable(
  context: AccountContext,
  { account: { ppid } }: MemberVisit,
  notices: readonly Notice[],
): Html {
  const { prefix } = context.pages
  const describe = (notice: Notice) =>
    notice.type === 'write'
      ? writeHappening(context, notice.write, ppid)
      : auditHappening(context, notice.entry, ppid)
  return table<Notice>(
    'Notices, the newest first',
    [
      {
        heading: 'What',
        isRowHeading: true,
        cell: (notice) => {
          const where = notice.type === 'write' ? '/account/writes' : '/account/audit'
          const link = html`<a href="${prefix}${where}">${describe(notice).what}</a>`
          return html`${notice.isUnread ? badge('new', 'waiting') : nothing} ${link}`
        },
      },
      { heading: 'By or from', cell: (notice) => describe(notice).by },
      { heading: 'When', cell: ({ at }) => time(at) },
    ],
    notices,
  )
}
