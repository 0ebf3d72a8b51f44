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
import {
  asPersonFault,
  currentPassword,
  faultOf,
  newPassword,
} from '#src/pages/kit/account_fields.ts'
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
  type PageFault,
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
import { asLink, badge, card, quietLink, table, time } from '#src/pages/kit/parts.ts'
import { keepLanguage, readerLanguage } from '#src/edge/reader_language.ts'
import { account as language, changes, security as words } from '#src/words/english.ts'
import { capitalized, joined, list as listOf } from '#src/words/format.ts'
import { languages } from '#src/words/languages.ts'
import type { Text } from '#src/words/wording.ts'
import { upstreamPath } from '#src/pages/sign_in/upstream_pages.ts'
import { collectExport } from '#src/use_cases/account_record.ts'

const path = '/account/security'

/** Entries of the audit list on this page; the list itself has all. */
const newestEntries = 10

/** Sign-ins on this page; their own page has all that are kept. */
const newestSignIns = 3

const flashes: Flashes = {
  password: words.passwordDone,
  email: words.emailDone,
  language: language.languageSaved,
  sent: words.linkSent,
  ended: words.browserDone,
  others_ended: words.othersDone,
  unlinked: words.unlinkedDone,
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
  const passwordTitle = account.password === null ? words.setPassword : words.changePassword
  return {
    title: words.title,
    current: path,
    wide: true,
    flashes,
    state,
    lead: words.lead,
    content: html`${card(words.email, emailPart(visit))}
${card(passwordTitle, passwordForm(visit, state))}
${card(language.languageTitle, languagePart(visit))}
${card(words.secondStep, secondStepPart(visit))}
${card(words.passkeys, passkeysPart(visit))}
${card(words.browsers, sessionsPart(visit))}
${card(words.lastSignIns, signInsPart(visit))}
${card(words.elsewhere, linksPart(visit))}
${card(
  words.access,
  html`<p>${words.accessText}</p>${quietLink(`${prefix}${accessPath}`, words.review)}`,
)}
${card(
  changes.auditTable,
  html`${auditTable(visit.context, entries, account.ppid)}
${quietLink(`${prefix}/account/audit`, words.seeAll)}`,
)}
${card(
  words.data,
  html`<p>${words.dataText}</p>${quietLink(`${prefix}/account/export`, words.download)}`,
)}
${card(
  words.deleteTitle,
  html`<p>${words.deleteText}</p>${quietLink(`${prefix}${deletionPath}`, words.deleteLink)}`,
)}`,
  }
}

function emailPart({ context: { pages, service }, account, csrf }: AccountVisit): Html {
  const { email, email_verified: isVerified } = account
  const change = quietLink(
    `${pages.prefix}/account/email`,
    email === null ? words.emailAdd : words.emailChange,
  )
  if (email === null) return html`<p>${words.emailNone}</p>${change}`
  const action = `${pages.prefix}${path}/verify`
  const sending = form({ action, csrf, submit: words.sendLink })
  const noMail = html`<p class="hint">${words.noMail}</p>`
  const mark = isVerified ? badge(words.verified, 'good') : badge(words.notVerified, 'waiting')
  return html`<p><bdi>${email}</bdi> ${mark}</p>
${isVerified ? '' : service.mail.isOn ? sending : noMail}
<div class="buttons">${change}</div>`
}

function passwordForm({ context: { pages }, account, csrf }: AccountVisit, state: FormState): Html {
  const current = field(currentPassword, state)
  const next = field(newPassword, state)
  const fields = account.password === null ? next : [current, next]
  return form({
    action: `${pages.prefix}${path}/password`,
    csrf,
    fields,
    submit: words.savePassword,
  })
}

function languagePart({ context: { pages }, account, csrf, request }: AccountVisit): Html {
  const { language: chosen = readerLanguage(request).tag } = account
  const options = languages.map(({ tag, name }) => {
    return { value: tag, label: name, language: tag }
  })
  const state = { values: new Map([['language', chosen]]), faults: [] }
  const fields = selectField(
    { name: 'language', label: language.languageTitle, hint: language.languageHint, options },
    state,
  )
  const action = `${pages.prefix}${path}/language`
  return form({ action, csrf, fields, submit: language.languageSubmit })
}

