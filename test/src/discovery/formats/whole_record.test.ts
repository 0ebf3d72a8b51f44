import test from 'ava'

import { checkNewWork } from '#actors/works/request_checks.ts'
import { checkEntry } from '#src/discovery/citation_files/citation_file.ts'
import { parseJsonRecords, readJson } from '#src/discovery/citation_files/json_records.ts'
import { XmlReader } from '#src/discovery/citation_files/xml_records.ts'
import { formatDataciteJson, formatDataciteXml } from '#src/discovery/formats/datacite.ts'
import { wholeMetadata } from '#test/src/discovery/formats/_whole_work.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

/** What a file of DataCite's says of a work, as it would be stored. */
function readBack(text: string): Readonly<Record<string, unknown>> {
  const xml = new XmlReader()
  const entries = text.startsWith('<')
    ? [...xml.push(text), ...xml.end()]
    : readJson(parseJsonRecords(text))
  const [entry] = entries.map((each) => checkEntry(each, 'json'))
  const check = checkNewWork(entry?.body)
  return check.type === 'ok' ? check.metadata : { faults: check.faults }
}

const own = checkNewWork(wholeMetadata)
const stored = own.type === 'ok' ? own.metadata : undefined
const work = describedWork(stored ?? wholeMetadata)

// The address of the file stands in JSON alone; the registry tells its own names beside others.
const inJsonAlone = ['files', 'work_url']
const told = ['alternate_identifiers', 'dates', 'related_identifiers', 'rights']

for (const [name, text] of [
  ['XML', formatDataciteXml(work)],
  ['JSON', formatDataciteJson(work)],
] as const) {
  test(`DataCite’s ${name} carries a whole record there and back`, (t) => {
    t.like(own, { type: 'ok' })
    const back = readBack(text)
    for (const [field, value] of Object.entries(stored ?? {})) {
      if (inJsonAlone.includes(field) && name === 'XML' && back[field] === undefined) continue
      if (field === 'work_url') continue
      if (!told.includes(field)) t.deepEqual(back[field], value, field)
      else {
        const texts = (back[field] as readonly unknown[]).map((each) => JSON.stringify(each))
        for (const each of value as readonly unknown[]) {
          t.true(texts.includes(JSON.stringify(each)), `${field} ${JSON.stringify(each)}`)
        }
      }
    }
  })
}

test('DataCite’s JSON has nothing twice, and what it has no form for in another one', (t) => {
  const ring = (west: number) => ({
    points: [
      { longitude: west, latitude: 1 },
      { longitude: west + 1, latitude: 1 },
      { longitude: west, latitude: 2 },
      { longitude: west, latitude: 1 },
    ],
  })
  const isni = { identifier: '0000000121032683', scheme: 'ISNI' }
  const text = formatDataciteJson(
    describedWork({
      work_title: 'Two ponds',
      work_type: 'dataset',
      authors: 'Nora Vale',
      author_details: [{ name: 'Nora Vale', identifiers: [isni, isni] }],
      descriptions: [
        { description: 'Read from a staff.', kind: 'methods' },
        { description: 'Read from a staff.', kind: 'methods' },
      ],
      geo_locations: [{ place: 'Ponds', polygons: [ring(3), ring(7)] }],
      related_items: [
        { relation: 'Cites', identifier: 'PMC12345', identifier_type: 'PMCID' },
        {
          relation: 'Cites',
          identifier: '10.1234/a',
          identifier_type: 'DOI',
          metadata_scheme: 'A',
        },
      ],
    }),
  )
  const { creators, descriptions, geoLocations, relatedItems } = JSON.parse(text) as {
    [member: string]: { [member: string]: unknown }[]
  }
  t.like(creators?.[0]?.['nameIdentifiers'], { length: 1 })
  t.is(descriptions?.length, 1)
  const polygons = geoLocations?.map(({ geoLocationPlace: place, geoLocationPolygon: points }) => {
    return [place, (points as { polygonPoint: unknown }[]).map((each) => each.polygonPoint)]
  })
  const pointsOf = (west: number) =>
    ring(west).points.map(({ longitude, latitude }) => {
      return { pointLongitude: longitude, pointLatitude: latitude }
    })
  t.deepEqual(polygons, [
    ['Ponds', pointsOf(3)],
    ['Ponds', pointsOf(7)],
  ])
  const [untyped, cited] = relatedItems ?? []
  t.like(untyped, { relatedItemIdentifier: undefined, number: 'PMC12345', numberType: 'Other' })
  t.like(cited, {
    relatedItemIdentifier: {
      relatedItemIdentifier: '10.1234/a',
      relatedItemIdentifierType: 'DOI',
    },
  })
  t.false(text.includes('relatedMetadataScheme'))
})
