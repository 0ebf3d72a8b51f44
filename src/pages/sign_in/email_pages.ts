import { currentPassword } from '#src/pages/kit/password_fields.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html } from '#src/pages/kit/html.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import type { AccountMail } from '#src/delivery/mail/account_mail.ts'
import { givenBack } from '#src/pages/kit/kept_form.ts'
import { textOf } from '#src/pages/kit/form_body.ts'
import { emptyForm, field, formCard, type FormState } from '#src/pages/kit/form_field.ts'
import type { MemberVisit, Pages } from '#src/pages/kit/pages.ts'

const path = '/account/email'

/** Adds the page on which a person gives another e-mail address. */
export function addEmailPages(
  pages: Pages,
  { accounts, mail }: { readonly accounts: Accounts; readonly mail: AccountMail },
): void {
  pages.fresh.get(path, (visit) =>
    emailPage(pages, visit, givenBack(pages.takeForm(visit), emptyForm)),
  )

  pages.fresh.post(
    path,
    async (visit, body) => {
      const { ppid, email: before } = visit.account
      await pages.countAccount('sign_in_account', visit, before ?? ppid)
      const current = textOf(body, 'current_password')
      const email = textOf(body, 'email')
      const faults = await accounts.changeEmail({ ppid, current, email, from: visit.from })
      if (faults.length > 0) return emailPage(pages, visit, { values: body, faults })
      const account = accounts.find(ppid)
      mail.sendAddressChanged(visit.account)
      if (account !== undefined) mail.sendVerification(account)
      return { redirect: '/account/security?done=email' }
    },
    { limit: 'sign_in' },
  )
}

function emailPage(
  { prefix }: Pages,
  { account, csrf }: MemberVisit,
  state: FormState,
): AccountPage {
  const title = 'Change the e-mail address'
  const password = field(currentPassword, state)
  const address = field(
    {
      name: 'email',
      label: 'New e-mail address',
      hint: 'You sign in with it from then on.',
      type: 'email',
      required: true,
      autocomplete: 'email',
    },
    state,
  )
  const fields = [address, account.password === null ? '' : password]
  const beside = html`<a href="${prefix}/account/security">Leave it as it is</a>`
  return {
    title,
    current: '/account/security',
    state,
    lead: html`It is ${account.email ?? 'not known'} now.`,
    content: formCard({ action: prefix + path, csrf, fields, submit: 'Change address', beside }),
  }
}
