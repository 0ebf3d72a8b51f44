import { shorten, typeName } from '#src/pages/kit/words.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
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
import { fields } from '#src/words/english.ts'
import { inEnglish, joined } from '#src/words/format.ts'
import { termOf } from '#src/words/message.ts'
import { imports as words } from '#src/words/publisher_desk.ts'
import { workFields } from '#src/words/record_desk.ts'
import type { Text } from '#src/words/wording.ts'

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
      label: words.file,
      accept: '.bib,.ris,.json,.jsonld,.csv,.tsv,.xml',
      hint: words.fileHint({ count: citationEntriesMax }),
    },
    state,
  )
  const pasted = field({ name: 'citations', label: words.text, type: 'textarea' }, state)
  return organizationPage(visit, {
    section: '/works',
    title: words.heading,
    state,
    lead: words.lead({
      template: (text) => html`<a href="${templateAddress}" download="works.csv">${text}</a>`,
    }),
    content: formCard({
      action: hrefIn(visit, '/import'),
      csrf: visit.csrf,
      fields: [file, pasted],
      sendsFiles: true,
      submit: words.read,
      beside: html`<a href="${hrefIn(visit, '/works')}">${words.back}</a>`,
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
    const faults = [{ field: 'file', code: 'bad_value', message: '', text: words.notBoth }]
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
    title: words.preview,
    lead: html`${[
      words.canRegister({ ready, all: entries.length }),
      changed === 0 ? '' : html` ${words.canChange({ changed })}`,
      faulty === 0 ? '' : html` ${words.othersFail}`,
      notesInWords(entries),
    ]}`,
    content: html`${columns === undefined ? '' : columnsCard(visit, citations, columns)}
${ready + changed + twice === 0 ? '' : register}
${outcomeTable(visit.context, outcomes, words.entries)}
<p><a href="${hrefIn(visit, '/import')}">${words.sendOther}</a></p>`,
  })
}

const noteKinds = [
  'left_out',
  'not_read',
  'repeated',
  'taken_as',
] as const satisfies readonly ReadNote['kind'][]

/** How many notes there are of each kind, in a sentence. */
function notesInWords(entries: readonly CitationEntry[]): Html {
  const notes = entries.flatMap((entry) => entry.notes)
  const remarks = noteKinds.flatMap((kind) => {
    const count = notes.filter((note) => note.kind === kind).length
    return count === 0 ? [] : words[kind]({ count })
  })
  return remarks.length === 0
    ? nothing
    : html` ${words.remarks({ remarks: joined(remarks, ', ') })}`
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
    { value: '', label: words.nothing },
    ...columnTargets.map((value) => ({ value, label: columnLabel(value) })),
  ]
  const selects = named.map(({ name, target = '', nearest }, index) => {
    const select = {
      name: `column_${index}`,
      label: name || words.column({ number: index + 1 }),
      options,
      ...(nearest !== undefined && { hint: words.perhaps({ field: columnLabel(nearest) }) }),
    }
    const state = { values: new Map([[select.name, target]]), faults: [] }
    return html`${hiddenField(`column_name_${index}`, name)}${selectField(select, state)}`
  })
  const heading =
    unread.length === 0 ? words.columns : words.columnsUnread({ count: unread.length })
  return html`<details class="card fold-card"${unread.length === 0 ? '' : html` open`}>
<summary>${heading}</summary>
${form({
  action: hrefIn(visit, '/import'),
  csrf: visit.csrf,
  fields: html`${hiddenField('citations', citations)}${selects}`,
  submit: words.readAgain,
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
    label: words.anyway({ count: twice }),
  })
  const chosen = Object.entries(choices).map(([name, target], index) => [
    hiddenField(`column_name_${index}`, name),
    hiddenField(`column_${index}`, target ?? ''),
  ])
  const carried = [hiddenField('citations', citations), hiddenField('once', once), ...chosen]
  const submit =
    changed === 0
      ? words.register({ ready })
      : ready === 0
        ? words.change({ changed })
        : words.registerAndChange({ ready, changed })
  return card(
    words.registerHeading,
    form({
      action: hrefIn(visit, '/import/register'),
      csrf: visit.csrf,
      fields: [carried, twice === 0 ? '' : anyway],
      submit,
    }),
  )
}

/** What a column holds, in the middle of a sentence. */
function columnLabel(name: string): Text {
  return termOf(fields, name) ?? termOf(words, name) ?? termOf(workFields, name) ?? name
}

function resultPage(visit: OrganizationVisit, outcomes: readonly Outcome[]): AccountPage {
  const done = outcomes.filter(({ result }) => result?.status === 201).length
  const changed = outcomes.filter(({ result }) => changesOf(result).length > 0).length
  const same = outcomes.filter(({ result }) => result?.['unchanged'] === true).length
  const left = outcomes.length - done - changed - same
  const sentences = [
    ...(done === 0 && changed > 0 ? [] : [words.registeredCount({ count: done })]),
    ...(changed === 0 ? [] : [words.changedCount({ count: changed })]),
    ...(left === 0 ? [] : [words.leftCount({ count: left })]),
  ]
  return organizationPage(visit, {
    section: '/works',
    title: words.done,
    flash: { kind: left === 0 ? 'success' : 'info', text: joined(sentences, ' ') },
    content: html`${outcomeTable(visit.context, outcomes, words.results)}
<p class="buttons">${buttonLink(hrefIn(visit, '/works'), words.toWorks)}
<a href="${hrefIn(visit, '/import')}">${words.more}</a></p>`,
  })
}

function outcomeTable(
  context: OrganizationContext,
  outcomes: readonly Outcome[],
  caption: Text,
): Html {
  return table(caption, outcomes, [
    [
      words.entry,
      ({ entry }) =>
        words.line({ key: html`<code>${entry.key || '?'}</code>`, line: `${entry.line}` }),
    ],
    [words.work, ({ entry }) => summary(entry)],
    [words.outcome, (outcome) => outcomeCell(context, outcome)],
  ])
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
  const type = text('work_type')
  const facts = [
    shorten(text('authors'), shownCharactersMax),
    type === '' ? '' : typeName(shorten(type, shownCharactersMax)),
    ...['published_date', 'container_title', 'existing_doi', 'work_url'].map((name) =>
      shorten(text(name), shownCharactersMax),
    ),
  ]
  const line = joined(
    facts.filter((fact) => fact !== ''),
    ' · ',
  )
  const remarks = notes.map(({ message, line: at }) => {
    const remark = inEnglish(message)
    return html`<li>${words.remarkLine({ remark, line: `${at}` })}</li>`
  })
  return html`<b>${shorten(text('work_title'), shownCharactersMax) || words.noTitle}</b><br>${line}
${remarks.length === 0 ? '' : html`<ul class="hint">${remarks}</ul>`}`
}

const shownCharactersMax = 300

function outcomeCell(context: OrganizationContext, { entry, result }: Outcome): Html {
  if (result === undefined) return faultList(entry.faults.map(({ message }) => inEnglish(message)))
  const { ark_identifier: ark, existing_ark: existing, message, status } = result
  if (result['changes'] !== undefined && typeof ark === 'string') {
    return changeCell(context, ark, result)
  }
  if (status === 201 && typeof ark === 'string') {
    return html`${badge(words.registered, 'good')} ${arkLink(context, ark)}`
  }
  if (status === 200) return badge(words.ready, 'good')
  if (typeof existing === 'string') {
    return html`${badge(words.duplicate, 'waiting')} ${arkLink(context, existing)}`
  }
  return faultList([typeof message === 'string' ? inEnglish(message) : words.wasNotRegistered])
}

function changeCell(context: OrganizationContext, ark: string, result: BulkResult): Html {
  const link = arkLink(context, ark)
  const kept = ((result['kept'] ?? []) as readonly KeptField[]).map(({ message }) => {
    return html`<li>${inEnglish(message)}</li>`
  })
  const notes = kept.length === 0 ? '' : html`<ul class="hint">${kept}</ul>`
  if (result['unchanged'] === true) return html`${badge(words.same, 'waiting')} ${link}${notes}`
  const items = changesOf(result).map(({ field: name, before, after }) => {
    return html`<li>${columnLabel(name)}: <del>${valueText(before)}</del>
<ins>${valueText(after)}</ins></li>`
  })
  const version = String(result['version'])
  return html`${badge(words.version({ version }), 'good')} ${link}<ul>${items}</ul>${notes}`
}

function valueText(value: unknown): Text {
  if (value === undefined) return words.nothing
  return shorten(typeof value === 'string' ? value : JSON.stringify(value), shownCharactersMax)
}

function faultList(messages: readonly Text[]): Html {
  const items = messages.map((message) => html`<li>${message}</li>`)
  return html`${badge(words.notRegistered, 'bad')}<ul>${items}</ul>`
}
