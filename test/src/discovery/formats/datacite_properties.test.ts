import { readFileSync } from 'node:fs'

import test from 'ava'

import { markedTable, propertyTable } from '#test/src/discovery/formats/_datacite_properties.ts'

test('the documentation says what becomes of each property of DataCite', (t) => {
  const text = readFileSync('docs/formats.md', 'utf8')
  t.true(text.includes(markedTable()), 'run `npm run docs:properties`')
})

test('the API, imports and DataCite’s own formats carry every property', (t) => {
  const [, , ...rows] = propertyTable()
  for (const row of rows) {
    const cells = row.split(' | ')
    const own = [1, 2, 3, 10, 11].map((column) => cells[column])
    t.deepEqual(own, Array(5).fill('carried'), row)
  }
})
