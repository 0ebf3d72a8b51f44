import type { AskedPasskey, PasskeyAsking } from '#src/identity/accounts/passkeys.ts'
import type { AccountContext, AccountVisit } from '#src/pages/account/context.ts'
import {
  currentPassword,
  faultOf,
  passkeyAnswerOf,
  passkeyFault,
  passkeyForm,
  recoveryCodeField,
  secondFactorField,
  unverifiedPasskey,
  wrongCode,
} from '#src/pages/kit/account_fields.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { readerLanguage } from '#src/edge/reader_language.ts'
import { passkeyScript } from '#src/pages/kit/assets.ts'
import {
  emptyForm,
  field,
  type FormBody,
  formCard,
  type FormState,
  hiddenField,
  type PageFault,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { confirmPath as path, unsentPath } from '#src/pages/kit/page_address.ts'
import { type MemberVisit, type PageReply, routesIn } from '#src/pages/kit/pages.ts'
import { buttonLink, card, facts } from '#src/pages/kit/parts.ts'
import { credentials as words } from '#src/words/english.ts'
import { upstreamPath } from '#src/pages/sign_in/upstream_pages.ts'

const passkeyPath = `${path}/passkey`

const flashes: Flashes = {
  kept: {
    kind: 'info',
    text: words.confirmKept,
  },
  form: { kind: 'info', text: words.confirmForm },
}

/** Adds the page on which who is signed in shows again who they are, before what matters most. */
export function addConfirmPages(context: AccountContext): void {
  const { member } = routesIn(context)
  member.get(path, (visit) => {
    return confirmPage(visit, visit.query.get('return_to'), emptyForm)
  })
  member.post(path, confirm, { limit: 'sign_in' })
  member.post(passkeyPath, confirmByPasskey, { limit: 'sign_in' })
  member.get(unsentPath, unsentPage)
}

/** The form that somebody sent after their session had ended, to send it now. */
function unsentPage(visit: AccountVisit): AccountPage {
  const kept = visit.context.pages.takeUnsent(visit)
  if (kept === undefined) {
    return {
      title: words.unsentNothing,
      current: '/account',
      content: html`<p>${words.unsentNothingText}</p>`,
    }
  }
  const values = [...kept.values].filter(([name]) => name !== 'csrf')
  return {
    title: words.unsentTitle,
    current: '/account',
    lead: words.unsentLead,
    content: html`${facts(
      values.map(([name, value]) => [name.replaceAll('_', ' '), html`<bdi>${value}</bdi>`]),
    )}
${formCard({
  action: kept.action,
  csrf: visit.csrf,
  fields: html`${values.map(([name, value]) => hiddenField(name, value))}
<p class="hint">${words.unsentHint}</p>`,
  submit: words.unsentSubmit,
})}`,
  }
}

async function confirm(visit: AccountVisit, body: FormBody): Promise<PageReply> {
  const { account, session } = visit
  const to = textOf(body, 'return_to')
  await visit.context.pages.countAccount('sign_in_account', visit, account.email ?? account.ppid)
  const fault = await whyNot(visit, body)
  if (fault !== undefined) {
    return confirmPage(visit, to, { values: new Map(), faults: [fault] })
  }
  await visit.context.service.sessions.confirm(account.ppid, session.id)
  return { redirect: visit.context.pages.returnTo(to) }
}

/** A passkey is as good as password and second step, if its device has made sure who it is. */
async function confirmByPasskey(visit: AccountVisit, body: FormBody): Promise<PageReply> {
  const { account, session } = visit
  const to = textOf(body, 'return_to')
  const asking = askingOf(visit)
  const answer = await visit.context.service.passkeys.use({ ...asking, ...passkeyAnswerOf(body) })
  if (answer.type === 'accepted' && answer.isVerified) {
    await visit.context.service.sessions.confirm(account.ppid, session.id)
    return { redirect: visit.context.pages.returnTo(to) }
  }
  const fault = answer.type === 'accepted' ? unverifiedPasskey : passkeyFault(answer.reason)
  return confirmPage(visit, to, { values: new Map(), faults: [fault] })
}

function askingOf({ browser, account: { ppid } }: MemberVisit): PasskeyAsking {
  return { purpose: 'confirm', browser, ppid }
}

/** What is wrong with what was shown: the password first, so that no code is used up in vain. */
async function whyNot(
  { context: { service, nowMs }, account: { ppid }, from, request }: AccountVisit,
  body: FormBody,
): Promise<PageFault | undefined> {
  const { accounts, secondFactors, mail } = service
  if (!(await accounts.hasPassword(ppid, textOf(body, 'current_password'), from))) {
    return faultOf('current_password', 'wrong', words.wrongPassword)
  }
  if (secondFactors.find(ppid) === undefined) return undefined
  const answer = await secondFactors.redeem(ppid, textOf(body, 'code'))
  if (answer.type !== 'accepted') return wrongCode(answer, nowMs())
  const account = accounts.find(ppid)
  if (answer.method === 'recovery_code' && account !== undefined) {
    const left = secondFactors.find(ppid)?.recoveryCodesLeft ?? 0
    mail.sendRecoveryCodeUsed(account, left, readerLanguage(request))
  }
  return undefined
}

function confirmPage(visit: AccountVisit, to: string | null, state: FormState): AccountPage {
  const asked = visit.context.service.passkeys.ask(askingOf(visit))
  return {
    title: words.confirmTitle,
    current: '/account/security',
    flashes,
    state,
    lead: words.confirmLead,
    ...(asked && { scripts: [passkeyScript] }),
    content: html`${asked === undefined ? nothing : passkeyPart(visit, asked, to)}
${visit.account.password === null ? elsewherePart(visit, to) : passwordPart(visit, to, state)}`,
  }
}

function passkeyPart(
  { context: { pages }, csrf }: AccountVisit,
  asked: AskedPasskey,
  to: string | null,
): Html {
  const action = pages.prefix + passkeyPath
  const fields = hiddenField('return_to', to ?? '')
  const submit = words.usePasskey
  return card(
    words.withYourPasskey,
    passkeyForm({ action, csrf, kind: 'get', asked, fields, submit }),
  )
}

function passwordPart(
  { context: { pages, service }, account, csrf }: AccountVisit,
  to: string | null,
  state: FormState,
): Html {
  const factors = service.secondFactors.find(account.ppid)
  const code = factors?.totpSince === undefined ? recoveryCodeField : secondFactorField
  const fields = [
    hiddenField('return_to', to ?? ''),
    field(currentPassword, state),
    factors === undefined ? '' : field(code, state),
  ]
  return formCard({ action: pages.prefix + path, csrf, fields, submit: words.confirmSubmit })
}

/** Who has no password signs in anew, where they always do. */
function elsewherePart(
  { context: { pages, upstreams }, account }: AccountVisit,
  to: string | null,
): Html {
  const own = upstreams.filter(({ issuer: { issuer } }) =>
    account.links.some(({ iss }) => iss === issuer),
  )
  const links = own.map(({ issuer: { id, name } }) =>
    buttonLink(pages.prefix + upstreamPath(id) + pages.returnQuery(to), words.withOther({ name })),
  )
  return html`<div class="card"><div class="buttons">${links}</div></div>`
}
