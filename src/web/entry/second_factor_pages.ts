import type { PasskeyAsking } from '#src/identity/accounts/passkey_challenge.ts'
import type { Passkeys } from '#src/identity/accounts/passkeys.ts'
import type { SecondFactors } from '#src/identity/accounts/second_factor.ts'
import type { WebSessions } from '#src/identity/accounts/web_session.ts'
import type { AccountMail } from '#src/mail/account_mail.ts'
import type { AccountPage } from '#src/web/kit/account_frame.ts'
import { passkeyScript } from '#src/web/kit/assets.ts'
import type { HalfSignIn } from '#src/web/kit/browser_sessions.ts'
import { textOf } from '#src/web/kit/form_body.ts'
import { emptyForm, field, formCard, type FormState } from '#src/web/kit/form_field.ts'
import { html } from '#src/web/kit/html.ts'
import { secondFactorPath } from '#src/web/kit/page_address.ts'
import type { Pages, Visit } from '#src/web/kit/pages.ts'
import { card } from '#src/web/kit/parts.ts'
import { passkeyAnswerOf, passkeyFault, passkeyForm } from '#src/web/kit/passkey_form.ts'
import {
  recoveryCodeField,
  secondFactorField,
  wrongCode,
} from '#src/web/kit/second_factor_field.ts'

const passkeyPath = `${secondFactorPath}/passkey`

/** What the page that asks for the second factor works with. */
export type SecondFactorContext = {
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
  const page = (visit: Visit, half: HalfSignIn, state: FormState) =>
    codePage(pages, context, { visit, half, state })

  pages.open.get(secondFactorPath, (visit) => {
    const half = pages.halfSignedIn(visit)
    return half === undefined ? again : page(visit, half, emptyForm)
  })

  pages.open.post(
    secondFactorPath,
    async (visit, body) => {
      const half = pages.halfSignedIn(visit)
      if (half === undefined) return again
      const { account } = half
      // It may have been ended since.
      if (secondFactors.find(account.ppid) === undefined) return pages.signIn(visit, account, half)
      const answer = await secondFactors.redeem(account.ppid, textOf(body, 'code'))
      if (answer.type !== 'accepted') {
        sessions.history.noteFailure(account.ppid, 'code')
        const faults = [wrongCode(answer, nowMs())]
        return page(visit, half, { values: new Map(), faults })
      }
      if (answer.method === 'recovery_code') {
        mail.sendRecoveryCodeUsed(account, leftOf(secondFactors, account.ppid))
      }
      return pages.finishSignIn(visit, half, answer.method)
    },
    { limit: 'sign_in' },
  )

  pages.open.post(
    passkeyPath,
    async (visit, body) => {
      const half = pages.halfSignedIn(visit)
      if (half === undefined) return again
      const asking = askingOf(visit, half)
      const answer = await passkeys.use({ ...asking, ...passkeyAnswerOf(body) })
      if (answer.type === 'accepted') return pages.finishSignIn(visit, half, answer.method)
      return page(visit, half, { values: new Map(), faults: [passkeyFault(answer.reason)] })
    },
    { limit: 'sign_in' },
  )
}

function askingOf({ browser }: Visit, { account: { ppid } }: HalfSignIn): PasskeyAsking {
  return { purpose: 'second_factor', browser, ppid }
}

function leftOf(secondFactors: SecondFactors, ppid: string): number {
  return secondFactors.find(ppid)?.recoveryCodesLeft ?? 0
}

function codePage(
  { prefix }: Pages,
  { secondFactors, passkeys }: SecondFactorContext,
  shown: { readonly visit: Visit; readonly half: HalfSignIn; readonly state: FormState },
): AccountPage {
  const { visit, half, state } = shown
  const { csrf } = visit
  const { account } = half
  const action = prefix + secondFactorPath
  const beside = html`<a href="${prefix}/sign-in">Sign in with another account</a>`
  const hasApp = secondFactors.find(account.ppid)?.totpSince !== undefined
  const asked = passkeys.ask(askingOf(visit, half))
  const fields = field(hasApp ? secondFactorField : recoveryCodeField, state)
  const codes = formCard({ action, csrf, fields, submit: 'Sign in', beside })
  const name = html`<strong>${account.email ?? account.ppid}</strong>`
  if (asked === undefined) {
    return {
      title: 'Your code',
      state,
      lead: html`One more step for ${name}: the six digits that your authenticator app shows now.`,
      content: html`${codes}${withoutDevice}`,
    }
  }
  const submit = 'Use your passkey'
  const using = passkeyForm({ action: prefix + passkeyPath, csrf, kind: 'get', asked, submit })
  return {
    title: 'Your second step',
    state,
    scripts: [passkeyScript],
    lead: html`One more step for ${name}: your passkey, or a code.`,
    content: html`${card('With your passkey', using)}
<h2>With a code</h2>${codes}${withoutDevice}`,
  }
}

const withoutDevice = html`<h2>Without your device</h2>
<p>Type one of your recovery codes; each works once. If you have none left, the operator of this
registry can end the second step after making sure that it is you.</p>`
