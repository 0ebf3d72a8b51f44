import { checkNewWork } from '#actors/works/request_checks.ts'
import { checkEntry } from '#src/discovery/citation_files/citation_file.ts'
import { parseJsonRecords, readJson } from '#src/discovery/citation_files/json_records.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import { usualForm } from '#src/discovery/formats/citation_styles.ts'
import { formats } from '#src/discovery/formats/format_table.ts'
import { wholeMetadata } from '#test/src/discovery/formats/_whole_work.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

// How formats say that a name is of a person, or of a group.
const person = new RegExp(
  'Personal|"person"|"Person"|schema:Person|"personal"|<person_name|<surname>|"family"|Vale, Nora',
)
const group = new RegExp(
  'Organizational|"organization"|"Organi|schema:Organi|"corporate"|<collab|<organization|' +
    '"literal":"Arbei|\\{Arbei',
)

/**
 * The properties of DataCite 4.7, each with texts of the whole work that stand for its values and
 * for those of its attributes, in whatever spelling a format has them.
 */
const properties: readonly (readonly [name: string, ...values: readonly RegExp[]])[] = [
  ['1 identifier', /10\.1234\/lake-3/],
  ['2 creator: name', /Nora/, /Vale/, /Arbeitskreis Seepegel/],
  ['2 creator: nameType', person, group],
  ['2 creator: nameIdentifier', /0000-0002-1825-0097/, /0000000121032683/],
  ['2 creator: affiliation', /Lake Office/, /05gq02987/, /School of Gauges/],
  ['3 title', /Heights of a lake/i],
  ['3 title: further ones', /Daily means/, /Pegel eines/, /LAKE-3/],
  [
    '3 title: titleType',
    /Subtitle|"subtitle"|<subtitle>|<subTitle>|subtitle =/,
    /TranslatedTitle|"translated"|<trans-title|workTranslation/,
  ],
  ['4 publisher', /House of Gauges/],
  ['4 publisher: identifier', /publisher[^<\]}]{0,80}05gq02987|publisher <[^>]*05gq02987/s],
  ['5 publicationYear', /2023/],
  ['6 subject', /lakes/, /heights/i, /Hydrology, inland/],
  ['6 subject: scheme, code', /Example terms/, /551\.48/],
  ['7 contributor', /Brandt/, /Friends of the Lake/],
  ['7 contributor: contributorType', /DataCollector|data.collector/],
  ['8 date', /2023-05-06|2023,5,6/, /1999-01-01\/2001-12-31/, /-0043\/1066/],
  ['8 date: dateType', /Collected|"collected"/, /what the shells tell/],
  ['9 language', /\ben\b|english/i],
  ['10 resourceType', /Dataset|dataset/, /Gauge series/],
  ['11 alternateIdentifier', /HG-0033/],
  ['12 relatedIdentifier', /10\.1234\/lake-2/, /10\.1234\/staff/],
  ['12 relatedIdentifier: relationType', /IsNewVersionOf|isBasedOn/, /is read from/],
  ['13 size', /1096 rows/],
  ['14 format', /text\/csv/],
  ['15 version', /3\.1/],
  ['16 rights', /licenses\/by\/4\.0|CC-BY-4\.0/i, /info:eu-repo\/semantics\/openAccess/],
  ['17 description', /Heights (?:&amp;|&|\\&) depths/, /Tägliche Mittel/, /Read from a staff/],
  ['18 geoLocation', /Unseen Lake/, /8\.25/, /47\.75/],
  ['19 fundingReference', /Water Fund/, /WL-9/, /Waters unseen/, /501100000780/],
  ['20 relatedItem', /Lake Letters/, /Marsh/, /Reed Press/],
]

/** What is written of the work, by the names of the columns. */
function written(): ReadonlyMap<string, string> {
  const check = checkNewWork(wholeMetadata)
  const metadata = check.type === 'ok' ? check.metadata : wholeMetadata
  const work = describedWork(metadata, {
    content: { url: '', mediaType: null, hash: null, size: null, isOpen: false },
  })
  const texts = Object.entries(formats).flatMap(([name, { render }]) => {
    // A citation is no record, and the newer deposit says no more here.
    const isTold = name !== 'citation' && name !== 'crossref-xml-5.5'
    return isTold ? [[name, render(work, usualForm)] as const] : []
  })
  const own = new Map(texts)
  return new Map([
    ['API', JSON.stringify(metadata)],
    ['import of XML', imported(own.get('datacite-xml') ?? '')],
    ['import of JSON', imported(own.get('datacite-json') ?? '')],
    ...texts,
  ])
}

function imported(text: string): string {
  const xml = new XmlReader()
  const isXml = text.startsWith('<')
  const entries = isXml ? [...xml.push(text), ...xml.end()] : readJson(parseJsonRecords(text))
  const [entry] = entries.map((each) => checkEntry(each, isXml ? 'xml' : 'json'))
  return JSON.stringify(entry?.body)
}

/** What becomes of each property in each format, as a table; the reasons stand below it. */
export function propertyTable(): readonly string[] {
  const columns = written()
  const names = [...columns.keys()]
  return [
    `| DataCite 4.7 | ${names.join(' | ')} |`,
    `|---${'|---'.repeat(names.length)}|`,
    ...properties.map(([name, ...values]) => {
      const cells = names.map((column) => {
        const text = columns.get(column) ?? ''
        const found = values.filter((value) => value.test(text)).length
        return found === values.length ? 'carried' : found === 0 ? 'lost' : 'partly'
      })
      return `| ${name} | ${cells.join(' | ')} |`
    }),
  ]
}

/** The table between its marks, for the documentation. */
export function markedTable(): string {
  return `<!-- properties -->\n${propertyTable().join('\n')}\n<!-- end of properties -->`
}
