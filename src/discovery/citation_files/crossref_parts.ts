import { recognizeEdtf } from '#actors/values/date.ts'
import { closedTable } from '#actors/values/lazy_table.ts'
import { readLicense } from '#actors/values/license.ts'
import { type RelatedIdentifier, relations } from '#actors/values/related_identifier.ts'
import { definedOf } from '#actors/values/serialization.ts'
import type { WorkType } from '#actors/values/work_type.ts'
import type { Funding } from '#actors/works/funding.ts'
import { readDoi, readRor } from '#src/discovery/citation_files/addresses.ts'
import { placeOf } from '#src/discovery/citation_files/affiliations.ts'
import { FieldNotes, type NoteList, quote } from '#src/discovery/citation_files/citation_file.ts'
import { readCslDate } from '#src/discovery/citation_files/dates.ts'
import {
  isEmpty,
  listOf,
  noteVersion,
  objectOf,
  readDateField,
  textOf,
} from '#src/discovery/citation_files/field_rows.ts'
import {
  markedText,
  type MarkedText,
  noteMarks,
  plainText,
} from '#src/discovery/citation_files/markup.ts'
import {
  type HoldingNumber,
  holdingNumbers,
  relatedOf,
} from '#src/discovery/citation_files/related_things.ts'
import { mergeReadings, type SourceWork } from '#src/discovery/citation_files/work_draft.ts'
import { referenceParts, relationInDatacite } from '#src/discovery/formats/crossref_terms.ts'
import { containerKindOf } from '#src/discovery/formats/described_work.ts'

type Json = Readonly<Record<string, unknown>>
type Parts = Partial<SourceWork>

/** A text as a line; of a list the first. */
function line(value: unknown): string | undefined {
  const text = textOf(value) ?? textOf(objectOf(value)['value'])
  return text === undefined ? undefined : plainText(text) || undefined
}

/** A text as a line with its marks, of a list the first; empty if there is none. */
function markedLine(value: unknown): MarkedText {
  return markedText(textOf(value) ?? textOf(objectOf(value)['value']) ?? '')
}

/** The members of Crossref's works, and of CSL, that fill several fields or none of ours alone. */
export const partMembers =
  'title original-title original-subtitle subtitle short-title title-short shortTitle ' +
  'translated-title ' +
  'issued published published-print published-online published-other posted accepted approved ' +
  'content-created content-updated submitted received available-date ' +
  'license free-to-read link funder reference relation updated-by update-to status ' +
  'event event-title event-place event-date assertion clinical-trial-number archive ' +
  'archive_location ' +
  'alternative-id review version content-domain proceedings-subject institution ' +
  'standards-body container-title collection-title collection-number ISSN ISBN issn-type ' +
  'isbn-type series-issn award award-start award-end award-planned-end issue-date'

/** What those members say. */
export function crossrefParts(
  record: Json,
  type: string,
  work_type: WorkType,
  notes: NoteList,
): Parts {
  const at = (name: string) => new FieldNotes(notes, { name })
  const all: readonly Parts[] = [
    titlesOf(record, at('title')),
    datesOf(record, at),
    rightsOf(record, at('license')),
    { files: filesOf(record) },
    { funding: listOf(record['funder']).flatMap((each) => fundersOf(each, at('funder'))) },
    { references: listOf(record['reference']).flatMap(referenceOf) },
    relationParts(record['relation'], at('relation')),
    { update_notices: noticesOf(record, notes) },
    eventOf(record, at),
    { assertions: listOf(record['assertion']).flatMap(assertionOf) },
    { clinical_trials: listOf(record['clinical-trial-number']).flatMap(trialOf) },
    { archives: listOf(record['archive']).flatMap((each) => line(each) ?? []) },
    { alternate_identifiers: placeInArchive(record) },
    numbersOf(record, type),
    versionOf(record['version']),
    institutionsOf(record, type, at('standards-body')),
    containersOf(record, type, work_type, at('container-title')),
    furtherOf(record),
  ]
  return mergeReadings(all)
}

