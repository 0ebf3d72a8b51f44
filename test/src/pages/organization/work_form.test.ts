import test from 'ava'

import { asWorkFault, normalizeWorkForm } from '#src/pages/organization/work_form.ts'
import { english } from '#src/words/language.ts'
import { textIn } from '#src/words/wording.ts'

type Row = readonly [name: string, typed: string, taken: string]

const rows: readonly Row[] = [
  ['language', 'English', 'en'],
  ['language', 'german', 'de'],
  ['language', 'en-US', 'en'],
  ['language', 'British English', 'en'],
  ['language', 'Portuguese (Brazil)', 'pt'],
  ['language', 'en_GB.UTF-8', 'en'],
  ['language', '日本語', 'ja'],
  ['language', 'Klingonish', 'Klingonish'],
  ['license', 'CC-BY', 'CC-BY-4.0'],
  ['license', 'CC BY 4.0', 'CC-BY-4.0'],
  ['license', 'GPLv3', 'GPL-3.0-only'],
  ['license', 'creativecommons.org/licenses/by/4.0/', 'CC-BY-4.0'],
  ['license', 'ask me', 'ask me'],
  ['published_date', '12 March 2021', '2021-03-12'],
  ['published_date', 'Friday, 12th of March 2021', '2021-03-12'],
  ['published_date', 'le 12 mars 2021', '2021-03-12'],
  ['published_date', '2021年3月12日', '2021-03-12'],
  ['published_date', '2021年3月', '2021-03'],
  ['published_date', '03/2021', '2021-03'],
  ['published_date', '5/3/2019', '5/3/2019'],
  ['published_date', '31 February 2021', '31 February 2021'],
  ['existing_doi', 'doi.org/10.1234/ABC', '10.1234/abc'],
  ['existing_doi', 'https://dx.doi.org/10.1234/abc', '10.1234/abc'],
  ['author_2_orcid', 'orcid.org/0000-0002-1825-0097', '0000-0002-1825-0097'],
  ['author_2_orcid', '0000000218250097', '0000-0002-1825-0097'],
  ['author_2_orcid', '0000-0002-1825-0098', '0000-0002-1825-0098'],
  ['work_url', 'www.example.org/a.pdf', 'https://www.example.org/a.pdf'],
  ['work_url', 'a.pdf and more', 'a.pdf and more'],
  ['work_title', 'equi\u00adlibrium', 'equilibrium'],
  ['work_title', 'equi\u00ad\nlibrium', 'equilibrium'],
  ['work_title', 'a\u000bb\u0000c', 'a bc'],
  ['work_title', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['work_title', '\ufeffTitle\u200b', 'Title'],
]

for (const [name, typed, taken] of rows) {
  const isSame = typed === taken
  const told = isSame ? 'stays, and nothing is said of it' : 'is taken so, with a notice'
  test(`${name}: ${JSON.stringify(typed)} ${told}: ${taken}`, (t) => {
    const { values, notices } = normalizeWorkForm(new Map([[name, typed]]))
    t.is(values.get(name), taken)
    t.is(notices.length, isSame ? 0 : 1)
    const [notice] = notices
    if (notice === undefined) return
    t.regex(
      textIn(english, notice),
      name === 'work_title'
        ? /^Title: we removed invisible characters \(.+\)\.$/
        : /: we read .* as /,
    )
  })
}

test('what has another case only is folded without a word', (t) => {
  const { values, notices } = normalizeWorkForm(new Map([['language', 'EN']]))
  t.is(values.get('language'), 'en')
  t.deepEqual(notices, [])
})

test('what was removed is counted by its kinds', (t) => {
  const { notices } = normalizeWorkForm(new Map([['work_title', '\u00ad\u00ada\u0007']]))
  const said = 'Title: we removed invisible characters (2 soft hyphens and 1 control character).'
  t.deepEqual(
    notices.map((notice) => textIn(english, notice)),
    [said],
  )
})

test('fields that the form does not know stay as they are', (t) => {
  const form = new Map([['csrf', 'a\u00adb']])
  t.deepEqual([...normalizeWorkForm(form).values], [...form])
})

test('a date that may be two days is told apart from one that is none', (t) => {
  const said = (typed: string) =>
    asWorkFault(
      { field: 'published_date', code: 'bad_value', message: '' },
      new Map([['published_date', typed]]),
    ).message
  t.regex(said('5/3/2019'), /can be 2019-03-05 or 2019-05-03/)
  for (const typed of ['5/5/2019', '13/3/2019', 'soon']) t.regex(said(typed), /is not a date/)
})
