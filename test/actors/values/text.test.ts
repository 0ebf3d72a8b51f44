import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { FaultList } from '#actors/values/fault_list.ts'
import { countCharacters, readText } from '#actors/values/text.ts'
import { anyCharacter } from '#test/_any_character.ts'

const line = { max: 50, lines: false, isName: false }
const paragraphs = { max: 50, lines: true, isName: false }
const nameRule = { max: 50, lines: false, isName: true }

const reads = test.macro(
  (t: ExecutionContext, value: string, rule: typeof line, expected: string) => {
    const faults = new FaultList()
    t.is(readText(value, 'field', rule, faults), expected)
    t.is(faults.count, 0)
  },
)

test('trims', reads, ' \u00a0a b\u3000', line, 'a b')
test('composes', reads, 'e\u0301\u1100\u1161', line, 'é가')
test('keeps compatibility characters', reads, 'ﬁ ①', line, 'ﬁ ①')
test('makes one space of a line break', reads, 'a\r\n\tb \n c', line, 'a b c')
test('makes one space of a line break among accents', reads, 'é \n b  c', line, 'é b  c')
test('keeps runs of spaces', reads, 'a  b', line, 'a  b')
test('keeps the lines of paragraphs', reads, '\na\r\n\tb\n', paragraphs, 'a\r\n\tb')
test('keeps characters beyond the BMP', reads, '𠮷😀', line, '𠮷😀')
test('counts characters, not code units', reads, '😀'.repeat(50), line, '😀'.repeat(50))
test(
  'keeps joiners, which words are written with',
  reads,
  'می\u200cخواهم',
  nameRule,
  'می\u200cخواهم',
)

const refuses = test.macro((t: ExecutionContext, value: unknown, code: string, message: string) => {
  const faults = new FaultList()
  t.is(readText(value, 'field', line, faults), undefined)
  t.deepEqual(faults.faults, [{ field: 'field', code, message }])
})

const reserved = (name: string, at: number) =>
  `field has ${name} at character ${at}, which is not a Unicode character; remove it`

test('a number is no text', refuses, 1, 'wrong_type', 'field must be a string, not a number')
test('high surrogate', refuses, 'ab\ud800', 'bad_character', reserved('U+D800', 3))
test('low surrogate', refuses, '\udfffx', 'bad_character', reserved('U+DFFF', 1))
test('U+FFFE', refuses, 'x\ufffe', 'bad_character', reserved('U+FFFE', 2))
test('U+FDD0', refuses, 'x\ufdd0', 'bad_character', reserved('U+FDD0', 2))
test('U+1FFFF', refuses, 'x\u{1ffff}', 'bad_character', reserved('U+1FFFF', 2))
test(
  'more marks than are written, before they are sorted',
  refuses,
  'ab' + '\u0301\u0323'.repeat(1_000),
  'too_many_marks',
  'field has more than 30 combining marks in a row at character 3; leave out what is not written',
)
test(
  'marks that become more than are written',
  refuses,
  'a' + '\u0344'.repeat(30),
  'too_many_marks',
  'field has more than 30 combining marks in a row at character 2; leave out what is not written',
)
test(
  'too long',
  refuses,
  'é'.repeat(51),
  'too_long',
  'field may have at most 50 characters, not 51',
)

const removes = test.macro(
  (t: ExecutionContext, value: string, rule: typeof line, expected: string, message: string) => {
    const faults = new FaultList()
    t.is(readText(value, 'field', rule, faults), expected)
    t.is(faults.count, 0)
    const kind = /(control|bidirectional) (?:character|control)/.exec(message)?.[0] ?? ''
    const code = `${kind.replace(' ', '_')}_removed`
    t.deepEqual(faults.warnings, [{ field: 'field', code, message }])
  },
)

const control = (point: string, at: number, count = 'it was') =>
  `field had the control character ${point} at character ${at}; ${count} removed`

test('NUL', removes, 'a\0b', line, 'ab', control('U+0000', 2))
test('C0', removes, '\x1fa\x1e\x02', nameRule, 'a', control('U+001F', 1, 'it and 2 others were'))
test('DEL', removes, 'é\x7f', paragraphs, 'é', control('U+007F', 2))
test('C1', removes, 'won\x92t', line, 'wont', control('U+0092', 4))
test('NEL parts lines', removes, '😀\u0085a', line, '😀 a', control('U+0085', 2))
test('vertical tab parts lines', removes, 'a\vb', paragraphs, 'a\nb', control('U+000B', 2))

test('nothing but control characters cannot be seen', (t) => {
  const faults = new FaultList()
  t.is(readText('\x1f\x07', 'field', line, faults), undefined)
  t.like(faults.faults, [{ code: 'invisible' }])
})

const had = (point: string, at: number, count: string) =>
  `field had the bidirectional control ${point} at character ${at}; ${count} removed`

