import type { AccountPage } from '#src/web/kit/account_frame.ts'
import { html, type Html } from '#src/web/kit/html.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { HttpError } from '#src/errors.ts'
import { registerWork } from '#src/api/registration.ts'
import { type FormBody, textOf } from '#src/web/kit/form_body.ts'
import {
  checkbox,
  emptyForm,
  form,
  formCard,
  type FormState,
  hiddenField,
} from '#src/web/kit/form_field.ts'
import {
  arkLink,
  organizationAgent,
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
} from '#src/web/organization/context.ts'
import { registeredCard } from '#src/web/organization/work_pages.ts'
import { buttonLink, card, facts } from '#src/web/kit/parts.ts'
import {
  asWorkFault,
  hiddenWorkFields,
  workBody,
  workFacts,
  workFields,
} from '#src/web/organization/work_form.ts'
import { checkNewWork } from '#actors/works/metadata_checks.ts'

/** Bytes of a form: a description of 50,000 characters, each at most nine times as long in it. */
const formBytesMax = 1_048_576

/** Bytes of the name under which a form is carried out once, however often it is sent. */
const formKeyBytes = 16

/** A name for one form, under which what it asks for is done once. */
export function newFormKey({ random }: OrganizationContext): string {
  return Buffer.from(random(formKeyBytes)).toString('hex')
}

/** Such a name, as a form has carried it. HttpError `bad_request` for anything else. */
export function formKeyOf(body: FormBody): string {
  const once = textOf(body, 'once')
  if (/^[0-9a-f]{32}$/.test(once)) return once
  throw new HttpError('bad_request', 'The form is not whole: go back, and send it again')
}

/** Adds the form that registers a work: fill in, look at it, register. */
export function addRegistrationPages(context: OrganizationContext): void {
  const { member } = context.pages
  const path = '/organizations/:slug/works'
  member.get(`${path}/new`, (visit) =>
    formPage(context, visitOrganization(context, visit, 'register works'), emptyForm),
  )
  const options = { formBytesMax }
  const look = async (visit: OrganizationVisit, body: FormBody): Promise<AccountPage> => {
    const check = checkNewWork(workBody(body))
    if (check.type === 'ok') return previewPage(context, visit, body, check.metadata)
    return formPage(context, visit, { values: body, faults: check.faults.map(asWorkFault) })
  }
  member.post(
    `${path}/new`,
    (visit, body) => look(visitOrganization(context, visit, 'register works'), body),
    options,
  )
  member.post(
    `${path}/change`,
    (visit, body) => {
      const at = visitOrganization(context, visit, 'register works')
      return formPage(context, at, { values: body, faults: [] })
    },
    options,
  )
  member.post(
    `${path}/register`,
    async (visit, body) => {
      const at = visitOrganization(context, visit, 'register works')
      if (checkNewWork(workBody(body)).type !== 'ok') return look(at, body)
      return register(context, at, body)
    },
    options,
  )
}

function formPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  state: FormState,
): AccountPage {
  const { pages } = context
  const back = html`<a href="${pages.prefix}${pathIn(visit, '/works')}">Back to the works</a>`
  const instead = pages.prefix + pathIn(visit, '/import')
  return organizationPage(context, visit, {
    section: '/works',
    title: 'Register a work',
    state,
    lead: html`What is registered stays for ever, with a proof of what it was and
when. You see all of it once more before. For many works,
<a href="${instead}">import a file</a>.`,
    content: formCard({
      action: pages.prefix + pathIn(visit, '/works/new'),
      csrf: visit.csrf,
      fields: workFields(state),
      submit: 'Look at it',
      beside: back,
    }),
  })
}

/** What a trial of a registration has found: warnings, and the work that it may be already. */
type Trial = { readonly warnings: readonly string[]; readonly existing?: string }

