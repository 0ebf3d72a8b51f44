import test from 'ava'

import { shapeOf } from '#actors/values/field_table.ts'
import { metadataFields } from '#actors/works/metadata.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'
import { askedByName } from '#src/pages/organization/asked_fields.ts'
import { placeOf, recordSections } from '#src/pages/organization/work_form.ts'
import {
  changeRecordRows,
  recordBody,
  recordPatch,
  recordValues,
  withoutEmptyRows,
} from '#src/pages/organization/record_form.ts'
import { english } from '#src/words/language.ts'
import { textIn } from '#src/words/wording.ts'

const { readingOrder } = shapeOf(metadataFields)

const first = [
  'work_title',
  'work_type',
  'authors',
  'description',
  'work_url',
  'existing_doi',
  'keywords',
  'language',
  'license',
  'published_date',
  'author_details',
]

/** A record that has every field, with the example of the table. */
const examples = Object.fromEntries(readingOrder.map(({ name, example }) => [name, example]))

function whole() {
  const check = checkNewWork(examples)
  if (check.type !== 'ok') throw new Error(JSON.stringify(check.faults))
  return check.metadata
}

test('every field of the table is among the first, or in one section', (t) => {
  const names = readingOrder.map(({ name }) => name)
  t.deepEqual([...first, ...askedByName.keys()].toSorted(), names.toSorted())
})

test('what a form shows of each field is read as it was', (t) => {
  const body = recordBody(recordValues(examples))
  for (const name of askedByName.keys()) t.deepEqual(body[name], examples[name], name)
  t.deepEqual(recordPatch(whole(), recordValues(whole())), {})
})

test('members of members are read as they were, too', (t) => {
  const deep = {
    contributors: [
      {
        role: 'editor',
        name: 'A Group',
        affiliations: [{ name: 'One' }, { name: 'Two', department: 'Tides' }],
        credit_roles: ['software', 'validation'],
        orcid_authenticated: false,
      },
    ],
    geo_locations: [
      { point: { longitude: -71.5, latitude: 41 } },
      {
        polygons: [
          {
            points: [
              { longitude: 1, latitude: 2 },
              { longitude: 3, latitude: 4.5 },
            ],
          },
        ],
      },
    ],
    assertions: [{ name: 'n', value: 'Two\nlines', order: 0 }],
  }
  t.deepEqual(recordBody(recordValues(deep)), deep)
})

test('what was emptied is removed, and what the form does not have stays', (t) => {
  const sent = new Map(recordValues(whole()))
  sent.set('volume', '')
  sent.set('event.name', '')
  sent.set('event.place', '')
  sent.set('titles[0].title', 'Another')
  for (const name of recordValues(whole()).keys()) if (name.startsWith('funding')) sent.delete(name)
  const [title] = whole().titles ?? []
  t.deepEqual(recordPatch(whole(), withoutEmptyRows(sent)), {
    volume: null,
    event: null,
    titles: [{ ...title, title: 'Another' }],
  })
})

test('a list that is too long for a form stays as it is', (t) => {
  const references = Array.from({ length: 101 }, (_, index) => ({ text: `Reference ${index}` }))
  const before = { ...whole(), references }
  const values = recordValues(before)
  t.false([...values.keys()].some((name) => name.startsWith('references')))
  t.deepEqual(recordPatch(before, values), {})
  t.deepEqual(recordPatch(before, new Map([...values, ['references[0].text', 'Mine']])), {})
  const shown = recordSections({ values, faults: [] })
  t.regex(shown.html(english), /References: too many to show/)
})

test('rows are added at the end, and removed with the numbers of the others', (t) => {
  const dates = ['2020', '2021', '2022'].map((date) => ({ date, kind: 'created' }))
  const form = recordValues({ dates })
  const added = changeRecordRows(new Map([...form, ['add_row', 'dates']]))
  t.is(added?.focus, 'dates[3]')
  t.deepEqual(recordBody(added?.values ?? form)['dates'], dates)
  const removed = changeRecordRows(new Map([...form, ['remove_row', 'dates[1]']]))
  t.deepEqual(recordBody(removed?.values ?? form)['dates'], [dates[0], dates[2]])
  t.is(changeRecordRows(form), undefined)
  for (const wrong of ['dates', 'x[1]', '[', 'dates[1].kind']) {
    const kept = changeRecordRows(new Map([...form, ['remove_row', wrong]]))
    t.deepEqual(recordBody(kept?.values ?? form)['dates'], dates, wrong)
  }
})

test('a row without anything in it is no item', (t) => {
  const form = new Map([
    ['dates[0].date', ' '],
    ['dates[1].date', '2020'],
    ['dates[1].kind', 'created'],
  ])
  t.deepEqual(recordBody(form), { dates: [{ date: '2020', kind: 'created' }] })
  t.is(withoutEmptyRows(form).get('dates[0].date'), '2020')
})

test('a fault is told at a field that is there, by its labels', (t) => {
  const told = (path: string) => {
    const { name, label = '' } = placeOf(path) ?? {}
    return { name, label: textIn(english, label) }
  }
  t.deepEqual(told('contributors[1].affiliations[0].name'), {
    name: 'contributors[1].affiliations[0].name',
    label: 'Contributor 2 › Affiliation 1 › Name',
  })
  t.deepEqual(told('rights[0]'), { name: 'rights[0].license', label: 'License or terms 1' })
  t.is(placeOf('sizes[3]')?.name, 'sizes')
  t.is(placeOf('event')?.name, 'event.name')
  t.is(
    placeOf('geo_locations[0].polygons[0].points[3].latitude')?.name,
    'geo_locations[0].polygons[0].points',
  )
  t.is(placeOf('work_title'), undefined)
})

test('a section is open where something stands in it or is wrong, else closed', (t) => {
  const open = (values: ReadonlyMap<string, string>, field: string) => {
    const faults = field === '' ? [] : [{ field, code: 'required', message: 'm' }]
    const text = recordSections({ values, faults }).html(english)
    return [...text.matchAll(/<details class="section"( open)?>\s*<summary>([^<]+)/g)]
      .filter(([, isOpen]) => isOpen !== undefined)
      .map(([, , heading]) => heading)
  }
  t.deepEqual(open(new Map(), ''), [])
  t.deepEqual(open(new Map([['event.name', 'A Meeting']]), 'dates[0].kind'), ['Add dates', 'Event'])
})