/** What the archive of an item calls it, as CSL has it. */
function placeInArchive(record: Json): readonly unknown[] {
  const identifier = line(record['archive_location'])
  if (identifier === undefined) return []
  return [{ identifier, type: line(listOf(record['archive'])[0]) ?? 'Archive' }]
}

/** Titles: texts, or objects with a language, as the reader of XML has them. */
function titlesOf(record: Json, at: FieldNotes): Parts {
  noteMarks(JSON.stringify([record['title'], record['subtitle']]), at)
  const read = (member: string, kind?: string) => {
    return listOf(record[member]).flatMap((each) => {
      const { title: own, language } = objectOf(each)
      const { text: title, markup } = markedLine(own ?? each)
      if (title === '') return []
      return [definedOf({ title, markup, kind, language: textOf(language) })]
    })
  }
  const [main, ...others] = read('title')
  const originals = read('original-title', 'original')
  const title = main ?? originals[0]
  const [subtitle, ...more] = read('subtitle', 'subtitle')
  // A second subtitle is that of the original title.
  const later = more.map((each) => ({
    ...each,
    kind: originals.length > 0 ? 'original_subtitle' : 'subtitle',
  }))
  const further = [
    ...(subtitle === undefined ? [] : [subtitle]),
    ...others,
    ...read('translated-title', 'translated'),
    ...originals,
    ...later,
    ...read('original-subtitle', 'original_subtitle'),
    ...['short-title', 'title-short', 'shortTitle'].flatMap((name) => read(name, 'short')),
  ]
  const kept = further.filter(
    (each) => each !== title && (each.title !== title?.title || each.kind === 'original'),
  )
  return {
    ...(title !== undefined && { work_title: title.title }),
    ...(title?.markup !== undefined && { work_title_markup: title.markup }),
    ...(isOtherLanguage(title?.language, record) && { work_title_language: title?.language }),
    titles: kept.filter((each) => each.title !== title?.title || each.language !== undefined),
  }
}

function isOtherLanguage(language: string | undefined, record: Json): boolean {
  return language !== undefined && language !== textOf(record['language'])
}

// Days that a record tells beside that of the publication.
const dateKinds: Readonly<Record<string, string>> = closedTable({
  'published-print': 'print',
  'published-online': 'online',
  'published-other': 'other',
  posted: 'posted',
  accepted: 'accepted',
  approved: 'approved',
  'content-created': 'created',
  'content-updated': 'updated',
  submitted: 'submitted',
  received: 'received',
  'available-date': 'available',
  'award-start': 'other',
  'award-end': 'other',
  'award-planned-end': 'other',
  'issue-date': 'other',
})

const dateNotes: Readonly<Record<string, string>> = closedTable({
  'published-other': 'published elsewhere',
  'award-start': 'start of the award',
  'award-end': 'end of the award',
  'award-planned-end': 'planned end of the award',
  'issue-date': 'date of the issue',
})

// What a work is published by, where it does not say when it was.
const published = ['published-online', 'published-print', 'published-other', 'posted', 'approved']

function datesOf(record: Json, at: (name: string) => FieldNotes): Parts {
  const told = ['issued', 'published'].flatMap(
    (name) => readDateField(record[name], at(name)) ?? [],
  )
  const hasDate = told.some(({ date }) => date !== undefined)
  const others = published.flatMap((name) => readDateField(record[name], at(name)) ?? [])
  const first = others
    .filter(({ date }) => date !== undefined)
    .toSorted((one, other) => ((one.date ?? '') < (other.date ?? '') ? -1 : 1))
    .slice(0, 1)
  if (!hasDate && first[0]?.at.field === 'approved') {
    first[0].at.add('taken_as', 'It has no date of publication: approved is taken for it.')
  }
  const issue = objectOf(record['journal-issue'])
  const daysOfIssue = ['published-print', 'published-online'].flatMap(
    (name) => readDateField(issue[name], at('journal-issue')) ?? [],
  )
  const ofIssue = first.length > 0 ? [] : daysOfIssue
  const further_dates = Object.entries(dateKinds).flatMap(([name, kind]) =>
    listOf(record[name]).flatMap((each) => {
      const date = edtfOf(each)
      if (date === undefined && !isEmpty(each)) at(name).notRead(each, 'it is no date')
      noteShortened(each, date, at(name))
      return date === undefined ? [] : [definedOf({ kind, date, note: dateNotes[name] })]
    }),
  )
  // The issue may have appeared on other days than the work.
  const known = [...told, ...others].flatMap(({ date }) => date ?? [])
  for (const { date } of ofIssue.length > 0 ? [] : daysOfIssue) {
    if (date === undefined || known.some((each) => each.startsWith(date))) continue
    further_dates.push({ kind: 'other', date, note: 'date of the issue' })
  }
  return { dates: hasDate ? told : [...told, ...first, ...ofIssue], further_dates }
}

