import { shorten } from '#src/pages/kit/words.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'
import { citationBytesMax, readCitationFile } from '#src/discovery/citation_files/citation_file.ts'
import { citedNames } from '#src/discovery/formats/author_names.ts'
import { formatCitation, usualForm } from '#src/discovery/formats/citation_styles.ts'
import { describeAuthors } from '#src/discovery/formats/described_work.ts'
import { namesGroup } from '#src/discovery/formats/group_names.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  checkbox,
  emptyForm,
  field,
  fileField,
  form,
  type FormBody,
  formCard,
  type FormState,
  hiddenField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { buttonLink, card, facts } from '#src/pages/kit/parts.ts'
import {
  arkLink,
  hrefIn,
  organizationAgent,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  type OrganizationVisit,
} from '#src/pages/organization/context.ts'
import { withKept } from '#src/pages/organization/record_form.ts'
import {
  asWorkFault,
  changeWorkRows,
  type FoldedForm,
  formFaults,
  formKeyOf,
  hiddenWorkFields,
  newFormKey,
  normalizeWorkForm,
  noticeBox,
  warningBoxes,
  workBody,
  workFacts,
  workFields,
  workValues,
} from '#src/pages/organization/work_form.ts'
import { registeredCard } from '#src/pages/organization/work_pages.ts'
import { findSameTitle, type ListedWork } from '#src/use_cases/listed_works.ts'
import type { SearchSource } from '#src/use_cases/record_search.ts'
import { registerWork } from '#src/use_cases/registration.ts'

/** Bytes of a form: a file whose every other byte needs three in it. */
const fillingBytesMax = 2 * citationBytesMax

type Filling = { readonly state: FormState; readonly notices?: Html }

/** The form that fills that of a work in from what describes it elsewhere; nothing is fetched. */
function fillingCard(action: string, csrf: string, state: FormState): Html {
  const isOpen = state.faults.some(({ field: name }) => name === 'metadata') ? html` open` : ''
  const file = fileField({
    name: 'file',
    label: 'A file of metadata',
    accept: '.bib,.ris,.json',
    hint: 'BibTeX, RIS or JSON. Drop it here, or choose it.',
  })
  const pasted = field(
    {
      name: 'metadata',
      label: 'Or its text, pasted here',
      type: 'textarea',
      hint: 'Such as what api.crossref.org/works/ or api.datacite.org/dois/ shows for a DOI.',
    },
    state,
  )
  return html`<details class="card fold-card"${isOpen}>
<summary>Fill it in from a DOI’s metadata, or from a reference manager</summary>
${form({ action, csrf, fields: [file, pasted], submit: 'Fill the form in', sendsFiles: true })}
</details>`
}

async function readFilling(body: FormBody): Promise<Filling> {
  const text = textOf(body, 'file') || textOf(body, 'metadata')
  const refuse = (message: string): Filling => {
    const faults = [{ field: 'metadata', code: 'bad_value', message }]
    return { state: { values: new Map([['metadata', textOf(body, 'metadata')]]), faults } }
  }
  if (text.trim() === '') return refuse('Choose a file, or paste its text.')
  const file = await readCitationFile(Buffer.from(text))
  if (file.type !== 'read') return refuse(file.message)
  const entry = file.entries.find((each) => each.body !== undefined)
  if (entry?.body === undefined) {
    return refuse(file.entries[0]?.faults[0]?.message ?? 'There is nothing in it.')
  }
  const several =
    file.entries.length === 1
      ? []
      : [`Of ${file.entries.length} works in it, this is the first. Import the file for all.`]
  const metadata = entry.body as Partial<Metadata>
  const whole = { work_title: '', work_type: 'other', authors: '', ...metadata } as const
  const { values, leftOut } = withKept(workValues(whole), whole)
  const tooLong = leftOut.map(
    (label) => `${label}: too many for a form, so they are left out. Import the file to keep them.`,
  )
  const items = [...several, ...tooLong, ...entry.notes.map(({ message }) => message)].map(
    (note) => html`<li>${note}</li>`,
  )
  return {
    state: { values, faults: [] },
    notices: html`<div class="flash flash-success" role="status">
<p>The form is filled in from what you gave. Look through it, and add what is missing.</p>
${items.length === 0 ? '' : html`<ul>${items}</ul>`}</div>`,
  }
}

/** Bytes of a form: a description of 50,000 characters, each at most nine times as long in it. */
const formBytesMax = 1_048_576

/** Adds the form that registers a work: fill in, look at it, register. */
export function addRegistrationPages(context: OrganizationContext): void {
  const { member } = organizationRoutes(context, 'register works')
  const path = '/works'
  const options = { formBytesMax }
  member.get(`${path}/new`, (visit) => formPage(visit, { state: emptyForm }))
  member.post(`${path}/new`, look, options)
  member.post(
    `${path}/change`,
    (visit, values) => formPage(visit, { state: { values, faults: [] } }),
    options,
  )
  member.post(`${path}/fill`, async (visit, body) => formPage(visit, await readFilling(body)), {
    formBytesMax: fillingBytesMax,
  })
  member.post(
    `${path}/register`,
    (visit, body) => {
      const { type } = checkNewWork(workBody(body))
      return type === 'ok' ? register(visit, body) : look(visit, body)
    },
    options,
  )
}

