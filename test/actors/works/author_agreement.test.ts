import test from 'ava'
import fc from 'fast-check'

import { splitAuthors } from '#actors/values/author_name.ts'
import {
  alignAuthors,
  applyPatch,
  checkNewWork,
  nameConflicts,
  type NamedAuthors,
} from '#actors/works/request_checks.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { AuthorDetail } from '#actors/works/names.ts'

const orcid = '0000-0002-1825-0097'
const ada = { family: 'Lovelace', given: 'Ada', name: 'Ada Lovelace', orcid }
const bo = { affiliation: 'A Press', name: 'Bo Pen' }

const work = {
  work_title: 'A title',
  work_type: 'article',
  authors: 'Ada Lovelace; Bo Pen',
  author_details: [ada, bo],
  work_url: 'https://example.org/a.pdf',
}

function metadataOf(body: object): Metadata {
  const checked = checkNewWork(body)
  if (checked.type === 'invalid') throw new Error(JSON.stringify(checked.faults))
  return checked.metadata
}

function changed(patch: object, before: object = work) {
  const patched = applyPatch(metadataOf(before), patch)
  if (patched.type === 'invalid') throw new Error(JSON.stringify(patched.faults))
  const { authors, author_details: details } = patched.metadata
  const told = patched.warnings?.map(({ field, code }) => `${field} ${code}`) ?? []
  return { authors, details, told, fields: patched.changedFields }
}

for (const [name, detail] of [
  ['Ada Lovelace', { name: 'Ada Lovelace' }],
  ['Lovelace, Ada', { name: 'Ada Lovelace' }],
  ['A. Lovelace', { family: 'Lovelace', given: 'Ada' }],
  ['Tolkien JR', { family: 'Tolkien', given: 'John R' }],
  ['山田太郎', { family: '山田', given: '太郎' }],
  ['José Núñez', { name: 'Jose Nunez' }],
  ['Ada Lovelace', { family: 'Lovelace' }],
  ['Moss and Fern Group', { name: 'Moss and Fern Group', ror: 'https://ror.org/05gq02987' }],
] as const) {
  test(`${name} agrees with ${JSON.stringify(detail)}`, (t) => {
    t.deepEqual(nameConflicts({ authors: `${name};`, author_details: [detail] }), [])
  })
}

for (const [name, detail, shown] of [
  ['Ada Byron', { name: 'Ada Lovelace' }, 'Ada Lovelace'],
  ['Anna Lovelace', { family: 'Lovelace', given: 'Ada' }, 'Ada Lovelace'],
  ['Ada Byron', { name: 'Ada Byron', family: 'Lovelace', given: 'Ada' }, 'Ada Lovelace'],
  ['Ada Byron', { name: 'Ada Lovelace', family: 'Byron', given: 'Ada' }, 'Ada Byron'],
  ['Ada Byron', { family: 'Lovelace' }, 'Lovelace'],
] as const) {
  test(`${name} does not agree with ${JSON.stringify(detail)}`, (t) => {
    const conflicts = nameConflicts({ authors: `Bo Pen; ${name}`, author_details: [bo, detail] })
    t.deepEqual(conflicts, [{ place: 2, name, shown }])
  })
}

test('a creation with names that differ is told of each', (t) => {
  const checked = checkNewWork({ ...work, authors: 'Ada Byron; Bo Pen' })
  t.like(checked, {
    type: 'ok',
    warnings: [
      {
        field: 'author_details[0]',
        code: 'names_differ',
        message:
          'author_details[0] is “Ada Lovelace” and authors has “Ada Byron” there: ' +
          '“Ada Lovelace” is shown',
      },
    ],
  })
})

test('a corrected author keeps what is known of them under the new name', (t) => {
  const told = ['author_details realigned']
  const fields = ['author_details', 'authors']
  t.deepEqual(changed({ authors: 'Anna Lovelace; Bo Pen' }), {
    authors: 'Anna Lovelace; Bo Pen',
    details: [{ name: 'Anna Lovelace', orcid }, bo],
    told,
    fields,
  })
  t.deepEqual(changed({ authors: 'Bo Pen; Lovelace, Ada' }).details, [
    bo,
    { ...ada, name: 'Ada Lovelace' },
  ])
  t.deepEqual(changed({ authors: 'Cy Ink; Ada Lovelace; Bo Pen' }).details, [
    { name: 'Cy Ink' },
    ada,
    bo,
  ])
})