function noteShortened(value: unknown, date: string | undefined, at: FieldNotes): void {
  const { remark, date: read } = readCslDate(value)
  if (remark === undefined || read === undefined || read !== date) return
  const shown = quote(JSON.stringify(value))
  at.add('taken_as', `${at.field} "${shown}" is taken as ${date}: ${remark}.`, true)
}

/** A date as EDTF: a season of XML, a range of CSL, or a day. */
function edtfOf(value: unknown): string | undefined {
  const { edtf, 'date-parts': parts, circa } = objectOf(value)
  const own = textOf(edtf)
  if (own !== undefined) return recognizeEdtf(own)
  const [first] = listOf(parts)
  const [year, month] = listOf(first).map(textOf)
  // Seasons are months from 21 to 24 in Crossref, as they are in EDTF.
  if (listOf(parts).length === 1 && /^\d{4}$/.test(year ?? '') && /^2[1-4]$/.test(month ?? '')) {
    return `${year}-${month}`
  }
  const ends = listOf(parts).map((each) => readCslDate({ 'date-parts': [each] }).date)
  const [from, to] = ends
  if (from !== undefined && to !== undefined) return from === to ? from : `${from}/${to}`
  const { date } = readCslDate(value)
  return date === undefined || !circa ? date : `${date}~`
}

const uses: Readonly<Record<string, string>> = closedTable({
  vor: 'version_of_record',
  am: 'accepted_manuscript',
  tdm: 'text_mining',
  'stm-asf': 'article_sharing',
})

// Licences of the text that readers have, before those of drafts; that of mining is none for them.
const readerVersions = ['vor', 'unspecified', '', 'am']

/** The licence of the text that readers have; all other rights beside it. */
function rightsOf(record: Json, at: FieldNotes): Parts {
  const license = record['license']
  const { date: day } = readCslDate(record['issued'] ?? record['published'])
  const given = listOf(license).map((each) => {
    const { URL: url, 'content-version': version, start } = objectOf(each)
    return {
      url: textOf(url) ?? textOf(each),
      version: (textOf(version) ?? '').toLowerCase(),
      start: readCslDate(start).date,
    }
  })
  const named = given.map((each) => ({ ...each, name: readLicense(each.url ?? '') }))
  const main = readerVersions
    .map((version) => named.filter((each) => each.version === version && each.name !== undefined))
    // Of two, one that has a name is a licence, and the other may be anything.
    .map((same) => same.find(({ name = '' }) => !name.includes('://')) ?? same[0])
    .find((each) => each !== undefined)
  const own = main?.name
  noteVersion(main?.url ?? '', own, at)
  const others = named.filter((each) => {
    const isSame = each.version === main?.version && each.name === own
    return each !== main && each.url !== undefined && !isSame
  })
  for (const { url } of others) {
    if (url !== undefined && /\s/.test(url)) at.notRead(url, 'it is no address of a licence')
  }
  // When a licence begins later than the work, that is told too.
  const { start: from = '' } = main ?? {}
  const isLater = day !== undefined && isAfter(from, day)
  const told = isLater && main !== undefined ? [main, ...others] : others
  return {
    ...(own !== undefined && { license: own }),
    rights: told.flatMap(({ url = '', version, start, name: known }) => {
      if (/\s/.test(url)) return []
      return [
        definedOf({
          license: known,
          uri: known === undefined ? url : undefined,
          applies_to: uses[version] ?? (/^(?:unspecified)?$/.test(version) ? undefined : 'other'),
          start_date: start,
        }),
      ]
    }),
    ...accessOf(record['free-to-read'], day),
  }
}

