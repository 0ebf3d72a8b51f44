import { closedTable } from '#actors/values/lazy_table.ts'
import { isEdtf } from '#actors/values/date.ts'
import { readLicense } from '#actors/values/license.ts'
import { definedOf } from '#actors/values/serialization.ts'
import { contributorRoles } from '#actors/works/names.ts'
import { descriptionKinds } from '#actors/works/titles.ts'
import { FieldNotes, type NoteList } from '#src/discovery/citation_files/citation_file.ts'
import { readNames } from '#src/discovery/citation_files/csl_names.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import { readRelated } from '#src/discovery/citation_files/related_things.ts'
import { contributorOf, type SourceWork } from '#src/discovery/citation_files/work_draft.ts'
import {
  type Json,
  lineOf,
  otherLanguage,
  type XmlSource,
} from '#src/discovery/citation_files/xml_source.ts'
import {
  elementsAt,
  elementsOf,
  markupOf,
  textOf,
  type XmlElement,
} from '#src/discovery/citation_files/xml_tree.ts'
import { roleCodes } from '#src/discovery/formats/mods.ts'

type Parts = Partial<SourceWork>

/** What a record of MODS says that Crossref has no member for. */
export function modsParts(source: XmlSource, mods: XmlElement, notes: NoteList): Parts {
  const language = textOf(elementsAt(mods, 'language/languageTerm')[0])
  return {
    ...titlesOf(source, mods, language),
    ...textsOf(source, mods, language),
    ...definedOf({ resource_version: noteOf(source, mods, 'version identification')[0] }),
    references: noteOf(source, mods, 'citation').map((text) => ({ text })),
    further_dates: datesOf(source, mods),
    formats: source.texts(mods, 'physicalDescription/internetMediaType'),
    sizes: source.texts(mods, 'physicalDescription/extent'),
    subjects: subjectsOf(source, mods),
    geo_locations: placesOf(source, mods),
    rights: rightsOf(source, mods),
    alternate_identifiers: identifiersOf(source, mods),
    files: filesOf(source, mods),
    related_identifiers: relatedOf(source, mods, notes),
  }
}

const titleKinds: Readonly<Record<string, string>> = closedTable({
  translated: 'translated',
  abbreviated: 'short',
  uniform: 'alternative',
  alternative: 'alternative',
})

function titlesOf(source: XmlSource, mods: XmlElement, language: string | undefined): Parts {
  const all = elementsOf(mods, 'titleInfo')
  const isMain = ({ attributes }: XmlElement) => attributes['type'] === undefined
  const main = all.find(isMain) ?? all[0]
  const titles = all.flatMap((each) => {
    const parts = ['nonSort', 'title'].flatMap((name) => lineOf(elementsOf(each, name)[0]) ?? [])
    const subtitle = lineOf(elementsOf(each, 'subTitle')[0])
    const title = [parts.join(' '), subtitle].filter(Boolean).join(': ')
    if (each === main || title === '') return []
    source.use(each)
    const kind = titleKinds[each.attributes['type'] ?? '']
    return [definedOf({ title, kind, language: each.attributes['lang'] })]
  })
  return definedOf({ titles, work_title_language: otherLanguage(main, language) })
}

/** The abstracts beside the first one, and tables of contents. */
function textsOf(source: XmlSource, mods: XmlElement, language: string | undefined): Parts {
  const abstracts = elementsOf(mods, 'abstract')
  const main =
    abstracts.find(({ attributes }) => attributes['type'] === undefined) ??
    abstracts.find((each) => ['abstract', undefined].includes(descriptionKindOf(each)))
  const others = [...abstracts, ...elementsOf(mods, 'tableOfContents')]
  const descriptions = others.flatMap((each) => {
    const description = plainText(markupOf(each) ?? '', 'paragraphs')
    if (each === main || description === '') return []
    source.use(each)
    const known = descriptionKindOf(each) ?? 'other'
    const kind = each.name === 'tableOfContents' ? 'table_of_contents' : known
    return [definedOf({ description, kind, language: each.attributes['lang'] })]
  })
  if (main !== undefined) source.use(main)
  return definedOf({
    description: plainText(markupOf(main) ?? '', 'paragraphs') || undefined,
    descriptions,
    description_language: otherLanguage(main, language),
  })
}

function descriptionKindOf({ attributes }: XmlElement) {
  const given = (attributes['type'] ?? 'abstract').toLowerCase().replaceAll(' ', '_')
  return descriptionKinds.find((kind) => kind === given)
}

function noteOf(source: XmlSource, mods: XmlElement, type: string): readonly string[] {
  const notes = elementsOf(mods, 'note').filter(({ attributes }) => attributes['type'] === type)
  return notes.flatMap((note) => {
    source.use(note)
    return textOf(note) ?? []
  })
}

const dateKinds: Readonly<Record<string, string>> = closedTable({
  dateCreated: 'created',
  dateCaptured: 'collected',
  dateValid: 'valid',
  dateModified: 'updated',
  copyrightDate: 'copyrighted',
})

function datesOf(source: XmlSource, mods: XmlElement): readonly unknown[] {
  return elementsOf(mods, 'originInfo').flatMap((origin) =>
    elementsOf(origin).flatMap((each) => {
      const date = textOf(each)
      const type = each.attributes['type']
      const kind = each.name === 'dateOther' ? (type ?? 'other') : dateKinds[each.name]
      if (kind === undefined || date === undefined || !isEdtf(date)) return []
      source.use(each)
      return [{ date, kind }]
    }),
  )
}

