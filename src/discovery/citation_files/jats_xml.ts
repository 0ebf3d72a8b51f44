import { isEdtf } from '#actors/values/date.ts'
import { closedTable } from '#actors/values/lazy_table.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { foldWorkType, workTypes } from '#actors/values/work_type.ts'
import type { Funding } from '#actors/works/funding.ts'
import { noteCharactersMax } from '#actors/works/lengths.ts'
import { dateKinds } from '#actors/works/publication.ts'
import { descriptionKinds, titleKinds } from '#actors/works/titles.ts'
import { readDoi, readRor, readUrls } from '#src/discovery/citation_files/addresses.ts'
import { FieldNotes, type NoteList, shorten } from '#src/discovery/citation_files/citation_file.ts'
import { monthNumber } from '#src/discovery/citation_files/dates.ts'
import { markedText } from '#src/discovery/citation_files/markup.ts'
import { readRelated } from '#src/discovery/citation_files/related_things.ts'
import type { SourceWork } from '#src/discovery/citation_files/work_draft.ts'
import {
  type Json,
  lineOf,
  otherLanguage,
  withValues,
  type XmlReading,
  XmlSource,
} from '#src/discovery/citation_files/xml_source.ts'
import {
  elementsAt,
  elementsOf,
  markupOf,
  textOf,
  type XmlElement,
} from '#src/discovery/citation_files/xml_tree.ts'

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

// How an article is printed and linked, beside what it is.
const silent: ReadonlySet<string> = new Set(['label', 'journal-id', 'x'])

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
    ...contributorsOf(source, meta, notes),
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
    subject: keywordsOf(source, meta, article.attributes['lang']),
    license: licensesOf(source, meta),
    'free-to-read': freeToRead(source, meta),
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

// What an article says of somebody beside the name, in so many words.
const marksOfPeople = ['corresp', 'equal-contrib', 'deceased'] as const

function contributorsOf(source: XmlSource, meta: XmlElement | undefined, notes: NoteList): Json {
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
    for (const mark of marksOfPeople) {
      if (contrib.attributes[mark] !== 'yes') continue
      notes.add('left_out', 'contrib', `No field is for ${mark} of a person.`, {
        line: contrib.line,
      })
    }
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
  if (elementsOf(contrib, 'anonymous').length > 0) return { literal: 'Anonymous' }
  const group = name === undefined ? groupOf(source, elementsOf(contrib, 'collab')[0]) : undefined
  const family = source.text(name, 'surname')
  const whole = group ?? (family === undefined ? textOf(name) : undefined)
  if (whole === undefined && family === undefined) return undefined
  // Between the parts of a whole name are signs that say nothing.
  if (name !== undefined && (whole !== undefined || name.name === 'string-name')) source.use(name)
  // A person's name in one piece may be turned round.
  const isTurned = group === undefined && whole?.includes(',') === true
  return withValues({
    name: group,
    literal: isTurned ? undefined : group === undefined ? whole : undefined,
    given: source.text(name, 'given-names'),
    family: isTurned ? whole : family,
    prefix: source.text(name, 'prefix'),
    suffix: source.text(name, 'suffix'),
    ORCID: textOf(orcid),
    role: creditRolesOf(source, contrib),
    affiliation: affiliationsOf(source, contrib, places),
  })
}

/** The name of a group, without its members and addresses, which stand in it. */
function groupOf(source: XmlSource, collab: XmlElement | undefined): string | undefined {
  if (collab === undefined) return undefined
  const isName = (child: XmlElement['children'][number]) => {
    return typeof child === 'string' || inName.has(child.name)
  }
  const name = textOf({ ...collab, children: collab.children.filter(isName) })
  const isWhole = collab.children.every(isName)
  if (isWhole || name === undefined) source.use(collab)
  return name ?? textOf(collab)
}

const inName = new Set(['institution', 'named-content', 'italic', 'bold', 'sup', 'sub', 'sc'])

