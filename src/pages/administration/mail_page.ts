import { readEmail } from '#src/identity/accounts/account.ts'
import type { LoggedMail, SuppressedAddress } from '#src/delivery/mail/mail_log.ts'
import type { MailOutcome } from '#src/delivery/mail/mailer.ts'
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
  fieldList,
  form,
  formCard,
  type FormState,
  hiddenField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { redirectDone } from '#src/pages/kit/pages.ts'
import {
  badge,
  emptyState,
  filterQuery,
  listAfter,
  listFilter,
  pagination,
  table,
  textFilter,
  time,
} from '#src/pages/kit/parts.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'
import { adminMails as words } from '#src/words/administrator_desk.ts'
import {
  adminSections,
  changes,
  claims,
  credentials,
  organizations,
  standing,
} from '#src/words/english.ts'
import type { Text } from '#src/words/wording.ts'

const path = `${adminPath}/mails`
const mailsOnPage = 50

const flashes: Flashes = {
  lifted: words.lifted,
  stopped: words.stopped,
}

/** Adds the page of the mails that were sent, what bounced, and addresses that get no mails. */
export function addMailLogPage(context: OrganizationContext): void {
  const { member, fresh } = adminRoutes(context)
  member.get(path, (visit) => mailsPage(visit, emptyForm))
  fresh.post(`${path}/lift`, async (_visit, body) => {
    await context.service.mailLog.lift(textOf(body, 'address'))
    return redirectDone(path, 'lifted')
  })
  fresh.post(`${path}/suppress`, async (visit, body) => {
    const address = readEmail(textOf(body, 'address'))
    const because = textOf(body, 'because').replaceAll(/\s+/g, ' ').trim().slice(0, 200)
    if (address !== undefined && because !== '') {
      await context.service.mailLog.suppress(address, because)
      return redirectDone(path, 'stopped')
    }
    const faults =
      address === undefined
        ? [faultOf('address', 'bad_value', words.addressFault)]
        : [faultOf('because', 'required', words.reasonFault)]
    return mailsPage(visit, { values: body, faults })
  })
}

const outcomes: Readonly<Record<MailOutcome, Text>> = {
  taken: words.taken,
  refused: words.refused,
  given_up: words.given_up,
}

async function mailsPage(visit: AdminVisit, state: FormState): Promise<AccountPage> {
  const { context, query } = visit
  const { mailLog, mail } = context.service
  const base = context.pages.prefix + path
  const asked = { to: query.get('to') ?? '', outcome: query.get('outcome') ?? '' }
  const mails = (await mailLog.list()).filter(
    ({ to, outcome }) =>
      to.includes(asked.to.trim()) && (asked.outcome === '' || outcome === asked.outcome),
  )
  const { shown, ...rest } = listAfter(mails, {
    after: query.get('after') ?? '',
    max: mailsOnPage,
    idOf: ({ at, to }) => `${at} ${to}`,
  })
  const none = emptyState(words.none, words.noneText)
  const off = html`<p>${words.off({ code: (text) => html`<code>${text}</code>` })}</p>`
  return administrationPage(context, '/mails', {
    title: adminSections.mails,
    flashes,
    state,
    lead: words.lead,
    content: html`${mail.isOn ? nothing : off}
${listFilter(base, adminSections.mails, [
  textFilter('to', words.to, asked.to, 'ada@example.org'),
  {
    name: 'outcome',
    label: words.outcome,
    value: asked.outcome,
    options: [['', standing.all], ...Object.entries(outcomes)],
  },
])}
${shown.length === 0 ? none : mailTable(shown)}
${pagination({ path: base, parameter: 'after', kept: filterQuery(asked), ...rest })}
${bouncedPart(visit, await mailLog.suppressed())}
${stopPart(visit, state)}`,
  })
}

function mailTable(shown: readonly LoggedMail[]): Html {
  return html`<div class="admin-table">${table(adminSections.mails, shown, [
    [changes.when, ({ at }) => time(at, 'second')],
    [words.to, ({ to }) => to],
    [words.subject, ({ subject }) => html`<bdi>${subject}</bdi>`],
    [
      words.outcome,
      ({ outcome }) => badge(outcomes[outcome], outcome === 'taken' ? 'good' : 'bad'),
    ],
  ])}</div>`
}

function bouncedPart(
  { context, csrf }: AdminVisit,
  suppressed: readonly SuppressedAddress[],
): Html {
  if (suppressed.length === 0) return nothing
  const action = `${context.pages.prefix}${path}/lift`
  const liftForm = ({ address }: SuppressedAddress) =>
    form({
      action,
      csrf,
      fields: hiddenField('address', address),
      submit: words.lift({ address }),
      inline: true,
    })
  return html`<h2>${words.noNews}</h2>
<p>${words.noNewsText}</p>
${table(words.noNews, suppressed, [
  [words.address, ({ address }) => address],
  [organizations.reason, ({ because }) => because ?? words.byServer],
  [claims.since, ({ since }) => time(since)],
  ['', liftForm],
])}`
}

/** For a bounce that came back later: the mail server took the mail, and could not deliver it. */
function stopPart({ context, csrf }: AdminVisit, state: FormState): Html {
  return html`<h2>${words.stopTitle}</h2>
${formCard({
  action: `${context.pages.prefix}${path}/suppress`,
  csrf,
  fields: html`<p class="hint">${words.stopHint}</p>
${fieldList(state, [
  { name: 'address', label: credentials.email, type: 'email', required: true, maxLength: 254 },
  { name: 'because', label: organizations.reason, hint: words.reasonHint, required: true },
])}`,
  submit: words.stop,
})}`
}
