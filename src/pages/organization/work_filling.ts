import type { Metadata } from '#actors/works/metadata.ts'
import { citationBytesMax, readCitationFile } from '#src/discovery/citation_files/citation_file.ts'
import {
  field,
  fileField,
  form,
  type FormBody,
  type FormState,
  textOf,
} from '#src/pages/kit/form.ts'
import { html, type Html } from '#src/pages/kit/html.ts'
import { workValues } from '#src/pages/organization/work_change.ts'

/** Bytes of a form: a file whose every other byte needs three in it. */
export const fillingBytesMax = 2 * citationBytesMax

/** What a form begins with, and what is to be said of it above. */
export type Filling = { readonly state: FormState; readonly notices?: Html }

/** The form that fills that of a work in from what describes it elsewhere; nothing is fetched. */
export function fillingCard(action: string, csrf: string, state: FormState): Html {
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

/** What the form begins with once it was sent. */
export async function readFilling(body: FormBody): Promise<Filling> {
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
  const items = [...several, ...entry.notes].map((note) => html`<li>${note}</li>`)
  const metadata = entry.body as Partial<Metadata>
  const values = workValues({ work_title: '', work_type: 'other', authors: '', ...metadata })
  return {
    state: { values, faults: [] },
    notices: html`<div class="flash flash-success" role="status">
<p>The form is filled in from what you gave. Look through it, and add what is missing.</p>
${items.length === 0 ? '' : html`<ul>${items}</ul>`}</div>`,
  }
}
