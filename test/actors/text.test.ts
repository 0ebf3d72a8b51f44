import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { FaultList } from '#actors/fault_list.ts'
import { countCharacters, readText } from '#actors/text.ts'

const line = { max: 50, lines: false }
const paragraphs = { max: 50, lines: true }

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
test('keeps runs of spaces', reads, 'a  b', line, 'a  b')
test('keeps the lines of paragraphs', reads, '\na\r\n\tb\n', paragraphs, 'a\r\n\tb')
test('keeps characters beyond the BMP', reads, '𠮷😀', line, '𠮷😀')
test('counts characters, not code units', reads, '😀'.repeat(50), line, '😀'.repeat(50))
test('keeps marks that write direction', reads, 'a\u200f\u202bb', line, 'a\u200f\u202bb')

const refuses = test.macro((t: ExecutionContext, value: unknown, code: string, message: string) => {
  const faults = new FaultList()
  t.is(readText(value, 'field', line, faults), undefined)
  t.deepEqual(faults.faults, [{ field: 'field', code, message }])
})

const control = (name: string, at: number) =>
  `field has the control character ${name} at character ${at}; remove it`
const reserved = (name: string, at: number) =>
  `field has ${name} at character ${at}, which is not a Unicode character; remove it`

test('a number is no text', refuses, 1, 'wrong_type', 'field must be a string, not a number')
test('NUL', refuses, 'a\0', 'control_character', control('U+0000', 2))
test('C0', refuses, '\x1f', 'control_character', control('U+001F', 1))
test('DEL', refuses, 'é\x7f', 'control_character', control('U+007F', 2))
test('C1', refuses, '😀\n\x85', 'control_character', control('U+0085', 3))
test('vertical tab', refuses, 'a\vb', 'control_character', control('U+000B', 2))
test('high surrogate', refuses, 'ab\ud800', 'bad_character', reserved('U+D800', 3))
test('low surrogate', refuses, '\udfffx', 'bad_character', reserved('U+DFFF', 1))
test('U+FFFE', refuses, 'x\ufffe', 'bad_character', reserved('U+FFFE', 2))
test('U+FDD0', refuses, 'x\ufdd0', 'bad_character', reserved('U+FDD0', 2))
test('U+1FFFF', refuses, 'x\u{1ffff}', 'bad_character', reserved('U+1FFFF', 2))
test(
  'too long',
  refuses,
  'é'.repeat(51),
  'too_long',
  'field may have at most 50 characters, not 51',
)

test('property: a text that was read is read again unchanged', (t) => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
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

test('property: every code point is told from the forbidden ones by one rule', (t) => {
  const isAllowed = (code: number) =>
    !(code < 0x20 && ![9, 10, 13].includes(code)) &&
    !(code >= 0x7f && code < 0xa0) &&
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
      },
    ),
    { numRuns: 2_000 },
  )
})

test('every character is stored in NFC, before and after any other', (t) => {
  const read = (value: string) => readText(value, 'x', { max: 100, lines: true }, new FaultList())
  for (let code = 0x20; code < 0x3000; code += 1) {
    const character = String.fromCodePoint(code)
    for (const text of [`a${character}b`, `é${character}e\u0301`]) {
      const stored = read(text)
      if (stored !== undefined) t.is(stored, text.trim().normalize('NFC'))
    }
  }
})
