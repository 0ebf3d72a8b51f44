import test from 'ava'
import { FaultList } from '#actors/values/fault_list.ts'
import { schemes } from '#actors/values/identifier_scheme.ts'
import { relatedIdentifierKind, relations } from '#actors/values/related_identifier.ts'

function read(value: unknown) {
  const faults = new FaultList()
  const stored = relatedIdentifierKind.read(value, 'it', faults)
  return { stored, faults: faults.faults, warnings: faults.warnings }
}

test('every relation and scheme is its own stored form', (t) => {
  for (const relation of relations) {
    const thing = { identifier: 'x', relation, scheme: 'ISSN' }
    t.deepEqual(read(thing).stored as object, thing)
  }
  for (const scheme of schemes) {
    const identifier = { DOI: '10.1234/x', ARK: 'ark:12345/x', URL: 'https://a.example/' }
    const known = identifier[scheme as keyof typeof identifier] ?? 'x'
    const thing = { identifier: known, relation: 'Cites', scheme }
    t.deepEqual(read(thing).stored as object, thing)
  }
})

test('identifiers are stored in the form of their scheme', (t) => {
  for (const [scheme, identifier, stored] of [
    ['doi', 'https://doi.org/10.1234/ABC', '10.1234/abc'],
    ['ark', 'https://n2t.net/ark:/12345/x5-4/c3', 'ark:12345/x54/c3'],
    ['url', 'https://example.org/é', 'https://example.org/%C3%A9'],
    ['issn', '0028-0836', '0028-0836'],
  ] as const) {
    t.is(read({ scheme, identifier, relation: 'is_part_of' }).stored?.identifier, stored)
  }
})

test('relations of Crossref and Dublin Core are told to be taken as those of DataCite', (t) => {
  for (const [relation, taken] of [
    ['is-review-of', 'Reviews'],
    ['isPreprintOf', 'IsVersionOf'],
    ['http://purl.org/dc/terms/isReplacedBy', 'IsObsoletedBy'],
    ['dcterms:isPartOf', 'IsPartOf'],
    ['http://purl.org/spar/cito/cites', 'Cites'],
    ['prov:wasDerivedFrom', 'IsDerivedFrom'],
    ['schema:citation', 'References'],
  ] as const) {
    const { stored, warnings } = read({ scheme: 'ISSN', identifier: '0028-0836', relation })
    t.is(stored?.relation, taken)
    t.is(warnings[0]?.code, 'value_folded')
  }
  const [other] = read({ scheme: 'ISSN', identifier: 'x', relation: 'isCommentOn' }).faults
  t.regex(other?.message ?? '', /; for others, Other, with the name of the relation in note$/)
  const [wrong] = read({ scheme: 'OCLC', identifier: 'x', relation: 'Cites' }).faults
  t.regex(wrong?.message ?? '', /; for others, URL, with the address of the thing$/)
})

test('an identifier must fit its scheme', (t) => {
  for (const [scheme, right] of [
    ['DOI', 'a DOI such as 10.1234/abc'],
    ['ARK', 'an ARK such as ark:/12345/x6np1wh8k'],
    ['URL', 'an http or https address'],
  ] as const) {
    const { stored, faults } = read({ scheme, identifier: 'x', relation: 'Cites' })
    t.is(stored, undefined)
    const message = `it.identifier must be ${right}`
    t.deepEqual(faults, [{ field: 'it.identifier', code: 'bad_value', message }])
  }
})

