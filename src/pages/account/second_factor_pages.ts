import { HttpError } from '#src/edge/errors.ts'
import {
  passkeyNameMax,
  passkeysMax,
  type PasskeysOptions,
} from '#src/identity/accounts/passkeys.ts'
import type { CodeAnswer, Passkey, PendingSecret } from '#src/identity/accounts/second_factor.ts'
import { browserName } from '#src/identity/accounts/web_session.ts'
import type { AccountContext, AccountVisit } from '#src/pages/account/context.ts'
import {
  currentPassword,
  faultOf,
  passkeyAnswerOf,
  passkeyFault,
  passkeyForm,
  secondFactorField,
  wrongCode,
} from '#src/pages/kit/account_fields.ts'
import { readerLanguage } from '#src/edge/reader_language.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { passkeyScript } from '#src/pages/kit/assets.ts'
import { qrCode } from '#src/pages/kit/drawing.ts'
import {
  emptyForm,
  field,
  type Field,
  form,
  type FormBody,
  formCard,
  type FormState,
  givenBack,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { passkeysPath, recoveryCodesPath, secondStepPath } from '#src/pages/kit/page_address.ts'
import { type MemberVisit, type PageReply, redirectDone, routesIn } from '#src/pages/kit/pages.ts'
import {
  asLink,
  buttonLink,
  card,
  emptyState,
  quietLink,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import { security as words } from '#src/words/english.ts'
import { list } from '#src/words/format.ts'
import type { Text } from '#src/words/wording.ts'

const flashes: Flashes = {
  required: {
    kind: 'info',
    text: words.stepRequired,
  },
  ended: words.stepEnded,
}

/** Adds the pages on which a person sets up a second step of their sign-in, and ends it. */
export function addSecondFactorSettings(context: AccountContext): void {
  const { member, fresh } = routesIn(context)
  member.get(secondStepPath, (visit) => settingsPage(visit, emptyForm))
  fresh.post(`${secondStepPath}/begin`, begin, { limit: 'sign_in' })
  member.post(`${secondStepPath}/confirm`, confirm, { limit: 'sign_in' })
  member.post(`${secondStepPath}/change`, change, { limit: 'sign_in' })
  member.get(recoveryCodesPath, (visit) => {
    const codes = context.pages.takeSecret(visit, recoveryCodesPath)
    return codes === undefined ? { redirect: secondStepPath } : codesPage(context, codes.split(' '))
  })
}

/** Begins for who knows the password: a browser that was left alone does not suffice. */
async function begin(visit: AccountVisit, body: FormBody): Promise<PageReply> {
  const { pages, service } = visit.context
  const { account, from } = visit
  if (service.secondFactors.find(account.ppid)?.totpSince !== undefined)
    return { redirect: secondStepPath }
  const { ppid, email, password } = account
  if (password !== null) {
    await pages.countAccount('sign_in_account', visit, email ?? ppid)
    if (!(await service.accounts.hasPassword(ppid, textOf(body, 'current_password'), from))) {
      const fault = faultOf('current_password', 'wrong', words.wrongPassword)
      return settingsPage(visit, { values: new Map(), faults: [fault] })
    }
  }
  await service.secondFactors.begin(ppid)
  return { redirect: secondStepPath }
}

async function confirm(visit: AccountVisit, body: FormBody): Promise<PageReply> {
  const { account, session } = visit
  const { secondFactors, sessions, mail } = visit.context.service
  const codes = await secondFactors.confirm(account.ppid, textOf(body, 'code'))
  if (codes === undefined) return refuse(visit, { type: 'refused' })
  // Whoever is signed in elsewhere has not shown the second factor.
  await sessions.endAll(account.ppid, session.id)
  mail.sendSecondFactorChanged(account, 'on')
  return visit.context.pages.redirectWithSecret(visit, recoveryCodesPath, codes.join(' '))
}

/** What takes a code: another device, new recovery codes, or no second step any more. */
async function change(visit: AccountVisit, body: FormBody): Promise<PageReply> {
  const { account } = visit
  const { secondFactors, mail } = visit.context.service
  const { ppid } = account
  const answer = await secondFactors.redeem(ppid, textOf(body, 'code'))
  if (answer.type !== 'accepted') return refuse(visit, answer)
  switch (textOf(body, 'change')) {
    case 'device':
      await secondFactors.begin(ppid)
      return { redirect: secondStepPath }
    case 'recovery': {
      const codes = (await secondFactors.renewRecoveryCodes(ppid)) ?? []
      return visit.context.pages.redirectWithSecret(visit, recoveryCodesPath, codes.join(' '))
    }
    case 'end':
      await secondFactors.endTotp(ppid)
      mail.sendSecondFactorChanged(account, 'off')
      return redirectDone(secondStepPath, 'ended')
    default:
      return { redirect: secondStepPath }
  }
}

function refuse(
  visit: AccountVisit,
  answer: Exclude<CodeAnswer, { type: 'accepted' }>,
): AccountPage {
  const faults = [wrongCode(answer, visit.context.nowMs())]
  return settingsPage(visit, { values: new Map(), faults })
}

function settingsPage(visit: AccountVisit, state: FormState): AccountPage {
  const { account } = visit
  const { secondFactors } = visit.context.service
  const pending = secondFactors.pending(account.ppid, account.email ?? account.ppid)
  const shown = {
    title: words.secondStep,
    current: '/account/security',
    flashes,
    state,
  }
  if (pending !== undefined) {
    return { ...shown, content: pendingPart(visit, pending, state) }
  }
  const found = secondFactors.find(account.ppid)
  if (found?.totpSince === undefined) {
    return { ...shown, content: offPart(visit, state) }
  }
  const lead = html`${words.onSince({ time: time(found.totpSince) })}
${words.codesLeft({ count: found.recoveryCodesLeft })}`
  return { ...shown, lead, content: onPart(visit, state) }
}

/** Apps that make codes; a manager of passwords does, too. */
const apps = list(['Aegis', '2FAS', 'Google Authenticator', words.passwordManager], 'unit')

function offPart(visit: AccountVisit, state: FormState): Html {
  const { pages } = visit.context
  const { account, csrf } = visit
  const action = `${pages.prefix}${secondStepPath}/begin`
  const fields = account.password === null ? '' : field(currentPassword, state)
  const link = asLink(`${pages.prefix}${passkeysPath}`)
  return html`<p>${words.offLead({ apps })}</p>
${formCard({ action, csrf, fields, submit: words.setUp })}
<p>${words.orPasskey({ link })}</p>`
}

function pendingPart(
  { context: { pages }, csrf }: AccountVisit,
  { secret, uri }: PendingSecret,
  state: FormState,
): Html {
  const action = `${pages.prefix}${secondStepPath}/confirm`
  const code = {
    ...secondFactorField,
    label: words.codeOfApp,
    hint: words.codeOfAppHint,
  }
  const spaced = secret.match(/.{1,4}/g)?.join(' ') ?? secret
  return html`<ol><li>${words.scan}
${qrCode(uri, words.qrCode)}
${words.orType({ secret: html`<code>${spaced}</code>` })}</li>
<li>${words.typeCode}</li></ol>
${formCard({ action, csrf, fields: field(code, state), submit: words.turnOn })}
<p class="hint">${words.turnOnHint}</p>`
}

function onPart({ context: { pages }, csrf }: AccountVisit, state: FormState): Html {
  const action = `${pages.prefix}${secondStepPath}/change`
  const choice = (value: string, label: Text, isFirst = false) => html`<div class="box">
<input type="radio" id="change-${value}" name="change" value="${value}"${
    isFirst ? html` checked` : ''
  }>
<div><label for="change-${value}">${label}</label></div></div>`
  const fields = html`<fieldset><legend>${words.whatYouWant}</legend>
${choice('recovery', words.newCodes, true)}
${choice('device', words.anotherDevice)}
${choice('end', words.turnOff)}</fieldset>
${field(secondFactorField, state)}`
  return card(words.change, form({ action, csrf, fields, submit: words.goOn }))
}

function codesPage({ pages }: AccountContext, codes: readonly string[]): AccountPage {
  return {
    title: words.codesTitle,
    current: '/account/security',
    lead: words.codesLead,
    content: html`<div class="card"><ul class="recovery-codes">
${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul></div>
<div class="buttons">${buttonLink(`${pages.prefix}/account/security`, words.codesKept)}</div>`,
  }
}

const newPath = `${passkeysPath}/new`

const passkeyFlashes: Flashes = {
  added: words.passkeyAdded,
  renamed: words.passkeyRenamed,
  removed: words.passkeyRemoved,
}

const nameField: Field = {
  name: 'name',
  label: words.passkeyName,
  hint: words.passkeyNameHint,
  maxLength: passkeyNameMax,
  autocomplete: 'off',
  required: true,
}

/** Adds the pages on which a person adds, names and removes passkeys. */
export function addPasskeyPages(context: AccountContext): void {
  const { member, fresh } = routesIn(context)
  const { passkeys, secondFactors, mail } = context.service
  member.get(passkeysPath, passkeysPage)
  fresh.get(newPath, (visit) => newPage(visit, givenBack(context.pages.takeForm(visit), emptyForm)))
  fresh.post(newPath, add, { limit: 'sign_in' })
  fresh.post(`${passkeysPath}/recovery-codes`, async (visit) => {
    const codes = await secondFactors.renewRecoveryCodes(visit.account.ppid)
    if (codes === undefined) return { redirect: passkeysPath }
    return context.pages.redirectWithSecret(visit, recoveryCodesPath, codes.join(' '))
  })
  member.get(`${passkeysPath}/:id`, (visit) => passkeyPage(visit, namedPasskey(visit)))
  member.post(`${passkeysPath}/:id`, async (visit, body) => {
    const { id } = namedPasskey(visit)
    await passkeys.rename(visit.account.ppid, id, textOf(body, 'name'))
    return redirectDone(passkeysPath, 'renamed')
  })
  fresh.post(`${passkeysPath}/:id/remove`, async (visit) => {
    const { account } = visit
    const removed = await passkeys.remove(account.ppid, namedPasskey(visit).id)
    if (removed !== undefined)
      mail.sendPasskeyChanged(account, { change: 'removed', name: removed.name })
    return redirectDone(passkeysPath, 'removed')
  })
}

async function add(visit: AccountVisit, body: FormBody): Promise<PageReply> {
  const { account, session, browser } = visit
  const { ppid } = account
  const { passkeys, sessions, mail } = visit.context.service
  const answering = { purpose: 'add', browser, ppid, ...passkeyAnswerOf(body) } as const
  const typed = textOf(body, 'name').trim()
  const answer = await passkeys.add(answering, typed === '' ? usualName(visit) : typed)
  if (answer.type === 'refused') {
    const faults = [passkeyFault(answer.reason)]
    return newPage(visit, { values: new Map([['name', typed]]), faults })
  }
  const name = typed === '' ? usualName(visit) : typed
  mail.sendPasskeyChanged(account, { change: 'added', name }, readerLanguage(visit.request))
  if (answer.recoveryCodes === undefined) return redirectDone(passkeysPath, 'added')
  // Whoever is signed in elsewhere has not shown the second factor.
  await sessions.endAll(ppid, session.id)
  return visit.context.pages.redirectWithSecret(
    visit,
    recoveryCodesPath,
    answer.recoveryCodes.join(' '),
  )
}

function usualName({ request }: MemberVisit): string {
  return browserName(request.headers['user-agent'] ?? '').slice(0, passkeyNameMax)
}

function namedPasskey({ context: { service }, account, parameters }: AccountVisit): Passkey {
  const found = service.passkeys.list(account.ppid).find(({ id }) => id === parameters['id'])
  if (found !== undefined) return found
  throw new HttpError('not_found', 'There is no such passkey, or it was removed')
}

const shown = {
  current: '/account/security',
  flashes: passkeyFlashes,
} as const

const whyImpossible: Readonly<
  Record<Extract<PasskeysOptions['support'], { type: 'impossible' }>['why'], Text>
> = {
  ip_address: words.impossible_ip_address,
  insecure: words.impossible_insecure,
  sandbox: words.impossible_sandbox,
}

function passkeysPage(visit: AccountVisit): AccountPage {
  const { pages, service } = visit.context
  const { passkeys, secondFactors } = service
  const { ppid } = visit.account
  const own = passkeys.list(ppid)
  const { support } = passkeys
  const adding = buttonLink(pages.prefix + newPath, words.addPasskey)
  const possible =
    support.type === 'impossible'
      ? html`<p class="hint">${whyImpossible[support.why]}</p>`
      : own.length < passkeysMax
        ? html`<div class="buttons">${adding}</div>`
        : html`<p class="hint">${words.passkeysFull({ count: passkeysMax })}</p>`
  const codesLeft = secondFactors.find(ppid)?.recoveryCodesLeft
  return {
    ...shown,
    title: words.passkeys,
    lead: words.passkeysLead,
    content: html`${own.length === 0 ? none(possible) : [passkeyTable(pages.prefix, own), possible]}
${codesLeft === undefined ? nothing : codesPart(pages.prefix, visit, codesLeft)}`,
  }
}

function none(possible: Html): Html {
  return emptyState(words.passkeysNone, words.passkeysNoneText, possible)
}

function passkeyTable(prefix: string, own: readonly Passkey[]): Html {
  return table(words.yourPasskeys, own, [
    [
      words.passkey,
      ({ id, name }) => html`<a href="${prefix}${passkeysPath}/${id}"><bdi>${name}</bdi></a>`,
    ],
    [words.stored, ({ is_synced: isSynced }) => keeping(isSynced)],
    [words.added, ({ created_at: at }) => time(at)],
    [words.lastUsed, ({ last_used_at: at }) => (at === undefined ? words.notUsed : time(at))],
  ])
}

function keeping(isSynced: boolean): Text {
  return isSynced ? words.onAllDevices : words.onOneDevice
}

function codesPart(prefix: string, { csrf }: MemberVisit, left: number): Html {
  const action = `${prefix}${passkeysPath}/recovery-codes`
  return card(
    words.withoutPasskey,
    html`<p>${words.withoutPasskeyText({
      codes: words.codesLeft({ count: left }),
      link: asLink(`${prefix}${secondStepPath}`),
    })}</p>
${form({ action, csrf, submit: words.makeNewCodes })}`,
  )
}

function newPage(visit: AccountVisit, state: FormState): PageReply {
  const { pages, service } = visit.context
  const { account, browser, csrf } = visit
  const { ppid, email } = account
  const asked = service.passkeys.askNew(browser, { ppid, name: email ?? ppid })
  if (asked === undefined) return { redirect: passkeysPath }
  const isFirst = service.secondFactors.find(ppid) === undefined
  const values = state.values.size > 0 ? state.values : new Map([['name', usualName(visit)]])
  const making = passkeyForm({
    action: pages.prefix + newPath,
    csrf,
    kind: 'create',
    asked,
    fields: field(nameField, { ...state, values }),
    submit: words.addPasskey,
  })
  const consequence = html`<p>${words.firstPasskey}</p>`
  return {
    ...shown,
    title: words.addPasskey,
    state,
    scripts: [passkeyScript],
    lead: words.addPasskeyLead,
    content: html`${isFirst ? consequence : nothing}<div class="card">${making}</div>
<p><a href="${pages.prefix}${passkeysPath}">${words.backToPasskeys}</a></p>`,
  }
}

function passkeyPage(
  { context: { pages, service }, account, csrf }: AccountVisit,
  { id, name, is_synced: isSynced }: Passkey,
): AccountPage {
  const action = `${pages.prefix}${passkeysPath}/${id}`
  const values = new Map([['name', name]])
  const naming = form({
    action,
    csrf,
    fields: field(nameField, { values, faults: [] }),
    submit: words.saveName,
  })
  const found = service.secondFactors.find(account.ppid)
  const isLast = found?.totpSince === undefined && found?.passkeys.length === 1
  const effect = isLast ? html`<p>${words.lastPasskey}</p>` : html`<p>${words.noLongerSignsIn}</p>`
  const removing = form({
    action: `${action}/remove`,
    csrf,
    submit: words.removePasskey,
    danger: true,
  })
  return {
    ...shown,
    title: name,
    lead: words.storedWhere({ where: keeping(isSynced) }),
    content: html`${card(words.passkeyName, naming)}
${card(words.removePasskey, html`${effect}${removing}`)}
<div class="buttons">${quietLink(pages.prefix + passkeysPath, words.backToPasskeys)}</div>`,
  }
}
