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
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import type { PageReply } from '#src/pages/kit/pages.ts'
import {
  badge,
  card,
  emptyState,
  facts,
  pagination,
  quietLink,
  table,
  time,
} from '#src/pages/kit/parts.ts'
import { WordDifferences } from '#src/pages/kit/word_difference.ts'
import { capitalized, formatNumber, plainTitle, plural, typeName } from '#src/pages/kit/words.ts'
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
  workAgent,
} from '#src/pages/organization/context.ts'
import { differences } from '#src/pages/organization/work_form.ts'
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
  type BulkRefusal,
  type BulkSelection,
  bulkWorksMax,
  describeBulkEdit,
  type LeftWork,
  readDifference,
} from '#src/use_cases/bulk_edit.ts'
import type { Text } from '#src/words/wording.ts'

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
const languageOptions = languageCodes.map((value) => ({ value, label: value }))

const filterFields: readonly Field[] = [
  { name: 'in_q', label: 'Words of the work', hint: 'As in the search of works.' },
  { name: 'in_publisher', label: 'Publisher', hint: 'The whole name.' },
  { name: 'in_container', label: 'Journal or book', hint: 'The whole title.' },
  { name: 'in_license', label: 'License', hint: 'Such as CC-BY-4.0.' },
  { name: 'in_address', label: 'Address begins with', hint: 'Such as http://old.example.org/.' },
  { name: 'in_year', label: 'Published in', hint: 'A year, or years: 2019-2024.' },
  { name: 'in_registered_from', label: 'Registered from', type: 'date' },
  { name: 'in_registered_to', label: 'Registered until', type: 'date' },
]

const editFields: readonly Field[] = [
  { name: 'license', label: 'New license', hint: 'Such as CC-BY-4.0, or its address.' },
  { name: 'publisher_name', label: 'New publisher' },
  { name: 'container_title', label: 'New title of the journal or book' },
  {
    name: 'work_url_from',
    label: 'Replace this beginning of addresses',
    hint: 'Such as http://old.example.org/. Other addresses stay.',
  },
  { name: 'work_url_to', label: 'With this one' },
  { name: 'author_from', label: 'Replace the name of this author' },
  {
    name: 'author_to',
    label: 'With this name',
    hint: 'Family name first: Lovelace, Ada. ORCID iD and affiliation stay.',
  },
]

const removable = {
  license: 'License',
  publisher_name: 'Publisher',
  container_title: 'Title of the journal or book',
  language: 'Language',
} as const

/** The form of a bulk change. */
export async function bulkFormPage(
  visit: OrganizationVisit,
  state: FormState,
): Promise<AccountPage> {
  const any = { value: '', label: 'Any' }
  const keep = { value: '', label: 'Leave as it is' }
  const choice = (name: string, label: string, options: readonly ValueOption[]) =>
    selectField({ name, label, options }, state)
  const removed = Object.entries(removable).map(([value, label]) => ({ value, label }))
  const plain = (each: Field): Field => ({ ...each, isPlain: true })
  return organizationPage(visit, {
    section,
    title: 'Change many works',
    state,
    lead: html`Choose works, and say what changes in all of them. You see every difference before
anything is changed. Each work gets a new version and a receipt of its own.`,
    content: html`${formCard({
      action: hrefIn(visit, bulkPath),
      csrf: visit.csrf,
      sendsFiles: true,
      fields: html`<fieldset><legend>Which works</legend>
<p class="hint">Without any condition, all works of the organization are chosen.</p>
${fieldList(state, filterFields.map(plain))}
${choice('in_type', 'Type', [any, ...typeOptions])}
${choice('in_language', 'Language', [any, ...languageOptions])}</fieldset>
<fieldset><legend>Or a list of works</legend>
${field(worksField, state)}${fileField(worksFile, state)}</fieldset>
<fieldset><legend>What changes</legend>
${fieldList(state, editFields.map(plain))}
${choice('work_type', 'New type', [keep, ...typeOptions])}
${choice('language', 'New language', [keep, ...languageOptions])}
${choice('remove', 'Remove a field', [{ value: '', label: 'Remove nothing' }, ...removed])}
</fieldset>${operatorNote(visit)}`,
      submit: 'Preview',
      beside: html`<a href="${hrefIn(visit, '/works')}">Back to the works</a>`,
    })}
${mayDo(visit, 'undo many changes') ? undoHint(visit) : nothing}${await earlier(visit)}`,
  })
}

