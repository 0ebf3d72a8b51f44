import type { PasskeyAsking, Passkeys } from '#src/identity/accounts/passkeys.ts'
import type { SecondFactors } from '#src/identity/accounts/second_factor.ts'
import type { WebSessions } from '#src/identity/accounts/web_session.ts'
import type { AccountMail } from '#src/delivery/mail/account_mail.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { passkeyScript } from '#src/pages/kit/assets.ts'
import type { PendingSecondFactor } from '#src/pages/kit/browser_sessions.ts'
import { textOf } from '#src/pages/kit/form_body.ts'
import { emptyForm, field, formCard, type FormState } from '#src/pages/kit/form_field.ts'
import { html } from '#src/pages/kit/html.ts'
import { secondFactorPath } from '#src/pages/kit/page_address.ts'
import type { Pages, Visit } from '#src/pages/kit/pages.ts'
import { card } from '#src/pages/kit/parts.ts'
import { passkeyAnswerOf, passkeyFault, passkeyForm } from '#src/pages/kit/passkey_form.ts'
import {
  recoveryCodeField,
  secondFactorField,
  wrongCode,
} from '#src/pages/kit/second_factor_field.ts'

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
        mail.sendRecoveryCodeUsed(account, leftOf(secondFactors, account.ppid))
      }
      return pages.finishSignIn(visit, pending, answer.method)
    },
    { limit: 'sign_in' },
  )

  pages.open.post(
    passkeyPath,
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
  const beside = html`<a href="${prefix}/sign-in">Sign in with another account</a>`
  const hasApp = secondFactors.find(account.ppid)?.totpSince !== undefined
  const asked = passkeys.ask(askingOf(visit, pending))
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