/** Subjects of a scheme, each with a code of it where there are as many. */
function subjectsOf(source: XmlSource, mods: XmlElement): readonly unknown[] {
  const subjects = elementsOf(mods, 'subject').filter(({ attributes }) => attributes['authority'])
  const bySchemes = Map.groupBy(subjects, ({ attributes }) => attributes['authority'])
  return [...bySchemes].flatMap(([scheme, all]) => {
    const codes = elementsOf(mods, 'classification').filter(
      ({ attributes }) => attributes['authority'] === scheme,
    )
    const isCoded = codes.length === all.length
    if (isCoded) for (const code of codes) source.use(code)
    return all.flatMap((each, index) => {
      const texts = elementsOf(each).flatMap((part) => textOf(part) ?? [])
      if (texts.length === 0) return []
      source.use(each)
      const { authorityURI: scheme_uri, valueURI: uri } = each.attributes
      const code = isCoded ? textOf(codes[index]) : undefined
      return [definedOf({ subject: texts.join(' -- '), scheme, scheme_uri, uri, code })]
    })
  })
}

function placesOf(source: XmlSource, mods: XmlElement): readonly unknown[] {
  return elementsOf(mods, 'subject').flatMap((each) => {
    const place = textOf(elementsOf(each, 'geographic')[0])
    const at = textOf(elementsAt(each, 'cartographics/coordinates')[0]) ?? ''
    const [, latitude, longitude] = /^(-?[\d.]+), ?(-?[\d.]+)$/.exec(at) ?? []
    const point =
      latitude === undefined
        ? undefined
        : { latitude: Number(latitude), longitude: Number(longitude) }
    if (each.attributes['authority'] !== undefined || (place ?? point) === undefined) return []
    source.use(each)
    return [definedOf({ place, point })]
  })
}

/** Terms of use beside the licence, which is the first that is known. */
function rightsOf(source: XmlSource, mods: XmlElement): readonly unknown[] {
  const all = source.take(mods, 'accessCondition').map((each) => {
    const [uri, text] = [each.attributes['href'], textOf(each)]
    return { uri, text, license: readLicense(uri ?? '') ?? readLicense(text ?? '') }
  })
  const own = all.find(({ license }) => license !== undefined)
  return all
    .filter((each) => each !== own)
    .map(({ license, text, uri }) =>
      license === undefined ? definedOf({ text, uri }) : { license },
    )
}

const plainTypes = new Set(['doi', 'ark', 'uri', 'issn', 'isbn'])

const identifierTypes: Readonly<Record<string, string>> = closedTable({
  local: 'Local',
  hdl: 'Handle',
})

/** Other names of the work; its ARK is that of the registry that wrote it. */
function identifiersOf(source: XmlSource, mods: XmlElement): readonly unknown[] {
  return elementsOf(mods, 'identifier').flatMap((each) => {
    const { type = '', invalid } = each.attributes
    const identifier = textOf(each)
    if (plainTypes.has(type) || invalid === 'yes' || identifier === undefined) return []
    source.use(each)
    return [{ identifier, type: identifierTypes[type] ?? (type.toUpperCase() || 'Other') }]
  })
}

/** Addresses of files beside that of the work, which is the first of all. */
function filesOf(source: XmlSource, mods: XmlElement): readonly unknown[] {
  return workAddresses(mods)
    .slice(1)
    .map((each) => {
      source.use(each)
      return { url: textOf(each) }
    })
}

/** Where the work is: an ARK of a registry is where it is told of. */
export function workAddresses(mods: XmlElement): readonly XmlElement[] {
  return elementsAt(mods, 'location/url').filter((each) => {
    const url = textOf(each) ?? ''
    return /^https?:/.test(url) && !url.includes('/ark:')
  })
}

// Kinds of related items that DataCite has a relation for.
const relations: Readonly<Record<string, string>> = closedTable({
  constituent: 'HasPart',
  isReferencedBy: 'IsReferencedBy',
  preceding: 'Continues',
  references: 'References',
  reviewOf: 'Reviews',
  succeeding: 'IsContinuedBy',
})

const schemes: Readonly<Record<string, string>> = closedTable({ uri: 'URL', hdl: 'Handle' })

function relatedOf(source: XmlSource, mods: XmlElement, notes: NoteList) {
  return elementsOf(mods, 'relatedItem').flatMap((item) => {
    const { otherType, type = '' } = item.attributes
    const relation = relations[type] ?? otherType
    if (relation === undefined) return []
    return elementsOf(item, 'identifier').flatMap((each) => {
      source.use(each)
      const at = new FieldNotes(notes, { name: 'relatedItem', line: each.line })
      const scheme = each.attributes['type'] ?? ''
      return readRelated(relation, schemes[scheme] ?? scheme, textOf(each), at)
    })
  })
}

const rolesByCode = new Map(Object.entries(roleCodes).map(([role, code]) => [code, role] as const))

/** What somebody did, by the codes and words of MARC, or by our own words; undefined if none. */
export function roleIn(term: string): string | undefined {
  const word = term.toLowerCase().replaceAll(' ', '_')
  return rolesByCode.get(word) ?? contributorRoles.find((role) => role === word)
}

/** Those who had a part in the work beside its authors, its editors and its translators. */
export function contributorsOf(role: string, name: Json, notes: NoteList): readonly unknown[] {
  const at = new FieldNotes(notes, { name: 'name' })
  return readNames([name], at).map((each) => contributorOf(role, each))
}
