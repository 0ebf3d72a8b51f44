import type { EnvironmentName } from '#actors/registry/environment.ts'
import type { SignUp } from '#config/schema.ts'
import type { AccountMail } from '#src/delivery/mail/account_mail.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import type { OneTimeLinks } from '#src/identity/accounts/one_time_links.ts'
import type { AskedPasskey, PasskeyAsking, Passkeys } from '#src/identity/accounts/passkeys.ts'
import type { SecondFactors } from '#src/identity/accounts/second_factor.ts'
import type { SetupToken } from '#src/identity/accounts/setup_token.ts'
import type { WebSessions } from '#src/identity/accounts/web_session.ts'
import {
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
import { PageError } from '#src/pages/kit/error_page.ts'
import { passkeyScript } from '#src/pages/kit/assets.ts'
import type { PendingSecondFactor } from '#src/pages/sessions/browser_sessions.ts'
import {
  emptyForm,
  field,
  fieldList,
  type FormBody,
  formCard,
  type FormState,
  hiddenField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { home, secondFactorPath, signInAnew } from '#src/pages/kit/page_address.ts'
import type { Pages, Visit } from '#src/pages/kit/pages.ts'
import { asLink, buttonLink, card } from '#src/pages/kit/parts.ts'
import { credentials as words, frame } from '#src/words/english.ts'
import type { TextWording } from '#src/words/wording.ts'

/** What the pages of set-up, sign-up, sign-in, password reset and verification work with. */
export type SignInContext = {
  readonly accounts: Accounts
  readonly links: OneTimeLinks
  readonly passkeys: Passkeys
  readonly sessions: WebSessions
  readonly mail: AccountMail
  readonly setup: SetupToken
  readonly signUp: SignUp
  readonly environment: EnvironmentName
  /** Accounts elsewhere that sign people in: a name, and a path below the prefix. */
  readonly upstreams: readonly { readonly name: string; readonly path: string }[]
}

/** The answer to a one-time link that was used already or has expired. */
export function expiredLink(): HttpError {
  return new PageError('gone', words.expiredLink)
}

const passkeyPath = '/sign-in/passkey'

const flashes: Flashes = {
  signed_out: words.signedOut,
  expired: { kind: 'info', text: words.expired },
  kept: { kind: 'info', text: words.kept },
  code_expired: { kind: 'info', text: words.codeExpired },
  reset: words.passwordChanged,
  unlocked: { kind: 'info', text: words.unlocked },
  verified: words.emailConfirmed,
  removed: words.accountErased,
}

/** Adds the sign-in and the sign-out. */
export function addSignInPages(pages: Pages, context: SignInContext): void {
  const { accounts, sessions } = context
  // At the root of a host there is something else.
  if (pages.prefix !== '') pages.open.get('/', () => ({ redirect: home }))

  pages.open.get('/sign-in', (visit) => {
    const to = visit.query.get('return_to')
    const isOver = visit.account === undefined || visit.query.has(signInAnew)
    if (!isOver) return { redirect: pages.returnTo(to) }
    return signInPage({ pages, context, visit, to, state: emptyForm })
  })

  pages.open.post(
    '/sign-in',
    async (visit, body) => {
      const to = textOf(body, 'return_to')
      const state = checkSignIn(body)
      if (state.faults.length > 0) return signInPage({ pages, context, visit, to, state })
      const email = textOf(body, 'email')
      const locked = await countSignIn(pages, context, visit, email)
      if (locked !== undefined) return locked
      const answer = await accounts.signIn(email, textOf(body, 'password'), visit.from)
      if (answer.type === 'signed_in') {
        const how = { method: 'password', to: pages.returnTo(to) } as const
        return pages.signIn(visit, answer.account, how)
      }
      const named = accounts.findByEmail(email)
      if (named !== undefined) sessions.history.noteFailure(named.ppid, 'password')
      const faults = [faultOf('password', 'wrong', words.wrongPair)]
      return signInPage({ pages, context, visit, to, state: { values: body, faults } })
    },
    { limit: 'sign_in' },
  )

  addPasskeySignIn(pages, context)
  addUnlockPages(pages, context)

  pages.open.get('/sign-out', ({ csrf, account }) => {
    if (account === undefined) return { redirect: '/sign-in?done=signed_out' }
    const out = formCard({ action: `${pages.prefix}/sign-out`, csrf, submit: frame.signOut })
    return { title: frame.signOut, content: out }
  })

  pages.open.post('/sign-out', async (visit) => {
    await pages.signOut(visit)
    return { redirect: '/sign-in?done=signed_out' }
  })
}

/** Adds the sign-in by a passkey alone, whose device has verified its owner. */
function addPasskeySignIn(pages: Pages, context: SignInContext): void {
  const { accounts, passkeys } = context
  pages.open.post(
    passkeyPath,
    async (visit, body) => {
      const to = textOf(body, 'return_to')
      const { browser } = visit
      const answer = await passkeys.use({
        purpose: 'sign_in',
        browser,
        ...passkeyAnswerOf(body),
      })
      const account = answer.type === 'accepted' ? accounts.find(answer.ppid) : undefined
      if (answer.type === 'accepted' && answer.isVerified && account !== undefined) {
        return pages.signIn(visit, account, { method: answer.method, to: pages.returnTo(to) })
      }
      const fault =
        answer.type === 'refused'
          ? passkeyFault(answer.reason)
          : account === undefined
            ? passkeyFault('wrong')
            : unverifiedPasskey
      const state = { values: new Map(), faults: [fault] }
      return signInPage({ pages, context, visit, to, state })
    },
    { limit: 'sign_in' },
  )
}

/** Counts a try; the page in place of the answer if there were too many. */
async function countSignIn(
  pages: Pages,
  { accounts, mail }: SignInContext,
  visit: Visit,
  email: string,
): Promise<AccountPage | undefined> {
  try {
    await pages.countAccount('sign_in_account', visit, email)
    return undefined
  } catch (error) {
    if (!(error instanceof HttpError) || error.code !== 'rate_limit_exceeded') throw error
    const seconds = Number(error.extra['retry_after'])
    visit.reply.header('retry-after', seconds)
    // The owner of the account is told, because others may have locked it.
    const account = accounts.findByEmail(email)
    if (account !== undefined) mail.sendUnlock(account, readerLanguage(visit.request))
    return lockedPage(Math.ceil(seconds / 60), mail.isOn)
  }
}

function lockedPage(minutes: number, isMailOn: boolean): AccountPage {
  return {
    title: words.lockedTitle,
    status: 429,
    lead: words.lockedText({ minutes }),
    content: html`<p>${isMailOn ? words.lockedLink : words.lockedAsk}</p>`,
  }
}

/** Adds the page of the link by which owners go on although others have locked their account. */
function addUnlockPages(pages: Pages, { accounts }: SignInContext): void {
  pages.open.get('/unlock/:token', ({ parameters, csrf }) => {
    const { token = '' } = parameters
    const account = accounts.byLink.ofUnlock(token)
    if (account === undefined) throw expiredLink()
    const action = `${pages.prefix}/unlock/${encodeURIComponent(token)}`
    const going = formCard({ action, csrf, submit: words.unlock })
    return {
      title: words.unlockTitle,
      lead: words.unlockText({ who: strongName(account) }),
      content: going,
    }
  })

  pages.open.post('/unlock/:token', async (visit) => {
    const account = await accounts.byLink.unlock(visit.parameters['token'] ?? '')
    if (account === undefined) throw expiredLink()
    await pages.remember(visit, account.ppid)
    return { redirect: '/sign-in?done=unlocked' }
  })
}

function checkSignIn(values: FormBody): FormState {
  const faults = [
    ...(textOf(values, 'email').trim() === ''
      ? [faultOf('email', 'required', words.writeEmail)]
      : []),
    ...(textOf(values, 'password') === ''
      ? [faultOf('password', 'required', words.writePassword)]
      : []),
  ]
  return { values, faults }
}

function signInPage({
  pages,
  context,
  visit,
  to,
  state,
}: {
  readonly pages: Pages
  readonly context: SignInContext
  readonly visit: Visit
  readonly to: string | null
  readonly state: FormState
}): AccountPage {
  const { prefix } = pages
  const query = pages.returnQuery(to)
  const asked = context.passkeys.ask({ purpose: 'sign_in', browser: visit.browser })
  const fields = [
    hiddenField('return_to', to ?? ''),
    fieldList(state, [
      {
        name: 'email',
        label: words.email,
        type: 'email',
        required: true,
        // Browsers offer passkeys in this field, where they can.
        autocomplete: asked === undefined ? 'username' : 'username webauthn',
      },
      {
        name: 'password',
        label: words.password,
        type: 'password',
        required: true,
        autocomplete: 'current-password',
      },
    ]),
  ]
  const isSandbox = context.environment === 'sandbox'
  const beside = html`<a href="${prefix}/reset">${words.forgotten}</a>`
  const action = `${prefix}/sign-in`
  return {
    title: words.title,
    current: '/sign-in',
    flashes,
    state,
    ...(visit.account === undefined
      ? isSandbox && { lead: testPeople }
      : { lead: anewLead(visit.account) }),
    ...(asked && { scripts: [passkeyScript] }),
    content: html`${formCard({
      action,
      csrf: visit.csrf,
      fields,
      submit: words.title,
      ...(!isSandbox && { beside }),
    })}
${asked === undefined ? nothing : passkeyPart(prefix, visit.csrf, asked, to)}
${upstreamLinks(prefix, context, query)}
${signUpHint(prefix, context, query)}`,
  }
}

function passkeyPart(prefix: string, csrf: string, asked: AskedPasskey, to: string | null): Html {
  const action = prefix + passkeyPath
  const fields = hiddenField('return_to', to ?? '')
  const submit = words.withPasskey
  return card(
    words.withPasskeyTitle,
    passkeyForm({ action, csrf, kind: 'get', asked, fields, submit, isFilledIn: true }),
  )
}

/** Whoever is signed in already was sent here by an application, and is asked for nothing else. */
function anewLead(account: Account): TextWording {
  return words.askedAgain({ who: strongName(account) })
}

function strongName({ email, ppid }: Account): Html {
  return html`<strong><bdi>${email ?? ppid}</bdi></strong>`
}

/** Nobody has forgotten a password here: what makes a test person tells it. */
const testPeople = words.testPeople({
  code: (text) => html`<code translate="no" dir="ltr">${text}</code>`,
})

function upstreamLinks(prefix: string, { upstreams }: SignInContext, query: string): Html {
  if (upstreams.length === 0) return nothing
  const links = upstreams.map(({ name, path }) =>
    buttonLink(prefix + path + query, words.withOther({ name })),
  )
  return html`<div class="card"><h2>${words.withOtherTitle}</h2>
<div class="buttons">${links}</div></div>`
}

function signUpHint(prefix: string, { signUp }: SignInContext, query: string): Html {
  if (signUp !== 'open') return nothing
  return html`<p class="aside">${words.noAccount({
    link: asLink(`${prefix}/sign-up${query}`),
  })}</p>`
}

const secondPasskeyPath = `${secondFactorPath}/passkey`

/** What the page that asks for the second factor works with. */
type SecondFactorContext = {
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
  readonly sessions: WebSessions
  readonly mail: AccountMail
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

/** Adds the page on which who has shown the first factor shows the second. */
export function addSecondFactorPages(pages: Pages, context: SecondFactorContext): void {
  const { secondFactors, passkeys, sessions, mail, nowMs } = context
  const again = { redirect: '/sign-in?done=code_expired' }
  const page = (visit: Visit, pending: PendingSecondFactor, state: FormState) =>
    codePage(pages, context, { visit, pending, state })

  pages.open.get(secondFactorPath, (visit) => {
    const pending = pages.pendingSecondFactor(visit)
    return pending === undefined ? again : page(visit, pending, emptyForm)
  })

  pages.open.post(
    secondFactorPath,
    async (visit, body) => {
      const pending = pages.pendingSecondFactor(visit)
      if (pending === undefined) return again
      const { account } = pending
      // It may have been ended since.
      if (secondFactors.find(account.ppid) === undefined)
        return pages.signIn(visit, account, pending)
      const answer = await secondFactors.redeem(account.ppid, textOf(body, 'code'))
      if (answer.type !== 'accepted') {
        sessions.history.noteFailure(account.ppid, 'code')
        const faults = [wrongCode(answer, nowMs())]
        return page(visit, pending, { values: new Map(), faults })
      }
      if (answer.method === 'recovery_code') {
        const left = leftOf(secondFactors, account.ppid)
        mail.sendRecoveryCodeUsed(account, left, readerLanguage(visit.request))
      }
      return pages.finishSignIn(visit, pending, answer.method)
    },
    { limit: 'sign_in' },
  )

  pages.open.post(
    secondPasskeyPath,
    async (visit, body) => {
      const pending = pages.pendingSecondFactor(visit)
      if (pending === undefined) return again
      const asking = askingOf(visit, pending)
      const answer = await passkeys.use({ ...asking, ...passkeyAnswerOf(body) })
      if (answer.type === 'accepted') return pages.finishSignIn(visit, pending, answer.method)
      return page(visit, pending, { values: new Map(), faults: [passkeyFault(answer.reason)] })
    },
    { limit: 'sign_in' },
  )
}

function askingOf({ browser }: Visit, { account: { ppid } }: PendingSecondFactor): PasskeyAsking {
  return { purpose: 'second_factor', browser, ppid }
}

function leftOf(secondFactors: SecondFactors, ppid: string): number {
  return secondFactors.find(ppid)?.recoveryCodesLeft ?? 0
}

function codePage(
  { prefix }: Pages,
  { secondFactors, passkeys }: SecondFactorContext,
  shown: {
    readonly visit: Visit
    readonly pending: PendingSecondFactor
    readonly state: FormState
  },
): AccountPage {
  const { visit, pending, state } = shown
  const { csrf } = visit
  const { account } = pending
  const action = prefix + secondFactorPath
  const beside = html`<a href="${prefix}/sign-in">${words.anotherAccount}</a>`
  const hasApp = secondFactors.find(account.ppid)?.totpSince !== undefined
  const asked = passkeys.ask(askingOf(visit, pending))
  const fields = field(hasApp ? secondFactorField : recoveryCodeField, state)
  const codes = formCard({ action, csrf, fields, submit: words.title, beside })
  const who = strongName(account)
  if (asked === undefined) {
    return {
      title: words.codeTitle,
      state,
      lead: words.codeLead({ who }),
      content: html`${codes}${withoutDevice}`,
    }
  }
  const submit = words.usePasskey
  const using = passkeyForm({
    action: prefix + secondPasskeyPath,
    csrf,
    kind: 'get',
    asked,
    submit,
  })
  return {
    title: words.secondTitle,
    state,
    scripts: [passkeyScript],
    lead: words.secondLead({ who }),
    content: html`${card(words.withYourPasskey, using)}
<h2>${words.withCode}</h2>${codes}${withoutDevice}`,
  }
}

const withoutDevice = html`<h2>${words.withoutDevice}</h2>
<p>${words.withoutDeviceText}</p>`