function secondStepPart({ context: { pages, service }, account }: AccountVisit): Html {
  const found = service.secondFactors.find(account.ppid)
  const link = (text: Text) => quietLink(pages.prefix + secondStepPath, text)
  if (found === undefined) return html`<p>${words.stepOffText}</p>${link(words.setUp)}`
  const { totpSince, recoveryCodesLeft: count } = found
  const how = { on: badge(words.on, 'good'), codes: words.codesLeft({ count }) }
  return totpSince === undefined
    ? html`<p>${words.passkeysOn(how)}</p>${link(words.setUpApp)}`
    : html`<p>${words.appOn(how)}</p>${link(words.change)}`
}

function passkeysPart({ context: { pages, service }, account }: AccountVisit): Html {
  const own = service.passkeys.list(account.ppid)
  const link = (text: Text) => quietLink(pages.prefix + passkeysPath, text)
  if (own.length === 0) return html`<p>${words.passkeysText}</p>${link(words.review)}`
  const names = own.map(({ name }) => name)
  return html`<p>${listOf(names, 'unit')}</p>${link(words.change)}`
}

function sessionsPart(visit: AccountVisit): Html {
  const { pages, service } = visit.context
  const { account, session: own, csrf } = visit
  const sessions = service.sessions.list(account.ppid).toReversed()
  const action = `${pages.prefix}${path}/sessions`
  const ending = ({ id }: WebSession) =>
    id === own.id
      ? badge(words.thisBrowser, 'good')
      : form({
          action,
          csrf,
          fields: hiddenField('session', id),
          submit: words.signOut,
          inline: true,
        })
  const list = table(words.browsers, sessions, [
    [words.browser, ({ user_agent: agent }) => browserText(browserName(agent))],
    [words.network, ({ network }) => network],
    [words.since, ({ created_at }) => time(created_at)],
    [words.lastSeen, ({ last_seen_at }) => time(last_seen_at)],
    [words.toDo, ending],
  ])
  const all = form({ action, csrf, submit: words.signOutOthers })
  return html`${list}${sessions.length > 1 ? all : ''}`
}

function signInsPart({ context: { pages, service }, account }: AccountVisit): Html {
  const record = service.sessions.history.read(account.ppid)
  return html`${signInTable(record, newestSignIns)}
<div class="buttons">${quietLink(pages.prefix + signInsPath, words.seeAll)}
${quietLink(pages.prefix + strangerPath, words.notMe)}</div>`
}

function linksPart(visit: AccountVisit): Html {
  const { pages } = visit.context
  const { account, csrf } = visit
  const { links, password } = account
  if (links.length === 0) {
    return html`<p>${words.linksNone}</p>${linkingPart(visit)}`
  }
  const isOnly = password === null && links.length === 1
  const action = `${pages.prefix}${path}/links`
  const unlinking = ({ iss, sub }: UpstreamLink) =>
    form({
      action,
      csrf,
      fields: [hiddenField('iss', iss), hiddenField('sub', sub)],
      submit: words.remove,
      inline: true,
    })
  const items = links.map(
    (link) => html`<li>${link.iss}: <code>${link.sub}</code> ${isOnly ? '' : unlinking(link)}</li>`,
  )
  const hint = isOnly ? html`<p class="hint">${words.onlyWay}</p>` : ''
  return html`<ul>${items}</ul>${hint}${linkingPart(visit)}`
}

function linkingPart({ context: { pages, upstreams }, account, csrf }: AccountVisit): Html {
  const linked = new Set(account.links.map(({ iss }) => iss))
  const others = upstreams.filter(({ issuer }) => !linked.has(issuer.issuer))
  if (others.length === 0) return nothing
  const forms = others.map(({ issuer: { id, name } }) => {
    const action = `${pages.prefix}${upstreamPath(id)}/link`
    return form({ action, csrf, submit: words.linkWith({ name }), inline: true })
  })
  return html`<div class="buttons">${forms}</div>`
}

const methodWords: Readonly<Record<SignInMethod, Text>> = {
  password: words.method_password,
  elsewhere: words.method_elsewhere,
  totp: words.method_totp,
  recovery_code: words.method_recovery_code,
  passkey: words.method_passkey,
  device_passkey: words.method_passkey,
  synced_passkey: words.method_passkey,
}

