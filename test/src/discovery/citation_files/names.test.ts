import test from 'ava'

import { readLatex } from '#src/discovery/citation_files/latex.ts'
import { type NameList, readName, readNameList } from '#src/discovery/citation_files/names.ts'
import { assertFewLooks } from '#test/src/discovery/citation_files/_looks.ts'

/** `[Given|Family|Suffix]` or `<Literal>`, each name after the other. */
function shown({ names, hasOthers }: NameList): string {
  const each = names.map(({ given = '', family = '', suffix, literal }) => {
    if (literal !== undefined) return `<${literal}>`
    return `[${[given, family, ...(suffix === undefined ? [] : [suffix])].join('|')}]`
  })
  return [...each, ...(hasOthers ? ['…'] : [])].join(' ')
}

const lists: readonly (readonly [source: string, names: string, note?: RegExp])[] = [
  // By the rules of BibTeX.
  [String.raw`G{\"o}del, Kurt and {\'E}tienne Ghys`, '[Kurt|Gödel] [Étienne|Ghys]'],
  [String.raw`S{\o}ren \AA ngstr\"om AND \v{C}apek, K.`, '[Søren|Ångström] [K.|Čapek]'],
  ["Ludwig van Beethoven and Jean d'Alembert", "[Ludwig|van Beethoven] [Jean|d'Alembert]"],
  ['al-Hakim, Tawfik and de la Cruz, A.', '[Tawfik|al-Hakim] [A.|de la Cruz]'],
  ['Puente-de-Lobos, Ann and Joan Casa-i-Puig', '[Ann|Puente-de-Lobos] [Joan|Casa-i-Puig]'],
  ['Jean de {la Fontaine} and Vincent {van Gogh}', '[Jean|de la Fontaine] [Vincent|van Gogh]'],
  ['Costa, Jr., P. T. and McCrae, R. R.', '[P. T.|Costa|Jr.] [R. R.|McCrae]'],
  ['{The ATLAS Collaboration} and Aad, G. and others', '<The ATLAS Collaboration> [G.|Aad] …'],
  ['{Barnes and Noble} and {{Institute, Prague}}', '<Barnes and Noble> <Institute, Prague>'],
  ['山田太郎 and Нина Петрова', '[|山田太郎] [Нина|Петрова]'],
  ['family=Beethoven, given=Ludwig, prefix=van', '[Ludwig|van Beethoven]'],
  ['Smith~Jones, Ann~Marie', '[Ann Marie|Smith Jones]'],
  // Suffixes wherever they stand.
  ['King, Martin Luther, Jr.', '[Martin Luther|King|Jr.]'],
  ['Martin Luther King, Jr.', '[Martin Luther|King|Jr.]'],
  ['Martin Luther King Jr. and Gates III, H. L.', '[Martin Luther|King|Jr.] [H. L.|Gates|III]'],
  ['Elizabeth II', '<Elizabeth II>'],
  ["Jos{\\'e} Ortega y Gasset", '[José|Ortega y Gasset]'],
  // Other marks than "and".
  ['Smith, John, Doe, Jane, Roe, Richard', '[John|Smith] [Jane|Doe] [Richard|Roe]', /commas.*: 3/],
  ['Smith, John; Doe, Jane', '[John|Smith] [Jane|Doe]', /semicolons/],
  ['Jane Smith, John Doe, and Richard Roe', '[Jane|Smith] [John|Doe] [Richard|Roe]', /commas/],
  ['J. Smith, K. Doe', '[J.|Smith] [K.|Doe]', /commas/],
  [String.raw`Smith, J., Doe, K. \& Roe, R.`, '[J.|Smith] [K.|Doe] [R.|Roe]', /a word or a sign/],
  ['Smith J, Doe JK, Roe R', '[J|Smith] [JK|Doe] [R|Roe]', /commas/],
  ['Barnes & Noble', '<Barnes & Noble>'],
  ['Smith, John, Doe', '<Smith, John, Doe>', /part no name we know/],
  ['Smith J. and {CERN} and Last F. M.', '[J.|Smith] <CERN> [F. M.|Last]'],
  ['Zhang X.Y., Li Q.', '[X.Y.|Zhang] [Q.|Li]', /commas/],
  ['Smith, J. and~Jones, B.', '[J.|Smith] [B.|Jones]'],
  [String.raw`Ann Alpha \and Bob Beta`, '[Ann|Alpha] [Bob|Beta]'],
  // What is no name, or no part of one.
  [
    String.raw`Beta, Bob\textsuperscript{2,*} and World Bank, The`,
    '[Bob|Beta] <The World Bank>',
    /"\^2,\*" is no part/,
  ],
  ['Smith, John and', '[John|Smith]', /empty/],
  ['and Smith, John', '[John|Smith]', /empty/],
  ['Brand, And', '[And|Brand]'],
  ['Doe, J. and {et al.}', '[J.|Doe] …'],
  ['Doe, J. and {others}', '[J.|Doe] …'],
  ['M{\\"u}ller, A.{,} Jr.', '[A.|Müller|Jr.]'],
  ['Jane Doe$^{1,2}$ and John Roe*†', '[Jane|Doe] [John|Roe]', /"\^1,2" .*"\*†" is no part/],
  [
    'Doe, Jane <jane@example.org> and Roe, R. (0000-0002-1825-0097)',
    '[Jane|Doe] [R.|Roe]',
    /"<jane@example.org>" .*"\(0000-0002-1825-0097\)" is no part/,
  ],
  [', and {Академия}', '<Академия>', /empty/],
  ['Doe, J. et~al.', '[J.|Doe] …'],
  ['Beazley, J. D. and van Beek, M.D.', '[J. D.|Beazley] [M.D.|van Beek]'],
  ['Dr. Eva Maier, MD and Smith, MD', '[Eva|Maier] [MD|Smith]', /"Dr\." .*"MD" /],
  ['John Smith, Ph.D.', '[John|Smith]', /"Ph\.D\." is no part of the name John Smith/],
  ['Smith, John (ed.)', '[John|Smith]', /"\(ed\.\)" .* Smith, John: it is not kept/],
  ['World Health Organization', '<World Health Organization>', /name of a group/],
  ['World Bank and Ann Bank', '[World|Bank] [Ann|Bank]', /^World Bank is .*; braces/],
  ['Apple, Inc. and {Apple}, Inc.', '<Apple, Inc.> <Apple, Inc.>'],
  ['King, {Jr.}, Martin and Silva, Filho, João', '[Martin|King|Jr.] [João|Silva|Filho]'],
  ['John Moe, Esq.', '[John|Moe|Esq.]'],
  ['von und zu Berg, Hans and Tammo tom Dieck', '[Hans|von und zu Berg] [Tammo|tom Dieck]'],
  ['Doe, J. and Roe, R., editors', '[J.|Doe] [R.|Roe]', /"editors" .* Roe, R\.: it is not kept/],
  ['Roe, Ed.', '[Ed.|Roe]'],
  ['Doe J, Smith AB, van der Berg C', '[J|Doe] [AB|Smith] [C|van der Berg]', /commas/],
  ['Smith AB, Doe CD', '[Smith|AB] [Doe|CD]', /commas.*not clear/],
  ['US Department of Energy', '<US Department of Energy>', /name of a group/],
  ['ATLAS Collaboration and Ada Bank', '<ATLAS Collaboration> [Ada|Bank]', /name of a group/],
  ['John Smith, Jane Doe', '[Jane Doe|John Smith]'],
  ['Ann B. Alpha, Bob Beta', '[Ann B.|Alpha] [Bob|Beta]', /commas/],
  [
    'A. Alpha, Bob Beta and Van Allen, James A.',
    '[A.|Alpha] [Bob|Beta] [James A.|Van Allen]',
    /commas/,
  ],
  ['Doe, Jane, 1950-2010', '[Jane|Doe]', /"1950-2010" is no part/],
  ['{, } and Roe, Jane', '[Jane|Roe]', /empty/],
  ['Baldwin,S.A. and Smith, AG', '[S.A.|Baldwin] [AG|Smith]'],
  ['Moss Science, B.V.', '<Moss Science, B.V.>'],
  ['Smith PhD, Dr. John', '[John|Smith]', /"PhD" is no part .*"Dr\." is no part/],
  ['Jane Roe (jane@example.org)', '[Jane|Roe]', /"\(jane@example\.org\)" is no part/],
  ["al- Hakim, Tawfik and d' Alembert, Jean", "[Tawfik|al-Hakim] [Jean|d'Alembert]"],
  ['Alpha, Ann & Bob', '<Alpha, Ann & Bob>', /part no name we know/],
]

