import test from 'ava'
import { FaultList } from '#actors/values/fault_list.ts'
import { foldedText, lineOf, listOf, objectOf, paragraphsOf } from '#actors/values/field_table.ts'

const digit = foldedText({
  max: 5,
  fold: (text) => (/^\d$/.test(text) ? text : undefined),
  right: (text) => `a digit and not ${text}`,
})

test('a kind gives the stored form, or adds a fault and gives nothing', (t) => {
  const faults = new FaultList()
  t.is(digit.read(' 7 ', 'a', faults), '7')
  t.is(faults.count, 0)
  t.is(digit.read('x', 'a', faults), undefined)
  t.is(digit.read('123456', 'b', faults), undefined)
  t.is(lineOf(3).read('a\nb', 'c', faults), 'a b')
  t.is(paragraphsOf(3).read('a\nb', 'c', faults), 'a\nb')
  t.deepEqual(faults.faults, [
    { field: 'a', code: 'bad_value', message: 'a must be a digit and not x' },
    { field: 'b', code: 'too_long', message: 'b may have at most 5 characters, not 6' },
  ])
})

test('what is recognized is taken, and how it was written is told', (t) => {
  const faults = new FaultList()
  const kind = foldedText({
    max: 200,
    fold: (text) => (text === 'one' ? text : undefined),
    recognize: (text) => (text.startsWith('1') ? 'one' : undefined),
    right: 'one',
  })
  t.is(kind.read('one', 'a', faults), 'one')
  t.deepEqual(faults.warnings, [])
  t.is(kind.read('1', 'a', faults), 'one')
  t.is(kind.read('1'.repeat(150), 'b', faults), 'one')
  t.is(kind.read('2', 'c', faults), undefined)
  const code = 'value_folded'
  t.deepEqual(faults.warnings, [
    { field: 'a', code, message: 'a was "1", which is taken as one' },
    { field: 'b', code, message: `b was "${'1'.repeat(100)}", which is taken as one` },
  ])
  t.like(faults.faults, [{ field: 'c', code: 'bad_value' }])
})

test('a list with one wrong item is no list, and all its items are read', (t) => {
  const faults = new FaultList()
  const list = listOf(digit, 3)
  t.deepEqual(list.read(['1', ' 2'], 'list', faults), ['1', '2'])
  t.is(list.read(['1', 'x', null], 'list', faults), undefined)
  t.deepEqual(
    faults.faults.map(({ field, code }) => `${field} ${code}`),
    ['list[1] bad_value', 'list[2] wrong_type'],
  )
})

test('a record is finished only if its members are right', (t) => {
  const field = { kind: digit, about: 'A digit.', example: '1' }
  const pair = objectOf('Bounds', { least: field, most: field }, (value, path, faults) => {
    if (Number(value.least) <= Number(value.most)) return value
    faults.add(path, 'bad_value', `${path} must be in order`)
    return undefined
  })
  const faults = new FaultList()
  t.deepEqual(pair.read({ most: '2', least: '1' }, 'pair', faults), { least: '1', most: '2' })
  t.is(pair.read({ most: '1', least: '2' }, 'pair', faults), undefined)
  t.is(pair.read({ most: 'x', least: '2' }, 'pair', faults), undefined)
  t.is(pair.read({ most: '1', least: '1', middle: '1' }, 'pair', faults), undefined)
  t.deepEqual(
    faults.faults.map(({ field: path, code }) => `${path} ${code}`),
    ['pair bad_value', 'pair.most bad_value', 'pair.middle unknown_field'],
  )
})
