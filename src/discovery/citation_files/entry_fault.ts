import type { CitationFormat } from '#src/discovery/citation_files/citation_entry.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

// Where a value of ours stands in a file.
const sources: Readonly<Record<CitationFormat, Readonly<Record<string, string>>>> = {
  bibtex: {
    work_title: 'title',
    authors: 'author',
    author_details: 'author',
    description: 'abstract',
    work_url: 'url',
    existing_doi: 'doi',
    keywords: 'keywords',
    published_date: 'date',
    publisher_name: 'publisher',
    container_title: 'journal',
    volume: 'volume',
    issue: 'number',
    pages: 'pages',
  },
  ris: {
    work_title: 'TI',
    authors: 'AU',
    author_details: 'AU',
    description: 'AB',
    work_url: 'UR',
    existing_doi: 'DO',
    keywords: 'KW',
    published_date: 'PY',
    publisher_name: 'PB',
    container_title: 'T2',
    volume: 'VL',
    issue: 'IS',
    pages: 'SP',
  },
  json: {
    work_title: 'title',
    authors: 'author',
    author_details: 'author',
    description: 'abstract',
    work_url: 'URL',
    existing_doi: 'DOI',
    published_date: 'issued',
    publisher_name: 'publisher',
    container_title: 'container-title',
    pages: 'page',
  },
}

/** A fault of a field of ours as one of the field of the file that it was read from. */
export function explainFault(fault: FieldFault, format: CitationFormat): FieldFault {
  const { code, message } = fault
  const [ours = ''] = /^\w+/.exec(fault.field) ?? []
  const field = nameIn(format, ours)
  if (code !== 'required') return { field, code, message: message.replace(fault.field, field) }
  const missing = ours === 'work_url' ? `${field} or ${nameIn(format, 'existing_doi')}` : field
  return { field, code, message: `The entry has no ${missing}: give it one.` }
}

function nameIn(format: CitationFormat, field: string): string {
  const names = sources[format]
  return (Object.hasOwn(names, field) ? names[field] : undefined) ?? field
}