function undoHint(visit: OrganizationVisit): Html {
  return html`<p>Was a key stolen, or an account misused?
<a href="${hrefIn(visit, undoPath)}">Undo many changes</a> since a time.</p>`
}

const worksField = {
  name: 'works',
  label: 'ARKs or DOIs, one a line',
  type: 'textarea',
  isPlain: true,
} as const

const worksFile = {
  name: 'file',
  label: 'Or a file of them',
  hint: `One a line, or CSV with a column ark. At most ${plural(bulkWorksMax, 'work')}.`,
  accept: '.csv,.txt',
}

async function earlier(visit: OrganizationVisit): Promise<Html> {
  const jobs = await visit.context.bulkChanges.list(visit.organization.slug, jobsShown)
  if (jobs.length === 0) return nothing
  return table('Bulk changes, newest first', jobs, {
    When: ({ created_at: at }) => time(at),
    What: (job) =>
      html`<a href="${hrefOf(visit, job)}">${capitalized(describeBulkEdit(job.edit))}</a>`,
    Works: ({ ready }) => plural(ready, 'work'),
    State: (job) => badge(stateWords[job.state], isUnderWay(job) ? 'waiting' : 'plain'),
  })
}

function hrefOf(visit: OrganizationVisit, { id }: Pick<BulkJob, 'id'>, rest = ''): string {
  return hrefIn(visit, `${bulkPath}/${id}${rest}`)
}

const stateWords: Readonly<Record<BulkJob['state'], string>> = {
  draft: 'previewed',
  running: 'under way',
  stopping: 'is being stopped',
  done: 'done',
  stopped: 'stopped',
}