/** The newest sign-ins of a person, so many at most, and the failed attempts since. */
function signInTable({ signIns, failures }: SignInRecord, countMax: number): Html {
  const since =
    failures === undefined
      ? nothing
      : html`<p>${badge(words.failedMark, 'bad')}
${words.failedSince({ what: failureWords(failures), time: time(failures.last_at) })}</p>`
  if (signIns.length === 0) return html`${since}<p>${words.signInsNone}</p>`
  const list = table(words.lastSignIns, signIns.slice(0, countMax), [
    [words.when, ({ at }) => time(at)],
    [words.how, ({ methods, issuer }) => howWords(methods, issuer)],
    [words.browser, ({ browser }) => browserText(browser)],
    [words.failedBefore, ({ failures: some }) => failureWords(some)],
  ])
  return html`${since}${list}`
}

/** A browser as it calls itself, which is the same in all languages. */
function browserText(name: string): Html {
  return html`<span lang="en" dir="ltr">${name}</span>`
}

/** How somebody has shown who they are: `Password + code from an app`. */
function howWords(methods: readonly SignInMethod[], issuer: string | undefined): Text {
  const names = methods.map((method) =>
    method === 'elsewhere' && issuer !== undefined ? issuer : methodWords[method],
  )
  return capitalized(joined(names, ' + '))
}

function failureWords(failures: SignInFailures | undefined): Text {
  if (failures === undefined) return '–'
  const { passwords, codes } = failures
  const failed = [
    ...(passwords === 0 ? [] : [words.wrongPasswords({ count: passwords })]),
    ...(codes === 0 ? [] : [words.wrongCodes({ count: codes })]),
  ]
  return listOf(failed, 'unit')
}

const shown = { current: '/account/security' } as const

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
    title: words.lastSignIns,
    wide: true,
    lead: words.historyLead({ count: signInsMax }),
    content: html`${signInTable(record, signInsMax)}
<div class="buttons">${quietLink(pages.prefix + strangerPath, words.notMe)}
${quietLink(`${pages.prefix}/account/security`, words.backToSecurity)}</div>`,
  }
}

function strangerPage(
  { context: { pages }, account, csrf }: AccountVisit,
  state: FormState,
): AccountPage {
  const hasPassword = account.password !== null
  const fields = hasPassword ? fieldList(state, [currentPassword, newPassword]) : ''
  const submit = hasPassword ? words.strangerSubmit : words.strangerSubmitElsewhere
  return {
    ...shown,
    title: words.strangerTitle,
    state,
    lead: hasPassword ? words.strangerPassword : words.strangerElsewhere,
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
    title: words.deletedTitle,
    lead: words.deletedText,
    content: html`<p><a href="${prefix}/sign-in">${words.signInOther}</a></p>`,
  }))
}

/** What keeps an account from being deleted: the password, or without one the identifier. */
async function whyNot(
  { context: { service }, account, from }: AccountVisit,
  body: FormBody,
): Promise<PageFault | undefined> {
  const { ppid, email, password } = account
  if (password === null || email === null) {
    if (textOf(body, 'ppid').trim() === ppid) return undefined
    return faultOf('ppid', 'wrong', words.wrongIdentifier)
  }
  if (await service.accounts.hasPassword(ppid, textOf(body, 'password'), from)) return undefined
  return faultOf('password', 'wrong', words.wrongPassword)
}

function deletionPage(visit: AccountVisit, state: FormState): AccountPage {
  const { prefix } = visit.context.pages
  const { account, csrf } = visit
  const hasPassword = account.password !== null && account.email !== null
  const proof = hasPassword
    ? field(
        {
          name: 'password',
          label: words.yourPassword,
          type: 'password',
          required: true,
          autocomplete: 'current-password',
        },
        state,
      )
    : field(
        {
          name: 'ppid',
          label: words.yourIdentifier,
          hint: words.typeIdentifier({ id: account.ppid }),
          required: true,
        },
        state,
      )
  const fields = html`<p>${words.weErase}</p>
<ul><li>${words.eraseProfile}</li><li>${words.eraseAccount}</li></ul>
<p>${words.stays({ link: asLink(`${prefix}/account/export`) })}</p>
${proof}`
  return {
    title: words.deleteTitle,
    current: '/account/security',
    state,
    content: formCard({
      action: prefix + deletionPath,
      csrf,
      fields,
      submit: words.deleteSubmit,
      beside: html`<a href="${prefix}/account/security">${words.keepAccount}</a>`,
      danger: true,
    }),
  }
}