/** Who can read a work that was published on a day: what is free later is embargoed until then. */
function accessOf(free: unknown, day: string | undefined): Parts {
  if (free === undefined || free === null) return {}
  const [start_date, end_date] = ['start-date', 'end-date'].map(
    (name) => readCslDate(objectOf(free)[name]).date,
  )
  const isLater = start_date !== undefined && day !== undefined && isAfter(start_date, day)
  const right = isLater ? 'embargoed' : 'open'
  return { access: definedOf({ right, start_date, end_date }) }
}

/** Whether a date is later than another one, of which either may be a year or a month alone. */
function isAfter(date: string, other: string): boolean {
  return date > other && !date.startsWith(other)
}

const fileKinds: Readonly<Record<string, string>> = closedTable({
  'text-mining': 'text_mining',
  'similarity-checking': 'similarity_checking',
  syndication: 'syndication',
  supplement: 'supplement',
})

function filesOf(record: Json): readonly unknown[] {
  // Pages of the work elsewhere, of which the first is its address.
  const pages = listOf(objectOf(record['resource'])['secondary']).flatMap((each) => {
    const { URL: given, label } = objectOf(each)
    const url = textOf(given)
    return url === undefined ? [] : [definedOf({ url, name: line(label), kind: 'landing_page' })]
  })
  const files = listOf(record['link']).flatMap((each) => {
    const {
      URL: given,
      'content-type': type,
      'content-version': version,
      'intended-application': use,
    } = objectOf(each)
    const url = textOf(given)
    if (url === undefined) return []
    const media_type = textOf(type)
    return [
      definedOf({
        url,
        kind: fileKinds[textOf(use) ?? ''] ?? 'content',
        content_version: uses[textOf(version) ?? ''],
        media_type: media_type?.includes('/') === true ? media_type : undefined,
      }),
    ]
  })
  return [...files, ...pages]
}

/** A funder, once for each of its awards. One that has an identifier alone is called by it. */
function fundersOf(value: unknown, at: FieldNotes): readonly Funding[] {
  const funder = objectOf(value)
  const named = readDoi(textOf(funder['DOI']) ?? '')
  const ids = listOf(funder['id']).flatMap(
    (each) => textOf(objectOf(each)['id']) ?? textOf(each) ?? [],
  )
  const ror = ids.find((id) => readRor(id) !== undefined)
  const doi =
    named ?? ids.flatMap((id) => readDoi(id) ?? []).find((id) => id.startsWith('10.13039/'))
  const identifier = doi ?? ror ?? ids[0]
  const name = line(funder['name']) ?? identifier
  if (name === undefined) {
    if (!isEmpty(value)) at.notRead(value, 'a funder needs a name')
    return []
  }
  if (isEmpty(funder['name'])) {
    at.add('taken_as', `A funder has no name: it is called ${name}.`)
  }
  const known = definedOf({
    funder: name,
    identifier,
    identifier_type:
      doi === undefined
        ? identifier && (ror === undefined ? 'Other' : 'ROR')
        : 'Crossref Funder ID',
  })
  const awards = [...listOf(funder['award']), ...listOf(funder['award-info']).flatMap(awardsIn)]
    .map(line)
    .filter((award) => award !== undefined)
  const all = awards.length === 0 ? [known] : awards.map((award) => ({ ...known, award }))
  return all as readonly Funding[]
}

function awardsIn(value: unknown): readonly unknown[] {
  return listOf(objectOf(value)['award-number'])
}

// Members of a reference by ours.
const referenceMembers: Readonly<Record<string, string>> = Object.fromEntries(
  referenceParts.map(([ours, member]) => [member, ours]),
)

function referenceOf(value: unknown): readonly unknown[] {
  const whole = line(textOf(value))
  if (whole !== undefined) return [{ text: whole }]
  const { issn: ISSN, isbn: ISBN, ...members } = objectOf(value)
  const given = definedOf({ ISSN, ISBN, ...members }) as Json
  const reference: Record<string, unknown> = {}
  for (const [name, ours] of Object.entries(referenceMembers)) {
    const text = line(given[name])
    if (text !== undefined) reference[ours] = ours === 'doi' ? (readDoi(text) ?? text) : text
  }
  const { key: _, ...facts } = reference
  return Object.keys(facts).length === 0 ? [] : [reference]
}

