import type { BibtexEntry } from '#src/discovery/citation_files/citation_library.ts'
import { bibtexWorkType } from '#src/discovery/citation_files/citation_types.ts'
import type { FileFacts } from '#src/discovery/citation_files/work_draft.ts'

// All that an entry can say that a work has a place for.
const usedFields = new Set(
  (
    'title subtitle author editor year month day date journal journaltitle journalsubtitle ' +
    'booktitle booksubtitle maintitle mainsubtitle doi url eprint eprinttype archiveprefix ' +
    'primaryclass pages eid volume publisher institution school organization keywords ' +
    'language langid abstract license copyright rights crossref'
  ).split(' '),
)

/** What an entry says that CSL has no room for, or that the library takes for something else. */
export function bibtexFacts(entry: BibtexEntry): FileFacts {
  const arxiv = arxivId(entry)
  const hasJournal = ['journal', 'journaltitle'].some((name) => valueOf(entry, name))
  const isPreprint = arxiv !== undefined && !hasJournal && isVague(entry.type)
  const isReview = entry.type === 'review'
  return {
    work_type: isPreprint ? 'preprint' : isReview ? 'review_article' : bibtexWorkType(entry.type),
    doi: valueOf(entry, 'doi'),
    url: urlOf(entry) ?? (arxiv && `https://arxiv.org/abs/${arxiv}`),
    license: ['license', 'copyright', 'rights'].map((name) => valueOf(entry, name)).find(Boolean),
    publisher: publisherOf(entry),
    pages: valueOf(entry, 'pages') === undefined ? valueOf(entry, 'eid') : undefined,
  }
}

/** The fields of an entry that were left out. */
export function unusedFields(entry: BibtexEntry): readonly string[] {
  const isIssue = ['article', 'periodical', 'inproceedings'].includes(entry.type)
  const isAddress = urlOf(entry) === undefined
  return Object.keys(entry.properties).filter((name) => {
    if (name === 'number' || name === 'issue') return !isIssue
    if (name === 'howpublished') return !isAddress
    return !usedFields.has(name)
  })
}

// Where a preprint stands that has no type of its own.
function isVague(type: string): boolean {
  return ['article', 'misc', 'online', 'unpublished', 'electronic'].includes(type)
}

function arxivId(entry: BibtexEntry): string | undefined {
  const archive = valueOf(entry, 'eprinttype') ?? valueOf(entry, 'archiveprefix')
  const id = valueOf(entry, 'eprint')?.replace(/^arxiv:/i, '')
  const isId =
    id !== undefined && /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?$/.test(id)
  return archive?.toLowerCase() === 'arxiv' && isId ? id : undefined
}

// Underscores and other signs in addresses are often written as LaTeX wants them.
function urlOf(entry: BibtexEntry): string | undefined {
  return valueOf(entry, 'url')?.replace(/^\\url\{(.*)\}$/, '$1')
}

function publisherOf(entry: BibtexEntry): string | undefined {
  const names = ['publisher', 'institution', 'school', 'organization']
  const text = names.map((name) => valueOf(entry, name)).find(Boolean)
  // The library reads LaTeX, and is asked unless there is none.
  return text === undefined || /[\\{}$~]|--/.test(text) ? undefined : text
}

/** A value without the braces around it and without LaTeX's escapes of single signs. */
function valueOf(entry: BibtexEntry, name: string): string | undefined {
  const value = entry.properties[name]
  if (value === undefined || !Object.hasOwn(entry.properties, name)) return undefined
  const text = String(value)
    .trim()
    .replace(/^\{([^{}]*)\}$/, '$1')
    .replace(/\\([_%&#~])/g, '$1')
  return text === '' ? undefined : text
}
