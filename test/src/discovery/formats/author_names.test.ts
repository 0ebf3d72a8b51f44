import test from 'ava'

import type { AuthorDetail } from '#actors/works/names.ts'
import { citedNames, invertedName, knownAuthor } from '#src/discovery/formats/author_names.ts'
import { describeAuthors, readAuthor } from '#src/discovery/formats/described_work.ts'
import { groups, persons } from '#test/src/discovery/formats/_names_of_both_kinds.ts'

/** The names of an `authors` text as a citation has them, each in a word. */
function cited(authors: string): readonly string[] {
  return citedNames(describeAuthors({ authors })).map((name) => {
    if ('literal' in name) return `{${name.literal}}`
    return [name.family, name.given, ...(name.suffix ? [name.suffix] : [])].join(' | ')
  })
}

const cases: readonly [authors: string, ...names: string[]][] = [
  ['Ox, Ada; Pen, Bo', 'Ox | Ada', 'Pen | Bo'],
  ['Ada Ox, Bo Pen', 'Ox | Ada', 'Pen | Bo'],
  ['Josiah W. Gibbs, J. K. Rowling', 'Gibbs | Josiah W.', 'Rowling | J. K.'],
  ['Ludwig van Beethoven', 'van Beethoven | Ludwig'],
  ['Jean-Paul Sartre, Éva Szőke', 'Sartre | Jean-Paul', 'Szőke | Éva'],
  ['Josiah Willard Gibbs, Ada Lovelace', 'Gibbs | Josiah Willard', 'Lovelace | Ada'],
  ['I. Zeki Yalniz, R. Maria del Rio', 'Yalniz | I. Zeki', 'del Rio | R. Maria'],
  ['Guy Van Den Broeck, Tommaso d’Orsi', 'Van Den Broeck | Guy', 'd’Orsi | Tommaso'],
  ['Di Hu', 'Hu | Di'],
  ['Thong Thanh Nguyen', 'Nguyen | Thong Thanh'],
  ['Nguyễn Văn Bình', '{Nguyễn Văn Bình}'],
  ['Luís Cunha Reis, John Rogers III', '{Luís Cunha Reis}', '{John Rogers III}'],
  // A name whose parts are not clear leaves the others as they are.
  ['Ada Ox, Maria Garcia Lopez', '{Ada Ox}', '{Maria Garcia Lopez}'],
  ['Ada Ox, Plato', '{Ada Ox}', '{Plato}'],
  ['Ada Ox, 陈 景润', '{Ada Ox}', '{陈 景润}'],
  ['ZIYUN LI, Ori Press', 'LI | ZIYUN', 'Press | Ori'],
  // A group has no parts, and leaves none unclear.
  ['Ada Ox, ATLAS Collaboration', 'Ox | Ada', '{ATLAS Collaboration}'],
  ['Ada Ox, CERN', 'Ox | Ada', '{CERN}'],
  ['World Bank', '{World Bank}'],
  ['Institute of Physics, Beijing; Ox, Ada', '{Institute of Physics, Beijing}', 'Ox | Ada'],
  ['Smith, John, Jr.; Ox, Ada', 'Smith | John | Jr.', 'Ox | Ada'],
  ['Martin Luther King, Jr.; Ox, Ada', 'King | Martin Luther | Jr.', 'Ox | Ada'],
]

for (const [authors, ...names] of cases) {
  test(`${authors} is cited as ${names.join('; ')}`, (t) => {
    t.deepEqual(cited(authors), names)
  })
}

test('parts that are known go before all that can be read in a name', (t) => {
  const authors = 'Ox, Ada; The Group; Pen, Bo; van der Berg'
  const author_details = [{ name: 'x' }, { name: 'y' }, { family: 'Penn', given: 'B.' }]
  t.deepEqual(citedNames(describeAuthors({ authors, author_details })), [
    { literal: 'x' },
    { literal: 'y' },
    { family: 'Penn', given: 'B.' },
    { literal: 'van der Berg' },
  ])
})

test('descriptions turn no name round whose parts are not known', (t) => {
  const authors = describeAuthors({ authors: 'Ada Ox, Bo Pen' })
  t.deepEqual(authors.map(invertedName), ['Ada Ox', 'Bo Pen'])
})

test('names of any length are read at once', (t) => {
  for (const part of [' ', 'A ', 'A. ', 'Aa-', 'Aa ', 'van ', ',']) {
    const authors = `Ox,${part.repeat(60_000)},x;${part.repeat(60_000)}!`
    t.true(cited(authors).length > 0)
  }
})

test('what is said of an author goes before the words in their name', (t) => {
  const kinds = (authors: string, author_details: readonly AuthorDetail[] = []) =>
    describeAuthors({ authors, author_details }).map((author) => knownAuthor(author).kind)
  t.deepEqual(kinds('Bank, Ada B.; Roe, Jane'), ['person', 'person'])
  const bank = [{ given: 'Ada B.', family: 'Bank' }]
  t.deepEqual(kinds('Bank of Ada;', bank), ['person'])
  t.deepEqual(kinds('Wayan;', [{ family: 'Wayan' }]), ['person'])
  t.deepEqual(kinds('World Bank; CERN; Institute of Physics, Beijing'), ['group', 'group', 'group'])
  t.deepEqual(kinds('Jane Roe; Plato'), ['person', undefined])
})

test('a family name alone is one, and nothing is set after it', (t) => {
  const authors = describeAuthors({ authors: 'Wayan;', author_details: [{ family: 'Wayan' }] })
  t.deepEqual(citedNames(authors), [{ family: 'Wayan', given: '' }])
  t.deepEqual(authors.map(invertedName), ['Wayan'])
})

test('groups and persons are told apart by their names where nothing else is said', (t) => {
  const kindOf = (name: string) => knownAuthor(readAuthor({ name })).kind
  t.true(groups.length >= 400 && persons.length >= 400)
  t.deepEqual(
    groups.filter((name) => kindOf(name) !== 'group'),
    [],
  )
  t.deepEqual(
    persons.filter((name) => kindOf(name) === 'group'),
    [],
  )
})

test('a name that may be of either kind is cited as it stands, and is of neither', (t) => {
  const kindOf = (name: string) => knownAuthor(readAuthor({ name })).kind
  const either = ['Weiwei AI', 'Mosswatch India', 'Example Hall', 'Hildegard of Bingen']
  for (const name of [...either, 'Peter the Great']) {
    t.is(kindOf(name), undefined, name)
    t.deepEqual(cited(name), [`{${name}}`])
  }
})

test('what is a company alone is a person beside names that end in initials', (t) => {
  const kinds = (authors: string) =>
    describeAuthors({ authors }).map((one) => knownAuthor(one).kind)
  t.deepEqual(kinds('Fern SA'), ['group'])
  t.deepEqual(kinds('Jane Roe, Fern SA'), ['person', 'group'])
  t.deepEqual(kinds('Roe JD, Fern SA'), [undefined, 'person'])
  t.deepEqual(kinds('Moss LLC, Fern SA'), ['group', 'group'])
  t.deepEqual(cited('Roe JD, Fern SA'), ['{Roe JD}', '{Fern SA}'])
})

test('who is said to be a person is one, whatever words their name has', (t) => {
  const person = { name: 'Ada Society', name_type: 'person' as const }
  t.is(knownAuthor(person).kind, 'person')
  t.deepEqual(citedNames([person]), [{ family: 'Society', given: 'Ada' }])
  t.is(knownAuthor({ name: 'Ada Society' }).kind, 'group')
})
