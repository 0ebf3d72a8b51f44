import { languageCodes } from '#actors/values/language.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { workTypeNames } from '#actors/values/work_type.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { SearchError } from '#src/discovery/search/search_engine.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import {
  emptyForm,
  field,
  type Field,
  fieldList,
  fileField,
  form,
  type FormBody,
  formCard,
  type FormState,
  type PageFault,
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { PageReply } from '#src/pages/kit/pages.ts'
import {
  badge,
  card,
  emptyState,
  type Fact,
  facts,
  pagination,
  quietLink,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import { WordDifferences } from '#src/pages/kit/word_difference.ts'
import { plainTitle, typeName } from '#src/pages/kit/words.ts'
import {
  arkLink,
  hrefIn,
  mayDo,
  memberAgent,
  operatorNote,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  type OrganizationVisit,
  pathIn,
  publicName,
  workAgent,
} from '#src/pages/organization/context.ts'
import { differences, pageFault } from '#src/pages/organization/work_form.ts'
import {
  type BulkRequest,
  prepareBulkChange,
  readWorkList,
  startBulkChange,
} from '#src/use_cases/bulk_change.ts'
import {
  type BulkJob,
  bulkPartWorks,
  type BulkWork,
  isUnderWay,
} from '#src/use_cases/bulk_change_jobs.ts'
import {
  type BulkEdit,
  type BulkFilter,
  type BulkSelection,
  bulkWorksMax,
  type LeftWork,
  readDifference,
} from '#src/use_cases/bulk_edit.ts'
import { capitalized, dateTime, inEnglish, languageName, list } from '#src/words/format.ts'
import { bulkChanges as words, history, withdrawals } from '#src/words/publisher_desk.ts'
import { registration } from '#src/words/record_desk.ts'
import { fieldName } from '#src/discovery/feeds/field_names.ts'
import type { AuditEntry } from '#src/identity/store/audit.ts'
import { parseActor } from '#actors/values/agent.ts'
import { english } from '#src/words/language.ts'
import type { Text, Wording } from '#src/words/wording.ts'

/** The pages of bulk changes, below those of the organization. */
export const bulkPath = '/changes'

/** The page on which all that somebody did is undone. */
export const undoPath = `${bulkPath}/undo`

const section = '/works'

/** Bytes of a form: a list of as many works as there may be, with room for columns beside them. */
const formBytesMax = 16_777_216

const jobsShown = 50

/** Adds the pages that change many works at once: choose, look at all differences, begin. */
export function addBulkChangePages(context: OrganizationContext): void {
  const { member } = organizationRoutes(context, 'change many works')
  member.get(bulkPath, (visit) => bulkFormPage(visit, emptyForm))
  member.post(bulkPath, prepare, { formBytesMax })
  member.get(`${bulkPath}/:id`, jobPage)
  member.get(`${bulkPath}/:id/left`, leftPage)
  member.post(`${bulkPath}/:id/start`, async (visit) => {
    const actors = { by: workAgent(visit), asked_by: memberAgent(visit) }
    const job = { slug: visit.organization.slug, id: idOf(visit) }
    const { id } = await startBulkChange(visit.context, job, actors)
    return { redirect: pathIn(visit, `${bulkPath}/${id}`) }
  })
  member.post(`${bulkPath}/:id/stop`, async (visit) => {
    const { id } = await visit.context.bulkChanges.stop(visit.organization.slug, idOf(visit))
    return { redirect: pathIn(visit, `${bulkPath}/${id}`) }
  })
}

function idOf(visit: OrganizationVisit): string {
  return visit.parameters['id'] ?? ''
}

function jobOf(visit: OrganizationVisit): BulkJob {
  const job = visit.context.bulkChanges.find(visit.organization.slug, idOf(visit))
  if (job !== undefined) return job
  throw new HttpError('not_found', 'There is no such bulk change, or its preview is over')
}

type ValueOption = { readonly value: string; readonly label: Text }

const typeOptions = workTypeNames.map((value) => ({ value, label: typeName(value) }))
const languageOptions = languageCodes
  .map((value) => ({ value, label: languageName(value), name: languageName(value).text(english) }))
  .toSorted((one, other) => (one.name < other.name ? -1 : 1))

const filterFields: readonly Field[] = [
  { name: 'in_q', label: words.q, hint: words.qHint },
  { name: 'in_publisher', label: words.publisher, hint: words.publisherHint },
  { name: 'in_container', label: words.container, hint: words.containerHint },
  { name: 'in_license', label: words.license, hint: words.suchAs({ example: 'CC-BY-4.0' }) },
  {
    name: 'in_address',
    label: words.address,
    hint: words.suchAs({ example: 'http://old.example.org/' }),
  },
  { name: 'in_year', label: words.year, hint: words.yearHint },
  { name: 'in_registered_from', label: words.registered_from, type: 'date' },
  { name: 'in_registered_to', label: words.registered_to, type: 'date' },
]

const editFields: readonly Field[] = [
  { name: 'license', label: words.newLicense, hint: words.newLicenseHint },
  { name: 'publisher_name', label: words.newPublisher },
  { name: 'container_title', label: words.newContainer },
  { name: 'work_url_from', label: words.addressFrom, hint: words.addressFromHint },
  { name: 'work_url_to', label: words.addressTo },
  { name: 'author_from', label: words.authorFrom },
  { name: 'author_to', label: words.authorTo, hint: words.authorToHint },
]

const removable = {
  license: words.license,
  publisher_name: words.publisher_name,
  container_title: words.container_title,
  language: words.language,
} as const

/** The form of a bulk change. */
export async function bulkFormPage(
  visit: OrganizationVisit,
  state: FormState,
): Promise<AccountPage> {
  const any = { value: '', label: words.any }
  const keep = { value: '', label: words.keep }
  const choice = (name: string, label: Text, options: readonly ValueOption[]) =>
    selectField({ name, label, options }, state)
  const removed = Object.entries(removable).map(([value, label]) => ({ value, label }))
  const plain = (each: Field): Field => ({ ...each, isPlain: true })
  return organizationPage(visit, {
    section,
    title: words.heading,
    state,
    lead: words.lead,
    content: html`${formCard({
      action: hrefIn(visit, bulkPath),
      csrf: visit.csrf,
      sendsFiles: true,
      fields: html`<fieldset><legend>${words.which}</legend>
<p class="hint">${words.whichHint}</p>
${fieldList(state, filterFields.map(plain))}
${choice('in_type', words.type, [any, ...typeOptions])}
${choice('in_language', words.language, [any, ...languageOptions])}</fieldset>
<fieldset><legend>${words.orList}</legend>
${field(worksField, state)}${fileField(worksFile, state)}</fieldset>
<fieldset><legend>${words.changes}</legend>
${fieldList(state, editFields.map(plain))}
${choice('work_type', words.newType, [keep, ...typeOptions])}
${choice('language', words.newLanguage, [keep, ...languageOptions])}
${choice('remove', words.remove, [{ value: '', label: words.removeNothing }, ...removed])}
</fieldset>${operatorNote(visit)}`,
      submit: registration.preview,
      beside: html`<a href="${hrefIn(visit, '/works')}">${registration.back}</a>`,
    })}
${mayDo(visit, 'undo many changes') ? undoHint(visit) : nothing}${await earlier(visit)}`,
  })
}

function undoHint(visit: OrganizationVisit): Html {
  const link = (text: Wording) => html`<a href="${hrefIn(visit, undoPath)}">${text}</a>`
  return html`<p>${words.undoHint({ link })}</p>`
}

const worksField = {
  name: 'works',
  label: words.works,
  type: 'textarea',
  isPlain: true,
} as const

const worksFile = {
  name: 'file',
  label: words.file,
  hint: words.fileHint({ count: bulkWorksMax }),
  accept: '.csv,.txt',
}

async function earlier(visit: OrganizationVisit): Promise<Html> {
  const jobs = await visit.context.bulkChanges.list(visit.organization.slug, jobsShown)
  if (jobs.length === 0) return nothing
  return table(words.list, jobs, [
    [words.when, ({ created_at: at }) => time(at)],
    [
      words.what,
      (job) => {
        const what = capitalized(editText(visit, job.edit))
        return html`<a href="${hrefOf(visit, job)}">${what}</a>`
      },
    ],
    [words.worksColumn, ({ ready }) => words.count({ count: ready })],
    [words.state, stateBadge],
  ])
}

function stateBadge(job: BulkJob): Html {
  return badge(words[job.state], isUnderWay(job) ? 'waiting' : 'plain')
}

/** What a bulk change changes, in the middle of a sentence: `license and publisher`. */
function editText(visit: OrganizationVisit, edit: BulkEdit): Text {
  const { undo } = edit
  if (undo !== undefined) {
    return words.allBy({ by: actorText(visit, undo.by), since: dateTime(undo.since) })
  }
  return list(
    Object.keys(edit).map((name) => {
      if (name === 'author') return words.authorName
      return name === 'reread' ? words.rereadValues : fieldName(name)
    }),
  )
}

function actorText({ context, account }: OrganizationVisit, by: string): Text {
  const actor = parseActor(by)
  if (actor === undefined) return by
  const { type, id } = actor
  if (type === 'person') return publicName(context, id, account.ppid)
  return history[type]({ name: id })
}

function hrefOf(visit: OrganizationVisit, { id }: Pick<BulkJob, 'id'>, rest = ''): string {
  return hrefIn(visit, `${bulkPath}/${id}${rest}`)
}

async function prepare(visit: OrganizationVisit, body: FormBody): Promise<PageReply> {
  const again = (faults: readonly PageFault[]) => bulkFormPage(visit, { values: body, faults })
  try {
    const asked = readForm(body)
    if (asked.type === 'invalid') return await again(asked.faults)
    return await previewBulkChange(visit, asked)
  } catch (error) {
    if (error instanceof SearchError) return again([fault('in_q', words.searchFailed)])
    if (!(error instanceof HttpError)) throw error
    if (error.details !== undefined) return again(error.details.map(asFormFault))
    if (['bad_request', 'timeout', 'unavailable'].includes(error.code)) {
      return again([fault('in_q', inEnglish(error.message))])
    }
    throw error
  }
}

/** Prepares a bulk change, and leads to its preview. Errors: those of `prepareBulkChange`. */
export async function previewBulkChange(
  visit: OrganizationVisit,
  { edit, selection }: Pick<BulkRequest, 'edit' | 'selection'>,
): Promise<PageReply> {
  const { context, organization, from, reply } = visit
  const searcher = { caller: from, signal: reply.standAside() }
  const source = {
    environment: context.environments.live,
    search: { service: context.search?.live, searcher },
    owner: { type: 'organization', id: organization.slug },
    by: workAgent(visit),
  } as const
  const wanted = { edit, selection, askedBy: memberAgent(visit) }
  const { id } = await prepareBulkChange(context.bulkChanges, source, wanted)
  return { redirect: pathIn(visit, `${bulkPath}/${id}`) }
}

const filterNames: ReadonlySet<string> = new Set([
  ...filterFields.map(({ name }) => name),
  'in_type',
  'in_language',
])

/** A fault of what is asked for, at the field of the form that it came from. */
function asFormFault(found: FieldFault): FieldFault {
  const { field: name } = found
  if (name.startsWith('filter.')) return { ...found, field: name.replace('filter.', 'in_') }
  return name === 'work_url' || name === 'author' ? { ...found, field: `${name}_from` } : found
}

type Asked =
  | { readonly type: 'ok'; readonly edit: BulkEdit; readonly selection: BulkSelection }
  | { readonly type: 'invalid'; readonly faults: readonly PageFault[] }

function readForm(body: FormBody): Asked {
  const given = (name: string) => textOf(body, name).trim()
  const listed = readWorkList(`${given('works')}\n`)
  const filed = readWorkList(given('file'), 'file')
  const filter = Object.fromEntries(
    [...filterNames].flatMap((name): [string, string][] =>
      given(name) === '' ? [] : [[name.slice('in_'.length), given(name)]],
    ),
  ) as BulkFilter
  const works = filed.length > 0 ? filed : listed
  const faults = [
    ...halfFaults(given),
    ...(filed.length > 0 && listed.length > 0 ? [fault('file', words.notBoth)] : []),
    ...(works.length > 0 && Object.keys(filter).length > 0
      ? [fault('works', words.notConditions)]
      : []),
    ...(works.length > bulkWorksMax
      ? [fault('works', words.tooMany({ most: bulkWorksMax, count: works.length }))]
      : []),
  ]
  if (faults.length > 0) return { type: 'invalid', faults }
  return { type: 'ok', edit: editOf(given), selection: works.length > 0 ? { works } : { filter } }
}

function fault(name: string, text: Text): PageFault {
  return pageFault(name, 'bad_value', text)
}

/** Replacements of which only one half was given. */
function halfFaults(given: (name: string) => string): readonly PageFault[] {
  return ['work_url', 'author'].flatMap((name) => {
    const missing = ['from', 'to'].filter((half) => given(`${name}_${half}`) === '')
    if (missing.length !== 1) return []
    return [fault(`${name}_${missing[0]}`, words.half)]
  })
}

function editOf(given: (name: string) => string): BulkEdit {
  const names = ['license', 'publisher_name', 'container_title', 'language', 'work_type'] as const
  const values = names.flatMap((name) => (given(name) === '' ? [] : [[name, given(name)]]))
  const removed = Object.hasOwn(removable, given('remove')) ? [[given('remove'), null]] : []
  const replacements = ['work_url', 'author'].flatMap((name) => {
    const [from, to] = [given(`${name}_from`), given(`${name}_to`)]
    return from === '' ? [] : [[name, { from, to }]]
  })
  return Object.fromEntries([...values, ...removed, ...replacements]) as BulkEdit
}

/** The page that a query asks for, from 0 on. */
function pageOf({ query }: OrganizationVisit): number {
  return parseDecimal(query.get('page') ?? '') ?? 0
}

function pages(visit: OrganizationVisit, path: string, count: number): Html {
  const page = pageOf(visit)
  const next = (page + 1) * bulkPartWorks < count ? `${page + 1}` : null
  return html`${pagination({ path, parameter: 'page', next, isFirst: page === 0 })}`
}

async function jobPage(visit: OrganizationVisit): Promise<AccountPage> {
  const job = jobOf(visit)
  const works = visit.context.bulkChanges.readyPart(job.id, pageOf(visit))
  const isDraft = job.state === 'draft'
  const shown = isDraft ? await differenceList(visit, job, works) : outcomeTable(visit, job, works)
  return organizationPage(visit, {
    section,
    title: isDraft ? questionOf(job) : titleOf(visit, job),
    lead: isDraft ? words.previewLead : nothing,
    content: html`${card(isDraft ? words.wouldHappen : words.progress, overview(visit, job))}
${job.ready === 0 ? emptyState(words.none, words.noneText) : shown}
${pages(visit, hrefOf(visit, job), job.ready)}
<p class="buttons">${quietLink(hrefIn(visit, bulkPath), words.another)}</p>`,
  })
}

function questionOf({ edit, ready: count }: BulkJob): Text {
  return edit.undo === undefined ? words.changeQuestion({ count }) : words.undoQuestion({ count })
}

function submitOf({ edit, ready: count }: BulkJob): Text {
  return edit.undo === undefined ? words.change({ count }) : words.undo({ count })
}

/** `Changed license and publisher of 1,204 works`, and what it is called before its end. */
function titleOf(visit: OrganizationVisit, { state, edit, ready, changed }: BulkJob): Text {
  const what = editText(visit, edit)
  const isUndo = edit.undo !== undefined
  if (!isUnderWay({ state })) return endedTitle(what, changed, isUndo)
  return isUndo ? words.undoing({ what }) : words.changing({ what, count: ready })
}

function endedTitle(what: Text, count: number, isUndo: boolean): Text {
  return isUndo ? words.undid({ what, count }) : words.changed({ what, count })
}

/** A bulk change that has ended, as the entry of an audit list that tells of it. */
export function bulkTitle(
  visit: OrganizationVisit,
  id: string,
  { action, changed = '', works_count: count = 0 }: AuditEntry,
): Text {
  const job = visit.context.bulkChanges.find(visit.organization.slug, id)
  const what = job === undefined ? inEnglish(changed) : editText(visit, job.edit)
  return endedTitle(what, count, action === 'works_undone')
}

function overview(visit: OrganizationVisit, job: BulkJob): Html {
  const { ready, left, left_more: more, is_cut: isCut, done, changed, state } = job
  const leftText =
    more === 0 ? words.count({ count: left }) : words.countCut({ count: left + more })
  const leftWords =
    left === 0 ? leftText : html`<a href="${hrefOf(visit, job, '/left')}">${leftText}</a>`
  const lines = editLines(visit, job.edit).map((line) => html`<li>${line}</li>`)
  const rows: Fact[] = [
    [words.chosen, chosenWords(job)],
    [words.changes, html`<ul>${lines}</ul>`],
    [words.ready, readyWords(job)],
    [words.left, leftWords],
  ]
  if (isCut) rows.push([words.more, words.moreText({ count: bulkWorksMax })])
  if (state !== 'draft') {
    rows.push([words.state, stateBadge(job)])
    rows.push([words.changedFact, words.changedCount({ changed, others: done - changed })])
  }
  return html`${facts(rows)}${isUnderWay(job) ? progress(visit, job) : nothing}
${state === 'draft' && ready > 0 ? startForm(visit, job) : nothing}`
}

function readyWords({ ready, withdrawals: ended = 0, registrations = 0 }: BulkJob): Text {
  const parts = [words.count({ count: ready })]
  if (ended > 0) parts.push(words.toWithdraw({ count: ended }))
  if (registrations > 0) parts.push(words.toRegister({ count: registrations }))
  return list(parts, 'unit')
}

function progress(visit: OrganizationVisit, job: BulkJob): Html {
  const { done, ready, state } = job
  const stop = form({
    action: hrefOf(visit, job, '/stop'),
    csrf: visit.csrf,
    submit: words.stop,
    danger: true,
    inline: true,
  })
  return html`<p role="status"><label for="progress">${words.doneOf({ done, count: ready })}</label>
<progress id="progress" value="${done}" max="${ready}"></progress>
<a href="${hrefOf(visit, job)}">${words.refresh}</a></p>
${state === 'running' ? stop : nothing}`
}

function startForm(visit: OrganizationVisit, job: BulkJob): Html {
  return html`<p class="hint">${words.startHint}</p>
${job.withdrawals ? finalHint : nothing}${operatorNote(visit)}
${form({
  action: hrefOf(visit, job, '/start'),
  csrf: visit.csrf,
  submit: submitOf(job),
  ...(job.withdrawals && { danger: true }),
})}`
}

const finalHint = html`<p class="hint">${words.finalHint}</p>`

const filterLabels: Readonly<Record<keyof BulkFilter, Text>> = {
  q: words.q,
  type: words.type,
  license: words.license,
  language: words.language,
  publisher: words.publisher,
  container: words.container,
  address: words.address,
  year: words.year,
  registered_from: words.registered_from,
  registered_to: words.registered_to,
}

function chosenWords({ chosen, edit }: BulkJob): Text {
  if (edit.undo !== undefined) return words.chosenUndo
  if ('listed' in chosen) return words.chosenList({ count: chosen.listed })
  const conditions = Object.entries(chosen.filter).map(([name, text]) =>
    words.condition({ label: filterLabels[name as keyof BulkFilter], text }),
  )
  return conditions.length === 0 ? words.chosenAll : list(conditions, 'unit')
}

const valueLabels = {
  ...removable,
  work_type: words.work_type,
  work_url: words.work_url,
  author: words.author,
  reread: words.reread,
} as const

function editLines(visit: OrganizationVisit, edit: BulkEdit): readonly Text[] {
  const { undo, ...values } = edit
  if (undo !== undefined) {
    const { reason, note } = undo
    return [
      words.undoLine({ what: editText(visit, edit) }),
      words.undoText,
      words.reason({ reason: withdrawals[reason] }),
      ...(note === undefined ? [] : [note]),
    ]
  }
  return Object.entries(values).map(([name, value]) => {
    const label = valueLabels[name as keyof typeof values]
    if (value === null) return words.line({ label, value: words.removed })
    if (value === true) return words.line({ label, value: words.readNow })
    if (typeof value !== 'string') return words.replaced({ label, ...value })
    return words.line({ label, value: name === 'work_type' ? typeName(value) : value })
  })
}

async function differenceList(
  visit: OrganizationVisit,
  { edit, environment }: BulkJob,
  works: readonly BulkWork[],
): Promise<Html> {
  // The work of finding differences is bounded for the whole page.
  const found = new WordDifferences()
  const shown: Html[] = []
  for (const work of works) {
    const read = await readDifference(visit.context.environments[environment], edit, work)
    const link = arkLink(visit.context, `ark:/${work.ark}`)
    if (read === undefined) {
      shown.push(card(`ark:/${work.ark}`, html`<p>${link}. ${words.changed_since}</p>`))
      continue
    }
    const mark = read.type === 'withdrawal' ? endBadge : againBadge
    const difference =
      read.type === 'changed'
        ? facts(differences(read.before, read.after, found))
        : html`<p>${mark}</p>`
    shown.push(card(plainTitle(read.before.work_title), html`<p>${link}</p>${difference}`))
  }
  return html`${shown}`
}

const againBadge = badge(words.isRegistered, 'good')
const endBadge = badge(words.isWithdrawn, 'bad')

function reasonText({ reason, message }: Pick<LeftWork, 'reason' | 'message'>): Html {
  const refusal: Text = words[reason]
  return message === undefined ? html`${refusal}` : html`${refusal} ${inEnglish(message)}`
}

function outcomeTable(visit: OrganizationVisit, job: BulkJob, works: readonly BulkWork[]): Html {
  const waiting = isUnderWay(job) ? words.waiting : words.notReached
  return table(words.outcomes, works, [
    [words.work, ({ ark }) => arkLink(visit.context, `ark:/${ark}`)],
    [
      words.outcome,
      ({ outcome }) => (outcome === undefined ? waiting : outcomeText(visit, outcome)),
    ],
  ])
}

function outcomeText(
  { context }: OrganizationVisit,
  outcome: Exclude<BulkWork['outcome'], undefined>,
): Text {
  if (!('version' in outcome)) return words.notChanged({ reason: reasonText(outcome) })
  const { new_ark: again, version, withdrawn } = outcome
  if (again !== undefined) return words.again({ work: arkLink(context, again) })
  return withdrawn === true ? words.wasWithdrawn : words.wasChanged({ version })
}

function leftPage(visit: OrganizationVisit): AccountPage {
  const job = jobOf(visit)
  const works = visit.context.bulkChanges.leftPart(job.id, pageOf(visit))
  return organizationPage(visit, {
    section,
    title: words.leftHeading,
    content: html`${table(words.leftTable, works, [
      [words.work, ({ work }) => html`<code>${work}</code>`],
      [words.why, (each) => reasonText(each)],
    ])}
${pages(visit, hrefOf(visit, job, '/left'), job.left)}
<p class="buttons">${quietLink(hrefOf(visit, job), words.back)}</p>`,
  })
}
