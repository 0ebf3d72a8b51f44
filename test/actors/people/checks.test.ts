import test from 'ava'
import {
  checkItem,
  checkItemMark,
  checkItemPatch,
  checkNewProfile,
  checkOrcid,
  checkProfilePatch,
  firstVisibility,
  foldUsername,
} from '#actors/people/checks.ts'

/** The faults of a check, as `field code`. */
function faultsOf(checked: ReturnType<typeof checkItem | typeof checkProfilePatch>): string[] {
  if (checked.type !== 'invalid') return []
  return checked.faults.map(({ field, code }) => `${field} ${code}`)
}

for (const [text, name] of [
  ['ada', 'ada'],
  ['Ada-L-2', 'ada-l-2'],
  ['a'.repeat(39), 'a'.repeat(39)],
  ['007', '007'],
  ['ab', undefined],
  ['a'.repeat(40), undefined],
  ['-ada', undefined],
  ['ada-', undefined],
  ['ada--l', undefined],
  ['ada_l', undefined],
  ['adä', undefined],
  ['ada l', undefined],
] as const) {
  test(`the username of '${text}' is ${name}`, (t) => {
    t.is(foldUsername(text), name)
  })
}

test('a new profile has a visibility for every field', (t) => {
  const checked = checkNewProfile({ name: ' Ada ', visibility: { bio: 'private' } })
  t.deepEqual(checked, {
    type: 'ok',
    profile: { name: 'Ada', visibility: { ...firstVisibility, bio: 'private' } },
  })
})

test('a name cannot be removed, nor what says who sees what', (t) => {
  t.deepEqual(faultsOf(checkProfilePatch({ name: null, visibility: null })), [
    'name required',
    'visibility required',
  ])
  t.deepEqual(checkProfilePatch({ bio: null, visibility: { urls: 'trusted' } }), {
    type: 'ok',
    patch: { bio: null, visibility: { urls: 'trusted' } },
  })
})

test('an ORCID iD is not said in a profile', (t) => {
  t.deepEqual(faultsOf(checkProfilePatch({ orcid: '0000-0002-1825-0097' })), [
    'orcid unknown_field',
  ])
  t.deepEqual(checkOrcid('https://orcid.org/0000-0002-1825-0097'), {
    type: 'ok',
    orcid: '0000-0002-1825-0097',
  })
})

test('items have the fields of the specification, all of them texts', (t) => {
  const affiliation = {
    organization: 'Brown University',
    role: 'Professor',
    department: 'Mathematics',
    start_year: '2021',
  }
  t.deepEqual(checkItem('affiliation', affiliation), { type: 'ok', fields: affiliation })
  const education = { degree: 'PhD', institution: 'University of London', year: '1841' }
  t.deepEqual(checkItem('education', education), { type: 'ok', fields: education })
  t.deepEqual(faultsOf(checkItem('affiliation', { role: 1, start_year: '21', year: '2021' })), [
    'year unknown_field',
    'organization required',
    'role wrong_type',
    'start_year bad_value',
  ])
  t.deepEqual(faultsOf(checkItem('education', { degree: 'PhD', year: 1841 })), [
    'institution required',
    'year wrong_type',
  ])
})

test('who sees an item is said beside its fields', (t) => {
  t.deepEqual(checkItemPatch('education', { year: null, visibility: 'trusted' }), {
    type: 'ok',
    fields: { year: null },
    visibility: 'trusted',
  })
  t.deepEqual(faultsOf(checkItemPatch('education', { institution: null, visibility: null })), [
    'institution required',
    'visibility required',
  ])
  t.deepEqual(faultsOf(checkItem('education', [])), [' wrong_type'])
})

test('a reason is given for what is contested alone', (t) => {
  const mark = { status: 'contested', reason: 'Never.', visibility: 'private' } as const
  t.deepEqual(checkItemMark(mark), { type: 'ok', mark })
  t.like(checkItemMark({ status: 'hidden', reason: 'x' }), {
    type: 'invalid',
    faults: [{ field: 'reason', message: 'reason is given with the status contested' }],
  })
  t.like(checkItemMark({ status: 'deleted' }), {
    type: 'invalid',
    faults: [{ field: 'status', message: 'status must be active, hidden or contested' }],
  })
})
