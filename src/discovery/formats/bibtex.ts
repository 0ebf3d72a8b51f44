import { workTypes } from '#actors/values/work_type.ts'
import { type CitedName, citedNames, invertedParts } from '#src/discovery/formats/author_names.ts'
import {
  containerOf,
  type DescribedWork,
  keywordsOf,
  pagesText,
  withdrawalNote,
} from '#src/discovery/formats/described_work.ts'

type Field = readonly [name: string, value: string | undefined]

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/**
 * A work as an entry of BibTeX, in UTF-8. Its key is made of the ARK, and of the version that is
 * cited, and so never changes.
 */
export function formatBibtex(work: DescribedWork): string {
  const { metadata, authors } = work
  const { bibtex: type } = workTypes[metadata.work_type]
  const container = containerOf(work)
  const [year, month, day] = metadata.published_date?.split('-') ?? []
  const fields: readonly Field[] = [
    ['author', braced(citedNames(authors).map(formatName).join(' and ') || undefined)],
    ['title', braced(escapeTitle(metadata.work_title))],
    [containerField(type, work), text(container.title)],
    // What classic styles would print of any thesis, “PhD thesis”, is not known here.
    ['type', type === 'phdthesis' ? text('Thesis') : undefined],
    ['year', text(year)],
    ['month', months[Number(month) - 1]],
    ['day', day === undefined ? undefined : braced(String(Number(day)))],
    ['volume', text(metadata.volume)],
    ['number', text(metadata.issue)],
    ['pages', text(pagesText(metadata, '--'))],
    [publisherField(type), text(work.publisher)],
    ['issn', text(container.issn)],
    ['isbn', text(container.isbn)],
    ['version', work.isPinned ? text(String(work.version)) : undefined],
    ['doi', braced(escapeAddress(metadata.existing_doi))],
    ['url', braced(escapeAddress(work.url))],
    ['keywords', text(listKeywords(keywordsOf(metadata)))],
    ['language', text(metadata.language)],
    ['copyright', text(metadata.license)],
    ['note', text(withdrawalNote(work))],
    ['abstract', text(metadata.description)],
  ]
  const lines = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name} = ${value}`],
  )
  return `@${type}{${keyOf(work)},\n${lines.join(',\n')}\n}\n`
}

// Colons and slashes are no trouble for BibTeX, but for packages that make them active.
function keyOf({ ark, version, isPinned }: DescribedWork): string {
  const key = ark.replace(/[:/]+/g, '-')
  return isPinned ? `${key}-v${version}` : key
}

function containerField(type: string, work: DescribedWork): string {
  if (type === 'article') return 'journal'
  return containerOf(work).kind === 'series' ? 'series' : 'booktitle'
}

function publisherField(type: string): string {
  if (type === 'techreport') return 'institution'
  return type === 'phdthesis' ? 'school' : 'publisher'
}

function braced(value: string | undefined): string | undefined {
  return value === undefined ? undefined : `{${value}}`
}

function text(value: string | undefined): string | undefined {
  return value === undefined ? undefined : braced(escape(value))
}

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  // BibTeX counts braces that are escaped, too.
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}

/** Text as LaTeX sets it: signs that mean something to it are escaped, all others stay. */
function escape(value: string): string {
  return value.replace(/[\\{}%&#$_~^]/g, (sign) => escapes[sign] ?? `\\${sign}`)
}

/**
 * A title, of which styles put words into lower case: what has to keep its capitals is braced.
 * Where most words have a capital anyway, that is what has one within; elsewhere, whatever has one.
 */
function escapeTitle(title: string): string {
  const long = title.match(/\p{L}{4,}/gu) ?? []
  const capitalized = long.filter((word) => /^\p{Lu}/u.test(word))
  const isTitleCase = capitalized.length * 2 > long.length
  const words = title.split(/(\s+)/)
  return words
    .map((word, index) => {
      const isKept = isTitleCase || index === 0 ? /\S\p{Lu}/u.test(word) : /\p{Lu}/u.test(word)
      return isKept ? `{${escape(word)}}` : escape(word)
    })
    .join('')
}

// Addresses are set as they are: only what would end the value, or the line, must not stand there.
function escapeAddress(address: string | undefined): string | undefined {
  return address?.replace(/[\\{}\s]/g, encodeURIComponent)
}

/**
 * `Family, Given`, `Family, Jr., Given`, or a whole name in braces, which is neither turned round
 * nor shortened.
 */
function formatName(name: CitedName): string {
  if ('literal' in name) return `{${escape(name.literal)}}`
  const { family, given, suffix = '' } = name
  if (given === '') return `{${escape(invertedParts(name))}}`
  return [family, suffix, given]
    .filter((part) => part !== '')
    .map(namePart)
    .join(', ')
}

// A comma or an `and` in a part of a name would end it.
function namePart(part: string): string {
  return /,|\band\b/i.test(part) ? `{${escape(part)}}` : escape(part)
}

// Readers part keywords at commas, or at semicolons where there is one.
function listKeywords(words: readonly string[]): string | undefined {
  return words.join(words.some((word) => word.includes(',')) ? '; ' : ', ') || undefined
}
