import { closedTable } from '#actors/values/lazy_table.ts'
import { foldWorkType, workTypes } from '#actors/values/work_type.ts'
import type { NoteList } from '#src/discovery/citation_files/citation_file.ts'
import { monthNumber } from '#src/discovery/citation_files/dates.ts'
import {
  elementsAt,
  elementsOf,
  markupOf,
  textOf,
  type XmlElement,
} from '#src/discovery/citation_files/xml_tree.ts'
import {
  type Json,
  withValues,
  type XmlReading,
  XmlSource,
} from '#src/discovery/citation_files/xml_source.ts'
import { articleAddresses, jatsParts } from '#src/discovery/citation_files/jats_parts.ts'

// Kinds of articles that are no articles of ours; any other is one.
const articleTypes: Readonly<Record<string, string>> = closedTable({
  'review-article': 'review_article',
  'systematic-review': 'review_article',
  preprint: 'preprint',
  'data-paper': 'data-paper',
  'peer-review': 'peer-review',
  'reviewer-report': 'peer-review',
})

/** Parts of an article that say nothing for a record of it. */
export const jatsSkipped: ReadonlySet<string> = new Set([
  'body',
  'floats-group',
  'sub-article',
  'response',
  'processing-meta',
])

// How an article is printed, counted and linked, beside what it is.
const silent: ReadonlySet<string> = new Set([
  'label',
  'counts',
  'custom-meta-group',
  'journal-id',
  'copyright-statement',
  'copyright-year',
  'copyright-holder',
  'email',
  'x',
])

/**
 * The front of an article of JATS as the JSON that Crossref gives of an article, which is then read
 * like any other, and what that has no member for. What is not read is named by its path.
 */
export function jatsReading(article: XmlElement, notes: NoteList): XmlReading {
  const source = new XmlSource()
  const front = article.name === 'front' ? article : elementsOf(article, 'front')[0]
  const journal = elementsOf(front, 'journal-meta')[0]
  const meta = elementsOf(front, 'article-meta')[0]
  const json = withValues({
    type: typeOf(article.attributes['article-type'] ?? ''),
    language: article.attributes['lang'],
    title: listOf(source.markup(meta, 'title-group/article-title')),
    subtitle: listOf(source.markup(meta, 'title-group/subtitle')),
    ...contributorsOf(source, meta),
    'container-title': listOf(
      source.markup(journal, 'journal-title-group/journal-title') ??
        source.markup(journal, 'journal-title'),
    ),
    'container-title-short': source.text(journal, 'journal-title-group/abbrev-journal-title'),
    'issn-type': numbersOf(source, journal, 'issn'),
    'isbn-type': numbersOf(source, meta, 'isbn'),
    publisher: source.text(journal, 'publisher/publisher-name'),
    'publisher-place': source.text(journal, 'publisher/publisher-loc'),
    ...datesOf(source, meta, notes),
    volume: source.text(meta, 'volume'),
    issue: source.text(meta, 'issue'),
    'issue-title': source.text(meta, 'issue-title'),
    page: pagesOf(source, meta),
    'article-number': source.text(meta, 'elocation-id'),
    DOI: doiOf(source, meta),
    resource: resourceOf(source, meta),
    abstract: abstractOf(source, meta),
    subject: keywordsOf(source, meta),
    license: licensesOf(source, meta),
    event: eventOf(source, meta),
  })
  const parts = jatsParts(source, article, meta, notes)
  if (front !== undefined) source.noteUnused(front, silent, notes)
  return { json, parts }
}

/** The kind of an article: those that are no articles of ours are so by our name of them. */
function typeOf(kind: string): string {
  const known = articleTypes[kind] ?? foldWorkType(kind)
  return known === undefined || known === 'article' ? workTypes.article.crossref : known
}

function listOf(text: string | undefined): readonly string[] | undefined {
  return text === undefined ? undefined : [text]
}

function contributorsOf(source: XmlSource, meta: XmlElement | undefined): Json {
  const lists = Object.create(null) as Record<string, Json[]>
  const groups = elementsOf(meta, 'contrib-group')
  const places = new Map<string, XmlElement>()
  for (const aff of [...source.take(meta, 'aff'), ...source.take(meta, 'contrib-group/aff')]) {
    const { id } = aff.attributes
    if (id !== undefined) places.set(id, aff)
  }
  for (const contrib of groups.flatMap((group) => elementsOf(group, 'contrib'))) {
    const role = contrib.attributes['contrib-type'] ?? 'author'
    const name = nameOf(source, contrib, places)
    if (name === undefined) continue
    const list = (lists[role] ??= [])
    list.push(name)
  }
  return lists
}