/** The form as it was sent: with another row, with what is wrong, or to be looked at. */
async function look(visit: OrganizationVisit, body: FormBody): Promise<AccountPage> {
  const changed = changeWorkRows(body)
  if (changed !== undefined) {
    const { values, focus } = changed
    return formPage(visit, { state: { values, faults: [] }, focus })
  }
  const { values, notices } = normalizeWorkForm(body)
  const check = checkNewWork(workBody(values))
  const faults = formFaults(values)
  if (check.type === 'ok' && faults.length === 0) {
    return previewPage(visit, { values, notices }, check.metadata)
  }
  const others = check.type === 'ok' ? [] : check.faults
  const all = [...faults, ...others.map((fault) => asWorkFault(fault, values))]
  return formPage(visit, { state: { values, faults: all }, notices: noticeBox(notices) })
}

function formPage(
  visit: OrganizationVisit,
  { state, focus, notices }: Filling & { readonly focus?: string },
): AccountPage {
  const back = html`<a href="${hrefIn(visit, '/works')}">Back to the works</a>`
  const instead = hrefIn(visit, '/import')
  const isNew =
    state.values.size === 0 || state.faults.some(({ field: name }) => name === 'metadata')
  return organizationPage(visit, {
    section: '/works',
    title: 'Register a work',
    state,
    lead: html`What is registered stays for ever, with a proof of what it was and
when. You see all of it once more before. For many works,
<a href="${instead}">import a file</a>.`,
    content: html`${notices}
${isNew ? fillingCard(hrefIn(visit, '/works/fill'), visit.csrf, state) : ''}
${formCard({
  action: hrefIn(visit, '/works/new'),
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
  visit: OrganizationVisit,
  folded: FoldedForm,
  metadata: Metadata,
): Promise<AccountPage> {
  const registry = { environment: visit.context.environments.live, baseUrl: visit.context.baseUrl }
  const registration = { body: workBody(folded.values), by: organizationAgent(visit) }
  const options = { allowDuplicate: false, allowRepeat: false, dryRun: true }
  const trial = await registerWork(registry, { ...registration, ...options }).then(
    (reply): Trial => ({ warnings: reply.type === 'valid' ? reply.reply.warnings : [] }),
    (error: unknown): Trial => ({ warnings: [], existing: duplicateOf(error) }),
  )
  const isKnown = trial.existing !== undefined || metadata.existing_doi !== undefined
  const alike = isKnown ? [] : await findSameTitle(sourceOf(visit), metadata, registry)
  return confirmPage(visit, folded, metadata, { ...trial, alike })
}

function sourceOf(visit: OrganizationVisit): SearchSource {
  const { search } = visit.context
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
  visit: OrganizationVisit,
  { values, notices }: FoldedForm,
  metadata: Metadata,
  found: Trial & { readonly alike: readonly ListedWork[] },
): AccountPage {
  const { environments } = visit.context
  const { csrf } = visit
  const { naan, shoulder } = environments.live
  const action = (step: string) => hrefIn(visit, `/works/${step}`)
  const carried = hiddenWorkFields(values)
  const isDuplicate = found.existing !== undefined
  const duplicate = isDuplicate ? duplicateBox(visit.context, found.existing, metadata) : ''
  const anyway = isDuplicate ? duplicateChoice : ''
  const warnings = warningBoxes(found.warnings, values)
  return organizationPage(visit, {
    section: '/works',
    title: 'Check before registering',
    content: html`${noticeBox(notices)}${warnings}
${card(
  metadata.work_title,
  html`${facts([
    ['ARK', html`<code>ark:/${naan}/${shoulder}…</code>, assigned when you register it`],
    ...workFacts(metadata),
    ['Cited as', html`<span dir="auto">${citation(visit, metadata)}</span>${wholeNames(metadata)}`],
  ])}`,
)}
${duplicate}${alikeBox(visit.context, found.alike)}
<div class="buttons">${form({
      action: action('register'),
      csrf,
      fields: html`${carried}${hiddenField('once', newFormKey(visit.context))}${anyway}`,
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
    isPinned: false,
    latestVersion: 1,
    workUrl: '',
    createdAt: '',
    updatedAt: '',
    receiptUrl: '',
    registry: '',
    metadata,
    authors: describeAuthors(metadata),
    publisher: metadata.publisher_name ?? organization.name,
  }
  return formatCitation(work, usualForm).trim()
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
    const shown = shorten(about, shownCharactersMax)
    return html`<li>${arkLink(context, ark_identifier)} ${work_title}. ${shown}</li>`
  })
  return html`<div class="flash flash-info" role="status"><p>${
    works.length === 1 ? 'A work with this title is' : 'Works with this title are'
  } registered already. Register yours only if it is another one:</p><ul>${items}</ul></div>`
}

const shownCharactersMax = 200

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

async function register(visit: OrganizationVisit, body: FormBody): Promise<AccountPage> {
  const registry = { environment: visit.context.environments.live, baseUrl: visit.context.baseUrl }
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
    if (check.type === 'ok') return previewPage(visit, folded, check.metadata)
  }
  if (typeof reply === 'string' || reply.type !== 'created') {
    throw new HttpError('conflict', 'The work was not registered')
  }
  const another = hrefIn(visit, '/works/new')
  return organizationPage(visit, {
    section: '/works',
    title: 'Registered',
    flash: { kind: 'success', text: 'The work is registered, and its receipt is signed.' },
    content: html`${registeredCard(visit.context, reply.work)}
<p class="buttons">${buttonLink(hrefIn(visit, '/works'), 'To the works')}
<a href="${another}">Register another one</a></p>`,
  })
}
