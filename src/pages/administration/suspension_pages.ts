import { suspendable } from '#actors/values/authority.ts'
import type { Owner } from '#actors/values/agent.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { Suspension } from '#src/identity/store/suspensions.ts'
import {
  administrationPage,
  adminPath,
  adminRoutes,
  type AdminVisit,
} from '#src/pages/administration/frame.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  emptyForm,
  field,
  form,
  type FormBody,
  formCard,
  type FormState,
  givenBack,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import type { Flashes } from '#src/pages/kit/page.ts'
import { type PageReply, redirectDone } from '#src/pages/kit/pages.ts'
import { emptyState, listAfter, pagination, table, time } from '#src/pages/kit/parts.ts'
import {
  arkLink,
  type OrganizationContext,
  organizationsPath,
} from '#src/pages/organization/context.ts'
import { reasonCharactersMax, resume, suspend } from '#src/use_cases/suspending.ts'

const path = `${adminPath}/suspensions`
const suspensionsOnPage = 100

const flashes: Flashes = {
  suspended: 'It is suspended from now on, on every node, and those concerned are told.',
  resumed: 'The suspension has ended.',
}

const kinds = [
  { value: 'organization', label: 'Organization, by its short name' },
  { value: 'account', label: 'Account, by its identifier or e-mail address' },
  { value: 'application', label: 'Application, by its client ID' },
  { value: 'work', label: 'Work, by its ARK or DOI: it is withheld from readers' },
] as const

/** Adds the page on which administrators stop organizations, accounts and applications. */
export function addSuspensionPages(context: OrganizationContext): void {
  const { member, fresh } = adminRoutes(context)
  member.get(path, (visit) => {
    const { query } = visit
    const asked = new Map([
      ['type', query.get('type') ?? ''],
      ['id', query.get('id') ?? ''],
    ])
    return suspensionPage(
      visit,
      givenBack(context.pages.takeForm(visit), { ...emptyForm, values: asked }),
    )
  })
  fresh.post(path, (visit, body) => suspendAsked(visit, body))
  fresh.post(`${path}/resume`, async (visit, body) => {
    const subject = subjectOf(body)
    await resume(registryOf(visit), { subject, by: byOf(visit) })
    return redirectDone(path, 'resumed')
  })
}

async function suspendAsked(visit: AdminVisit, body: FormBody): Promise<PageReply> {
  const subject = subjectOf(body)
  try {
    await suspend(registryOf(visit), { subject, by: byOf(visit) }, textOf(body, 'reason'))
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const [fault] = error.details ?? []
    const known = fault ?? { field: 'id', code: error.code, message: `${error.message}.` }
    return suspensionPage(visit, { values: body, faults: [known] })
  }
  return redirectDone(path, 'suspended')
}

function registryOf({ context }: AdminVisit) {
  const { realms, suspensions, environments, service: accounts } = context
  const { live, sandbox } = realms
  return { environments, suspensions, accounts, oauth: live.oauth, sandbox }
}

function subjectOf(body: FormBody) {
  const type = suspendable.find((each) => each === textOf(body, 'type')) ?? 'organization'
  return { type, id: textOf(body, 'id').trim() }
}

function byOf({ by: { type, id, name } }: AdminVisit): Owner {
  return { type, id, name }
}

function suspensionPage(visit: AdminVisit, state: FormState): Promise<AccountPage> {
  const { context, csrf, query } = visit
  const base = context.pages.prefix + path
  const { shown, ...rest } = listAfter(context.suspensions.list().toReversed(), {
    after: query.get('after') ?? '',
    max: suspensionsOnPage,
    idOf: ({ type, id }) => `${type}/${id}`,
  })
  const none = emptyState('Nothing is suspended', 'What is suspended stands here, with its reason.')
  const fields = html`${selectField({ name: 'type', label: 'What', options: kinds }, state)}
${field({ name: 'id', label: 'Which', required: true, maxLength: 254 }, state)}
${field(
  {
    name: 'reason',
    label: 'Reason',
    required: true,
    maxLength: reasonCharactersMax,
    hint: 'Those whom it stops read it, in every refusal. One line.',
  },
  state,
)}
<p class="hint">Keys, tokens, webhooks, forms and sign-ins are refused from the next request on.
Works stay readable, and events for webhooks are sent later. The page and the content of a work are
withheld from readers, who see the reason.</p>`
  return administrationPage(context, '/suspensions', {
    title: 'Suspensions',
    flashes,
    state,
    content: html`${shown.length === 0 ? none : suspensionTable(visit, shown)}
${pagination({ path: base, parameter: 'after', ...rest })}
<h2>Suspend</h2>
${formCard({ action: base, csrf, fields, submit: 'Suspend', danger: true })}`,
  })
}

function suspensionTable(visit: AdminVisit, shown: readonly Suspension[]): Html {
  const { context, csrf } = visit
  const base = context.pages.prefix + path
  return table('What is suspended, newest first', shown, {
    What: (each) => subjectLink(context, each),
    Reason: ({ reason }) => reason,
    Since: ({ since }) => time(since),
    By: ({ by }) => html`<code>${by.id}</code>`,
    '': ({ type, id }) =>
      form({
        action: `${base}/resume`,
        csrf,
        fields: html`<input type="hidden" name="type" value="${type}">
<input type="hidden" name="id" value="${id}">`,
        submit: `Resume ${id}`,
        inline: true,
      }),
  })
}

function subjectLink(context: OrganizationContext, { type, id }: Suspension): Html {
  const { prefix } = context.pages
  if (type === 'work') return html`work ${arkLink(context, `ark:/${id}`)}`
  const pathsOf = {
    organization: organizationsPath,
    account: `${adminPath}/accounts`,
    application: `${adminPath}/applications`,
  } as const
  return html`${type} <a href="${prefix}${pathsOf[type]}/${id}"><code>${id}</code></a>`
}