function nameOf(
  source: XmlSource,
  contrib: XmlElement,
  places: ReadonlyMap<string, XmlElement>,
): Json | undefined {
  const name =
    elementsOf(contrib, 'name')[0] ??
    elementsAt(contrib, 'name-alternatives/name')[0] ??
    elementsOf(contrib, 'string-name')[0]
  const orcid = elementsOf(contrib, 'contrib-id').find(({ attributes }) => {
    return attributes['contrib-id-type'] === 'orcid'
  })
  if (orcid !== undefined) source.use(orcid)
  const group = name === undefined ? source.text(contrib, 'collab') : undefined
  const family = source.text(name, 'surname')
  const whole = group ?? (family === undefined ? textOf(name) : undefined)
  if (whole === undefined && family === undefined) return undefined
  if (whole !== undefined && name !== undefined) source.use(name)
  return withValues({
    name: whole,
    given: source.text(name, 'given-names'),
    family,
    suffix: source.text(name, 'suffix'),
    ORCID: textOf(orcid),
    affiliation: affiliationsOf(source, contrib, places),
  })
}

function affiliationsOf(
  source: XmlSource,
  contrib: XmlElement,
  places: ReadonlyMap<string, XmlElement>,
): readonly Json[] {
  const named = elementsOf(contrib, 'xref').flatMap((xref) => {
    source.use(xref)
    const ids = xref.attributes['rid']?.split(/\s+/) ?? []
    return ids.flatMap((id) => places.get(id) ?? [])
  })
  return [...named, ...source.take(contrib, 'aff')].map(institutionOf)
}

const placeParts: ReadonlySet<string> = new Set(['addr-line', 'city', 'state', 'country'])

/** An institution by its names and place, else by all that is said of it but its identifiers. */
function institutionOf(aff: XmlElement): Json {
  const parts = [...elementsOf(aff, 'institution-wrap'), aff]
  const ids = parts.flatMap((part) => elementsOf(part, 'institution-id'))
  const ror = textOf(
    ids.find(({ attributes }) => attributes['institution-id-type']?.toLowerCase() === 'ror'),
  )
  const names = parts.flatMap((part) =>
    elementsOf(part, 'institution').flatMap((e) => textOf(e) ?? []),
  )
  const unsaid = new Set(['label', 'sup', 'institution-id', 'email'])
  const children = aff.children.filter((child) => {
    return typeof child === 'string' || !unsaid.has(child.name)
  })
  const place = aff.children.flatMap((child) => {
    return typeof child !== 'string' && placeParts.has(child.name) ? (textOf(child) ?? []) : []
  })
  const id = ror && [{ id: ror, 'id-type': 'ROR' }]
  if (names.length === 0) return withValues({ name: textOf({ ...aff, children }), id })
  return withValues({ name: names.join(', '), id, place })
}

// By the kinds of dates in JATS; any other is named.
const dateMembers: Readonly<Record<string, string>> = closedTable({
  epub: 'published-online',
  electronic: 'published-online',
  ppub: 'published-print',
  print: 'published-print',
  'epub-ppub': 'published-print',
  pub: 'published',
  '': 'published',
})

function datesOf(source: XmlSource, meta: XmlElement | undefined, notes: NoteList): Json {
  const dates = Object.create(null) as Record<string, Json>
  for (const element of elementsOf(meta, 'pub-date')) {
    const { 'pub-type': kind = '', 'publication-format': format = kind } = element.attributes
    const { 'date-type': type = 'pub' } = element.attributes
    const member = type === 'pub' ? dateMembers[format] : undefined
    const parts = datePartsOf(element)
    if (member === undefined || parts === undefined || dates[member] !== undefined) continue
    source.use(element)
    dates[member] = { 'date-parts': [parts] }
    const season = textOf(elementsOf(element, 'season')[0])
    if (season === undefined) continue
    const message = `The season “${season}” has no place in a date: only its year is taken.`
    notes.add('taken_as', 'pub-date', message, { line: element.line, isLoss: true })
  }
  const members = ['published', 'published-online', 'published-print']
  return { ...dates, issued: members.map((name) => dates[name]).find(Boolean) }
}

