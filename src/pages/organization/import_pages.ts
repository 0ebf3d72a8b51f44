import { shorten } from '#src/pages/kit/words.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { BulkResult } from '#src/use_cases/registration.ts'
import { type FieldChange, importWorks, type KeptField } from '#src/use_cases/work_import.ts'
import {
  citationBytesMax,
  citationEntriesMax,
  type CitationEntry,
  readCitationFile,
  type ReadNote,
} from '#src/discovery/citation_files/citation_file.ts'
import {
  type ColumnChoices,
  type ColumnTarget,
  columnTargets,
  type TableColumn,
  templateColumns,
} from '#src/discovery/citation_files/csv_columns.ts'
import { csvRow } from '#src/discovery/formats/csv_row.ts'
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
  selectField,
  textOf,
} from '#src/pages/kit/form.ts'
import {
  arkLink,
  hrefIn,
  organizationAgent,
  type OrganizationContext,
  organizationPage,
  organizationRoutes,
  type OrganizationVisit,
} from '#src/pages/organization/context.ts'
import { badge, buttonLink, card, table } from '#src/pages/kit/parts.ts'
import { formKeyOf, newFormKey } from '#src/pages/organization/work_form.ts'

/** Bytes of a form: a file whose every other byte needs three in it. */
const formBytesMax = 2 * citationBytesMax

type Outcome = { readonly entry: CitationEntry; readonly result: BulkResult | undefined }

/** Adds the import of files: send one or its text, look at each entry, register. */
export function addImportPages(context: OrganizationContext): void {
  const register = organizationRoutes(context, 'register works')
  const path = '/import'
  const options = { formBytesMax }
  register.member.get(path, (visit) => sendPage(visit, emptyForm))
  register.member.post(path, previewPage, options)
  register.member.post(
    `${path}/register`,
    async (visit, body) => {
      const run = {
        isDryRun: false,
        once: formKeyOf(body),
        allowDuplicate: body.has('allow_duplicate'),
      }
      const file = await readCitationFile(Buffer.from(textOf(body, 'citations')), choicesOf(body))
      if (file.type !== 'read') throw new HttpError('unavailable', file.message)
      return resultPage(visit, await registerEntries(visit, file.entries, run))
    },
    options,
  )
}

/** Columns of which a form says what they hold, at most: it names each, and the field. */
const choicesMax = 80

/** What a form says that the columns of a table hold; it says nothing before they were shown. */
function choicesOf(body: FormBody): ColumnChoices {
  const choices: Record<string, ColumnTarget | null> = {}
  for (let index = 0; index < choicesMax; index += 1) {
    const name = body.get(`column_name_${index}`)
    if (name === undefined) break
    const target = textOf(body, `column_${index}`) as ColumnTarget
    choices[name] = columnTargets.includes(target) ? target : null
  }
  return choices
}

/** Registers those entries that can be, and changes the works of others, each on its own. */
async function registerEntries(
  visit: OrganizationVisit,
  entries: readonly CitationEntry[],
  run: { readonly isDryRun: boolean; readonly once: string; readonly allowDuplicate: boolean },
): Promise<readonly Outcome[]> {
  const { environments, baseUrl } = visit.context
  const by = organizationAgent(visit)
  const good = [...entries.entries()].filter(([, { faults }]) => faults.length === 0)
  const requests = good.map(([index, { body, ark }]) => ({
    body,
    ...(ark !== undefined && { ark }),
    by,
    allowDuplicate: run.allowDuplicate,
    allowRepeat: false,
    dryRun: run.isDryRun,
    idempotencyKey: `import-${run.once}-${index}`,
    batch: run.once,
  }))
  const { results } = await importWorks({ environment: environments.live, baseUrl }, requests)
  const byEntry = new Map(good.map(([index], at) => [index, results[at]]))
  return entries.map((entry, index) => ({ entry, result: byEntry.get(index) }))
}

function sendPage(visit: OrganizationVisit, state: FormState): AccountPage {
  const file = fileField(
    {
      name: 'file',
      label: 'A file of BibTeX, RIS, CSV, XML or JSON',
      accept: '.bib,.ris,.json,.jsonld,.csv,.tsv,.xml',
      hint:
        `In UTF-8, with ${citationEntriesMax} entries at most. XML of DataCite, Crossref, ` +
        'JATS or MODS; CSL-JSON, schema.org, or what Crossref and DataCite show for a DOI.',
    },
    state,
  )
  const text = field(
    { name: 'citations', label: 'Or its text, pasted here', type: 'textarea' },
    state,
  )
  return organizationPage(visit, {
    section: '/works',
    title: 'Import works from a file',
    state,
    lead: html`Send what your reference manager exports, or a table: a row with the ARK
of a work changes that work. You see every entry as it will be registered, and what is wrong with
those that cannot be, before anything is done. <a href="${templateAddress}"
download="works.csv">A table to fill in</a>`,
    content: formCard({
      action: hrefIn(visit, '/import'),
      csrf: visit.csrf,
      fields: [file, text],
      sendsFiles: true,
      submit: 'Read it',
      beside: html`<a href="${hrefIn(visit, '/works')}">Back to the works</a>`,
    }),
  })
}

