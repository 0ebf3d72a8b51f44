import test from 'ava'
import { MessageFormat, parseMessage } from 'messageformat'

import { english } from '#src/words/language.ts'
import { languages } from '#src/words/languages.ts'
import { Said, type Slot } from '#src/words/message.ts'
import type { Wording } from '#src/words/wording.ts'
import {
  catalogue,
  type Entry,
  faultsOf,
  languagesOf,
  misnamedPlaces,
  nameOf,
  strangeKeys,
  translationOf,
  unusedMessages,
} from '#test/src/words/_catalogue.ts'

const others = languages.filter((language) => language !== english)

test('every text is there, can be read, and has the values and slots of the English one', (t) => {
  t.true(catalogue.length > 100)
  t.deepEqual(
    catalogue.flatMap((entry) => faultsOf(entry, entry.text, 'en')),
    [],
  )
  for (const language of others) {
    const faults = catalogue.flatMap((entry) => {
      const text = translationOf(entry, language)
      return text === undefined ? [] : faultsOf(entry, text, language.tag)
    })
    t.deepEqual(faults, [])
    t.deepEqual(strangeKeys(language), [], language.tag)
    const missing = catalogue.filter(
      (entry) =>
        languagesOf(entry).includes(language) && translationOf(entry, language) === undefined,
    )
    t.deepEqual(missing.map(nameOf), [], language.tag)
  }
})

test('the check of a text finds what is wrong', (t) => {
  const entry: Entry = { place: 'p', key: 'k', text: '{$count :integer} of {#link}all{/link}' }
  const faults = (text: string) => faultsOf(entry, text, 'de').length
  t.is(faults(entry.text), 0)
  t.is(faults('{$count :integer} von {#link}allen'), 1)
  t.is(faults('{$count von'), 1)
  t.is(faults('{$number :integer} von {#link}allen{/link}'), 2)
  t.is(faults('{$count :currency} von {#link}allen{/link}'), 1)
  t.is(faults(`{$count :integer} {#link}${'x'.repeat(200)}{/link}`), 1)
  const few = '.input {$count :integer} .match $count few {{{$count} {#link}x{/link}}} * {{x}}'
  t.is(faults(few), 1)
})

test('no message is left over, and no place is left out', (t) => {
  t.deepEqual(misnamedPlaces(), [])
  t.deepEqual(unusedMessages(), [])
})

const counts = [0, 1, 2, 3, 5, 6, 11, 21, 100, 101, 12_345, 1_000_000]
const plain: Slot = (words: Wording) => words

// The library itself is slower by far, and has no elements; what it says is right.
test('every text is what the library of MessageFormat 2 makes of it', (t) => {
  let compared = 0
  for (const language of languages) {
    for (const entry of catalogue) {
      const text = language === english ? entry.text : translationOf(entry, language)
      if (text === undefined) continue
      const model = parseMessage(text)
      const locale = language === english ? 'en-GB' : language.tag
      const format = new MessageFormat(locale, model, { bidiIsolation: 'none' })
      const names = [...text.matchAll(/\{\$(\w+)/g)].map(([, name = '']) => name)
      const slots = [...text.matchAll(/\{#(\w+)/g)].map(([, name = '']) => name)
      const numbers = new Set(
        [...text.matchAll(/\{\$(\w+) :(?:number|integer)/g)].map(([, n]) => n),
      )
      for (const count of numbers.size === 0 ? [1] : counts) {
        const values = Object.fromEntries(
          names.map((name) => [name, numbers.has(name) ? count : `<${name}>`]),
        )
        const given = { ...Object.fromEntries(slots.map((name) => [name, plain])), ...values }
        const own = new Said(entry, given).text(language)
        if (language.direction === 'rtl') continue
        t.is(own, format.format(values), `${language.tag} ${nameOf(entry)} ${count}`)
        compared += 1
      }
    }
  }
  t.true(compared > 200)
})
