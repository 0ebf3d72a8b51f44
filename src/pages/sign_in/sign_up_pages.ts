import {
  asPersonFault,
  chosenVisibility,
  newPassword,
  profileVisibilityField,
} from '#src/pages/kit/account_fields.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { type Html, html } from '#src/pages/kit/html.ts'
import { HttpError } from '#src/edge/errors.ts'
import { readerLanguage } from '#src/edge/reader_language.ts'
import { credentials as words } from '#src/words/english.ts'
import type { Text } from '#src/words/wording.ts'
import type { NewAccount, SignUpAnswer } from '#src/identity/accounts/accounts.ts'
import type { SignInContext } from '#src/pages/sign_in/sign_in_pages.ts'
import { home } from '#src/pages/kit/page_address.ts'
import {
  emptyForm,
  fieldList,
  type FormBody,
  formCard,
  type FormState,
  hiddenField,
  textOf,
} from '#src/pages/kit/form.ts'
import type { Pages, Visit } from '#src/pages/kit/pages.ts'
import { asLink } from '#src/pages/kit/parts.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** Adds the sign-up and the set-up, which makes the first administrator. */
export function addSignUpPages(pages: Pages, context: SignInContext): void {
  pages.open.get('/sign-up', ({ query, account, csrf }) => {
    const to = query.get('return_to')
    if (account !== undefined) return { redirect: pages.returnTo(to) }
    const invitation = query.get('invite') ?? undefined
    const closed = whyClosed(context, invitation)
    if (closed !== undefined) return closed
    return signUpPage({ pages, csrf, state: emptyForm, hidden: carried(invitation, to) })
  })

  pages.open.post(
    '/sign-up',
    async (visit, body) => {
      const invitation = body.get('invitation')
      const closed = whyClosed(context, invitation)
      if (closed !== undefined) return closed
      const answer = await context.accounts.signUp({
        ...newAccountOf(visit, body),
        ...(invitation !== undefined && { invitation }),
      })
      if (answer.type === 'signed_up') {
        return welcome(pages, context, visit, answer, pages.returnTo(body.get('return_to')))
      }
      const state = stateOf(body, answer.faults)
      const hidden = carried(invitation, body.get('return_to'))
      return signUpPage({ pages, csrf: visit.csrf, state, hidden })
    },
    { limit: 'sign_up' },
  )
  addSetupPages(pages, context)
}

function addSetupPages(pages: Pages, { accounts, setup, ...context }: SignInContext): void {
  pages.open.get('/setup', () => {
    throw new HttpError('not_found', 'Open the whole link that the start of the server has printed')
  })

  pages.open.get('/setup/:token', async ({ parameters, csrf }) => {
    const { token = '' } = parameters
    if (!(await setup.isGood(token))) throw setupOver()
    return setupPage(pages, csrf, token, emptyForm)
  })

  pages.open.post(
    '/setup/:token',
    async (visit, body) => {
      const { token = '' } = visit.parameters
      const made = await setup.use(token, async () => {
        const administrator = { isAdmin: true, isFirstAdmin: true }
        const answer = await accounts.signUp({ ...newAccountOf(visit, body), ...administrator })
        return { answer, isMade: answer.type === 'signed_up' }
      })
      if (made === undefined) throw setupOver()
      const { answer } = made
      if (answer.type === 'signed_up') {
        return welcome(pages, { accounts, setup, ...context }, visit, answer, home)
      }
      if (answer.faults.some(({ field }) => field === 'setup')) throw setupOver()
      const state = stateOf(body, answer.faults)
      return setupPage(pages, visit.csrf, token, state)
    },
    { limit: 'sign_up' },
  )
}

function setupOver(): HttpError {
  const message = 'This link was used already, or is not the one that the start has printed'
  return new HttpError('gone', message)
}

async function welcome(
  pages: Pages,
  { mail }: SignInContext,
  visit: Visit,
  { account }: Extract<SignUpAnswer, { type: 'signed_up' }>,
  to: string,
) {
  mail.sendVerification(account)
  const path = to === home ? `${home}?done=welcome` : to
  return pages.signIn(visit, account, { method: 'password', to: path })
}

/** The page that says why the sign-up is closed; undefined if it is open. */
function whyClosed(
  { signUp, links }: SignInContext,
  invitation: string | undefined,
): AccountPage | undefined {
  if (signUp === 'open') return undefined
  if (signUp === 'invite') {
    if (links.read('invite', invitation ?? '') !== undefined) return undefined
    return closedPage(words.byInvitation)
  }
  return closedPage(words.closed)
}

function closedPage(text: Text): AccountPage {
  return { title: words.signUpTitle, status: 403, lead: text }
}

function newAccountOf({ from, request }: Visit, body: FormBody): NewAccount {
  const username = textOf(body, 'username').trim()
  return {
    name: textOf(body, 'name'),
    ...(username !== '' && { username }),
    email: textOf(body, 'email'),
    password: textOf(body, 'password'),
    language: readerLanguage(request).tag,
    visibility: chosenVisibility(body),
    from,
  }
}

/** What a form shows again, with its faults in the words of a page. */
function stateOf(values: FormBody, faults: readonly FieldFault[]): FormState {
  return { values, faults: faults.map(asPersonFault) }
}

function carried(invitation: string | undefined, to: string | null | undefined): Html {
  const invited = invitation === undefined ? '' : hiddenField('invitation', invitation)
  return html`${invited}${hiddenField('return_to', to ?? '')}`
}

function accountFields(state: FormState): Html {
  const fields = fieldList(state, [
    {
      name: 'name',
      label: words.name,
      hint: words.nameHint,
      required: true,
      autocomplete: 'name',
    },
    {
      name: 'username',
      label: words.username,
      hint: words.usernameHint,
      autocomplete: 'nickname',
    },
    {
      name: 'email',
      label: words.email,
      hint: words.emailHint,
      type: 'email',
      required: true,
      autocomplete: 'email',
    },
    { ...newPassword, name: 'password', label: words.password },
  ])
  return html`${fields}${profileVisibilityField(state)}`
}

function signUpPage({
  pages: { prefix },
  csrf,
  state,
  hidden,
}: {
  readonly pages: Pages
  readonly csrf: string
  readonly state: FormState
  readonly hidden: Html
}): AccountPage {
  const fields = [hidden, accountFields(state)]
  const create = formCard({ action: `${prefix}/sign-up`, csrf, fields, submit: words.signUp })
  return {
    title: words.signUpTitle,
    current: '/sign-up',
    state,
    lead: words.signUpLead,
    content: html`${create}
<p class="aside">${words.haveOne({
      link: asLink(`${prefix}/sign-in`),
    })}</p>`,
  }
}

function setupPage({ prefix }: Pages, csrf: string, token: string, state: FormState): AccountPage {
  const action = `${prefix}/setup/${encodeURIComponent(token)}`
  const submit = words.setup
  return {
    title: words.setupTitle,
    state,
    lead: words.setupLead,
    content: formCard({ action, csrf, fields: accountFields(state), submit }),
  }
}