async function prepare(visit: OrganizationVisit, body: FormBody): Promise<PageReply> {
  const again = (faults: readonly FieldFault[]) => bulkFormPage(visit, { values: body, faults })
  try {
    const asked = readForm(body)
    if (asked.type === 'invalid') return await again(asked.faults)
    return await previewBulkChange(visit, asked)
  } catch (error) {
    if (error instanceof SearchError) return again([searchFault('Search has failed')])
    if (!(error instanceof HttpError)) throw error
    if (error.details !== undefined) return again(error.details.map(asFormFault))
    if (['bad_request', 'timeout', 'unavailable'].includes(error.code)) {
      return again([searchFault(error.message)])
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

function searchFault(message: string): FieldFault {
  return { field: 'in_q', code: 'bad_value', message }
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
  | { readonly type: 'invalid'; readonly faults: readonly FieldFault[] }

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
    ...(filed.length > 0 && listed.length > 0
      ? [fault('file', 'Choose a file or write a list, not both')]
      : []),
    ...(works.length > 0 && Object.keys(filter).length > 0
      ? [fault('works', 'Give conditions or a list of works, not both')]
      : []),
    ...(works.length > bulkWorksMax
      ? [fault('works', `A list has ${plural(bulkWorksMax, 'work')} at most, not ${works.length}`)]
      : []),
  ]
  if (faults.length > 0) return { type: 'invalid', faults }
  return { type: 'ok', edit: editOf(given), selection: works.length > 0 ? { works } : { filter } }
}

function fault(name: string, message: string): FieldFault {
  return { field: name, code: 'bad_value', message }
}

/** Replacements of which only one half was given. */
function halfFaults(given: (name: string) => string): readonly FieldFault[] {
  return ['work_url', 'author'].flatMap((name) => {
    const missing = ['from', 'to'].filter((half) => given(`${name}_${half}`) === '')
    if (missing.length !== 1) return []
    return [fault(`${name}_${missing[0]}`, 'Say what is replaced, and what it is replaced with')]
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
  const list = isDraft ? await differenceList(visit, job, works) : outcomeTable(visit, job, works)
  return organizationPage(visit, {
    section,
    title: isDraft ? `${submitOf(job)}?` : titleOf(job),
    lead: isDraft
      ? html`Nothing is changed yet. What goes is struck through, what comes is
underlined.`
      : nothing,
    content: html`${card(isDraft ? 'What would happen' : 'How far it is', overview(visit, job))}
${job.ready === 0 ? emptyState('No work would be changed', 'Choose others.') : list}
${pages(visit, hrefOf(visit, job), job.ready)}
<p class="buttons">${quietLink(hrefIn(visit, bulkPath), 'Another change')}</p>`,
  })
}

function submitOf({ edit, ready }: BulkJob): string {
  const works = plural(ready, 'work')
  return edit.undo === undefined ? `Change ${works}` : `Undo changes to ${works}`
}

/** `Changed the license of 1,204 works`, and what it is called before its end. */
function titleOf({ state, edit, ready, changed }: BulkJob): string {
  const what = describeBulkEdit(edit)
  const isUndo = edit.undo !== undefined
  if (!isUnderWay({ state })) return bulkWords(what, changed, isUndo)
  return isUndo ? `Undoing ${what}` : `Changing ${what} of ${plural(ready, 'work')}`
}

/** A bulk change that has ended, in words. */
export function bulkWords(what: string, changed: number, isUndo: boolean): string {
  const works = plural(changed, 'work')
  return isUndo ? `Undid ${what}: ${works}` : `Changed ${what} of ${works}`
}

function overview(visit: OrganizationVisit, job: BulkJob): Html {
  const { ready, left, left_more: more, is_cut: isCut, done, changed, state } = job
  const leftText =
    more === 0 ? plural(left, 'work') : `${plural(left + more, 'work')}, the first of them listed`
  const leftWords =
    left === 0 ? '0 works' : html`<a href="${hrefOf(visit, job, '/left')}">${leftText}</a>`
  const rows: [string, Html | string][] = [
    ['Chosen', chosenWords(job)],
    ['Changes', html`<ul>${editLines(job.edit).map((line) => html`<li>${line}</li>`)}</ul>`],
    ['To be changed', readyWords(job)],
    ['Left out', leftWords],
  ]
  if (isCut) {
    rows.push([
      'More works',
      `${plural(bulkWorksMax, 'work')} at a time are changed: begin again with the rest.`,
    ])
  }
  if (state !== 'draft') {
    rows.push(['State', badge(stateWords[state], isUnderWay(job) ? 'waiting' : 'plain')])
    rows.push(['Changed', `${plural(changed, 'work')}; ${plural(done - changed, 'work')} not`])
  }
  return html`${facts(rows)}${isUnderWay(job) ? progress(visit, job) : nothing}
${state === 'draft' && ready > 0 ? startForm(visit, job) : nothing}`
}

function readyWords({ ready, withdrawals = 0, registrations = 0 }: BulkJob): string {
  const parts = [
    [withdrawals, 'to withdraw'],
    [registrations, 'to register again'],
  ] as const
  const named = parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${formatNumber(count)} ${what}`)
  return [plural(ready, 'work'), ...named].join(', ')
}

function progress(visit: OrganizationVisit, job: BulkJob): Html {
  const { done, ready, state } = job
  const stop = form({
    action: hrefOf(visit, job, '/stop'),
    csrf: visit.csrf,
    submit: 'Stop',
    danger: true,
    inline: true,
  })
  return html`<p role="status"><label for="progress">${done} of ${plural(ready, 'work')}</label>
<progress id="progress" value="${done}" max="${ready}"></progress>
<a href="${hrefOf(visit, job)}">Show how far it is now</a></p>
${state === 'running' ? stop : nothing}`
}

function startForm(visit: OrganizationVisit, job: BulkJob): Html {
  return html`<p class="hint">A work that somebody changes before its turn is left out, and named.
The preview is kept for a day.</p>
${job.withdrawals ? finalHint : nothing}${operatorNote(visit)}
${form({
  action: hrefOf(visit, job, '/start'),
  csrf: visit.csrf,
  submit: submitOf(job),
  ...(job.withdrawals && { danger: true }),
})}`
}

const finalHint = html`<p class="hint">A withdrawal is signed and written into the public log.
Nobody can undo it.</p>`

const filterLabels: Readonly<Record<keyof BulkFilter, string>> = {
  q: 'words',
  type: 'type',
  license: 'license',
  language: 'language',
  publisher: 'publisher',
  container: 'journal or book',
  address: 'address begins with',
  year: 'published in',
  registered_from: 'registered from',
  registered_to: 'registered until',
}

function chosenWords({ chosen, edit }: BulkJob): string {
  if (edit.undo !== undefined)
    return 'All works that were registered, changed or withdrawn since then'
  if ('listed' in chosen) return `A list of ${plural(chosen.listed, 'work')}`
  const words = Object.entries(chosen.filter).map(
    ([name, text]) => `${filterLabels[name as keyof BulkFilter]} “${text}”`,
  )
  return words.length === 0 ? 'All works of the organization' : words.join(', ')
}

const valueLabels = {
  ...removable,
  work_type: 'Type',
  work_url: 'Beginning of addresses',
  author: 'Author',
  reread: 'All values',
} as const

function editLines(edit: BulkEdit): readonly string[] {
  const { undo, ...values } = edit
  if (undo !== undefined) {
    const { reason, note } = undo
    const why = `Reason: ${reason.replaceAll('_', ' ')}`
    return [
      `Undo ${describeBulkEdit(edit)}`,
      'Works that it registered are withdrawn. Works that it withdrew are registered again. ' +
        'Other works get back the metadata of before.',
      note === undefined ? why : `${why}. ${note}`,
    ]
  }
  return Object.entries(values).map(([name, value]) => {
    const label = valueLabels[name as keyof typeof values]
    if (value === null) return `${label}: removed`
    if (value === true) return `${label}: as they are read now`
    return typeof value === 'string'
      ? `${label}: ${value}`
      : `${label}: ${value.from} → ${value.to}`
  })
}

async function differenceList(
  visit: OrganizationVisit,
  { edit, environment }: BulkJob,
  works: readonly BulkWork[],
): Promise<Html> {
  // The work of finding differences is bounded for the whole page.
  const words = new WordDifferences()
  const shown: Html[] = []
  for (const work of works) {
    const found = await readDifference(visit.context.environments[environment], edit, work)
    const link = arkLink(visit.context, `ark:/${work.ark}`)
    if (found === undefined) {
      shown.push(card(`ark:/${work.ark}`, html`<p>${link} ${refusalWords.changed_since}.</p>`))
      continue
    }
    const difference =
      found.type === 'changed'
        ? facts(differences(found.before, found.after, words))
        : html`<p>${found.type === 'withdrawal' ? badge('is withdrawn', 'bad') : againBadge}</p>`
    shown.push(card(plainTitle(found.before.work_title), html`<p>${link}</p>${difference}`))
  }
  return html`${shown}`
}

const againBadge = badge('is registered again, under a new ARK', 'good')

const refusalWords: Readonly<Record<BulkRefusal, string>> = {
  not_found: 'There is no such work',
  not_yours: 'Another owner has registered it',
  withdrawn: 'It was withdrawn',
  forbidden: 'The organization cannot change it',
  unchanged: 'Nothing in it would change',
  invalid: 'It would not be valid',
  changed_since: 'It was changed after the preview',
  changed_by_others: 'Somebody else changed it afterwards: look at it yourself',
  registered_again: 'It is registered again already',
}

function reasonText({ reason, message }: Pick<LeftWork, 'reason' | 'message'>): string {
  return message === undefined ? refusalWords[reason] : `${refusalWords[reason]}: ${message}`
}

function outcomeTable(visit: OrganizationVisit, job: BulkJob, works: readonly BulkWork[]): Html {
  const waiting = isUnderWay(job) ? 'Waiting' : 'Not changed: stopped before'
  return table('Works, and what became of each', works, {
    Work: ({ ark }) => arkLink(visit.context, `ark:/${ark}`),
    Outcome: ({ outcome }) => {
      if (outcome === undefined) return waiting
      if ('version' in outcome) {
        const { new_ark: again } = outcome
        if (again !== undefined) return html`Registered again: ${arkLink(visit.context, again)}`
        return outcome.withdrawn === true ? 'Withdrawn' : `Changed: version ${outcome.version}`
      }
      return `Not changed. ${reasonText(outcome)}`
    },
  })
}

function leftPage(visit: OrganizationVisit): AccountPage {
  const job = jobOf(visit)
  const works = visit.context.bulkChanges.leftPart(job.id, pageOf(visit))
  return organizationPage(visit, {
    section,
    title: 'Works that are left out',
    content: html`${table('Works, and why each is left out', works, {
      Work: ({ work }) => html`<code>${work}</code>`,
      Reason: (each) => reasonText(each),
    })}
${pages(visit, hrefOf(visit, job, '/left'), job.left)}
<p class="buttons">${quietLink(hrefOf(visit, job), 'Back to the change')}</p>`,
  })
}
