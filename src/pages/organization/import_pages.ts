import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type BulkResult, registerWorks } from '#src/use_cases/registration.ts'
import {
  citationBytesMax,
  citationEntriesMax,
  type CitationEntry,
  readCitationFile,
} from '#src/discovery/citation_files/citation_file.ts'
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
      const entries = await readEntries(textOf(body, 'citations'))
      if (typeof entries === 'string') throw new HttpError('unavailable', entries)
      return resultPage(visit, await registerEntries(visit, entries, run))
    },
    options,
  )
}

async function readEntries(text: string): Promise<readonly CitationEntry[] | string> {
  const file = await readCitationFile(Buffer.from(text))
  return file.type === 'read' ? file.entries : file.message
}

/** Registers those entries that can be, each on its own. */
async function registerEntries(
  visit: OrganizationVisit,
  entries: readonly CitationEntry[],
  run: { readonly isDryRun: boolean; readonly once: string; readonly allowDuplicate: boolean },
): Promise<readonly Outcome[]> {
  const { environments, baseUrl } = visit.context
  const by = organizationAgent(visit)
  const good = [...entries.entries()].filter(([, { faults }]) => faults.length === 0)
  const registrations = good.map(([index, { body }]) => ({
    body,
    by,
    allowDuplicate: run.allowDuplicate,
    allowRepeat: false,
    dryRun: run.isDryRun,
    idempotencyKey: `import-${run.once}-${index}`,
    batch: run.once,
  }))
  const results = await registerWorks({ environment: environments.live, baseUrl }, registrations)
  const byEntry = new Map(good.map(([index], at) => [index, results[at]]))
  return entries.map((entry, index) => ({ entry, result: byEntry.get(index) }))
}

function sendPage(visit: OrganizationVisit, state: FormState): AccountPage {
  const file = fileField(
    {
      name: 'file',
      label: 'A file of BibTeX, RIS or CSL-JSON',
      accept: '.bib,.ris,.json',
      hint: `In UTF-8, with ${citationEntriesMax} entries at most.`,
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
    lead: html`Send what your reference manager exports. You see every entry as it
will be registered, and what is wrong with those that cannot be, before anything is done.`,
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

async function previewPage(visit: OrganizationVisit, body: FormBody): Promise<AccountPage> {
  const [file, pasted] = [textOf(body, 'file'), textOf(body, 'citations')]
  if (file !== '' && pasted !== '') {
    const message = 'Choose a file or paste its text, not both'
    const faults = [{ field: 'file', code: 'bad_value', message }]
    return sendPage(visit, { values: body, faults })
  }
  const citations = file || pasted
  const entries = await readEntries(citations)
  if (typeof entries === 'string') {
    const wrong = file === '' ? 'citations' : 'file'
    const faults = [{ field: wrong, code: 'bad_value', message: entries }]
    return sendPage(visit, { values: body, faults })
  }
  const once = newFormKey(visit.context)
  const run = { isDryRun: true, once, allowDuplicate: false }
  const outcomes = await registerEntries(visit, entries, run)
  const ready = outcomes.filter(({ result }) => result?.status === 200).length
  const twice = outcomes.filter(({ result }) => result?.['error'] === 'duplicate_work').length
  const register = registerCard(visit, citations, { once, ready, twice })
  return organizationPage(visit, {
    section: '/works',
    title: 'Is this right?',
    lead: html`${ready} of ${count(entries.length, 'entry', 'entries')} can be
registered. What cannot be is named below: mend it in the file, and import it again.`,
    content: html`${ready + twice === 0 ? '' : register}
${outcomeTable(visit.context, outcomes, 'Entries of the file')}
<p><a href="${hrefIn(visit, '/import')}">Send something else</a></p>`,
  })
}

function registerCard(
  visit: OrganizationVisit,
  citations: string,
  { once, ready, twice }: { once: string; ready: number; twice: number },
): Html {
  const anyway = checkbox({
    name: 'allow_duplicate',
    label: `Register ${count(twice, 'work', 'works')} that seem to be here already, too`,
  })
  const carried = [hiddenField('citations', citations), hiddenField('once', once)]
  return card(
    'Register them',
    form({
      action: hrefIn(visit, '/import/register'),
      csrf: visit.csrf,
      fields: [carried, twice === 0 ? '' : anyway],
      submit: ready === 0 ? 'Register' : `Register ${count(ready, 'work', 'works')}`,
    }),
  )
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`
}

function resultPage(visit: OrganizationVisit, outcomes: readonly Outcome[]): AccountPage {
  const done = outcomes.filter(({ result }) => result?.status === 201).length
  const left = outcomes.length - done
  const text =
    `${count(done, 'work is', 'works are')} registered` +
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

function summary({ body, notes }: CitationEntry): Html {
  const text = (name: string) => {
    const value = body?.[name]
    return typeof value === 'string' ? value : ''
  }
  const facts = ['authors', 'work_type', 'published_date', 'container_title', 'existing_doi']
  const rest = facts.map((name) => shorten(text(name).replaceAll('_', ' ')))
  const line = rest.filter((fact) => fact !== '').join(' · ')
  const remarks = notes.map(({ message }) => html`<li>${message}</li>`)
  return html`<b>${shorten(text('work_title')) || 'No title'}</b><br>${line}
${remarks.length === 0 ? '' : html`<ul class="hint">${remarks}</ul>`}`
}

const shownCharactersMax = 300

function shorten(text: string): string {
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text
}

function outcomeCell(context: OrganizationContext, { entry, result }: Outcome): Html {
  if (result === undefined) return faultList(entry.faults.map(({ message }) => message))
  const { ark_identifier: ark, existing_ark: existing, message, status } = result
  if (status === 201 && typeof ark === 'string') {
    return html`${badge('registered', 'good')} ${arkLink(context, ark)}`
  }
  if (status === 200) return badge('can be registered', 'good')
  if (typeof existing === 'string') {
    return html`${badge('here already', 'waiting')} ${arkLink(context, existing)}`
  }
  return faultList([typeof message === 'string' ? message : 'It was not registered.'])
}

function faultList(messages: readonly string[]): Html {
  const items = messages.map((message) => html`<li>${message}</li>`)
  return html`${badge('not registered', 'bad')}<ul>${items}</ul>`
}