const spellings: readonly (readonly [scheme: string, texts: readonly string[], stored: string])[] =
  [
    ['ISSN', ['ISSN 0028-0836', '00280836', '0028‐0836', 'urn:issn:0028-0836'], '0028-0836'],
    ['ISSN', ['https://portal.issn.org/resource/ISSN/0028-0836'], '0028-0836'],
    ['ISSN', ['p-ISSN 0028-0836', '0028-0836 (print)'], '0028-0836'],
    ['LISSN', ['ISSN-L 0028-0836'], '0028-0836'],
    ['EISSN', ['eISSN: 1476-4687', '1476 4687'], '1476-4687'],
    ['ISBN', ['ISBN 978-3-16-148410-0', 'urn:isbn:978-3-16-148410-0'], '978-3-16-148410-0'],
    ['ISBN', ['ISBN-10: 0306406152'], '0306406152'],
    ['EAN13', ['EAN 4006381333931'], '4006381333931'],
    ['PMID', ['PMID:123', 'pmid 123', 'https://pubmed.ncbi.nlm.nih.gov/123/'], '123'],
    ['PMID', ['https://www.ncbi.nlm.nih.gov/pubmed/?term=123', 'info:pmid/123'], '123'],
    ['Handle', ['https://hdl.handle.net/20.500/1', 'hdl:20.500/1'], '20.500/1'],
    ['arXiv', ['arXiv:2101.00001v2', 'https://arxiv.org/abs/2101.00001v2'], '2101.00001v2'],
    ['arXiv', ['http://arxiv.org/pdf/2101.00001v2.pdf'], '2101.00001v2'],
    ['arXiv', ['arXiv:2101.00001 [math.AG]', '10.48550/arXiv.2101.00001'], '2101.00001'],
    ['URN', ['https://nbn-resolving.org/urn:nbn:de:101:1-2011'], 'urn:nbn:de:101:1-2011'],
    ['bibcode', ['bibcode: 2014Wthr...69...72C'], '2014Wthr...69...72C'],
    ['DOI', ['10.1000/a&lt;b'], '10.1000/a<b'],
    ['RAiD', ['https://doi.org/10.1000/abcde'], 'https://raid.org/10.1000/abcde'],
    ['RAiD', ['raid.org/10.1000/abcde', '10.1000/abcde'], 'https://raid.org/10.1000/abcde'],
  ]

for (const [scheme, texts, stored] of spellings) {
  test(`${texts.join(' and ')} of ${scheme} is told to be taken as ${stored}`, (t) => {
    for (const identifier of texts) {
      const { warnings, stored: taken } = read({ scheme, identifier, relation: 'Cites' })
      t.is(taken?.identifier, stored)
      t.is(warnings[0]?.code, 'value_folded')
    }
    t.deepEqual(read({ scheme, identifier: stored, relation: 'Cites' }).warnings, [])
  })
}

test('a number with a wrong check digit is kept as it is printed, and told', (t) => {
  for (const [scheme, identifier, right] of [
    ['ISSN', '2434-5611', 'an ISSN such as 0028-0836, with the right check digit'],
    ['ISBN', '9798886451741', 'an ISBN such as 978-3-16-148410-0, with the right check digit'],
    ['PMID', 'PMC123', 'the number of a PMID such as 123'],
  ] as const) {
    const { stored, warnings } = read({ scheme, identifier, relation: 'Cites' })
    t.is(stored?.identifier, identifier)
    const message = `it.identifier is kept, but is not ${right}`
    t.deepEqual(warnings, [{ field: 'it.identifier', code: 'unusual_identifier', message }])
  }
})

test('other names of a scheme are told to be taken as its own', (t) => {
  const given = { scheme: 'ISSN-L', identifier: '0028-0836', relation: 'Cites' }
  const { stored, warnings } = read(given)
  t.is(stored?.scheme, 'LISSN')
  t.is(warnings[0]?.code, 'value_folded')
  t.is(read({ ...given, scheme: 'constructor' }).stored, undefined)
  for (const scheme of ['PMCID', 'pmcid', 'GRID', 'HAL']) {
    const [fault] = read({ ...given, scheme }).faults
    t.regex(fault?.message ?? '', /for others, URL, with the address of the thing$/)
  }
})

test('a related DOI that may have a stop from its text is told', (t) => {
  const { warnings } = read({ scheme: 'DOI', identifier: '10.1000/abc.', relation: 'Cites' })
  t.is(warnings[0]?.code, 'ends_with_stop')
})

test('knows what DataCite 4.7 has added', (t) => {
  const identifier = `swh:1:dir:${'0123456789abcdef'.repeat(2)}01234567`
  const { stored, warnings } = read({ scheme: 'swhid', identifier, relation: 'Other' })
  t.deepEqual(stored, { scheme: 'SWHID', identifier, relation: 'Other' })
  t.deepEqual(warnings, [])
})

test('all three members are required and known', (t) => {
  t.deepEqual(
    read({ relation: 'likes' }).faults.map(({ field, code }) => `${field} ${code}`),
    ['it.identifier required', 'it.relation bad_value', 'it.scheme required'],
  )
})
