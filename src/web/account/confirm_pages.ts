import type { FieldFault } from '#actors/values/fault_list.ts'
import type { AccountContext } from '#src/web/account/context.ts'
import { upstreamPath } from '#src/web/entry/upstream_pages.ts'
import type { AccountPage } from '#src/web/kit/account_frame.ts'
import { type FormBody, textOf } from '#src/web/kit/form_body.ts'
import { emptyForm, field, formCard, type FormState, hiddenField } from '#src/web/kit/form_field.ts'
import { html, type Html } from '#src/web/kit/html.ts'
import type { Flashes } from '#src/web/kit/page.ts'
import { confirmPath as path } from '#src/web/kit/page_address.ts'
import type { MemberVisit, PageReply } from '#src/web/kit/pages.ts'
import { buttonLink } from '#src/web/kit/parts.ts'
import { currentPassword } from '#src/web/kit/password_fields.ts'
import { secondFactorField, wrongCode } from '#src/web/kit/second_factor_field.ts'

const flashes: Flashes = {
  form: { kind: 'info', text: 'Nothing was changed yet: send the form again after this.' },
}

/** Adds the page on which who is signed in shows again who they are, before what matters most. */
export function addConfirmPages(context: AccountContext): void {
  const { member } = context.pages
  member.get(path, (visit) => {
    return confirmPage(context, visit, visit.query.get('return_to'), emptyForm)
  })
  member.post(path, (visit, body) => confirm(context, visit, body), { limit: 'sign_in' })
}

async function confirm(
  context: AccountContext,
  visit: MemberVisit,
  body: FormBody,
): Promise<PageReply> {
  const { account, session } = visit
  const to = textOf(body, 'return_to')
  await context.pages.countAccount('sign_in_account', visit, account.email ?? account.ppid)
  const fault = await whyNot(context, visit, body)
  if (fault !== undefined) {
    return confirmPage(context, visit, to, { values: new Map(), faults: [fault] })
  }
  await context.service.sessions.confirm(account.ppid, session.id)
  return { redirect: context.pages.returnTo(to) }
}

/** What is wrong with what was shown: the password first, so that no code is used up in vain. */
async function whyNot(
  { service, nowMs }: AccountContext,
  { account: { ppid }, from }: MemberVisit,
  body: FormBody,
): Promise<FieldFault | undefined> {
  const { accounts, secondFactors, mail } = service
  if (!(await accounts.hasPassword(ppid, textOf(body, 'current_password'), from))) {
    const message = 'This is not your password.'
    return { field: 'current_password', code: 'wrong', message }
  }
  if (secondFactors.find(ppid) === undefined) return undefined
  const answer = await secondFactors.redeem(ppid, textOf(body, 'code'))
  if (answer.type !== 'accepted') return wrongCode(answer, nowMs())
  const account = accounts.find(ppid)
  if (answer.method === 'recovery_code' && account !== undefined) {
    mail.sendRecoveryCodeUsed(account, secondFactors.find(ppid)?.recoveryCodesLeft ?? 0)
  }
  return undefined
}

function confirmPage(
  context: AccountContext,
  visit: MemberVisit,
  to: string | null,
  state: FormState,
): AccountPage {
  return {
    title: 'Is it still you?',
    current: '/account/security',
    flashes,
    state,
    lead: html`What you are about to do asks for a sign-in within the last ten minutes, so that
nobody does it in a browser that you left alone.`,
    content:
      visit.account.password === null
        ? elsewherePart(context, visit, to)
        : passwordPart(context, visit, to, state),
  }
}

function passwordPart(
  { pages, service }: AccountContext,
  { account, csrf }: MemberVisit,
  to: string | null,
  state: FormState,
): Html {
  const hasCode = service.secondFactors.find(account.ppid) !== undefined
  const fields = [
    hiddenField('return_to', to ?? ''),
    field(currentPassword, state),
    hasCode ? field(secondFactorField, state) : '',
  ]
  return formCard({ action: pages.prefix + path, csrf, fields, submit: 'It is me' })
}

/** Who has no password signs in anew, where they always do. */
function elsewherePart(
  { pages, upstreams }: AccountContext,
  { account }: MemberVisit,
  to: string | null,
): Html {
  const own = upstreams.filter(({ issuer: { issuer } }) =>
    account.links.some(({ iss }) => iss === issuer),
  )
  const links = own.map(({ issuer: { id, name } }) =>
    buttonLink(pages.prefix + upstreamPath(id) + pages.returnQuery(to), `Sign in with ${name}`),
  )
  return html`<div class="card"><div class="buttons">${links}</div></div>`
}
