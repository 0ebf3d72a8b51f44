import type { AccountMail } from '#src/delivery/mail/account_mail.ts'
import { type Account, readEmail } from '#src/identity/accounts/account.ts'
import { isUnconfirmed } from '#src/identity/accounts/account_links.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
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
  formCard,
  type FormState,
  givenBack,
  textOf,
} from '#src/pages/kit/form.ts'
import { html } from '#src/pages/kit/html.ts'
import { readerLanguage } from '#src/edge/reader_language.ts'
import { accessPath } from '#src/pages/kit/page_address.ts'
import type { MemberVisit, Pages } from '#src/pages/kit/pages.ts'
import { credentials as words } from '#src/words/english.ts'
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
        const faults = [faultOf('email', 'bad_value', words.email_bad_value)]
        return requestPage(pages, visit.csrf, { values: body, faults })
      }
      await pages.countAccount('reset_account', visit, email)
      const account = accounts.findByEmail(email)
      if (account !== undefined) mail.sendReset(account, readerLanguage(visit.request))
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
      const found = await accounts.byLink.resetPassword(token, next, visit.from)
      if (found === undefined || account === undefined) throw expiredLink()
      if (found.length > 0) {
        const faults = found.map(asPersonFault)
        return resetPage(pages, account, { csrf, token, state: { values: body, faults } })
      }
      await pages.remember(visit, account.ppid)
      mail.sendPasswordReset(account, readerLanguage(visit.request))
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
    ({ account, request }) => {
      mail.sendVerification(account, readerLanguage(request))
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
      title: words.verifyTitle,
      lead: words.verifyLead({ email: html`<strong><bdi>${account.email}</bdi></strong>` }),
      content: formCard({ action, csrf, submit: words.verifySubmit }),
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
      label: words.email,
      type: 'email',
      required: true,
      autocomplete: 'email',
    },
    state,
  )
  return {
    title: words.resetTitle,
    state,
    lead: words.resetAsk,
    content: formCard({ action: `${prefix}/reset`, csrf, fields, submit: words.resetSend }),
  }
}

function sentPage(): AccountPage {
  return { title: words.sentTitle, lead: words.sentText }
}

function noMailPage(): AccountPage {
  return { title: words.resetTitle, lead: words.noMail }
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
    title: words.resetTitle,
    state,
    lead: words.resetLead,
    content: html`${isUnconfirmed(account) ? html`<p>${words.resetEnds}</p>` : ''}
${formCard({ action, csrf, fields, submit: words.resetSubmit })}`,
  }
}

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
      // Whoever changes theirs again and again would have us write to others as often.
      if (readEmail(email) !== undefined) await pages.countAccount('reset_account', visit, email)
      const faults = await accounts.changeEmail({ ppid, current, email, from: visit.from })
      if (faults.length > 0) {
        return emailPage(pages, visit, { values: body, faults: faults.map(asPersonFault) })
      }
      const account = accounts.find(ppid)
      const language = readerLanguage(visit.request)
      mail.sendAddressChanged(visit.account, language)
      if (account !== undefined) mail.sendVerification(account, language)
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
  const password = field(currentPassword, state)
  const address = field(
    {
      name: 'email',
      label: words.newEmail,
      hint: words.newEmailHint,
      type: 'email',
      required: true,
      autocomplete: 'email',
    },
    state,
  )
  const fields = [address, account.password === null ? '' : password]
  const beside = html`<a href="${prefix}/account/security">${words.emailLeave}</a>`
  return {
    title: words.emailTitle,
    current: '/account/security',
    state,
    lead: account.email === null ? words.emailNone : words.emailNow({ email: account.email }),
    content: formCard({ action: prefix + path, csrf, fields, submit: words.emailSubmit, beside }),
  }
}
