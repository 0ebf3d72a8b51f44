import test from 'ava'

import type { Metadata } from '#actors/works/metadata.ts'
import { formatRis } from '#src/discovery/formats/ris.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'

const least: Metadata = { work_title: 'T', work_type: 'article', authors: 'Jane Roe' }

function valuesOf(metadata: Partial<Metadata>, tag: string): readonly string[] {
  const lines = formatRis(describedWork({ ...least, ...metadata })).split('\r\n')
  return lines.flatMap((line) => (line.startsWith(`${tag}  - `) ? [line.slice(6)] : []))
}

test('a comma ends the name of a group, and none stands within', (t) => {
  const authors = 'Global Moss Office; Department of Soil, Water and Environment; Jane Roe'
  t.deepEqual(valuesOf({ authors }, 'AU'), [
    'Global Moss Office,',
    'Department of Soil Water and Environment,',
    'Roe, Jane',
  ])
})

test('a preprint is a manuscript, and a talk or a poster says what it is', (t) => {
  t.deepEqual(valuesOf({ work_type: 'preprint' }, 'TY'), ['MANSCPT'])
  t.deepEqual(valuesOf({ work_type: 'poster' }, 'TY'), ['SLIDE'])
  t.deepEqual(valuesOf({ work_type: 'poster' }, 'M3'), ['Poster'])
  t.deepEqual(valuesOf({ work_type: 'working_paper' }, 'M3'), ['Working Paper'])
  t.deepEqual(valuesOf({ work_type: 'workflow' }, 'M3'), [])
})

test('a journal stands where either kind of program looks for it', (t) => {
  const container_title = 'Journal of Moss'
  t.deepEqual(valuesOf({ container_title }, 'T2'), [container_title])
  t.deepEqual(valuesOf({ container_title }, 'JF'), [container_title])
  t.deepEqual(valuesOf({ container_title, work_type: 'book' }, 'JF'), [])
})

test('a report has its number, and proceedings their series, where programs look for them', (t) => {
  t.deepEqual(valuesOf({ work_type: 'report', issue: '12' }, 'SN'), ['12'])
  const held = { work_type: 'proceedings', container_title: 'Moss Notes' } as const
  t.deepEqual([valuesOf(held, 'T3'), valuesOf(held, 'T2')], [['Moss Notes'], []])
})

test('marks of a title are signs of Unicode, or none', (t) => {
  const work_title = '<i>E. coli</i> in H<sub>2</sub>O at 10<sup>-18</sup> x<sup>ab</sup> <i>a'
  t.deepEqual(valuesOf({ work_title }, 'TI'), [work_title])
  t.deepEqual(valuesOf({ work_title: work_title.slice(0, -5) }, 'TI'), [
    'E. coli in H₂O at 10⁻¹⁸ xab',
  ])
})
