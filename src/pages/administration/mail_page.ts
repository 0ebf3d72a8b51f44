import { readEmail } from '#src/identity/accounts/account.ts'
import type { LoggedMail, SuppressedAddress } from '#src/delivery/mail/mail_log.ts'
import type { MailOutcome } from '#src/delivery/mail/mailer.ts'
import {
  administrationPage,
  adminPath,
  adminRoutes,
  type AdminVisit,
} from '#src/pages/administration/frame.ts'
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

const path = `${adminPath}/mails`
const mailsOnPage = 50

const flashes: Flashes = {
  lifted: 'News go to this address again.',
  stopped: 'No more news go to this address.',
}

/** Adds the page of the mails that were sent, what bounced, and addresses that get no news. */
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
        ? [{ field: 'address', code: 'bad_value', message: 'Write an address: name@example.org' }]
        : [{ field: 'because', code: 'required', message: 'Say why no news go there.' }]
    return mailsPage(visit, { values: body, faults })
  })
}

const outcomes: Readonly<Record<MailOutcome, string>> = {
  taken: 'sent',
  refused: 'bounced',
  given_up: 'not sent',
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
  const none = emptyState('No mail', 'The mails of the last 30 days stand here.')
  const off = html`<p>No mail server is configured (<code>SMTP_URL</code>,
<code>MAIL_FROM</code>), so nothing is sent.</p>`
  return administrationPage(context, '/mails', {
    title: 'Mails',
    flashes,
    state,
    lead: `What was sent in the last 30 days, newest first, 5,000 mails at most. "Sent" means that
our mail server took it.`,
    content: html`${mail.isOn ? nothing : off}
${listFilter(base, 'Mails', [
  textFilter('to', 'To', asked.to, 'ada@example.org'),
  {
    name: 'outcome',
    label: 'Outcome',
    value: asked.outcome,
    options: [['', 'All'], ...Object.entries(outcomes)],
  },
])}
${shown.length === 0 ? none : mailTable(shown)}
${pagination({ path: base, parameter: 'after', kept: filterQuery(asked), ...rest })}
${bouncedPart(visit, await mailLog.suppressed())}
${stopPart(visit, state)}`,
  })
}

function mailTable(shown: readonly LoggedMail[]): Html {
  return html`<div class="admin-table">${table('Mails', shown, {
    When: ({ at }) => time(at, 'second'),
    To: ({ to }) => to,
    Subject: ({ subject }) => subject,
    Outcome: ({ outcome }) => badge(outcomes[outcome], outcome === 'taken' ? 'good' : 'bad'),
  })}</div>`
}

function bouncedPart(
  { context, csrf }: AdminVisit,
  suppressed: readonly SuppressedAddress[],
): Html {
  if (suppressed.length === 0) return nothing
  const action = `${context.pages.prefix}${path}/lift`
  return html`<h2>Addresses that get no news</h2>
<p>Their mail server refused a mail for good, or an administrator stopped the news. Mails about
passwords and sign-ins are still tried. If the mail server takes one, news go there again, unless an
administrator stopped them.</p>
${table('Addresses that get no news', suppressed, {
  Address: ({ address }) => address,
  Because: ({ because = 'refused by the mail server' }) => because,
  Since: ({ since }) => time(since),
  '': ({ address }) =>
    form({
      action,
      csrf,
      fields: hiddenField('address', address),
      submit: `Send news to ${address} again`,
      inline: true,
    }),
})}`
}

/** For a bounce that came back later: the mail server took the mail, and could not deliver it. */
function stopPart({ context, csrf }: AdminVisit, state: FormState): Html {
  return html`<h2>Stop news to an address</h2>
${formCard({
  action: `${context.pages.prefix}${path}/suppress`,
  csrf,
  fields: html`<p class="hint">For a mail that came back later as undeliverable.</p>
${fieldList(state, [
  { name: 'address', label: 'E-mail address', type: 'email', required: true, maxLength: 254 },
  { name: 'because', label: 'Reason', hint: 'Such as: mailbox full.', required: true },
])}`,
  submit: 'Stop news',
})}`
}
