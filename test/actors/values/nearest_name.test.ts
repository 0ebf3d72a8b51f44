import test from 'ava'
import { nearestName } from '#actors/values/nearest_name.ts'

const known = ['work_title', 'work_type', 'orcid', 'ror']

test('finds the name with the fewest errors', (t) => {
  t.is(nearestName('work_titel', known), 'work_title')
  t.is(nearestName('work_tipe', known), 'work_type')
  t.is(nearestName('orchid', known), 'orcid')
  t.is(nearestName('ORCID', known), 'orcid')
  t.is(nearestName('rro', known), 'ror')
  t.is(nearestName('prot', ['HOST', 'PORT']), 'PORT')
  t.is(nearestName('rr', known), undefined)
})

test('does not guess', (t) => {
  t.is(nearestName('volume', known), undefined)
  t.is(nearestName('', known), undefined)
  t.is(nearestName('x'.repeat(1_000_000), known), undefined)
  t.is(nearestName('orcid', []), undefined)
})