test(
  'removes a mark of direction from a name',
  removes,
  '\u200fשלום',
  nameRule,
  'שלום',
  had('U+200F', 1, 'it was'),
)
test(
  'removes an embedding that was copied with an author',
  removes,
  'A\r\n B,\n \u202aC',
  line,
  'A B, C',
  had('U+202A', 9, 'it was'),
)
test(
  'removes an embedding and its end',
  removes,
  'a\u202bb\u202cc',
  paragraphs,
  'abc',
  had('U+202B', 2, 'it and 1 other was'),
)
test(
  'removes isolates, overrides and marks',
  removes,
  '😀\u2066a\u2067\u2068\u2069\u202d\u202e\u061c\u200e',
  line,
  '😀a',
  had('U+2066', 2, 'it and 7 others were'),
)

for (const code of [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]) {
  const point = `U+${code.toString(16).toUpperCase()}`
  test(`a name with ${point} is refused`, (t) => {
    const faults = new FaultList()
    t.is(readText(`a\n😀${String.fromCodePoint(code)}b`, 'field', nameRule, faults), undefined)
    const message =
      `field has the bidirectional control ${point} at character 4, which shows characters in ` +
      'another order than they have; remove it'
    t.deepEqual(faults.faults, [{ field: 'field', code: 'bidirectional_control', message }])
    t.deepEqual(faults.warnings, [])
  })
}

test('a text of which nothing can be seen is refused, whatever it is made of', (t) => {
  const unseen = ['\u200b', '\u00ad', '\u2060\ufeff\u200d', '\u3164', '\u115f\u1160', '\u2800']
  const more = ['\ufe0f', '\u{e0041}\u{e007f}', '\u034f', '\u180e', '\u200e\u200f', '\u2062 \u200b']
  for (const value of [...unseen, ...more, `${'\u200b'.repeat(40)} `]) {
    for (const rule of [line, paragraphs, nameRule]) {
      const faults = new FaultList()
      t.is(readText(value, 'field', rule, faults), undefined, JSON.stringify(value))
      const [fault] = faults.faults
      t.deepEqual(fault, {
        field: 'field',
        code: 'invisible',
        message: 'field has no character that can be seen',
      })
    }
  }
  for (const value of ['\u200b.', 'é\u200b', '\u2800⠁', '\ufe0f☺']) {
    t.is(readText(value, 'field', nameRule, new FaultList()), value)
  }
})

test('property: a text that was read is read again unchanged', (t) => {
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 80 }),
    fc.string({
      unit: fc.constantFrom(...' \t\r\n\u0301\u0323eα\u3000\ufeff\u2028'),
      maxLength: 80,
    }),
  )
  fc.assert(
    fc.property(texts, fc.constantFrom(line, paragraphs), (value, rule) => {
      const text = readText(value, 'field', rule, new FaultList())
      if (text === undefined) return
      t.is(readText(text, 'field', rule, new FaultList()), text)
      t.is(text, text.trim())
      t.is(text, text.normalize('NFC'))
      t.true(countCharacters(text) <= rule.max)
      if (!rule.lines) t.notRegex(text, /[\t\r\n]/)
    }),
    { numRuns: 500 },
  )
})

test('property: one rule tells which code points are forbidden, and which removed', (t) => {
  const isControl = (code: number) =>
    (code < 0x20 && ![9, 10, 13].includes(code)) || (code >= 0x7f && code < 0xa0)
  const isAllowed = (code: number) =>
    !(code >= 0xd800 && code < 0xe000) &&
    !(code >= 0xfdd0 && code < 0xfdf0) &&
    (code & 0xfffe) !== 0xfffe
  fc.assert(
    fc.property(
      fc.oneof(fc.nat(0x10ffff), fc.nat(0xff), fc.integer({ min: 0xd700, max: 0xffff })),
      (code) => {
        const faults = new FaultList()
        readText(`a${String.fromCodePoint(code)}b`, 'field', line, faults)
        t.is(faults.count === 0, isAllowed(code), code.toString(16))
        const removed = faults.warnings.some((each) => each.code === 'control_character_removed')
        t.is(removed, isControl(code), code.toString(16))
      },
    ),
    { numRuns: 2_000 },
  )
})

test('every character is stored in NFC, before and after any other', (t) => {
  const read = (value: string) => readText(value, 'x', { ...paragraphs, max: 100 }, new FaultList())
  for (let code = 0x20; code < 0x3000; code += 1) {
    const character = String.fromCodePoint(code)
    for (const text of [`a${character}b`, `é${character}e\u0301`]) {
      const stored = read(text)
      const removed = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
      const expected = text.replace('\u0085', '\n').replace(removed, '').normalize('NFC')
      if (stored !== undefined) t.is(stored, expected)
    }
  }
})
