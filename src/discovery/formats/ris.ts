import { workTypes } from '#actors/values/work_type.ts'
import {
  authorKind,
  type CitedName,
  citedNames,
  invertedParts,
} from '#src/discovery/formats/author_names.ts'
import {
  containerOf,
  type DescribedAuthor,
  type DescribedWork,
  keywordsOf,
  pageRange,
  withdrawalNote,
  yearOf,
} from '#src/discovery/formats/described_work.ts'

type Line = readonly [tag: string, value: string | undefined]

const numberedTypes: ReadonlySet<string> = new Set(['JOUR', 'BOOK', 'CHAP', 'CPAPER', 'CONF'])

/** A work as a record of RIS, in UTF-8. */
export function formatRis(work: DescribedWork): string {
  const { metadata, authors } = work
  const { ris: type } = workTypes[metadata.work_type]
  const container = containerOf(work)
  const pages = pageRange(metadata)
  const lines: readonly Line[] = [
    ['TY', type],
    ['TI', metadata.work_title],
    ...citedNames(authors).map((name, index): Line => ['AU', nameText(name, authors[index])]),
    ['PY', yearOf(metadata)],
    ['DA', dateOf(metadata.published_date)],
    ['T2', container.title],
    // Where a conference's papers stand, for programs that take T2 for the name of the conference.
    ['C3', type === 'CPAPER' || type === 'CONF' ? container.title : undefined],
    ['VL', metadata.volume],
    ['IS', metadata.issue],
    ['SP', pages.first],
    ['EP', pages.last],
    ['PB', work.publisher],
    // Of other types this is another number to those who read it.
    ['SN', numberedTypes.has(type) ? (container.issn ?? container.isbn) : undefined],
    ['ET', work.isPinned ? `Version ${work.version}` : undefined],
    ['DO', metadata.existing_doi],
    ['UR', work.url],
    ['LA', metadata.language],
    ...keywordsOf(metadata).map((word): Line => ['KW', word]),
    ['N1', withdrawalNote(work)],
    ['AB', metadata.description],
    ['ID', work.isPinned ? `${work.ark}/v${work.version}` : work.ark],
  ]
  const shown = lines.flatMap(([tag, value]) =>
    value === undefined ? [] : [`${tag}  - ${value.replace(/\s+/g, ' ')}\r\n`],
  )
  return `${shown.join('')}ER  - \r\n`
}

/**
 * A comma parts a name; one at the end says that all before it is one part, which most programs
 * neither part nor shorten. So a group has one there, and none within.
 */
function nameText(name: CitedName, author: DescribedAuthor | undefined): string {
  if (!('literal' in name)) return invertedParts(name)
  const isGroup = author !== undefined && authorKind(author) === 'group'
  return isGroup ? `${name.literal.replaceAll(/\s*,/g, '')},` : name.literal
}

/** `YYYY/MM/DD/`, of which parts at the end may be empty. */
function dateOf(date: string | undefined): string | undefined {
  if (date === undefined) return undefined
  const [year, month = '', day = ''] = date.split('-')
  return `${year}/${month}/${day}/`
}
