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
  changeWorkRows,
  type FoldedForm,
  formFaults,
  formKeyOf,
  hiddenWorkFields,
  newFormKey,
  normalizeWorkForm,
  noticeBox,
  pageFault,
  warningBoxes,
  withFaults,
  workBody,
  workFacts,
  workFields,
  workValues,
} from '#src/pages/organization/work_form.ts'
import { registeredCard } from '#src/pages/organization/work_pages.ts'
import { findSameTitle, type ListedWork } from '#src/use_cases/listed_works.ts'
import type { SearchSource } from '#src/use_cases/record_search.ts'
import { registerWork } from '#src/use_cases/registration.ts'
import { inEnglish } from '#src/words/format.ts'
import { registration as words, workFields as labels } from '#src/words/record_desk.ts'
import type { Text } from '#src/words/wording.ts'

/** Bytes of a form: a file whose every other byte needs three in it. */
const fillingBytesMax = 2 * citationBytesMax

type Filling = { readonly state: FormState; readonly notices?: Html }

/** The form that fills that of a work in from what describes it elsewhere; nothing is fetched. */
function fillingCard(action: string, csrf: string, state: FormState): Html {
  const isOpen = state.faults.some(({ field: name }) => name === 'metadata') ? html` open` : ''
  const file = fileField({
    name: 'file',
    label: words.file,
    accept: '.bib,.ris,.json',
    hint: words.fileHint,
  })
  const pasted = field(
    { name: 'metadata', label: words.pasted, type: 'textarea', hint: words.pastedHint },
    state,
  )
  return html`<details class="card fold-card"${isOpen}>
<summary>${words.fill}</summary>
${form({ action, csrf, fields: [file, pasted], submit: words.fillSubmit, sendsFiles: true })}
</details>`
}

async function readFilling(body: FormBody): Promise<Filling> {
  const text = textOf(body, 'file') || textOf(body, 'metadata')
  const refuse = (reason: Text): Filling => {
    const faults = [pageFault('metadata', 'bad_value', reason)]
    return { state: { values: new Map([['metadata', textOf(body, 'metadata')]]), faults } }
  }
  if (text.trim() === '') return refuse(words.nothingGiven)
  const file = await readCitationFile(Buffer.from(text))
  if (file.type !== 'read') return refuse(inEnglish(file.message))
  const entry = file.entries.find((each) => each.body !== undefined)
  if (entry?.body === undefined) {
    const message = file.entries[0]?.faults[0]?.message
    return refuse(message === undefined ? words.nothingInIt : inEnglish(message))
  }
  const count = file.entries.length
  const several = count === 1 ? [] : [words.several({ count })]
  const metadata = entry.body as Partial<Metadata>
  const whole = { work_title: '', work_type: 'other', authors: '', ...metadata } as const
  const { values, leftOut } = withKept(workValues(whole), whole)
  const tooLong = leftOut.map((label) => words.leftOut({ label }))
  const others = entry.notes.map(({ message }) => inEnglish(message))
  const items = [...several, ...tooLong, ...others].map((note) => html`<li>${note}</li>`)
  return {
    state: { values, faults: [] },
    notices: html`<div class="flash flash-success" role="status">
<p>${words.filled}</p>
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
  const all = withFaults(faults, others, values)
  return formPage(visit, { state: { values, faults: all }, notices: noticeBox(notices) })
}

function formPage(
  visit: OrganizationVisit,
  { state, focus, notices }: Filling & { readonly focus?: string },
): AccountPage {
  const back = html`<a href="${hrefIn(visit, '/works')}">${words.back}</a>`
  const instead = hrefIn(visit, '/import')
  const isNew =
    state.values.size === 0 || state.faults.some(({ field: name }) => name === 'metadata')
  return organizationPage(visit, {
    section: '/works',
    title: words.heading,
    state,
    lead: words.lead({ import: (link) => html`<a href="${instead}">${link}</a>` }),
    content: html`${notices}
${isNew ? fillingCard(hrefIn(visit, '/works/fill'), visit.csrf, state) : ''}
${formCard({
  action: hrefIn(visit, '/works/new'),
  csrf: visit.csrf,
  fields: workFields(state, focus),
  submit: words.preview,
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
    title: words.check,
    content: html`${noticeBox(notices)}${warnings}
${card(
  metadata.work_title,
  html`${facts([
    [labels.ark, words.assigned({ ark: html`<code>ark:/${naan}/${shoulder}…</code>` })],
    ...workFacts(metadata),
    [
      words.citedAs,
      html`<span dir="auto">${citation(visit, metadata)}</span>${wholeNames(metadata)}`,
    ],
  ])}`,
)}
${duplicate}${alikeBox(visit.context, found.alike)}
<div class="buttons">${form({
      action: action('register'),
      csrf,
      fields: html`${carried}${hiddenField('once', newFormKey(visit.context))}${anyway}`,
      submit: words.register,
      inline: true,
    })}
${form({ action: action('change'), csrf, fields: carried, submit: words.edit, inline: true })}
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
  return html`<p class="hint">${words.wholeName({ name: html`<bdi>${name}</bdi>` })}</p>`
}

/** Works that have the same title; nothing says that they are the same work. */
function alikeBox(context: OrganizationContext, works: readonly ListedWork[]): Html {
  if (works.length === 0) return nothing
  const items = works.map(({ ark_identifier, work_title, authors, published_date }) => {
    const about = [authors, published_date?.slice(0, 4)].filter(Boolean).join(', ')
    const shown = shorten(about, shownCharactersMax)
    return html`<li>${arkLink(context, ark_identifier)} ${work_title}. ${shown}</li>`
  })
  return html`<div class="flash flash-info" role="status">
<p>${words.alike({ count: works.length })}</p><ul>${items}</ul></div>`
}

const shownCharactersMax = 200

const duplicateChoice = checkbox({
  name: 'allow_duplicate',
  label: words.anyway,
})

function duplicateBox(
  context: OrganizationContext,
  existing: string,
  { existing_doi: doi }: Metadata,
): Html {
  const work = arkLink(context, existing)
  const likeness = doi === undefined ? words.sameAddress({ work }) : words.sameDoi({ work })
  return html`<div class="flash flash-error" role="alert">
<p>${likeness}</p></div>`
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
    title: words.done,
    flash: { kind: 'success', text: words.doneText },
    content: html`${registeredCard(visit.context, reply.work)}
<p class="buttons">${buttonLink(hrefIn(visit, '/works'), words.toWorks)}
<a href="${another}">${words.another}</a></p>`,
  })
}
