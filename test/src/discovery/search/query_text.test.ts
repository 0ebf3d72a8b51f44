import test from 'ava'
import fc from 'fast-check'

import { foldText, indexedText, indexedWords, lookedForWords } from '#src/discovery/search/fold.ts'
import {
  alternativesOf,
  type Clause,
  countFieldWords,
  countWords,
  parseQueryText,
  replaceWords,
} from '#src/discovery/search/query_text.ts'
import { wordForms } from '#src/discovery/search/embedded/spelling_corrector.ts'
import { anyCharacter } from '#test/_any_character.ts'

function parsed(text: string, names = {}): string[] {
  const written = ({ type, field, text: said, isExcluded, isPrefix }: Clause) => {
    const body = type === 'phrase' ? `"${said}"` : said
    const named = field === undefined ? body : `${field}(${body})`
    return (isExcluded ? '-' : '') + named + (isPrefix ? '*' : '')
  }
  return parseQueryText(text, names).map((clause) => alternativesOf(clause).map(written).join('|'))
}

test('words, phrases and what is left out are told apart', (t) => {
  t.deepEqual(parsed('graph neural'), ['graph', 'neural*'])
  t.deepEqual(parsed('graph neural '), ['graph', 'neural'])
  t.deepEqual(parsed('"graph neural" net'), ['"graph neural"', 'net*'])
  t.deepEqual(parsed('net -"graph neural" -x'), ['net', '-"graph neural"', '-x'])
  t.deepEqual(parsed('“graph neural”'), ['"graph neural"'])
  t.deepEqual(parsed('"not closed'), ['"not closed"'])
  // A stroke between letters of Arabic, and a mark of kana without its letter.
  t.deepEqual(parsed('ـ "ﾞ" -ـ x '), ['x'])
  t.deepEqual(parsed('e-mail -  - "" *** –not'), ['e-mail', '-not'])
  t.deepEqual(parsed(''), [])
})

test('what OR joins is one clause; an OR that joins nothing is a word', (t) => {
  t.deepEqual(parsed('a OR b c'), ['a|b', 'c*'])
  t.deepEqual(parsed('a OR "b c" OR d'), ['a|"b c"|d*'])
  t.deepEqual(parsed('OR a'), ['OR', 'a*'])
  t.deepEqual(parsed('a OR'), ['a', 'OR*'])
  t.deepEqual(parsed('a or b'), ['a', 'or', 'b*'])
  t.deepEqual(parsed('a OR -b'), ['a', 'OR', '-b'])
  t.deepEqual(parsed('-a OR b'), ['-a', 'OR', 'b*'])
  t.deepEqual(parsed('a OR OR b '), ['a', 'OR', 'b'])
  t.deepEqual(parsed('a OR b a OR b '), ['a|b'])
})

test('what has the name of a field before it is looked for there alone', (t) => {
  const names = { author: 'authors', title: 'title' }
  const rows: Readonly<Record<string, readonly string[]>> = {
    'author:li title:"a b" c': ['authors(li)', 'title("a b")', 'c*'],
    'author:ـ -title:"ﾞ" c': ['c*'],
    'author:li OR title:x OR c d': ['authors(li)|title(x)|c', 'd*'],
    '-author:li -title:"a b"': ['-authors(li)', '-title("a b")'],
    'Author:Li Title:x': ['authors(Li)', 'title(x)'],
    'author:li li author:li': ['authors(li)', 'li'],
    'author: li': ['author:', 'li*'],
    'author:"" li': ['author:', 'li*'],
    'journal:x journal:"a b"': ['journal:x', 'journal:', '"a b"'],
    'ark:/12345/x https://a.example/b': ['ark:/12345/x', 'https://a.example/b*'],
    'toString:x constructor:y': ['toString:x', 'constructor:y*'],
  }
  for (const [typed, clauses] of Object.entries(rows))
    t.deepEqual(parsed(typed, names), clauses, typed)
})