test('lists of names are read in the forms that files have', (t) => {
  for (const [source, names, note] of lists) {
    const read = readNameList(source, (text) => readLatex(text).text)
    t.is(shown(read), names, source)
    t.regex(read.notes.join(' '), note ?? /^$/, source)
  }
})

test('one name is not parted where a list would be', (t) => {
  t.is(shown(readName('King, Martin Luther, Jr.')), '[Martin Luther|King|Jr.]')
  t.is(shown(readName('Bread and Roses, Ann')), '[Ann|Bread and Roses]')
})

test('ten thousand names are read, and hostile ones in few steps', async (t) => {
  const many = Array.from({ length: 10_000 }, (_, at) => `Name${at}, Ann`).join(' and ')
  t.is(readNameList(many).names.length, 10_000)
  const pieces = ['{', '}', ',', ';', ' and', ' & ', 'Dr. ', '\\ ', 'a,', 'Jr. ', 'MD, ', '~']
  await assertFewLooks(t, 'names', pieces)
})

test('initials stand behind names only where it is certain', (t) => {
  const families = (text: string) => readNameList(text).names.map(({ family }) => family)
  t.deepEqual(families('Smith J and Doe RK'), ['Smith', 'Doe'])
  t.deepEqual(families('Wei MA and Jun LI'), ['MA', 'LI'])
  for (const text of ['Wei MA and Jun LI', 'MA Wei and LI Jun', 'John AAA and Mike BBB']) {
    t.regex(readNameList(text).notes.join(' '), /Which part is the family name is not clear/, text)
  }
  t.deepEqual(readNameList('Smith J and Doe RK').notes, [])
})
