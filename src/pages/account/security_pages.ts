import type { FieldFault } from '#actors/values/fault_list.ts'
import { currentPassword, newPassword } from '#src/pages/kit/password_fields.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { type Html, html, nothing } from '#src/pages/kit/html.ts'
import { collectExport } from '#src/use_cases/account_export.ts'
import type { UpstreamLink } from '#src/identity/accounts/account.ts'
import { browserName, type WebSession } from '#src/identity/accounts/web_session.ts'
import { plural } from '#src/pages/kit/words.ts'
import { signInTable } from '#src/pages/account/sign_in_list.ts'
import {
  accessPath,
  passkeysPath,
  secondStepPath,
  signInsPath,
  strangerPath,
} from '#src/pages/kit/page_address.ts'
import type { AccountContext } from '#src/pages/account/context.ts'
import { auditTable } from '#src/pages/account/audit_list.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { emptyForm, field, form, type FormState, hiddenField } from '#src/pages/kit/form_field.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type MemberVisit, redirectDone } from '#src/pages/kit/pages.ts'
import { badge, card, quietLink, table, time } from '#src/pages/kit/parts.ts'
import { upstreamPath } from '#src/pages/sign_in/upstream_pages.ts'

const path = '/account/security'

/** Entries of the audit list on this page; the list itself has all. */
const newestEntries = 10

/** Sign-ins on this page; their own page has all that are kept. */
const newestSignIns = 3

const flashes: Flashes = {
  password: 'Your password is changed. All other browsers are signed out.',
  email: 'Your e-mail address is changed.',
  sent: 'A link to verify your address is on its way.',
  ended: 'The browser is signed out.',
  others_ended: 'All other browsers are signed out.',
  unlinked: 'The account elsewhere signs you in no more.',
}