test('words have other forms and spellings in five languages', (t) => {
  for (const [word, form] of [
    ['optimisation', 'optimization'],
    ['optimization', 'optimisations'],
    ['behavior', 'behaviours'],
    ['analyse', 'analyze'],
    ['theories', 'theory'],
    ['centre', 'center'],
    ['modelling', 'modeling'],
    ['netz', 'netze'],
    ['bilder', 'bild'],
    ['reseau', 'reseaux'],
    ['journaux', 'journal'],
    ['luces', 'luz'],
    ['acao', 'acoes'],
    ['spectrum', 'spectra'],
  ] as const) {
    t.true(wordForms(word).includes(form), `${word} ${form}`)
  }
  for (const word of ['a', 'the', 'covid19', '量子力学', '']) t.deepEqual(wordForms(word), [], word)
  t.false(wordForms('network').includes('network'))
})

test('words are replaced where they stand, also after the name of a field', (t) => {
  const meant = new Map([
    ['a', 'b'],
    ['forms', 'forms OR form'],
    ['x:a', 'whole'],
  ])
  t.is(replaceWords('a title:a “a c” ca', meant), 'b title:b “b c” ca')
  t.is(replaceWords('title:"a c"', meant), 'title:"b c"')
  t.is(replaceWords('title:forms forms', meant), 'title:forms OR title:form forms OR form')
  t.is(replaceWords('x:a y:c -a', meant), 'whole y:c -a')
})

test('what is said twice is looked for once', (t) => {
  t.deepEqual(parsed('a '.repeat(500)), ['a'])
  t.deepEqual(parsed('Ä a "a" -a -A a'), ['Ä', '"a"', '-a'])
  t.deepEqual(parsed('graph neural graph'), ['graph', 'neural'])
  t.deepEqual(parsed('graph neural gra'), ['graph', 'neural', 'gra*'])
})

test('words are counted as they are looked for', (t) => {
  const count = (text: string) => countWords(parseQueryText(text))
  t.is(count('a '.repeat(500)), 1)
  t.is(count('graph "neural nets" -e-mail a.b.c *** '), 8)
  t.is(count('"' + 'a '.repeat(40) + '"'), 40)
  t.is(count('量子力学の基礎'), 2)
  t.is(count('量 子 力 学'), 4)
  t.is(count('量a子b力c学d'), 8)
  t.is(countFieldWords('a A a b-c b'), 3)
  t.is(countFieldWords('量子力学の基礎'), 2)
  t.is(countFieldWords('量'.repeat(500)), 1)
})

test('nothing that is typed is an error, and nothing is found in it that is not there', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        for (const clause of parseQueryText(text)) if (clause.text.trim() === '') return false
        return true
      }),
    ),
  )
})

test('spellings of one text are folded to one', (t) => {
  t.is(foldText('Straße ÀÉ Łódź Ørsted İstanbul ﬁ Ａ'), 'strasse ae lodz orsted istanbul fi a')
  t.is(foldText('Ἀθῆναι'), foldText('αθηναι'))
  t.is(foldText('がき'), 'がき')
  t.not(foldText('が'), foldText('か'))
  t.is(foldText('हिन्दी'), 'हिन्दी')
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const folded = foldText(text)
        return foldText(folded) === folded && foldText(text.normalize('NFD')) === folded
      }),
    ),
  )
})

test('scripts that part no words are parted into pairs', (t) => {
  t.is(indexedText('量子力学').trim(), '量子 子力 力学 学')
  t.is(indexedText('AI計算X').replaceAll(/ +/g, ' '), 'ai 計算 算 x')
  t.deepEqual(lookedForWords('AI計算'), ['ai', '計算'])
})

test('every word that is looked for in its own text is found there', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const words = new Set(indexedWords(text))
        return lookedForWords(text).every((word) => words.has(word))
      }),
    ),
  )
})