async function previewPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  body: FormBody,
  metadata: Metadata,
): Promise<AccountPage> {
  const registry = { environment: context.environments.live, baseUrl: context.baseUrl }
  const registration = { body: workBody(body), by: organizationAgent(visit) }
  const options = { allowDuplicate: false, allowRepeat: false, dryRun: true }
  const trial = await registerWork(registry, { ...registration, ...options }).then(
    (reply): Trial => ({
      warnings: reply.type === 'valid' ? reply.reply.warnings.map(({ message }) => message) : [],
    }),
    (error: unknown): Trial => ({ warnings: [], existing: duplicateOf(error) }),
  )
  return confirmPage(context, visit, body, metadata, trial)
}

/** The ARK of the work that a refusal names as a duplicate; other errors are thrown again. */
function duplicateOf(error: unknown): string {
  const existing = error instanceof HttpError ? error.extra['existing_ark'] : undefined
  if (typeof existing === 'string') return existing
  throw error
}

function confirmPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  body: FormBody,
  metadata: Metadata,
  found: Trial,
): AccountPage {
  const { pages, environments } = context
  const { csrf } = visit
  const { naan, shoulder } = environments.live
  const action = (step: string) => pages.prefix + pathIn(visit, `/works/${step}`)
  const carried = hiddenWorkFields(body)
  const isDuplicate = found.existing !== undefined
  const duplicate = isDuplicate ? duplicateBox(context, found.existing, metadata) : ''
  const anyway = isDuplicate ? duplicateChoice : ''
  const warnings = found.warnings.map(
    (text) => html`<div class="flash flash-info"><p>${text}</p></div>`,
  )
  return organizationPage(context, visit, {
    section: '/works',
    title: 'Is this right?',
    content: html`${warnings}
${card(
  metadata.work_title,
  html`${facts([
    ['ARK', html`<code>ark:/${naan}/${shoulder}…</code>, drawn when it is registered`],
    ...workFacts(metadata),
  ])}`,
)}
${duplicate}
<div class="buttons">${form({
      action: action('register'),
      csrf,
      fields: html`${carried}${hiddenField('once', newFormKey(context))}${anyway}`,
      submit: 'Register it',
      inline: true,
    })}
${form({ action: action('change'), csrf, fields: carried, submit: 'Change it', inline: true })}
</div>`,
  })
}

const duplicateChoice = checkbox({
  name: 'allow_duplicate',
  label: 'It is another work: register it all the same',
})

function duplicateBox(
  context: OrganizationContext,
  existing: string,
  { existing_doi: doi }: Metadata,
): Html {
  const likeness =
    doi === undefined
      ? 'was registered with the same title and address less than a day ago'
      : 'has the same DOI and title'
  return html`<div class="flash flash-error" role="alert">
<p>${arkLink(context, existing)} ${likeness}.</p></div>`
}

async function register(
  context: OrganizationContext,
  visit: OrganizationVisit,
  body: FormBody,
): Promise<AccountPage> {
  const registry = { environment: context.environments.live, baseUrl: context.baseUrl }
  const reply = await registerWork(registry, {
    body: workBody(body),
    by: organizationAgent(visit),
    allowDuplicate: body.has('allow_duplicate'),
    allowRepeat: false,
    dryRun: false,
    idempotencyKey: `page-${formKeyOf(body)}`,
  }).catch((error: unknown) => duplicateOf(error))
  if (typeof reply === 'string') {
    const check = checkNewWork(workBody(body))
    if (check.type === 'ok') return previewPage(context, visit, body, check.metadata)
  }
  if (typeof reply === 'string' || reply.type !== 'created') {
    throw new HttpError('conflict', 'The work was not registered')
  }
  const { prefix } = context.pages
  const another = prefix + pathIn(visit, '/works/new')
  return organizationPage(context, visit, {
    section: '/works',
    title: 'Registered',
    flash: { kind: 'success', text: 'The work is registered, and its receipt is signed.' },
    content: html`${registeredCard(context, reply.work)}
<p class="buttons">${buttonLink(prefix + pathIn(visit, '/works'), 'To the works')}
<a href="${another}">Register another one</a></p>`,
  })
}