// By the mark at its beginning programs for tables know that it is UTF-8.
const templateAddress = `data:text/csv;charset=utf-8,${encodeURIComponent(
  `\ufeff${csvRow(templateColumns)}`,
)}`

async function previewPage(visit: OrganizationVisit, body: FormBody): Promise<AccountPage> {
  const [file, pasted] = [textOf(body, 'file'), textOf(body, 'citations')]
  if (file !== '' && pasted !== '') {
    const message = 'Choose a file or paste its text, not both'
    const faults = [{ field: 'file', code: 'bad_value', message }]
    return sendPage(visit, { values: body, faults })
  }
  const citations = file || pasted
  const choices = choicesOf(body)
  const read = await readCitationFile(Buffer.from(citations), choices)
  if (read.type !== 'read') {
    const wrong = file === '' ? 'citations' : 'file'
    const faults = [{ field: wrong, code: 'bad_value', message: read.message }]
    return sendPage(visit, { values: body, faults })
  }
  const { entries, columns } = read
  const once = newFormKey(visit.context)
  const run = { isDryRun: true, once, allowDuplicate: false }
  const outcomes = await registerEntries(visit, entries, run)
  const ready = outcomes.filter(({ result }) => result?.status === 200 && !result['changes']).length
  const changed = outcomes.filter(({ result }) => changesOf(result).length > 0).length
  const twice = outcomes.filter(({ result }) => result?.['error'] === 'duplicate_work').length
  const faulty = outcomes.filter(({ result }) => (result?.status ?? 422) >= 400).length - twice
  const register = registerCard(visit, citations, choices, { once, ready, changed, twice })
  return organizationPage(visit, {
    section: '/works',
    title: 'Check before registering',
    lead: html`You can register ${ready} of ${count(entries.length, 'entry', 'entries')}${
      changed === 0 ? '' : html` and change ${count(changed, 'work', 'works')}`
    }.${faulty === 0 ? '' : othersFail} ${notesInWords(entries)}`,
    content: html`${columns === undefined ? '' : columnsCard(visit, citations, columns)}
${ready + changed + twice === 0 ? '' : register}
${outcomeTable(visit.context, outcomes, 'Entries of the file')}
<p><a href="${hrefIn(visit, '/import')}">Send something else</a></p>`,
  })
}

const othersFail =
  ' The others have errors, which are shown below: correct them in the file, and import it again.'

const kindsInWords: Readonly<Record<ReadNote['kind'], string>> = {
  left_out: 'left out',
  not_read: 'not read',
  repeated: 'said twice',
  taken_as: 'read in another meaning',
}

/** How many notes there are of each kind, in a sentence. */
function notesInWords(entries: readonly CitationEntry[]): string {
  const notes = entries.flatMap((entry) => entry.notes)
  const kinds = Object.entries(kindsInWords).flatMap(([kind, words]) => {
    const number = notes.filter((note) => note.kind === kind).length
    return number === 0 ? [] : `${number} ${words}`
  })
  return kinds.length === 0 ? '' : `Of what the file says: ${kinds.join(', ')}.`
}

/** What each column of a table holds, to be looked at and changed. */
function columnsCard(
  visit: OrganizationVisit,
  citations: string,
  columns: readonly TableColumn[],
): Html {
  const named = columns.slice(0, choicesMax)
  const unread = named.filter(({ target, isDerived }) => target === undefined && !isDerived)
  const options = [
    { value: '', label: 'nothing' },
    ...columnTargets.map((value) => ({ value, label: value.replaceAll('_', ' ') })),
  ]
  const fields = named.map(({ name, target = '', nearest }, index) => {
    const select = {
      name: `column_${index}`,
      label: name || `Column ${index + 1}`,
      options,
      ...(nearest !== undefined && { hint: `Perhaps the ${nearest.replaceAll('_', ' ')}.` }),
    }
    const state = { values: new Map([[select.name, target]]), faults: [] }
    return html`${hiddenField(`column_name_${index}`, name)}${selectField(select, state)}`
  })
  const heading =
    unread.length === 0
      ? 'What the columns hold'
      : `What the columns hold: nothing is read of ${count(unread.length, 'column', 'columns')}`
  return html`<details class="card fold-card"${unread.length === 0 ? '' : html` open`}>
<summary>${heading}</summary>
${form({
  action: hrefIn(visit, '/import'),
  csrf: visit.csrf,
  fields: html`${hiddenField('citations', citations)}${fields}`,
  submit: 'Read it like this',
})}</details>`
}