function datePartsOf(element: XmlElement): readonly number[] | undefined {
  const iso = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?/.exec(element.attributes['iso-8601-date'] ?? '')
  const said = ['year', 'month', 'day'].map((name) => textOf(elementsOf(element, name)[0]))
  const texts = said[0] === undefined ? (iso?.slice(1) ?? []) : said
  const numbers: number[] = []
  for (const text of texts) {
    const number = numbers.length === 1 ? monthNumber(text ?? '') : Number(text)
    if (text === undefined || number === undefined || !/^\d{1,4}$/.test(String(number))) break
    numbers.push(number)
  }
  return numbers.length === 0 ? undefined : numbers
}

function pagesOf(source: XmlSource, meta: XmlElement | undefined): string | undefined {
  const first = source.text(meta, 'fpage')
  const last = source.text(meta, 'lpage')
  const range = source.text(meta, 'page-range')
  return first && last ? `${first}-${last}` : (range ?? first)
}

function doiOf(source: XmlSource, meta: XmlElement | undefined): string | undefined {
  const doi = elementsOf(meta, 'article-id').find(({ attributes }) => {
    return attributes['pub-id-type'] === 'doi'
  })
  if (doi !== undefined) source.use(doi)
  return textOf(doi)
}

function resourceOf(source: XmlSource, meta: XmlElement | undefined): Json | undefined {
  const [uri] = articleAddresses(meta)
  if (uri === undefined) return undefined
  source.use(uri)
  return { primary: { URL: uri.attributes['href'] } }
}

function abstractOf(source: XmlSource, meta: XmlElement | undefined): string | undefined {
  const abstract = elementsOf(meta, 'abstract').find(({ attributes }) => {
    return attributes['abstract-type'] === undefined
  })
  if (abstract === undefined) return undefined
  source.use(abstract)
  return markupOf(abstract)
}

function licensesOf(source: XmlSource, meta: XmlElement | undefined): readonly Json[] {
  return source.take(meta, 'permissions/license').flatMap((license) => {
    const links = elementsAt(license, 'license-p/ext-link')
    const url =
      textOf(elementsOf(license, 'license_ref')[0]) ??
      license.attributes['href'] ??
      links.map(({ attributes }) => attributes['href']).find(Boolean)
    return url === undefined ? [] : [{ URL: url }]
  })
}

/** Keywords; those of a vocabulary are subjects. */
function keywordsOf(source: XmlSource, meta: XmlElement | undefined): readonly string[] {
  const groups = elementsOf(meta, 'kwd-group').filter(({ attributes }) => !attributes['vocab'])
  return groups.flatMap((group) => source.texts(group, 'kwd'))
}

// The media that numbers of journals have.
const media: Readonly<Record<string, string>> = closedTable({
  print: 'print',
  ppub: 'print',
  electronic: 'electronic',
  epub: 'electronic',
})

function numbersOf(source: XmlSource, parent: XmlElement | undefined, name: string) {
  return source.take(parent, name).map((each) => {
    const { 'publication-format': format, 'pub-type': type } = each.attributes
    return withValues({ value: textOf(each), type: media[format ?? type ?? ''] })
  })
}

function eventOf(source: XmlSource, meta: XmlElement | undefined): Json | undefined {
  const event = elementsOf(meta, 'conference')[0]
  const name = source.text(event, 'conf-name')
  if (name === undefined) return undefined
  const date = textOf(elementsOf(event, 'conf-date')[0]) ?? ''
  const [start, end] = /^(?:[\d-]+|\.\.)(?:\/[\d-]+)?$/.test(date) ? date.split('/') : []
  if (start !== undefined) source.take(event, 'conf-date')
  return withValues({
    name,
    number: source.text(event, 'conf-num'),
    location: source.text(event, 'conf-loc'),
    sponsor: source.texts(event, 'conf-sponsor'),
    theme: source.text(event, 'conf-theme'),
    acronym: source.text(event, 'conf-acronym'),
    start: start === '..' ? undefined : start && { raw: start },
    end: end && { raw: end },
  })
}
