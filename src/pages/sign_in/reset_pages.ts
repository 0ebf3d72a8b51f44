import type { AccountMail } from '#src/delivery/mail/account_mail.ts'
import { type Account, readEmail } from '#src/identity/accounts/account.ts'
import { isUnconfirmed } from '#src/identity/accounts/account_links.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import { currentPassword, newPassword } from '#src/pages/kit/account_fields.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  emptyForm,
  field,
  formCard,
  type FormState,
  givenBack,
  textOf,
} from '#src/pages/kit/form.ts'
import { html } from '#src/pages/kit/html.ts'
import { accessPath } from '#src/pages/kit/page_address.ts'
import type { MemberVisit, Pages } from '#src/pages/kit/pages.ts'
import { expiredLink, type SignInContext } from '#src/pages/sign_in/sign_in_pages.ts'

/** Adds the pages that give a new password and confirm an e-mail address. */
export function addResetPages(pages: Pages, context: SignInContext): void {
  addResetRequest(pages, context)
  addReset(pages, context)
  addVerification(pages, context)
}

function addResetRequest(pages: Pages, { accounts, mail }: SignInContext): void {
  pages.open.get('/reset', ({ csrf }) =>
    mail.isOn ? requestPage(pages, csrf, emptyForm) : noMailPage(),
  )

  pages.open.post(
    '/reset',
    async (visit, body) => {
      if (!mail.isOn) return noMailPage()
      const email = readEmail(textOf(body, 'email'))
      if (email === undefined) {
        const message = 'Write one e-mail address, such as ada@example.org.'
        const faults = [{ field: 'email', code: 'bad_value', message }]
        return requestPage(pages, visit.csrf, { values: body, faults })
      }
      await pages.countAccount('reset_account', visit, email)
      const account = accounts.findByEmail(email)
      if (account !== undefined) mail.sendReset(account)
      return sentPage()
    },
    { limit: 'reset' },
  )
}

function addReset(pages: Pages, { accounts, mail }: SignInContext): void {
  pages.open.get('/reset/:token', ({ parameters, csrf }) => {
    const { token = '' } = parameters
    const account = accounts.byLink.ofReset(token)
    if (account === undefined) throw expiredLink()
    return resetPage(pages, account, { csrf, token, state: emptyForm })
  })

  pages.open.post(
    '/reset/:token',
    async (visit, body) => {
      const { csrf, parameters } = visit
      const { token = '' } = parameters
      const account = accounts.byLink.ofReset(token)
      const next = textOf(body, 'new_password')
      const faults = await accounts.byLink.resetPassword(token, next, visit.from)
      if (faults === undefined || account === undefined) throw expiredLink()
      if (faults.length > 0) {
        return resetPage(pages, account, { csrf, token, state: { values: body, faults } })
      }
      await pages.remember(visit, account.ppid)
      mail.sendPasswordReset(account)
      const return_to = `${pages.prefix}${accessPath}?done=reset`
      return { redirect: `/sign-in?${new URLSearchParams({ done: 'reset', return_to })}` }
    },
    { limit: 'sign_in' },
  )
}

/** The address is confirmed by a button: programs that read mail follow the links in it. */
function addVerification(pages: Pages, { accounts, mail }: SignInContext): void {
  pages.member.post(
    '/verify',
    ({ account }) => {
      mail.sendVerification(account)
      return { redirect: '/account?done=verification_sent' }
    },
    { limit: 'reset' },
  )

  pages.open.get('/verify/:token', ({ parameters, csrf }) => {
    const { token = '' } = parameters
    const account = accounts.byLink.ofVerification(token)
    if (account === undefined) throw expiredLink()
    const action = `${pages.prefix}/verify/${encodeURIComponent(token)}`
    return {
      title: 'Confirm your e-mail address',
      lead: html`Is <strong>${account.email}</strong> your address?`,
      content: formCard({ action, csrf, submit: 'Confirm this address' }),
    }
  })

  pages.open.post('/verify/:token', async ({ parameters, account }) => {
    if (!(await accounts.byLink.verifyEmail(parameters['token'] ?? ''))) throw expiredLink()
    return { redirect: account === undefined ? '/sign-in?done=verified' : '/account?done=verified' }
  })
}

function requestPage({ prefix }: Pages, csrf: string, state: FormState): AccountPage {
  const fields = field(
    {
      name: 'email',
      label: 'E-mail address',
      type: 'email',
      required: true,
      autocomplete: 'email',
    },
    state,
  )
  return {
    title: 'Choose a new password',
    state,
    lead: 'We send a link to the address of your account; it works once, for an hour.',
    content: formCard({ action: `${prefix}/reset`, csrf, fields, submit: 'Send me a link' }),
  }
}

function sentPage(): AccountPage {
  const lead =
    'If there is an account with this address, a message with a link is on its way to it. ' +
    'It may take some minutes; look among unwanted mail as well.'
  return { title: 'Look into your mail', lead }
}

function noMailPage(): AccountPage {
  const lead =
    'This registry sends no mail. Ask its operator for a link with which you can choose a new ' +
    'password.'
  return { title: 'Choose a new password', lead }
}

function resetPage(
  { prefix }: Pages,
  account: Account,
  {
    csrf,
    token,
    state,
  }: { readonly csrf: string; readonly token: string; readonly state: FormState },
): AccountPage {
  const action = `${prefix}/reset/${encodeURIComponent(token)}`
  const fields = field(newPassword, state)
  return {
    title: 'Choose a new password',
    state,
    lead: 'All browsers that are signed in are signed out.',
    content: html`${isUnconfirmed(account) ? whatEnds : ''}
${formCard({ action, csrf, fields, submit: 'Change password' })}`,
  }
}

const whatEnds = html`<p>The address of this account was never confirmed, so somebody else may have
made it. With the new password its keys, permissions, secrets of applications and accounts elsewhere
end as well.</p>`

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
