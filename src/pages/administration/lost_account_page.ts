import { may } from '#actors/values/authority.ts'
import { HttpError } from '#src/errors.ts'
import { resetUrl } from '#src/use_cases/account_service.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { textOf } from '#src/pages/kit/form_body.ts'
import { emptyForm, field, formCard, type FormState } from '#src/pages/kit/form_field.ts'
import { html } from '#src/pages/kit/html.ts'
import { givenBack } from '#src/pages/kit/kept_form.ts'
import type { MemberVisit } from '#src/pages/kit/pages.ts'
import { ownerOf } from '#src/pages/administration/account_steps.ts'
import { adminPath, administrationPage, demandAdmin } from '#src/pages/administration/frame.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'

const accountsPath = `${adminPath}/accounts`
const path = `${adminPath}/people/:ppid/account`

/** Where a person who has lost their account is given a new one. */
export function lostAccountPath(ppid: string): string {
  return path.replace(':ppid', ppid)
}

/** Adds the page on which somebody whose account a restored copy does not have gets another one. */
export function addLostAccountPage(context: OrganizationContext): void {
  const { fresh } = context.pages
  const { accounts } = context.service
  fresh.get(path, (visit) => {
    const ppid = demandLost(context, visit)
    return lostAccountPage(
      context,
      visit,
      ppid,
      givenBack(context.pages.takeForm(visit), emptyForm),
    )
  })
  fresh.post(path, async (visit, body) => {
    const ppid = demandLost(context, visit)
    const account = await accounts.adopt(ppid, textOf(body, 'email').trim())
    if (account === undefined) {
      const message = 'This is no e-mail address, or an account has it.'
      const faults = [{ field: 'email', code: 'refused', message }]
      return lostAccountPage(context, visit, ppid, { values: body, faults })
    }
    const { url } = await resetUrl(context.service, ppid, ownerOf(demandAdmin(visit)))
    const own = `${accountsPath}/${ppid}`
    return context.pages.redirectWithSecret(visit, own, url)
  })
}

/** Whether a text is the identifier of a person without an account. */
export function isLost({ service, environments }: OrganizationContext, text: string): boolean {
  const isThere = environments.live.people.read(text)?.type === 'person'
  return isThere && service.accounts.find(text) === undefined
}

function demandLost(context: OrganizationContext, visit: MemberVisit): string {
  const by = demandAdmin(visit)
  const ppid = visit.parameters['ppid'] ?? ''
  if (isLost(context, ppid) && may(by, 'person', 'administer', { ppid })) return ppid
  throw new HttpError('not_found', 'There is no such person, or they have an account')
}

function lostAccountPage(
  context: OrganizationContext,
  { csrf }: MemberVisit,
  ppid: string,
  state: FormState,
): Promise<AccountPage> {
  const { prefix } = context.pages
  const person = context.environments.live.people.read(ppid)
  const name = person?.type === 'person' ? person.profile.name : ppid
  const email = field(
    {
      name: 'email',
      label: 'E-mail address',
      type: 'email',
      required: true,
      maxLength: 254,
      hint: 'Of the new account; they confirm it after they have signed in.',
    },
    state,
  )
  return administrationPage(context, '/accounts', {
    title: `Give ${name} an account`,
    state,
    lead: 'Their profile and works are here, but their account is not, as after a restored copy.',
    content: formCard({
      action: prefix + lostAccountPath(ppid),
      csrf,
      fields: html`<p>You are shown a link, once, with which they choose a password within an hour.
Whoever has it is <code>${ppid}</code> from then on: make sure that it is they who ask.</p>
${email}`,
      submit: 'Make the account',
      beside: html`<a href="${prefix}${accountsPath}">Leave it as it is</a>`,
      danger: true,
    }),
  })
}
