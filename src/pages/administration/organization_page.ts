import type { Agent } from '#actors/values/agent.ts'
import { enterOrganization } from '#src/use_cases/organization_service.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { emptyForm, field, formCard, type FormState } from '#src/pages/kit/form_field.ts'
import { givenBack } from '#src/pages/kit/kept_form.ts'
import { html } from '#src/pages/kit/html.ts'
import { type MemberVisit, redirectDone } from '#src/pages/kit/pages.ts'
import { adminPath, administrationPage, demandAdmin } from '#src/pages/administration/frame.ts'
import { type OrganizationContext, organizationsPath } from '#src/pages/organization/context.ts'
import {
  asFormFault,
  descriptionFields,
  descriptionOf,
} from '#src/pages/organization/overview_pages.ts'

const list = `${adminPath}/organizations`
const path = `${list}/new`

/** Adds the page on which an administrator enters an organization that nobody has asked for. */
export function addAdminOrganizationPage(context: OrganizationContext): void {
  const { member, fresh } = context.pages
  member.get(path, (visit) => {
    demandAdmin(visit)
    return newPage(context, visit, givenBack(context.pages.takeForm(visit), emptyForm))
  })
  fresh.post(path, async (visit, body) => {
    const by = demandAdmin(visit)
    const slug = textOf(body, 'slug').trim()
    const faults = await enter(context, { ...described(body), slug }, by)
    if (faults.length > 0) return newPage(context, visit, { values: body, faults })
    return redirectDone(`${organizationsPath}/${slug}/members`, 'entered')
  })
}

/** What was filled in, without what was left empty: nothing is removed from what is new. */
function described(body: FormBody): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(descriptionOf(body)).filter(([, value]) => value !== null),
  )
}

/** Enters it in both environments; gives what is wrong. What the sandbox lacked is made good. */
async function enter(
  { environments }: OrganizationContext,
  body: Readonly<Record<string, unknown>>,
  by: Agent,
): Promise<readonly FieldFault[]> {
  const answer = await enterOrganization(environments, { body, by })
  if (answer.type === 'invalid') return answer.faults.map(asFormFault)
  if (answer.type === 'entered') return []
  const message = `There is an organization ${answer.organization.slug} already.`
  return [{ field: 'slug', code: 'taken', message }]
}

function newPage(
  context: OrganizationContext,
  { csrf }: MemberVisit,
  state: FormState,
): Promise<AccountPage> {
  const { prefix } = context.pages
  const slug = field(
    {
      name: 'slug',
      label: 'Short name',
      required: true,
      maxLength: 63,
      hint:
        'For addresses and keys, for ever: 2 to 63 lower-case letters and digits, with single ' +
        'hyphens between, such as brown-university.',
    },
    state,
  )
  return administrationPage(context, '/organizations', {
    title: 'Enter an organization',
    state,
    lead: 'It is in both registries at once. Nobody is its member yet: the next page adds people.',
    content: formCard({
      action: prefix + path,
      csrf,
      fields: html`${slug}${descriptionFields(state)}`,
      submit: 'Enter it',
      beside: html`<a href="${prefix}${list}">Leave it</a>`,
    }),
  })
}
