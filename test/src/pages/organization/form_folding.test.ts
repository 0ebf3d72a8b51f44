import test from 'ava'

import { foldForm, type FoldedField, twoDays } from '#src/pages/organization/form_folding.ts'

type Row = readonly [fold: FoldedField['fold'] | 'text', typed: string, taken: string]

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
  [
    'license',
    'creativecommons.org/licenses/by/4.0/',
    'https://creativecommons.org/licenses/by/4.0/',
  ],
  ['license', 'ask me', 'ask me'],
  ['date', '12 March 2021', '2021-03-12'],
  ['date', 'Friday, 12th of March 2021', '2021-03-12'],
  ['date', 'le 12 mars 2021', '2021-03-12'],
  ['date', '2021年3月12日', '2021-03-12'],
  ['date', '2021年3月', '2021-03'],
  ['date', '03/2021', '2021-03'],
  ['date', '5/3/2019', '5/3/2019'],
  ['date', '31 February 2021', '31 February 2021'],
  ['doi', 'doi.org/10.1234/ABC', '10.1234/abc'],
  ['doi', 'https://dx.doi.org/10.1234/abc', '10.1234/abc'],
  ['orcid', 'orcid.org/0000-0002-1825-0097', '0000-0002-1825-0097'],
  ['orcid', '0000000218250097', '0000-0002-1825-0097'],
  ['orcid', '0000-0002-1825-0098', '0000-0002-1825-0098'],
  ['url', 'www.example.org/a.pdf', 'https://www.example.org/a.pdf'],
  ['url', 'a.pdf and more', 'a.pdf and more'],
  ['text', 'equi\u00adlibrium', 'equilibrium'],
  ['text', 'equi\u00ad\nlibrium', 'equilibrium'],
  ['text', 'a\u000bb\u0000c', 'a bc'],
  ['text', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['text', '\ufeffTitle\u200b', 'Title'],
]

for (const [fold, typed, taken] of rows) {
  const isSame = typed === taken
  const told = isSame ? 'stays, and nothing is said of it' : 'is taken so, with a notice'
  test(`${fold}: ${JSON.stringify(typed)} ${told}: ${taken}`, (t) => {
    const field = { label: 'The field', ...(fold !== 'text' && fold && { fold }) }
    const { values, notices } = foldForm(new Map([['field', typed]]), () => field)
    t.is(values.get('field'), taken)
    t.is(notices.length, isSame ? 0 : 1)
    const [notice] = notices
    if (notice === undefined) return
    t.true(notice.startsWith('The field: '))
    t.regex(notice, fold === 'text' ? /cannot be seen w(?:as|ere) removed\.$/ : /is taken as/)
  })
}

test('what has another case only is folded without a word', (t) => {
  const field = { label: 'Language', fold: 'language' as const }
  const { values, notices } = foldForm(new Map([['language', 'EN']]), () => field)
  t.is(values.get('language'), 'en')
  t.deepEqual(notices, [])
})

test('what was removed is counted by its kinds', (t) => {
  const typed = '\u00ad\u00ada\u0007'
  const { notices } = foldForm(new Map([['title', typed]]), () => ({ label: 'Title' }))
  const said = 'Title: 2 soft hyphens and a control character that cannot be seen were removed.'
  t.deepEqual(notices, [said])
})

test('fields that the form does not know stay as they are', (t) => {
  const form = new Map([['csrf', 'a\u00adb']])
  t.deepEqual([...foldForm(form, () => undefined).values], [...form])
})

test('a date that may be two days is told apart from one that is none', (t) => {
  t.deepEqual(twoDays('5/3/2019'), ['2019-03-05', '2019-05-03'])
  t.is(twoDays('5/5/2019'), undefined)
  t.is(twoDays('13/3/2019'), undefined)
  t.is(twoDays('soon'), undefined)
})
