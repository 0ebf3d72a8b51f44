import { closedTable } from '#actors/values/lazy_table.ts'
import { isEdtf } from '#actors/values/date.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { dateKinds } from '#actors/works/publication.ts'
import type { Funding } from '#actors/works/funding.ts'
import { noteCharactersMax } from '#actors/works/lengths.ts'
import { descriptionKinds, titleKinds } from '#actors/works/titles.ts'
import { readDoi, readRor } from '#src/discovery/citation_files/addresses.ts'
import { FieldNotes, type NoteList, shorten } from '#src/discovery/citation_files/citation_file.ts'
import { markedText } from '#src/discovery/citation_files/markup.ts'
import { readRelated } from '#src/discovery/citation_files/related_things.ts'
import type { SourceWork } from '#src/discovery/citation_files/work_draft.ts'
import { lineOf, otherLanguage, type XmlSource } from '#src/discovery/citation_files/xml_source.ts'
import {
  elementsAt,
  elementsOf,
  markupOf,
  textOf,
  type XmlElement,
} from '#src/discovery/citation_files/xml_tree.ts'

type Parts = Partial<SourceWork>

/** What the front of an article says that Crossref has no member for. */
export function jatsParts(
  source: XmlSource,
  article: XmlElement,
  meta: XmlElement | undefined,
  notes: NoteList,
): Parts {
  const language = article.attributes['lang']
  return {
    ...titlesOf(source, meta, language, notes),
    ...abstractsOf(source, meta, language, notes),
    ...versionOf(source, meta),
    further_dates: historyOf(source, meta),
    subjects: subjectsOf(source, meta),
    alternate_identifiers: identifiersOf(source, meta),
    files: filesOf(source, meta),
    funding: fundingOf(source, meta),
    references: referencesOf(article, notes),
    related_identifiers: relatedOf(source, meta, notes),
    update_notices: noticesOf(source, meta),
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
  notes: NoteList,
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
  for (const note of elementsOf(main, 'fn')) {
    const message = `A note on the title is left out: “${shorten(textOf(note) ?? '')}”.`
    notes.add('left_out', 'article-title/fn', message, { line: note.line })
  }
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
    const { text: description, markup } = markedText(markupOf(each) ?? '', 'paragraphs')
    const given = each.attributes['abstract-type']?.replaceAll('-', '_')
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

function subjectsOf(source: XmlSource, meta: XmlElement | undefined): readonly unknown[] {
  const groups = elementsOf(meta, 'kwd-group').filter(({ attributes }) => attributes['vocab'])
  return groups.flatMap((group) => {
    const { vocab: scheme, 'vocab-identifier': scheme_uri } = group.attributes
    return source.take(group, 'kwd').flatMap((each) => {
      const { 'vocab-term': code, 'vocab-term-identifier': uri } = each.attributes
      const subject = lineOf(each)
      return subject === undefined ? [] : [definedOf({ subject, scheme, scheme_uri, code, uri })]
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
export function articleAddresses(meta: XmlElement | undefined): readonly XmlElement[] {
  return elementsOf(meta, 'self-uri').filter(({ attributes: { href = '' } }) => {
    return /^https?:/.test(href) && !href.includes('/ark:')
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
    source.use(group)
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