/** Adds the page of passwords, signed-in browsers, linked accounts and the export. */
export function addSecurityPages(context: AccountContext): void {
  const { member, fresh } = context.pages
  const { accounts, sessions, mail } = context.service
  member.get(path, (visit) => securityPage(context, visit, emptyForm))

  fresh.post(
    `${path}/password`,
    async (visit, body) => {
      const faults = await changePassword(context, visit, body)
      if (faults.length > 0) return securityPage(context, visit, { values: new Map(), faults })
      return redirectDone(path, 'password')
    },
    { limit: 'sign_in' },
  )

  member.post(
    `${path}/verify`,
    ({ account }) => {
      if (!account.email_verified) mail.sendVerification(account)
      return redirectDone(path, 'sent')
    },
    { limit: 'reset' },
  )

  member.post(`${path}/sessions`, async ({ account, session }, body) => {
    const id = textOf(body, 'session')
    if (id === '') await sessions.endAll(account.ppid, session.id)
    else await sessions.end(account.ppid, id)
    return redirectDone(path, id === '' ? 'others_ended' : 'ended')
  })

  fresh.post(`${path}/links`, async ({ account }, body) => {
    const link = { iss: textOf(body, 'iss'), sub: textOf(body, 'sub') }
    await accounts.unlink(account.ppid, link)
    return redirectDone(path, 'unlinked')
  })

  fresh.get('/account/export', async ({ account, reply }) => {
    const held = await collectExport({ ...context, ...context.service }, account.ppid)
    reply.header('content-type', 'application/json; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="${account.ppid}.json"`)
    reply.header('cache-control', 'no-store')
    reply.send(JSON.stringify(held, undefined, 2))
    return { sent: true }
  })
}

/** Changes the password as a form asks; gives what is wrong with it. */
export async function changePassword(
  { pages, service }: AccountContext,
  visit: MemberVisit,
  body: FormBody,
): Promise<readonly FieldFault[]> {
  const { account, session } = visit
  await pages.countAccount('sign_in_account', visit, account.email ?? account.ppid)
  const faults = await service.accounts.changePassword({
    ppid: account.ppid,
    current: textOf(body, 'current_password'),
    next: textOf(body, 'new_password'),
    keepSession: session.id,
    from: visit.from,
  })
  if (faults.length > 0) return faults
  await pages.remember(visit, account.ppid)
  service.mail.sendPasswordChanged(account)
  return []
}

async function securityPage(
  context: AccountContext,
  visit: MemberVisit,
  state: FormState,
): Promise<AccountPage> {
  const { account } = visit
  const { prefix } = context.pages
  const owner = { type: 'person', id: account.ppid } as const
  const entries = await context.audit.read(owner, { order: 'newest', limit: newestEntries })
  const passwordTitle = account.password === null ? 'Set a password' : 'Change the password'
  return {
    title: 'Security',
    current: path,
    wide: true,
    flashes,
    state,
    lead: 'How you sign in, what has been done with your keys, and what is held of you.',
    content: html`${card('E-mail address', emailPart(context, visit))}
${card(passwordTitle, passwordForm(context, visit, state))}
${card('Second step of the sign-in', secondStepPart(context, visit))}
${card('Passkeys', passkeysPart(context, visit))}
${card('Browsers that are signed in', sessionsPart(context, visit))}
${card('Last sign-ins', signInsPart(context, visit))}
${card('Accounts elsewhere', linksPart(context, visit))}
${card(
  'What acts for you',
  html`<p>Keys, permissions, secrets and accounts elsewhere, to be ended together.</p>
${quietLink(`${prefix}${accessPath}`, 'Look at it')}`,
)}
${card(
  'What happened to keys, permissions and the account',
  html`${auditTable(context, entries, account.ppid)}
${quietLink(`${prefix}/account/audit`, 'See all')}`,
)}
${card(
  'What is held of you',
  html`<p>Everything in one JSON file: profile, works, who wrote what,
keys without their secrets, permissions.</p>${quietLink(`${prefix}/account/export`, 'Download')}`,
)}
${card(
  'Delete the account',
  html`<p>Your personal data is erased for good. Works stay registered,
and so do their proofs.</p>${quietLink(`${prefix}/account/delete`, 'Delete my account…')}`,
)}`,
  }
}

function emailPart({ pages, service }: AccountContext, { account, csrf }: MemberVisit): Html {
  const { email, email_verified: isVerified } = account
  const change = quietLink(
    `${pages.prefix}/account/email`,
    email === null ? 'Add one' : 'Change it',
  )
  if (email === null) return html`<p>Your account has no e-mail address.</p>${change}`
  const action = `${pages.prefix}${path}/verify`
  const sending = form({ action, csrf, submit: 'Send me a link to verify it' })
  const noMail = html`<p class="hint">This registry sends no mail: it cannot be verified.</p>`
  const mark = isVerified ? badge('verified', 'good') : badge('not verified', 'waiting')
  return html`<p>${email} ${mark}</p>
${isVerified ? '' : service.mail.isOn ? sending : noMail}
<div class="buttons">${change}</div>`
}

function passwordForm(
  { pages }: AccountContext,
  { account, csrf }: MemberVisit,
  state: FormState,
): Html {
  const current = field(currentPassword, state)
  const next = field(newPassword, state)
  const fields = account.password === null ? next : [current, next]
  return form({ action: `${pages.prefix}${path}/password`, csrf, fields, submit: 'Save password' })
}

function secondStepPart({ pages, service }: AccountContext, { account }: MemberVisit): Html {
  const found = service.secondFactors.find(account.ppid)
  const link = (text: string) => quietLink(pages.prefix + secondStepPath, text)
  if (found === undefined) {
    return html`<p>A code of an app on your phone, so that a password alone lets nobody in.</p>
${link('Set it up')}`
  }
  const { totpSince, recoveryCodesLeft: left } = found
  const codes = plural(left, 'recovery code')
  if (totpSince === undefined) {
    return html`<p>Your passkeys ${badge('on', 'good')}, and ${codes}.</p>
${link('Set up an authenticator app too')}`
  }
  return html`<p>An authenticator app ${badge('on', 'good')}, and ${codes}.</p>
${link('Change it')}`
}

function passkeysPart({ pages, service }: AccountContext, { account }: MemberVisit): Html {
  const own = service.passkeys.list(account.ppid)
  const link = (text: string) => quietLink(pages.prefix + passkeysPath, text)
  if (own.length > 0) {
    return html`<p>${own.map(({ name }) => name).join(', ')}</p>${link('Change them')}`
  }
  return html`<p>Sign in with your finger, your face or a key, and without a password.</p>
${link('Look at it')}`
}

function sessionsPart({ pages, service }: AccountContext, visit: MemberVisit): Html {
  const { account, session: own, csrf } = visit
  const sessions = service.sessions.list(account.ppid).toReversed()
  const action = `${pages.prefix}${path}/sessions`
  const ending = ({ id }: WebSession) =>
    id === own.id
      ? badge('this browser', 'good')
      : form({
          action,
          csrf,
          fields: hiddenField('session', id),
          submit: 'Sign out',
          inline: true,
        })
  const list = table<WebSession>(
    'Browsers that are signed in',
    [
      {
        heading: 'Browser',
        isRowHeading: true,
        cell: ({ user_agent: agent }) => browserName(agent),
      },
      { heading: 'From', cell: ({ network }) => network },
      { heading: 'Since', cell: ({ created_at }) => time(created_at) },
      { heading: 'Last seen', cell: ({ last_seen_at }) => time(last_seen_at) },
      { heading: 'To do', cell: ending },
    ],
    sessions,
  )
  const all = form({ action, csrf, submit: 'Sign out everywhere else' })
  return html`${list}${sessions.length > 1 ? all : ''}`
}

function signInsPart({ pages, service }: AccountContext, { account }: MemberVisit): Html {
  const record = service.sessions.history.read(account.ppid)
  return html`${signInTable(record, newestSignIns)}
<div class="buttons">${quietLink(pages.prefix + signInsPath, 'See all')}
${quietLink(pages.prefix + strangerPath, 'This was not me…')}</div>`
}

function linksPart(context: AccountContext, visit: MemberVisit): Html {
  const { pages } = context
  const { account, csrf } = visit
  const { links, password } = account
  if (links.length === 0) {
    return html`<p>No account elsewhere signs you in.</p>${linkingPart(context, visit)}`
  }
  const isOnly = password === null && links.length === 1
  const action = `${pages.prefix}${path}/links`
  const unlinking = ({ iss, sub }: UpstreamLink) =>
    form({
      action,
      csrf,
      fields: [hiddenField('iss', iss), hiddenField('sub', sub)],
      submit: 'Remove',
      inline: true,
    })
  const items = links.map(
    (link) => html`<li>${link.iss}: <code>${link.sub}</code> ${isOnly ? '' : unlinking(link)}</li>`,
  )
  const hint = isOnly
    ? html`<p class="hint">Set a password before you remove the only way in.</p>`
    : ''
  return html`<ul>${items}</ul>${hint}${linkingPart(context, visit)}`
}

/** Buttons that link further accounts. */
function linkingPart({ pages, upstreams }: AccountContext, { account, csrf }: MemberVisit): Html {
  const linked = new Set(account.links.map(({ iss }) => iss))
  const others = upstreams.filter(({ issuer }) => !linked.has(issuer.issuer))
  if (others.length === 0) return nothing
  const forms = others.map(({ issuer: { id, name } }) => {
    const action = `${pages.prefix}${upstreamPath(id)}/link`
    return form({ action, csrf, submit: `Link ${name}`, inline: true })
  })
  return html`<div class="buttons">${forms}</div>`
}
