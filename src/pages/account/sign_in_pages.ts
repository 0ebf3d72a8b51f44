import { signInsMax } from '#src/identity/accounts/web_session.ts'
import type { AccountContext } from '#src/pages/account/context.ts'
import { changePassword } from '#src/pages/account/security_pages.ts'
import { signInTable } from '#src/pages/account/sign_in_list.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { emptyForm, fieldList, formCard, type FormState } from '#src/pages/kit/form_field.ts'
import { html } from '#src/pages/kit/html.ts'
import { accessPath, signInsPath as path, strangerPath } from '#src/pages/kit/page_address.ts'
import type { MemberVisit } from '#src/pages/kit/pages.ts'
import { quietLink } from '#src/pages/kit/parts.ts'
import { currentPassword, newPassword } from '#src/pages/kit/password_fields.ts'

const shown = { current: '/account/security' }

/** Adds the page of a person's last sign-ins, and the one for who finds one that was not theirs. */
export function addSignInHistoryPages(context: AccountContext): void {
  const { member, fresh } = context.pages
  member.get(path, (visit) => historyPage(context, visit))
  fresh.get(strangerPath, (visit) => strangerPage(context, visit, emptyForm))
  fresh.post(
    strangerPath,
    async (visit, body) => {
      const { account, session } = visit
      const faults = account.password === null ? [] : await changePassword(context, visit, body)
      if (faults.length > 0) return strangerPage(context, visit, { values: new Map(), faults })
      await context.service.sessions.endAll(account.ppid, session.id)
      return { redirect: `${accessPath}?done=stranger` }
    },
    { limit: 'sign_in' },
  )
}

function historyPage({ pages, service }: AccountContext, { account }: MemberVisit): AccountPage {
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
  { pages }: AccountContext,
  { account, csrf }: MemberVisit,
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
