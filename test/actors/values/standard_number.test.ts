import test from 'ava'
import { FaultList } from '#actors/values/fault_list.ts'
import type { FieldKind } from '#actors/values/field_table.ts'
import { isbnKind, issnKind } from '#actors/values/identifier.ts'

function read(kind: FieldKind<string>, value: unknown) {
  const faults = new FaultList()
  const stored = kind.read(value, 'it', faults)
  return { stored, faults: faults.faults, warnings: faults.warnings.map(({ code }) => code) }
}

for (const [kind, text, stored] of [
  [issnKind, '0028-0836', '0028-0836'],
  [issnKind, '2434-561X', '2434-561X'],
  [isbnKind, '978-3-16-148410-0', '978-3-16-148410-0'],
  [isbnKind, '9783161484100', '9783161484100'],
  [isbnKind, '0-306-40615-2', '0-306-40615-2'],
  [isbnKind, '080442957X', '080442957X'],
] as const) {
  test(`${text} is stored as it is`, (t) => {
    t.deepEqual(read(kind, text), { stored, faults: [], warnings: [] })
  })
}

for (const [kind, text, stored] of [
  [issnKind, '00280836', '0028-0836'],
  [issnKind, 'ISSN 0028-0836', '0028-0836'],
  [issnKind, '0028-0836 (print)', '0028-0836'],
  [isbnKind, 'ISBN 978 3 16 148410 0', '978-3-16-148410-0'],
  [isbnKind, '(ISBN 978-3-16-148410-0)', '978-3-16-148410-0'],
  [isbnKind, '9783161484100 (pbk.)', '9783161484100'],
  [isbnKind, 'urn:isbn:9783161484100', '9783161484100'],
  [isbnKind, 'http://www.crossref.org/isbn/9783161484100', '9783161484100'],
] as const) {
  test(`${text} is taken as ${stored}, with a warning`, (t) => {
    t.deepEqual(read(kind, text), { stored, faults: [], warnings: ['value_folded'] })
  })
}

for (const [kind, text, message] of [
  [
    issnKind,
    '0028-0837',
    /ISSN.*; the check digit of 0028-0837 is wrong: look for a typing error$/,
  ],
  [issnKind, '0000-0000', /^it must be an ISSN such as/],
  [issnKind, 'Nature', /^it must be an ISSN such as 0028-0836, with the right check digit$/],
  [isbnKind, '978-3-16-148410-1', /the check digit of 978-3-16-148410-1 is wrong/],
  [isbnKind, '12345', /^it must be an ISBN such as 978-3-16-148410-0, with the right check digit$/],
] as const) {
  test(`${text} is refused in a sentence`, (t) => {
    const { stored, faults } = read(kind, text)
    t.is(stored, undefined)
    t.is(faults[0]?.code, 'bad_value')
    t.regex(faults[0]?.message ?? '', message)
  })
}
