import test from 'ava'
import { FaultList } from '#actors/values/fault_list.ts'
import { relatedIdentifierKind, relations, schemes } from '#actors/values/identifier.ts'

function read(value: unknown) {
  const faults = new FaultList()
  return { stored: relatedIdentifierKind.read(value, 'it', faults), faults: faults.faults }
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

test('all three members are required and known', (t) => {
  t.deepEqual(
    read({ relation: 'likes' }).faults.map(({ field, code }) => `${field} ${code}`),
    ['it.identifier required', 'it.relation bad_value', 'it.scheme required'],
  )
})