test('what fits no name is removed, and told', (t) => {
  const other = changed({ authors: 'Eve Byron; Bo Pen' })
  t.deepEqual(other.details, [{ name: 'Eve Byron' }, bo])
  t.deepEqual(other.told, ['author_details realigned', 'author_details detail_removed'])
  const none = changed({ authors: 'Eve Byron; Dan Quill' })
  t.is(none.details, undefined)
  t.is(none.told.filter((one) => one === 'author_details detail_removed').length, 2)
  const patched = applyPatch(metadataOf(work), { authors: 'Eve Byron; Bo Pen' })
  const removal = patched.type === 'ok' ? patched.warnings?.[1]?.message : undefined
  t.regex(String(removal), /^author_details of “Ada Lovelace” \(0000-0002-1825-0097\) was removed/)
})

test('details that are changed alone are followed by the names', (t) => {
  const renamed = changed({ author_details: [{ name: 'Ada Byron', orcid }, bo] })
  t.is(renamed.authors, 'Ada Byron; Bo Pen')
  t.deepEqual(renamed.told, ['authors realigned'])
  t.deepEqual(renamed.fields, ['author_details', 'authors'])
  const fuller = changed({ author_details: [{ ...ada, affiliation: 'A Hall' }, bo] })
  t.deepEqual([fuller.authors, fuller.told], [work.authors, []])
  const turned = changed({ author_details: [bo, { ...ada, affiliation: 'A Hall' }] })
  t.is(turned.authors, work.authors)
  t.like(turned.details, [{ affiliation: 'A Hall' }, bo])
  t.deepEqual(turned.told, ['author_details realigned'])
  const more = changed({ author_details: [ada, bo, { name: 'Cy; Ink' }] })
  t.is(more.authors, 'Ada Lovelace; Bo Pen; Cy, Ink')
})

test('what nobody can tell stays as it was sent, and is told', (t) => {
  const few = changed({ author_details: [{ name: 'Eve Byron', orcid }] })
  t.deepEqual([few.authors, few.details], [work.authors, [{ name: 'Eve Byron', orcid }]])
  t.deepEqual(few.told, ['author_details count_mismatch', 'author_details[0] names_differ'])
  const both = changed({ authors: 'Eve Byron; Bo Pen', author_details: work.author_details })
  t.deepEqual(both.details?.[0], { name: 'Eve Byron' }, 'details as they were are not changed')
  const sent = [{ name: 'Eve Q', orcid }, bo]
  const differing = changed({ authors: 'Eve Byron; Bo Pen', author_details: sent })
  t.deepEqual(differing.told, ['author_details[0] names_differ'])
  t.deepEqual(changed({ author_details: null }).told, [])
  t.deepEqual(changed({ volume: '2' }).told, [])
})

test('a name that differed before stays with its details when another is changed', (t) => {
  const group = { name: 'World Health Organization', ror: 'https://ror.org/01f80g185' }
  const before = { ...work, authors: 'WHO; Bo Pen', author_details: [group, bo] }
  const after = changed({ authors: 'WHO; Bob Pen' }, before)
  t.deepEqual(after.details, [group, { affiliation: 'A Press', name: 'Bob Pen' }])
  t.deepEqual(after.told, ['author_details realigned', 'author_details[0] names_differ'])
})

const aName = fc
  .constantFrom('Ada', 'Bo', 'Cy', 'Eve')
  .chain((given) => fc.constantFrom('Pen', 'Ink', 'Quill').map((family) => `${given} ${family}`))
const aDetail: fc.Arbitrary<AuthorDetail> = aName.chain((name) =>
  fc.constantFrom({ name }, { name, orcid }, { affiliation: 'A Press', name }),
)

test('property: after a change of names alone nothing is shown that they do not say', (t) => {
  fc.assert(
    fc.property(
      fc.array(aName, { minLength: 1 }),
      fc.array(aDetail, { minLength: 1 }),
      fc.array(aName, { minLength: 1 }),
      (old, details, names) => {
        const agreeing = old.map((name, index) => ({ ...details[index], name }))
        const before: NamedAuthors = { authors: old.join('; '), author_details: agreeing }
        const after = alignAuthors(before, { ...before, authors: names.join('; ') })
        t.deepEqual(splitAuthors(after.authors), names)
        t.deepEqual(nameConflicts(after), [])
        for (const [place, detail] of (after.author_details ?? []).entries()) {
          t.is(detail.name, names[place])
        }
      },
    ),
  )
})