/** The conference; in CSL it stands in members of its own. */
function eventOf(record: Json, at: (name: string) => FieldNotes): Parts {
  const event = objectOf(record['event'])
  const [date] = listOf(record['event-date'])
  const range = edtfOf(date)?.split('/') ?? []
  // CSL 1.0.2 has `event-title` for what was `event`.
  const names = ['event-title', 'event'].flatMap((member) => line(record[member]) ?? [])
  const name = line(event['name']) ?? names[0]
  if (name !== undefined && names.some((each) => each !== name)) {
    at('event').add('repeated', `event has several names; ${quote(name)} counts.`)
  }
  if (name === undefined) {
    for (const member of ['event-place', 'event-date']) {
      const value = record[member]
      // Programs have written the place of the publisher as that of the event, too.
      if (value === undefined || value === record['publisher-place']) continue
      at(member).notRead(value, 'no event is named')
    }
    return {}
  }
  const sponsors = listOf(event['sponsor']).flatMap((each) => line(each) ?? [])
  return {
    event: definedOf({
      name,
      acronym: line(event['acronym']),
      number: line(event['number']),
      theme: line(event['theme']),
      place: line(event['location']) ?? line(record['event-place']),
      start_date: readCslDate(event['start']).date ?? range[0],
      end_date: readCslDate(event['end']).date ?? range[1],
      sponsors: sponsors.length === 0 ? undefined : sponsors,
    }),
  }
}

function assertionOf(value: unknown): readonly unknown[] {
  const given = objectOf(value)
  const [name, said] = [line(given['name']), textOf(given['value'])]
  if (name === undefined || said === undefined) return []
  const group = objectOf(given['group'])
  const order = given['order']
  return [
    definedOf({
      name,
      label: line(given['label']),
      value: plainText(said, 'paragraphs'),
      group: line(group['name']),
      group_label: line(group['label']),
      order: typeof order === 'number' ? order : undefined,
      uri: textOf(given['URL']),
      explanation_uri: textOf(objectOf(given['explanation'])['URL']),
    }),
  ]
}

function trialOf(value: unknown): readonly unknown[] {
  const { 'clinical-trial-number': number, registry, type } = objectOf(value)
  const text = line(number) ?? line(value)
  if (text === undefined) return []
  return [definedOf({ number: text, registry: line(registry), kind: line(type) })]
}

const issnKinds: Readonly<Record<string, string>> = closedTable({
  print: 'print',
  electronic: 'electronic',
  link: 'linking',
})

/** The numbers of what holds the work, with their media where they are told. */
function numbersOf(record: Json, type: string): Parts {
  const issns = typedNumbers(record['ISSN'], record['issn-type'])
  const series = typedNumbers(undefined, record['series-issn'])
  // Books have none: theirs is that of their series.
  const isBook = inBooks.test(type) || /^(?:monograph|edited-book|book)$/.test(type)
  const identifiers = listOf(record['alternative-id']).flatMap((each) => {
    const { identifier: own, type: kind } = objectOf(each)
    const identifier = line(own ?? each)
    return identifier === undefined ? [] : [{ identifier, type: line(kind) ?? 'Alternative ID' }]
  })
  return mergeReadings([
    holdingNumbers('ISSN', isBook ? [] : issns, 'issn'),
    holdingNumbers('ISSN', isBook ? [...issns, ...series] : series, 'series_issn'),
    holdingNumbers('ISBN', typedNumbers(record['ISBN'], record['isbn-type']), 'isbn'),
    { alternate_identifiers: identifiers },
  ])
}