/** What somebody did, in the roles of CRediT, by the address of the term or by its words. */
function creditRolesOf(source: XmlSource, contrib: XmlElement): readonly Json[] {
  return elementsOf(contrib, 'role').flatMap((element) => {
    const { vocab = '', 'vocab-identifier': list = '', 'vocab-term': term } = element.attributes
    // SciELO has the address of the term as the type of what stands there.
    const { 'content-type': type = '', 'vocab-term-identifier': address = type } =
      element.attributes
    if (!/credit/i.test(`${vocab} ${list} ${address}`)) return []
    const [, word] = /\/([a-z-]+)\/?$/.exec(address) ?? []
    const role = word ?? (term ?? textOf(element) ?? '').toLowerCase().replace(/[^a-z]+/g, '-')
    source.use(element)
    return [{ role, vocabulary: 'credit' }]
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

/** SciELO has the whole line of an affiliation beside its parts, and a name from its own list. */
function isOwnName(type: string | undefined): boolean {
  return type !== 'original' && type !== 'normalized'
}

const placeParts: ReadonlySet<string> = new Set(['addr-line', 'city', 'state', 'country'])

/** An institution by its names and place, else by all that is said of it but its identifiers. */
function institutionOf(aff: XmlElement): Json {
  const parts = [...elementsOf(aff, 'institution-wrap'), aff]
  const ids = parts.flatMap((part) => elementsOf(part, 'institution-id'))
  const ror = textOf(
    ids.find(({ attributes }) => attributes['institution-id-type']?.toLowerCase() === 'ror'),
  )
  const institutions = parts.flatMap((part) => elementsOf(part, 'institution'))
  const named = institutions.filter(({ attributes }) => isOwnName(attributes['content-type']))
  const names = (named.length === 0 ? institutions : named).flatMap((each) => textOf(each) ?? [])
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
    const isMining = /mining|tdm/i.test(license.attributes['specific-use'] ?? '')
    return url === undefined ? [] : [{ URL: url, ...(isMining && { 'content-version': 'tdm' }) }]
  })
}

/** Whether and from when everybody can read the article, as Crossref has it. */
function freeToRead(source: XmlSource, meta: XmlElement | undefined): Json | undefined {
  const [free] = source.take(meta, 'permissions/free_to_read')
  if (free === undefined) return undefined
  const { start_date: start, end_date: end } = free.attributes
  return withValues({
    'start-date': start && { raw: start },
    'end-date': end && { raw: end },
  })
}

/** Keywords; those of a vocabulary are subjects. */
function keywordsOf(
  source: XmlSource,
  meta: XmlElement | undefined,
  language: string | undefined,
): readonly string[] {
  const groups = elementsOf(meta, 'kwd-group').filter((each) => !areSubjects(each, language))
  return groups.flatMap((group) => source.texts(group, 'kwd'))
}

/** Whether words are of a vocabulary, or in another language than the article. */
function areSubjects(group: XmlElement, language: string | undefined): boolean {
  return Boolean(group.attributes['vocab']) || otherLanguage(group, language) !== undefined
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

type Parts = Partial<SourceWork>

/** What the front of an article says that Crossref has no member for. */
function jatsParts(
  source: XmlSource,
  article: XmlElement,
  meta: XmlElement | undefined,
  notes: NoteList,
): Parts {
  const language = article.attributes['lang']
  return {
    ...titlesOf(source, meta, language),
    ...abstractsOf(source, meta, language, notes),
    ...versionOf(source, meta),
    further_dates: historyOf(source, meta),
    subjects: subjectsOf(source, meta, language),
    alternate_identifiers: identifiersOf(source, meta),
    files: filesOf(source, meta),
    funding: fundingOf(source, meta),
    references: referencesOf(article, notes),
    related_identifiers: relatedOf(source, meta, notes),
    update_notices: noticesOf(source, meta),
    sizes: sizesOf(source, meta, notes),
    ...definedOf({ series_title: source.text(meta, 'volume-series') }),
  }
}

/** A title that stands at the head of pages is a short one. */
function titleKindOf(type: string | undefined): string | undefined {
  const known = titleKinds.find((kind) => kind === type)
  return known ?? (/running/.test(type ?? '') ? 'short' : type && 'alternative')
}

function titlesOf(
  source: XmlSource,
  meta: XmlElement | undefined,
  language: string | undefined,
): Parts {
  const group = elementsOf(meta, 'title-group')[0]
  const translated = source.take(group, 'trans-title-group').flatMap((each) => {
    const { text: title, markup } = markedText(markupOf(elementsOf(each, 'trans-title')[0]) ?? '')
    const own = each.attributes['lang'] ?? elementsOf(each, 'trans-title')[0]?.attributes['lang']
    return title === '' ? [] : [definedOf({ title, markup, kind: 'translated', language: own })]
  })
  const others = source.take(group, 'alt-title').flatMap((each) => {
    const { text: title, markup } = markedText(markupOf(each) ?? '')
    const kind = titleKindOf(each.attributes['alt-title-type'])
    const own = each.attributes['lang']
    return title === '' ? [] : [definedOf({ title, markup, kind, language: own })]
  })
  const main = elementsOf(group, 'article-title')[0]
  return definedOf({
    titles: [...translated, ...others],
    work_title_language: otherLanguage(main, language),
  })
}

/** The abstracts beside the first one, by our names of their kinds. */
function abstractsOf(
  source: XmlSource,
  meta: XmlElement | undefined,
  language: string | undefined,
  notes: NoteList,
): Parts {
  const all = elementsOf(meta, 'abstract')
  const main = all.find(({ attributes }) => attributes['abstract-type'] === undefined)
  const others = [...all.filter((each) => each !== main), ...elementsOf(meta, 'trans-abstract')]
  const descriptions = others.flatMap((each) => {
    source.use(each)
    // A picture says nothing here.
    if (textOf(each) === undefined) return []
    const { text: description, markup } = markedText(markupOf(each) ?? '', 'paragraphs')
    const type = each.attributes['abstract-type']?.replace(
      /^plain-language-summary$/,
      'plain-language',
    )
    const given = type?.replaceAll('-', '_')
    const kind = descriptionKinds.find((known) => known === (given ?? 'abstract'))
    if (kind === undefined) {
      const message = `An abstract of the type “${given}” is taken as another text.`
      notes.add('taken_as', 'abstract', message, { line: each.line })
    }
    if (description === '') return []
    const own = each.attributes['lang']
    return [definedOf({ description, markup, kind: kind ?? 'other', language: own })]
  })
  return definedOf({ descriptions, description_language: otherLanguage(main, language) })
}

/** How many pages it has; what else is counted is told. */
function sizesOf(
  source: XmlSource,
  meta: XmlElement | undefined,
  notes: NoteList,
): readonly string[] {
  const counts = source.take(meta, 'counts').flatMap((each) => elementsOf(each))
  const said = counts.filter(({ attributes: { count = '0' } }) => Number(count) > 0)
  const others = said.filter(({ name }) => name !== 'page-count').map(({ name }) => name)
  if (others.length > 0) {
    const names = others.map((name) => `counts/${name}`).join(', ')
    notes.add('left_out', names, `Left out, because it is about the record alone: ${names}.`, {
      line: counts[0]?.line,
      isLoss: false,
    })
  }
  return said.flatMap(({ name, attributes: { count } }) => {
    return name === 'page-count' ? [`${count} ${count === '1' ? 'page' : 'pages'}`] : []
  })
}

// What JATS says of a stage of a text is no version of it.
const stages = /^(?:ao|smur|am|p|vor|cvor|evor)$/i

function versionOf(source: XmlSource, meta: XmlElement | undefined): Parts {
  const version = source.text(meta, 'article-version')
  return version === undefined || stages.test(version) ? {} : { resource_version: version }
}

// What publishers call the days that came before a publication.
const historyKinds: Readonly<Record<string, string>> = closedTable({
  'rev-recd': 'updated',
  'rev-request': 'other',
  corrected: 'updated',
  pub: 'issued',
  preprint: 'posted',
  retracted: 'withdrawn',
})

function historyOf(source: XmlSource, meta: XmlElement | undefined): readonly unknown[] {
  return elementsAt(meta, 'history/date').flatMap((each) => {
    const type = each.attributes['date-type'] ?? ''
    const kind = dateKinds.find((known) => known === type) ?? historyKinds[type]
    const date = dayOf(each)
    if (date === undefined) return []
    source.use(each)
    const note = kind === undefined || kind === 'other' ? type || undefined : undefined
    return [definedOf({ kind: kind ?? 'other', date, note: note === 'other' ? undefined : note })]
  })
}

/** A day of JATS, as far as it is known; undefined if it is none. */
function dayOf(element: XmlElement): string | undefined {
  const said = ['year', 'month', 'day'].map((name) => textOf(elementsOf(element, name)[0]))
  const known = said.slice(0, said.indexOf(undefined) < 0 ? 3 : said.indexOf(undefined))
  const day = known.map((text) => text?.padStart(2, '0')).join('-')
  const date = known.length === 0 ? (element.attributes['iso-8601-date'] ?? '') : day
  return isEdtf(date) ? date : undefined
}

function subjectsOf(
  source: XmlSource,
  meta: XmlElement | undefined,
  own: string | undefined,
): readonly unknown[] {
  const groups = elementsOf(meta, 'kwd-group').filter((each) => areSubjects(each, own))
  return groups.flatMap((group) => {
    const { vocab: scheme, 'vocab-identifier': scheme_uri, lang: language } = group.attributes
    return source.take(group, 'kwd').flatMap((each) => {
      const { 'vocab-term': code, 'vocab-term-identifier': uri } = each.attributes
      const subject = lineOf(each)
      const more = { scheme, scheme_uri, code, uri, language }
      return subject === undefined ? [] : [definedOf({ subject, ...more })]
    })
  })
}

const identifierTypes: Readonly<Record<string, string>> = closedTable({
  pmid: 'PMID',
  pmc: 'PMCID',
  pmcid: 'PMCID',
  pii: 'PII',
  arxiv: 'arXiv',
  'publisher-id': 'Publisher ID',
})

/** Other names of the article; its ARK is that of the registry that wrote it. */
function identifiersOf(source: XmlSource, meta: XmlElement | undefined): readonly unknown[] {
  return elementsOf(meta, 'article-id').flatMap((each) => {
    const { 'pub-id-type': type = '', 'custom-type': own } = each.attributes
    const identifier = textOf(each)
    if (type === 'doi' || type === 'ark' || identifier === undefined) return []
    source.use(each)
    return [{ identifier, type: own ?? identifierTypes[type] ?? (type || 'Other') }]
  })
}

/** Addresses of files beside that of the article, which is the first of all. */
function filesOf(source: XmlSource, meta: XmlElement | undefined): readonly unknown[] {
  return articleAddresses(meta)
    .slice(1)
    .map((each) => {
      source.use(each)
      const { 'content-type': type, href: url } = each.attributes
      const name = textOf(each)
      return definedOf({
        url,
        name: name === url ? undefined : name,
        media_type: type?.includes('/') === true ? type : undefined,
      })
    })
}

/** Where the article is: an ARK of a registry is where it is told of. */
function articleAddresses(meta: XmlElement | undefined): readonly XmlElement[] {
  return elementsOf(meta, 'self-uri').filter(({ attributes: { href = '' } }) => {
    return readUrls(href).urls.length > 0 && !href.includes('/ark:')
  })
}

function relatedOf(source: XmlSource, meta: XmlElement | undefined, notes: NoteList) {
  return elementsOf(meta, 'related-object').flatMap((each) => {
    const { 'link-type': relation, 'ext-link-type': scheme, href } = each.attributes
    if (relation === undefined || scheme === undefined) return []
    source.use(each)
    const at = new FieldNotes(notes, { name: 'related-object', line: each.line })
    return readRelated(relation, scheme, href, at)
  })
}

type Notice = readonly [kind: string, direction: 'of_this' | 'by_this']

const noticeTypes: Readonly<Record<string, Notice>> = closedTable({
  'correction-forward': ['correction', 'of_this'],
  'retraction-forward': ['retraction', 'of_this'],
  'partial-retraction-forward': ['partial_retraction', 'of_this'],
  'concern-forward': ['expression_of_concern', 'of_this'],
  'corrected-article': ['correction', 'by_this'],
  'retracted-article': ['retraction', 'by_this'],
  'partial-retraction': ['partial_retraction', 'by_this'],
  'object-of-concern': ['expression_of_concern', 'by_this'],
})

function noticesOf(source: XmlSource, meta: XmlElement | undefined): readonly unknown[] {
  return elementsOf(meta, 'related-article').flatMap((each) => {
    const {
      'related-article-type': type = '',
      'ext-link-type': scheme,
      href = '',
    } = each.attributes
    const [kind, direction] = noticeTypes[type] ?? []
    const doi = readDoi(href)
    const ark = scheme === 'ark' ? href : undefined
    if (kind === undefined || (doi ?? ark) === undefined) return []
    source.use(each)
    return [definedOf({ kind, direction, doi, ark: doi === undefined ? ark : undefined })]
  })
}

/** Who paid, one grant each. */
function fundingOf(source: XmlSource, meta: XmlElement | undefined): readonly Funding[] {
  return elementsAt(meta, 'funding-group/award-group').flatMap((group) => {
    const given = elementsOf(group, 'funding-source')[0]
    const wrap = elementsOf(given, 'institution-wrap')[0]
    const funder = textOf(elementsOf(wrap, 'institution')[0] ?? given)
    if (funder === undefined) return []
    const read = elementsOf(group).filter(({ name }) => awardElements.has(name))
    for (const each of read) source.use(each)
    const id = elementsOf(wrap, 'institution-id')[0]
    const award_title = textOf(elementsOf(group, 'award-name')[0])
    const known = definedOf({ funder, ...funderId(id), award_title })
    const awards = elementsOf(group, 'award-id').flatMap((each) => {
      const award = textOf(each)
      return award === undefined ? [] : [definedOf({ award, award_uri: each.attributes['href'] })]
    })
    const all = awards.length === 0 ? [known] : awards.map((award) => ({ ...known, ...award }))
    return all as readonly Funding[]
  })
}

const awardElements: ReadonlySet<string> = new Set(['funding-source', 'award-id', 'award-name'])

function funderId(element: XmlElement | undefined) {
  const text = textOf(element)
  if (text === undefined) return {}
  const doi = readDoi(text)
  if (doi?.startsWith('10.13039/') === true) {
    return { identifier: doi, identifier_type: 'Crossref Funder ID' }
  }
  const type = readRor(text) === undefined ? element?.attributes['institution-id-type'] : 'ROR'
  return { identifier: text, identifier_type: type ?? 'Other' }
}

const citations = new Set(['mixed-citation', 'element-citation', 'citation', 'nlm-citation'])

/** What the article cites, of whose list the reader of XML keeps nothing if it is too long. */
function referencesOf(article: XmlElement, notes: NoteList): readonly unknown[] {
  const lists = elementsAt(article, 'back/ref-list')
  for (const { line } of lists.filter(({ children }) => children.length === 0)) {
    notes.add('left_out', 'ref-list', 'The list of references is too long.', { line })
  }
  const refs = lists.flatMap((list) => elementsOf(list, 'ref'))
  return refs.flatMap((ref) => {
    const cited = elementsOf(ref)
      .flatMap((each) => [each, ...elementsOf(each)])
      .find(({ name }) => citations.has(name))
    const reference = cited === undefined ? {} : referenceOf(cited, notes)
    if (Object.keys(reference).length === 0) {
      const message = 'A reference is left out: it says nothing that can be read.'
      notes.add('left_out', 'ref', message, { line: ref.line })
      return []
    }
    return [reference]
  })
}

function referenceOf(cited: XmlElement, notes: NoteList): Readonly<Record<string, unknown>> {
  const text = (name: string) => textOf(elementsOf(cited, name)[0])
  const ids = elementsOf(cited, 'pub-id')
  const isDoi = ({ attributes }: XmlElement) => attributes['pub-id-type'] === 'doi'
  const doi = readDoi(textOf(ids.find(isDoi)) ?? '')
  if (cited.name === 'mixed-citation' || cited.name === 'citation') {
    const children = cited.children.filter((child) => typeof child === 'string' || !isDoi(child))
    const whole = textOf({ ...cited, children })
    if (whole === undefined || whole.length <= noteCharactersMax) {
      return definedOf({ text: whole, doi })
    }
    const message = 'A reference is too long: its end is left out.'
    notes.add('left_out', 'ref', message, { line: cited.line, isLoss: true })
    return definedOf({ text: shorten(whole, noteCharactersMax - 1), doi })
  }
  const [person] = elementsAt(cited, 'person-group/name')
  const author = text('collab') ?? textOf(elementsOf(person, 'surname')[0])
  return definedOf({
    doi,
    author,
    title: text('article-title') ?? text('chapter-title'),
    container_title: text('source'),
    year: text('year'),
    volume: text('volume'),
    issue: text('issue'),
    first_page: text('fpage') ?? text('elocation-id'),
  })
}
