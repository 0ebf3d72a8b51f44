import type { SecondFactors } from '#src/identity/accounts/second_factor.ts'
import type { AccountMail } from '#src/mail/account_mail.ts'
import type { AccountPage } from '#src/web/kit/account_frame.ts'
import type { HalfSignIn } from '#src/web/kit/browser_sessions.ts'
import { textOf } from '#src/web/kit/form_body.ts'
import { emptyForm, field, formCard, type FormState } from '#src/web/kit/form_field.ts'
import { html } from '#src/web/kit/html.ts'
import { secondFactorPath } from '#src/web/kit/page_address.ts'
import type { Pages, Visit } from '#src/web/kit/pages.ts'
import { secondFactorField, wrongCode } from '#src/web/kit/second_factor_field.ts'

/** What the page that asks for the second factor works with. */
export type SecondFactorContext = {
  readonly secondFactors: SecondFactors
  readonly mail: AccountMail
  /** Milliseconds since 1970. */
  readonly nowMs: () => number
}

/** Adds the page on which who has shown the first factor shows the second. */
export function addSecondFactorPages(pages: Pages, context: SecondFactorContext): void {
  const { secondFactors, mail, nowMs } = context
  const again = { redirect: '/sign-in?done=code_expired' }

  pages.open.get(secondFactorPath, (visit) => {
    const half = pages.halfSignedIn(visit)
    return half === undefined ? again : codePage(pages, visit, half, emptyForm)
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
        const faults = [wrongCode(answer, nowMs())]
        return codePage(pages, visit, half, { values: new Map(), faults })
      }
      if (answer.method === 'recovery_code') {
        mail.sendRecoveryCodeUsed(account, leftOf(secondFactors, account.ppid))
      }
      return pages.finishSignIn(visit, half, answer.method)
    },
    { limit: 'sign_in' },
  )
}

function leftOf(secondFactors: SecondFactors, ppid: string): number {
  return secondFactors.find(ppid)?.recoveryCodesLeft ?? 0
}

function codePage(
  { prefix }: Pages,
  { csrf }: Visit,
  { account }: HalfSignIn,
  state: FormState,
): AccountPage {
  const action = prefix + secondFactorPath
  const beside = html`<a href="${prefix}/sign-in">Sign in with another account</a>`
  const fields = field(secondFactorField, state)
  return {
    title: 'Your code',
    state,
    lead: html`One more step for <strong>${account.email ?? account.ppid}</strong>: the six digits
that your authenticator app shows now.`,
    content: html`${formCard({ action, csrf, fields, submit: 'Sign in', beside })}
<h2>Without your device</h2>
<p>Type one of your recovery codes in place of the digits; each works once. If you have none left,
the operator of this registry can end the second step after making sure that it is you.</p>`,
  }
}
