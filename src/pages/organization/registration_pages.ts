import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type { ListedWork } from '#src/use_cases/listed_works.ts'
import type { SearchSource } from '#src/use_cases/record_search.ts'
import { findSameTitle } from '#src/use_cases/same_title.ts'
import { HttpError } from '#src/errors.ts'
import { citedNames, namesGroup } from '#src/discovery/formats/author_names.ts'
import { describeAuthors } from '#src/discovery/formats/described_work.ts'
import { formatCitation } from '#src/discovery/formats/citation_styles.ts'
import { registerWork } from '#src/use_cases/registration.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { checkbox, emptyForm, form, formCard, hiddenField } from '#src/pages/kit/form_field.ts'
import {
  arkLink,
  organizationAgent,
  type OrganizationContext,
  organizationPage,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
} from '#src/pages/organization/context.ts'
import { registeredCard } from '#src/pages/organization/work_pages.ts'
import { buttonLink, card, facts } from '#src/pages/kit/parts.ts'
import { changeRows } from '#src/pages/organization/author_rows.ts'
import type { FoldedForm } from '#src/pages/organization/form_folding.ts'
import {
  normalizeWorkForm,
  hiddenWorkFields,
  noticeBox,
  workBody,
  workFacts,
  workFields,
} from '#src/pages/organization/work_form.ts'
import { asWorkFault, formFaults } from '#src/pages/organization/work_form_faults.ts'
import {
  type Filling,
  fillingBytesMax,
  fillingCard,
  readFilling,
} from '#src/pages/organization/work_filling.ts'
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
    formPage(context, visitOrganization(context, visit, 'register works'), { state: emptyForm }),
  )
  const options = { formBytesMax }
  member.post(
    `${path}/new`,
    (visit, body) => look(context, visitOrganization(context, visit, 'register works'), body),
    options,
  )
  member.post(
    `${path}/change`,
    (visit, values) => {
      const at = visitOrganization(context, visit, 'register works')
      return formPage(context, at, { state: { values, faults: [] } })
    },
    options,
  )
  member.post(
    `${path}/fill`,
    async (visit, body) => {
      const at = visitOrganization(context, visit, 'register works')
      return formPage(context, at, await readFilling(body))
    },
    { formBytesMax: fillingBytesMax },
  )
  member.post(
    `${path}/register`,
    async (visit, body) => {
      const at = visitOrganization(context, visit, 'register works')
      if (checkNewWork(workBody(body)).type !== 'ok') return look(context, at, body)
      return register(context, at, body)
    },
    options,
  )
}

/** The form as it was sent: with another row, with what is wrong, or to be looked at. */
async function look(
  context: OrganizationContext,
  visit: OrganizationVisit,
  body: FormBody,
): Promise<AccountPage> {
  const changed = changeRows(body)
  if (changed !== undefined) {
    const { values, focus } = changed
    return formPage(context, visit, { state: { values, faults: [] }, focus })
  }
  const { values, notices } = normalizeWorkForm(body)
  const check = checkNewWork(workBody(values))
  const faults = formFaults(values)
  if (check.type === 'ok' && faults.length === 0) {
    return previewPage(context, visit, { values, notices }, check.metadata)
  }
  const others = check.type === 'ok' ? [] : check.faults
  const all = [...faults, ...others.map((fault) => asWorkFault(fault, values))]
  return formPage(context, visit, { state: { values, faults: all }, notices: noticeBox(notices) })
}

function formPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  { state, focus, notices }: Filling & { readonly focus?: number },
): AccountPage {
  const { pages } = context
  const back = html`<a href="${pages.prefix}${pathIn(visit, '/works')}">Back to the works</a>`
  const instead = pages.prefix + pathIn(visit, '/import')
  const isNew = state.values.size === 0 || state.faults.some(({ field }) => field === 'metadata')
  return organizationPage(visit, {
    section: '/works',
    title: 'Register a work',
    state,
    lead: html`What is registered stays for ever, with a proof of what it was and
when. You see all of it once more before. For many works,
<a href="${instead}">import a file</a>.`,
    content: html`${notices}
${isNew ? fillingCard(pages.prefix + pathIn(visit, '/works/fill'), visit.csrf, state) : ''}
${formCard({
  action: pages.prefix + pathIn(visit, '/works/new'),
  csrf: visit.csrf,
  fields: workFields(state, focus),
  submit: 'Preview',
  beside: back,
})}`,
  })
}

/** What a trial of a registration has found: warnings, and the work that it may be already. */
type Trial = { readonly warnings: readonly FieldFault[]; readonly existing?: string }

