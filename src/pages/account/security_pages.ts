import type { FieldFault } from '#actors/values/fault_list.ts'
import type { UpstreamLink } from '#src/identity/accounts/account.ts'
import {
  browserName,
  type SignInFailures,
  type SignInMethod,
  type SignInRecord,
  signInsMax,
  type WebSession,
} from '#src/identity/accounts/web_session.ts'
import { auditTable } from '#src/pages/account/audit_list.ts'
import type { AccountContext, AccountVisit } from '#src/pages/account/context.ts'
import { asPersonFault, currentPassword, newPassword } from '#src/pages/kit/account_fields.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  emptyForm,
  field,
  fieldList,
  form,
  type FormBody,
  formCard,
  type FormState,
  hiddenField,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { type Html, html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import {
  accessPath,
  passkeysPath,
  secondStepPath,
  signInsPath,
  strangerPath,
} from '#src/pages/kit/page_address.ts'
import { redirectDone, routesIn } from '#src/pages/kit/pages.ts'
import { badge, card, quietLink, table, time } from '#src/pages/kit/parts.ts'
import { plural } from '#src/pages/kit/words.ts'
import { keepLanguage, readerLanguage } from '#src/edge/reader_language.ts'
import { account as words } from '#src/words/english.ts'
import { languages } from '#src/words/languages.ts'
import { upstreamPath } from '#src/pages/sign_in/upstream_pages.ts'
import { collectExport } from '#src/use_cases/account_record.ts'

const path = '/account/security'

/** Entries of the audit list on this page; the list itself has all. */
const newestEntries = 10

/** Sign-ins on this page; their own page has all that are kept. */
const newestSignIns = 3

const flashes: Flashes = {
  password: 'Your password is changed. All other browsers are signed out.',
  email: 'Your e-mail address is changed.',
  language: words.languageSaved,
  sent: 'A link to verify your address is on its way.',
  ended: 'The browser is signed out.',
  others_ended: 'All other browsers are signed out.',
  unlinked: 'The account elsewhere signs you in no more.',
}

/** Adds the page of passwords, signed-in browsers, linked accounts and the export. */
export function addSecurityPages(context: AccountContext): void {
  const { member, fresh } = routesIn(context)
  const { accounts, sessions, mail } = context.service
  member.get(path, (visit) => securityPage(visit, emptyForm))

  fresh.post(
    `${path}/password`,
    async (visit, body) => {
      const faults = await changePassword(visit, body)
      if (faults.length > 0)
        return securityPage(visit, { values: new Map(), faults: faults.map(asPersonFault) })
      return redirectDone(path, 'password')
    },
    { limit: 'sign_in' },
  )

  member.post(`${path}/language`, async ({ account, reply }, body) => {
    const chosen = languages.find(({ tag }) => tag === textOf(body, 'language'))
    if (chosen === undefined) return redirectDone(path, '')
    await accounts.setLanguage(account.ppid, chosen.tag)
    keepLanguage(reply, chosen, context.baseUrl)
    return redirectDone(path, 'language')
  })

  member.post(
    `${path}/verify`,
    ({ account, request }) => {
      if (!account.email_verified) mail.sendVerification(account, readerLanguage(request))
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

async function changePassword(visit: AccountVisit, body: FormBody): Promise<readonly FieldFault[]> {
  const { pages, service } = visit.context
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
  service.mail.sendPasswordChanged(account, readerLanguage(visit.request))
  return []
}

async function securityPage(visit: AccountVisit, state: FormState): Promise<AccountPage> {
  const { account } = visit
  const { prefix } = visit.context.pages
  const owner = { type: 'person', id: account.ppid } as const
  const entries = await visit.context.audit.read(owner, { order: 'newest', limit: newestEntries })
  const passwordTitle = account.password === null ? 'Set a password' : 'Change the password'
  return {
    title: 'Security',
    current: path,
    wide: true,
    flashes,
    state,
    lead: 'How you sign in, what has been done with your keys, and what is held of you.',
    content: html`${card('E-mail address', emailPart(visit))}
${card(passwordTitle, passwordForm(visit, state))}
${card(words.languageTitle, languagePart(visit))}
${card('Second step of the sign-in', secondStepPart(visit))}
${card('Passkeys', passkeysPart(visit))}
${card('Browsers that are signed in', sessionsPart(visit))}
${card('Last sign-ins', signInsPart(visit))}
${card('Accounts elsewhere', linksPart(visit))}
${card(
  'What acts for you',
  html`<p>Keys, permissions, secrets and accounts elsewhere, to be ended together.</p>
${quietLink(`${prefix}${accessPath}`, 'Look at it')}`,
)}
${card(
  'What happened to keys, permissions and the account',
  html`${auditTable(visit.context, entries, account.ppid)}
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

function emailPart({ context: { pages, service }, account, csrf }: AccountVisit): Html {
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

function passwordForm({ context: { pages }, account, csrf }: AccountVisit, state: FormState): Html {
  const current = field(currentPassword, state)
  const next = field(newPassword, state)
  const fields = account.password === null ? next : [current, next]
  return form({ action: `${pages.prefix}${path}/password`, csrf, fields, submit: 'Save password' })
}

function languagePart({ context: { pages }, account, csrf, request }: AccountVisit): Html {
  const { language = readerLanguage(request).tag } = account
  const options = languages.map(({ tag, name }) => ({ value: tag, label: name }))
  const state = { values: new Map([['language', language]]), faults: [] }
  const fields = selectField(
    { name: 'language', label: words.languageTitle, hint: words.languageHint, options },
    state,
  )
  const action = `${pages.prefix}${path}/language`
  return form({ action, csrf, fields, submit: words.languageSubmit })
}

function secondStepPart({ context: { pages, service }, account }: AccountVisit): Html {
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

function passkeysPart({ context: { pages, service }, account }: AccountVisit): Html {
  const own = service.passkeys.list(account.ppid)
  const link = (text: string) => quietLink(pages.prefix + passkeysPath, text)
  if (own.length > 0) {
    return html`<p>${own.map(({ name }) => name).join(', ')}</p>${link('Change them')}`
  }
  return html`<p>Sign in with your finger, your face or a key, and without a password.</p>
${link('Look at it')}`
}

function sessionsPart(visit: AccountVisit): Html {
  const { pages, service } = visit.context
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
  const list = table('Browsers that are signed in', sessions, {
    Browser: ({ user_agent: agent }) => browserName(agent),
    From: ({ network }) => network,
    Since: ({ created_at }) => time(created_at),
    'Last seen': ({ last_seen_at }) => time(last_seen_at),
    'To do': ending,
  })
  const all = form({ action, csrf, submit: 'Sign out everywhere else' })
  return html`${list}${sessions.length > 1 ? all : ''}`
}

function signInsPart({ context: { pages, service }, account }: AccountVisit): Html {
  const record = service.sessions.history.read(account.ppid)
  return html`${signInTable(record, newestSignIns)}
<div class="buttons">${quietLink(pages.prefix + signInsPath, 'See all')}
${quietLink(pages.prefix + strangerPath, 'This was not me…')}</div>`
}

function linksPart(visit: AccountVisit): Html {
  const { pages } = visit.context
  const { account, csrf } = visit
  const { links, password } = account
  if (links.length === 0) {
    return html`<p>No account elsewhere signs you in.</p>${linkingPart(visit)}`
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
  return html`<ul>${items}</ul>${hint}${linkingPart(visit)}`
}

function linkingPart({ context: { pages, upstreams }, account, csrf }: AccountVisit): Html {
  const linked = new Set(account.links.map(({ iss }) => iss))
  const others = upstreams.filter(({ issuer }) => !linked.has(issuer.issuer))
  if (others.length === 0) return nothing
  const forms = others.map(({ issuer: { id, name } }) => {
    const action = `${pages.prefix}${upstreamPath(id)}/link`
    return form({ action, csrf, submit: `Link ${name}`, inline: true })
  })
  return html`<div class="buttons">${forms}</div>`
}

const methodWords: Readonly<Record<SignInMethod, string>> = {
  password: 'password',
  elsewhere: 'an account elsewhere',
  totp: 'code of an app',
  recovery_code: 'recovery code',
  passkey: 'passkey',
  device_passkey: 'passkey',
  synced_passkey: 'passkey',
}

/** The newest sign-ins of a person, so many at most, and what was tried in vain since. */
function signInTable({ signIns, failures }: SignInRecord, countMax: number): Html {
  const since =
    failures === undefined
      ? nothing
      : html`<p>${badge('tried in vain', 'bad')} ${failureWords(failures)} since then, last
${time(failures.last_at)}.</p>`
  if (signIns.length === 0) return html`${since}<p>None since sign-ins are noted.</p>`
  const list = table('Last sign-ins', signIns.slice(0, countMax), {
    When: ({ at }) => time(at),
    How: ({ methods, issuer }) => howWords(methods, issuer),
    Browser: ({ browser }) => browser,
    'Tried in vain before': ({ failures: some }) => failureWords(some),
  })
  return html`${since}${list}`
}

/** How somebody has shown who they are: `Password + code of an app`. */
function howWords(methods: readonly SignInMethod[], issuer: string | undefined): string {
  const names = methods.map((method) =>
    method === 'elsewhere' && issuer !== undefined ? issuer : methodWords[method],
  )
  const text = names.join(' + ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function failureWords(failures: SignInFailures | undefined): string {
  if (failures === undefined) return '–'
  const { passwords, codes } = failures
  return [
    ...(passwords === 0 ? [] : [plural(passwords, 'wrong password')]),
    ...(codes === 0 ? [] : [`${plural(codes, 'wrong code')} after a right password`]),
  ].join(', ')
}

const shown = { current: '/account/security' }

/** Adds the page of a person's last sign-ins, and the one for who finds one that was not theirs. */
export function addSignInHistoryPages(context: AccountContext): void {
  const { member, fresh } = routesIn(context)
  member.get(signInsPath, historyPage)
  fresh.get(strangerPath, (visit) => strangerPage(visit, emptyForm))
  fresh.post(
    strangerPath,
    async (visit, body) => {
      const { account, session } = visit
      const faults = account.password === null ? [] : await changePassword(visit, body)
      if (faults.length > 0) return strangerPage(visit, { values: new Map(), faults })
      await context.service.sessions.endAll(account.ppid, session.id)
      return { redirect: `${accessPath}?done=stranger` }
    },
    { limit: 'sign_in' },
  )
}

function historyPage({ context: { pages, service }, account }: AccountVisit): AccountPage {
  const record = service.sessions.history.read(account.ppid)
  return {
    ...shown,
    title: 'Last sign-ins',
    wide: true,
    lead: html`The last ${signInsMax} sign-ins to your account. Browsers say of themselves what they
are; no address is kept here.`,
    content: html`${signInTable(record, signInsMax)}
<div class="buttons">${quietLink(pages.prefix + strangerPath, 'This was not me…')}
${quietLink(`${pages.prefix}/account/security`, 'Back to security')}</div>`,
  }
}

function strangerPage(
  { context: { pages }, account, csrf }: AccountVisit,
  state: FormState,
): AccountPage {
  const hasPassword = account.password !== null
  const fields = hasPassword ? fieldList(state, [currentPassword, newPassword]) : ''
  const submit = hasPassword ? 'Change the password and sign out all others' : 'Sign out all others'
  return {
    ...shown,
    title: 'Somebody else has signed in',
    state,
    lead: html`${
      hasPassword
        ? 'Choose a new password, which nobody else knows and you use nowhere else. '
        : 'See to it that the account elsewhere that signs you in is yours alone. '
    }Every other browser is signed out at once. Then you see what else acts for you, and end what is
not yours.`,
    content: formCard({ action: pages.prefix + strangerPath, csrf, fields, submit }),
  }
}

const deletionPath = '/account/delete'
const goodbye = '/account-deleted'

/** Adds the pages on which a person deletes their account. */
export function addDeletionPages(context: AccountContext): void {
  const { fresh } = routesIn(context)
  const { open, prefix } = context.pages
  fresh.get(deletionPath, (visit) => deletionPage(visit, emptyForm))

  fresh.post(
    deletionPath,
    async (visit, body) => {
      const { account } = visit
      await context.pages.countAccount('sign_in_account', visit, account.email ?? account.ppid)
      const fault = await whyNot(visit, body)
      if (fault !== undefined) {
        return deletionPage(visit, { values: new Map(), faults: [fault] })
      }
      await context.service.accounts.remove(account.ppid)
      await context.pages.signOut(visit)
      return { redirect: goodbye }
    },
    { limit: 'sign_in' },
  )

  open.get(goodbye, () => ({
    title: 'Your account is deleted',
    lead: html`What was personal is erased. Works that you registered stay, and so do their
proofs, without your name on them beyond what their authors say.`,
    content: html`<p><a href="${prefix}/sign-in">Sign in with another account</a></p>`,
  }))
}

/** What keeps an account from being deleted: the password, or without one the identifier. */
async function whyNot(
  { context: { service }, account, from }: AccountVisit,
  body: FormBody,
): Promise<FieldFault | undefined> {
  const { ppid, email, password } = account
  if (password === null || email === null) {
    if (textOf(body, 'ppid').trim() === ppid) return undefined
    return { field: 'ppid', code: 'wrong', message: 'This is not your identifier.' }
  }
  if (await service.accounts.hasPassword(ppid, textOf(body, 'password'), from)) return undefined
  return { field: 'password', code: 'wrong', message: 'This is not your password.' }
}

function deletionPage(visit: AccountVisit, state: FormState): AccountPage {
  const { prefix } = visit.context.pages
  const { account, csrf } = visit
  const hasPassword = account.password !== null && account.email !== null
  const proof = hasPassword
    ? field(
        {
          name: 'password',
          label: 'Your password',
          type: 'password',
          required: true,
          autocomplete: 'current-password',
        },
        state,
      )
    : field(
        {
          name: 'ppid',
          label: 'Your identifier',
          hint: `Type ${account.ppid} to show that you mean it.`,
          required: true,
        },
        state,
      )
  const fields = html`<p>It is erased for good, and at once:</p>
<ul><li>your profile, affiliations and education, and who wrote them</li>
<li>your e-mail address, password, keys, and what you permitted to applications</li></ul>
<p>It stays: the works, their ARKs and their proofs, and that somebody without a name had this
identifier. You may want to <a href="${prefix}/account/export">download what is held of you</a>
first.</p>
${proof}`
  return {
    title: 'Delete my account',
    current: '/account/security',
    state,
    content: formCard({
      action: prefix + deletionPath,
      csrf,
      fields,
      submit: 'Delete my account for good',
      beside: html`<a href="${prefix}/account/security">Keep it</a>`,
      danger: true,
    }),
  }
}