function registerCard(
  visit: OrganizationVisit,
  citations: string,
  choices: ColumnChoices,
  { once, ready, changed, twice }: { once: string; ready: number; changed: number; twice: number },
): Html {
  const anyway = checkbox({
    name: 'allow_duplicate',
    label: `Register ${count(twice, 'work', 'works')} that seem to be here already, too`,
  })
  const chosen = Object.entries(choices).map(([name, target], index) => [
    hiddenField(`column_name_${index}`, name),
    hiddenField(`column_${index}`, target ?? ''),
  ])
  const carried = [hiddenField('citations', citations), hiddenField('once', once), ...chosen]
  const [works, changes] = [count(ready, 'work', 'works'), count(changed, 'work', 'works')]
  const parts = [ready > 0 && `register ${works}`, changed > 0 && `change ${changes}`]
  const what = parts.filter(Boolean).join(', and ') || 'register'
  return card(
    'Register them',
    form({
      action: hrefIn(visit, '/import/register'),
      csrf: visit.csrf,
      fields: [carried, twice === 0 ? '' : anyway],
      submit: what.charAt(0).toUpperCase() + what.slice(1),
    }),
  )
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

function resultPage(visit: OrganizationVisit, outcomes: readonly Outcome[]): AccountPage {
  const done = outcomes.filter(({ result }) => result?.status === 201).length
  const changed = outcomes.filter(({ result }) => changesOf(result).length > 0).length
  const same = outcomes.filter(({ result }) => result?.['unchanged'] === true).length
  const left = outcomes.length - done - changed - same
  const text =
    `${count(done, 'work is', 'works are')} registered` +
    (changed === 0 ? '' : `, ${count(changed, 'work is', 'works are')} changed`) +
    (left === 0 ? '.' : `, ${count(left, 'entry is', 'entries are')} not: why is said below.`)
  return organizationPage(visit, {
    section: '/works',
    title: 'Imported',
    flash: { kind: left === 0 ? 'success' : 'info', text },
    content: html`${outcomeTable(visit.context, outcomes, 'What became of the entries')}
<p class="buttons">${buttonLink(hrefIn(visit, '/works'), 'To the works')}
<a href="${hrefIn(visit, '/import')}">Import more</a></p>`,
  })
}

function outcomeTable(
  context: OrganizationContext,
  outcomes: readonly Outcome[],
  caption: string,
): Html {
  return table(caption, outcomes, {
    Entry: ({ entry }) => html`<code>${entry.key || '?'}</code>, line ${entry.line}`,
    Work: ({ entry }) => summary(entry),
    Outcome: (outcome) => outcomeCell(context, outcome),
  })
}

/** What an entry changes of a work that is here. */
function changesOf(result: BulkResult | undefined): readonly FieldChange[] {
  return (result?.['changes'] ?? []) as readonly FieldChange[]
}

function summary({ body, notes }: CitationEntry): Html {
  const text = (name: string) => {
    const value = body?.[name]
    return typeof value === 'string' ? value : ''
  }
  const facts = [
    text('authors'),
    text('work_type').replaceAll('_', ' '),
    ...['published_date', 'container_title', 'existing_doi', 'work_url'].map(text),
  ]
  const shown = facts.filter((fact) => fact !== '').map((fact) => shorten(fact, shownCharactersMax))
  const line = shown.join(' · ')
  const remarks = notes.map((note) => html`<li>${note.message} (line ${note.line})</li>`)
  return html`<b>${shorten(text('work_title'), shownCharactersMax) || 'No title'}</b><br>${line}
${remarks.length === 0 ? '' : html`<ul class="hint">${remarks}</ul>`}`
}

const shownCharactersMax = 300

function outcomeCell(context: OrganizationContext, { entry, result }: Outcome): Html {
  if (result === undefined) return faultList(entry.faults.map(({ message }) => message))
  const { ark_identifier: ark, existing_ark: existing, message, status } = result
  if (result['changes'] !== undefined && typeof ark === 'string') {
    return changeCell(context, ark, result)
  }
  if (status === 201 && typeof ark === 'string') {
    return html`${badge('registered', 'good')} ${arkLink(context, ark)}`
  }
  if (status === 200) return badge('can be registered', 'good')
  if (typeof existing === 'string') {
    return html`${badge('here already', 'waiting')} ${arkLink(context, existing)}`
  }
  return faultList([typeof message === 'string' ? message : 'It was not registered.'])
}

function changeCell(context: OrganizationContext, ark: string, result: BulkResult): Html {
  const link = arkLink(context, ark)
  const kept = ((result['kept'] ?? []) as readonly KeptField[]).map(({ message }) => {
    return html`<li>${message}</li>`
  })
  const notes = kept.length === 0 ? '' : html`<ul class="hint">${kept}</ul>`
  if (result['unchanged'] === true)
    return html`${badge('is so already', 'waiting')} ${link}${notes}`
  const items = changesOf(result).map(({ field: name, before, after }) => {
    const label = name.replaceAll('_', ' ')
    return html`<li>${label}: <del>${valueText(before)}</del> <ins>${valueText(after)}</ins></li>`
  })
  const version = String(result['version'])
  return html`${badge(`version ${version}`, 'good')} ${link}<ul>${items}</ul>${notes}`
}

function valueText(value: unknown): string {
  if (value === undefined) return 'nothing'
  return shorten(typeof value === 'string' ? value : JSON.stringify(value), shownCharactersMax)
}

function faultList(messages: readonly string[]): Html {
  const items = messages.map((message) => html`<li>${message}</li>`)
  return html`${badge('not registered', 'bad')}<ul>${items}</ul>`
}