async function previewPage(
  context: OrganizationContext,
  visit: OrganizationVisit,
  folded: FoldedForm,
  metadata: Metadata,
): Promise<AccountPage> {
  const registry = { environment: context.environments.live, baseUrl: context.baseUrl }
  const registration = { body: workBody(folded.values), by: organizationAgent(visit) }
  const options = { allowDuplicate: false, allowRepeat: false, dryRun: true }
  const trial = await registerWork(registry, { ...registration, ...options }).then(
    (reply): Trial => ({ warnings: reply.type === 'valid' ? reply.reply.warnings : [] }),
    (error: unknown): Trial => ({ warnings: [], existing: duplicateOf(error) }),
  )
  const isKnown = trial.existing !== undefined || metadata.existing_doi !== undefined
  const alike = isKnown ? [] : await findSameTitle(sourceOf(context, visit), metadata, registry)
  return confirmPage(context, visit, folded, metadata, { ...trial, alike })
}

function sourceOf({ search }: OrganizationContext, visit: OrganizationVisit): SearchSource {
  const searcher = { caller: visit.from, signal: visit.reply.standAside() }
  return { service: search?.live, searcher }
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
  { values, notices }: FoldedForm,
  metadata: Metadata,
  found: Trial & { readonly alike: readonly ListedWork[] },
): AccountPage {
  const { pages, environments } = context
  const { csrf } = visit
  const { naan, shoulder } = environments.live
  const action = (step: string) => pages.prefix + pathIn(visit, `/works/${step}`)
  const carried = hiddenWorkFields(values)
  const isDuplicate = found.existing !== undefined
  const duplicate = isDuplicate ? duplicateBox(context, found.existing, metadata) : ''
  const anyway = isDuplicate ? duplicateChoice : ''
  const warnings = found.warnings.map((warning) => {
    const { message } = asWorkFault(warning, values)
    return html`<div class="flash flash-info"><p>${message}</p></div>`
  })
  return organizationPage(visit, {
    section: '/works',
    title: 'Is this right?',
    content: html`${noticeBox(notices)}${warnings}
${card(
  metadata.work_title,
  html`${facts([
    ['ARK', html`<code>ark:/${naan}/${shoulder}…</code>, drawn when it is registered`],
    ...workFacts(metadata),
    ['Cited as', html`<span dir="auto">${citation(visit, metadata)}</span>${wholeNames(metadata)}`],
  ])}`,
)}
${duplicate}${alikeBox(context, found.alike)}
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

/** How the work will be cited, in APA's style, but for the address that it does not have yet. */
function citation({ organization }: OrganizationVisit, metadata: Metadata): string {
  const work = {
    ark: '',
    url: '',
    version: 1,
    createdAt: '',
    updatedAt: '',
    receiptUrl: '',
    registry: '',
    metadata,
    authors: describeAuthors(metadata),
    publisher: metadata.publisher_name ?? organization.name,
  }
  return formatCitation(work, 'apa').trim()
}

/** What to do about names that are cited as they stand, because nothing says how they part. */
function wholeNames(metadata: Metadata): Html {
  const cited = citedNames(describeAuthors(metadata))
  const whole = cited.flatMap((name) => ('literal' in name ? [name.literal] : []))
  const name = whole.find((text) => /\s/.test(text) && !namesGroup(text))
  if (name === undefined) return nothing
  return html`<p class="hint">“<bdi>${name}</bdi>” is cited as it stands, because nothing says which
part is the family name. Change it to family name and given names, if it is a person’s.</p>`
}

/** Works that have the same title; nothing says that they are the same work. */
function alikeBox(context: OrganizationContext, works: readonly ListedWork[]): Html {
  if (works.length === 0) return nothing
  const items = works.map(({ ark_identifier, work_title, authors, published_date }) => {
    const about = [authors, published_date?.slice(0, 4)].filter(Boolean).join(', ')
    return html`<li>${arkLink(context, ark_identifier)} ${work_title}. ${shorten(about)}</li>`
  })
  return html`<div class="flash flash-info" role="status"><p>${
    works.length === 1 ? 'A work with this title is' : 'Works with this title are'
  } registered already. Register yours only if it is another one:</p><ul>${items}</ul></div>`
}

const shownCharactersMax = 200

function shorten(text: string): string {
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text
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
    const folded = { values: body, notices: [] }
    if (check.type === 'ok') return previewPage(context, visit, folded, check.metadata)
  }
  if (typeof reply === 'string' || reply.type !== 'created') {
    throw new HttpError('conflict', 'The work was not registered')
  }
  const { prefix } = context.pages
  const another = prefix + pathIn(visit, '/works/new')
  return organizationPage(visit, {
    section: '/works',
    title: 'Registered',
    flash: { kind: 'success', text: 'The work is registered, and its receipt is signed.' },
    content: html`${registeredCard(context, reply.work)}
<p class="buttons">${buttonLink(prefix + pathIn(visit, '/works'), 'To the works')}
<a href="${another}">Register another one</a></p>`,
  })
}
