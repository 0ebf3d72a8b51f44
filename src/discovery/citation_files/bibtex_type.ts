import { foldWorkType, type WorkType, workTypeIn } from '#actors/values/work_type.ts'
import type { BibtexFields } from '#src/discovery/citation_files/bibtex_inheritance.ts'
import { type NoteList, quote } from '#src/discovery/citation_files/citation_file.ts'
import { readLatex, readVerbatim } from '#src/discovery/citation_files/latex.ts'

// Where a preprint stands that has no type of its own.
const vagueTypes: ReadonlySet<string> = new Set([
  'article',
  'misc',
  'online',
  'unpublished',
  'electronic',
  'techreport',
  'report',
])

/** The kind of work that an entry is of; `arxiv` is its identifier there. */
export function workTypeOf(
  type: string,
  fields: BibtexFields,
  arxiv: string | undefined,
  notes: NoteList,
): WorkType {
  if (arxiv !== undefined && vagueTypes.has(type)) {
    const journal = (fields.get('journaltitle') ?? fields.get('journal'))?.value
    if (journal === undefined || /^CoRR$|^arXiv\b/i.test(journal)) return 'preprint'
  }
  const named = workTypeIn('bibtex', type) ?? foldWorkType(type)
  if (named === undefined) {
    const message = `@${quote(type)} is no type that we know: it is taken as other.`
    notes.add('taken_as', '', message, { isLoss: true })
  }
  const known = named ?? 'other'
  const said = fields.get('type')?.value
  const isNamed = known === 'other' || known === 'report' || known === 'preprint'
  return (isNamed && said !== undefined ? foldWorkType(readLatex(said).text) : undefined) ?? known
}

// Names that BibLaTeX has for types are no words for people.
const typeNameForm = /thes[ei]s|th[eè]se|diss|^pat(?:ent|req)\w*$|^\w+(?:report|cd)$/i

// A doctor's is what BibTeX calls every thesis of which it knows no more.
const degreeForm = /bachelor|master|magist|diplom|licen[cst]|habil|laurea|^(?:ma|bath)thesis$/i

/** Whether a field `type` says no more than the kind of work. */
export function isWorkType(said: string): boolean {
  if (degreeForm.test(said)) return false
  return typeNameForm.test(said) || foldWorkType(readLatex(said).text) !== undefined
}

const arxivNumber = String.raw`(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?`
const arxivForm = new RegExp(`^${arxivNumber}$`)
// `arXiv:1706.03762 [cs.CL]`, in a note or in place of a journal.
const arxivWords = new RegExp(
  `^(?:arXiv(?: e-prints?| preprint)?,? *)?arXiv: ?(${arxivNumber})(?: ?\\[[\\w.-]+\\])?$`,
  'i',
)
const arxivFields: ReadonlySet<string> = new Set([
  'eprint',
  'eprinttype',
  'archiveprefix',
  'primaryclass',
  'eprintclass',
  'arxivid',
])

/** The identifier that arXiv has for the work of an entry. */
export function arxivId(fields: BibtexFields): string | undefined {
  const given = fields.get('eprint') ?? fields.get('arxivid')
  if (given === undefined) {
    for (const name of ['note', 'journal', 'journaltitle']) {
      const id = arxivWords.exec(fields.get(name)?.value ?? '')?.[1]
      if (id !== undefined) return id
    }
    return undefined
  }
  const archive = (fields.get('eprinttype') ?? fields.get('archiveprefix'))?.value ?? ''
  const isArxiv = archive === '' || /^arxiv$/i.test(readLatex(archive).text)
  const id = readVerbatim(given.value).replace(/^arxiv:\s*/i, '')
  return isArxiv && arxivForm.test(id) ? id : undefined
}

/** Whether a field is about arXiv alone. */
export function isArxivField(name: string, value: string): boolean {
  return arxivFields.has(name) || (name === 'note' && arxivWords.test(value))
}