function typedNumbers(values: unknown, types: unknown): readonly HoldingNumber[] {
  const told = listOf(types).flatMap((each) => {
    const { value, type } = objectOf(each)
    return listOf(value).map((one) => ({ value: line(one), kind: issnKinds[textOf(type) ?? ''] }))
  })
  const kinds = new Map(told.map(({ value, kind }) => [bare(value), kind]))
  const plain = listOf(values).flatMap((each) => (line(each) ?? '').split(/[,;\s]+(?=\S{8,})/))
  const given = [...plain, ...told.map(({ value }) => value ?? '')]
  const all = new Map(given.map((one) => [bare(one), one]))
  all.delete('')
  // Older records have them as addresses.
  return [...all].map(([key, value]) => {
    return { value: value.replace(/^.*\//, ''), kind: kinds.get(key) }
  })
}

function bare(number: string | undefined): string {
  return (
    number
      ?.replace(/^.*\//, '')
      .replaceAll(/[^\dXx]/g, '')
      .toUpperCase() ?? ''
  )
}

function versionOf(value: unknown): Parts {
  const { version, 'version-description': words, description } = objectOf(value)
  const own = line(version) ?? line(value)
  const said = line(
    listOf(words ?? description).map((each) => objectOf(each)['description'] ?? each),
  )
  return {
    ...(own !== undefined && { resource_version: own }),
    ...(said !== undefined && { resource_version_note: said }),
  }
}

/** The institutions behind a work: the server of a preprint, a school, a body of standards. */
function institutionsOf(record: Json, type: string, at: FieldNotes): Parts {
  const placesIn = (name: string) => listOf(record[name]).flatMap((each) => placeOf(each, at) ?? [])
  const bodies = placesIn('standards-body')
  const institutions = [...placesIn('institution'), ...bodies]
  // Theses, reports and standards are published by the institution that they are of.
  const isOwn = isEmpty(record['publisher']) || /dissertation|report/.test(type)
  const own = isOwn ? institutions[0]?.name : undefined
  const more = institutions.filter((each) => each.name !== own || Object.keys(each).length > 1)
  const parts = { ...(own !== undefined && { publisher_name: own }), institutions: more }
  if (!isEmpty(record['author'])) return parts
  const body = bodies[0]?.name
  // A book that names who had the chair of its meeting names those who made it, and no author.
  const isOfNobody = ofNobody.test(type) || !isEmpty(record['chair'])
  const publisher = isOfNobody && isEmpty(record['editor']) ? line(record['publisher']) : undefined
  const literal = body ?? publisher
  if (literal === undefined) return parts
  const why = body === undefined ? 'who published it' : 'whose standard it is'
  at.add('taken_as', `It names no author: ${literal}, ${why}, is taken for one.`)
  return { ...parts, authors: [{ literal, name_type: 'organization' }] }
}

// Crossref has these without anybody who wrote them, as parts or wholes of what others wrote.
const ofNobody = new RegExp(
  '^(?:component|reference-entry|journal(?:-issue|-volume)?|proceedings(?:-series)?' +
    '|book-(?:series|set)|report-series)$',
)

const inBooks = /^(?:book-|chapter|reference-entry|proceedings|paper-conference|entry)/

/** What holds the work: of a chapter Crossref has the series before the book, in one list. */
function containersOf(record: Json, type: string, work_type: WorkType, at: FieldNotes): Parts {
  const titles = listOf(record['container-title']).flatMap((each) => line(each) ?? [])
  const isInSeries = titles.length > 1 && inBooks.test(type)
  const container_title = isInSeries ? titles.at(-1) : titles[0]
  const left = isInSeries ? titles.slice(1, -1) : titles.slice(1)
  const known = new Set([container_title, ...listOf(record['short-container-title']).map(line)])
  if (left.some((each) => !known.has(each))) {
    at.add('repeated', `It stands in several: ${quote(container_title ?? '')} counts.`)
  }
  const series = (isInSeries ? titles[0] : undefined) ?? line(record['collection-title'])
  const number = line(record['collection-number'])
  if (container_title === undefined) {
    // What a book stands in is its series; a talk is in the place of its event.
    if (containerKindOf(work_type) === 'series') {
      return definedOf({ container_title: series, volume: number })
    }
    const place = line(record['event-title'])
    return definedOf({ container_title: place, series_title: series, series_number: number })
  }
  return {
    container_title,
    ...(series !== undefined && { series_title: series }),
    ...(number !== undefined && { series_number: number }),
  }
}

/** What has no field of its own and yet a place. */
function furtherOf(record: Json): Parts {
  const award = listOf(record['award']).flatMap((each) => line(each) ?? [])
  const subjects = listOf(record['proceedings-subject']).flatMap((each) => {
    const subject = line(each)
    return subject === undefined ? [] : [{ subject, scheme: 'proceedings subject' }]
  })
  const review = objectOf(record['review'])
  const reviewed = definedOf({
    type: line(review['type']),
    stage: line(review['stage']),
    recommendation: line(review['recommendation']),
    revision_round: line(review['revision-round']),
    running_number: line(review['running-number']),
    competing_interests: line(review['competing-interest-statement']),
    language: line(review['language']),
  })
  const { domain, 'crossmark-restriction': restricted } = objectOf(record['content-domain'])
  const domains = listOf(domain).flatMap((each) => line(each) ?? [])
  return {
    subjects,
    alternate_identifiers: award.map((identifier) => ({ identifier, type: 'Award' })),
    ...(Object.keys(reviewed).length > 0 && { review: reviewed }),
    ...(domains.length > 0 && {
      content_domain: {
        domains,
        ...(typeof restricted === 'boolean' && { restricted }),
      },
    }),
  }
}

const idTypes: Readonly<Record<string, string>> = closedTable({ uri: 'URL', purl: 'PURL' })

/**
 * What a work has to do with other things. A relation that DataCite has not exactly keeps its name
 * in the note; a thing whose identifier is of none of our schemes is a related item.
 */
function relationParts(value: unknown, at: FieldNotes): Partial<SourceWork> {
  const identifiers: RelatedIdentifier[] = []
  const items: unknown[] = []
  for (const [name, related] of Object.entries(objectOf(value))) {
    const named = relationInDatacite(name)
    for (const each of listOf(related)) {
      const { id, 'id-type': given, description, namespace } = objectOf(each)
      const identifier = textOf(id)
      if (identifier === undefined) continue
      const type = textOf(given) ?? 'doi'
      const { relation, note } = saidOf(named, textOf(description))
      const known = relatedOf(relation, idTypes[type] ?? type, identifier, { note })
      if (known !== undefined) {
        identifiers.push(known)
        continue
      }
      const scheme = textOf(namespace)
      const shown = scheme === undefined ? note : [note, scheme].filter(Boolean).join(': ')
      items.push(
        definedOf({ type: 'other', relation, note: shown, identifier, identifier_type: type }),
      )
      at.add(
        'taken_as',
        `${name} ${identifier}: a related item, as its kind of identifier is none of ours.`,
      )
    }
  }
  return { related_identifiers: identifiers, related_items: items }
}

/** The relation that is said, and what is said of it; a description may begin with DataCite's. */
function saidOf(
  { relation, isExact, camel }: ReturnType<typeof relationInDatacite>,
  description: string | undefined,
): Pick<RelatedIdentifier, 'relation' | 'note'> {
  const said = description === undefined ? '' : plainText(description)
  const [, word = '', words = ''] = /^(\w+)(?:: (.*))?$/s.exec(said) ?? []
  const own = relations.find((each) => each === word)
  const parts = own === undefined ? [isExact ? '' : camel, said] : [words]
  const note = parts.filter((part) => part !== '').join(': ')
  return { relation: own ?? relation, ...(note !== '' && { note }) }
}

// Kinds of updates that Crossref knows, and shorter names that stand in older records.
const kinds: Readonly<Record<string, string>> = closedTable({
  addendum: 'addendum',
  clarification: 'clarification',
  correction: 'correction',
  corrigendum: 'corrigendum',
  erratum: 'erratum',
  err: 'erratum',
  expression_of_concern: 'expression_of_concern',
  concern: 'expression_of_concern',
  new_edition: 'new_edition',
  new_version: 'new_version',
  partial_retraction: 'partial_retraction',
  removal: 'removal',
  retraction: 'retraction',
  withdrawal: 'withdrawal',
})

/**
 * The notices on a work, and what it is itself a notice on. The same notice from several sources is
 * one, with the date of the publisher.
 */
function noticesOf(record: Json, notes: NoteList): readonly unknown[] {
  const reason = reasonIn(record)
  const told = [
    ...noticesIn(record, 'updated-by', 'of_this', notes),
    ...noticesIn(record, 'update-to', 'by_this', notes),
    ...statusOf(record),
  ]
  const distinct = new Map<string, Json>()
  for (const notice of told) {
    const key = [notice['direction'], notice['kind'], notice['doi']].join(' ')
    const known = distinct.get(key)
    distinct.set(key, known === undefined ? notice : merged(known, notice))
  }
  return [...distinct.values()].map((notice) => {
    const isRetracted = notice['direction'] === 'of_this' && notice['kind'] === 'retraction'
    return isRetracted && reason !== undefined ? { ...notice, reason } : notice
  })
}

function merged(one: Json, other: Json): Json {
  const sources = [one, other].flatMap((each) => listOf(each['sources']))
  const isOwn = listOf(other['sources']).includes('publisher')
  const both = isOwn ? { ...one, ...other } : { ...other, ...one }
  return sources.length === 0 ? both : { ...both, sources: [...new Set(sources)] }
}

/** The reason of a retraction, which is one of the assertions of its work. */
function reasonIn(record: Json): string | undefined {
  const assertion = listOf(record['assertion'])
    .map(objectOf)
    .find(({ name }) => name === 'retraction_reason')
  const text = textOf(assertion?.['value'])
  return text === undefined ? undefined : plainText(text)
}

function noticesIn(
  record: Json,
  member: string,
  direction: 'of_this' | 'by_this',
  notes: NoteList,
): readonly Json[] {
  const at = new FieldNotes(notes, { name: member })
  const own = readDoi(textOf(record['DOI']) ?? '')
  return listOf(record[member]).flatMap((each) => {
    const { DOI, type, label, updated, source, 'record-id': record_id } = objectOf(each)
    if (isEmpty(each) || textOf(each) !== undefined) return []
    const doi = readDoi(textOf(DOI) ?? '')
    const name = (textOf(type) ?? '').toLowerCase().replaceAll(/[\s-]+/g, '_')
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined) {
      at.add('taken_as', `The update "${quote(name)}" is taken as correction.`, true)
    } else if (kind !== name) {
      at.add('taken_as', `The update "${name}" is taken as ${kind}.`)
    }
    noteLabel(label, [name, kind], at)
    if (kind === 'new_version' && doi !== undefined && doi === own) {
      at.add('left_out', 'Left out: that the work is a new version of itself.', false)
      return []
    }
    const { date } = readCslDate(updated)
    const told = sourceOf(source)
    return [
      definedOf({
        kind: kind ?? 'correction',
        doi,
        date,
        direction,
        sources: told === undefined ? undefined : [told],
        record_id: textOf(record_id),
      }),
    ]
  })
}

/** Tells the label of an update that says something else than its kind. */
function noteLabel(
  value: unknown,
  [name, kind = 'correction']: readonly [string, string | undefined],
  at: FieldNotes,
): void {
  const label = textOf(value)
  const said = label?.toLowerCase().replaceAll(/[\s_-]+/g, '_')
  if (label === undefined || said === name || said === kind) return
  at.add('left_out', `${at.field}: the label "${quote(label)}" of ${kind} is left out.`)
}

const sources: Readonly<Record<string, string>> = closedTable({
  publisher: 'publisher',
  'retraction-watch': 'Retraction Watch',
})

function sourceOf(value: unknown): string | undefined {
  const text = textOf(value)
  return text === undefined ? undefined : (sources[text] ?? text)
}

/** That a preprint was withdrawn or removed, which its own record says. */
function statusOf(record: Json): readonly Json[] {
  const { type, update, 'status-description': descriptions } = objectOf(record['status'])
  const kind = { withdrawn: 'withdrawal', removed: 'removal' }[textOf(type) ?? '']
  if (kind === undefined) return []
  const reasons = listOf(descriptions).flatMap((each) => {
    return textOf(objectOf(each)['description']) ?? textOf(each) ?? []
  })
  const reason = plainText(reasons.join(' '))
  const { date } = readCslDate(update)
  return [definedOf({ kind, date, reason: reason || undefined, direction: 'of_this' })]
}
