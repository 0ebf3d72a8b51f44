// Says what is missing, unused, too long or broken in the catalogue of words, by language:
// `npm run check:words`, with the tag of a language for that one and the texts that it lacks.

import { argv, exit, stdout } from 'node:process'

import { languages } from '#src/words/languages.ts'
import { english, type Language } from '#src/words/language.ts'
import {
  catalogue,
  desks,
  entriesOf,
  type Entry,
  everywhere,
  faultsOf,
  languagesOf,
  nameOf,
  strangeKeys,
  translationOf,
  unusedMessages,
} from '#test/src/words/_catalogue.ts'

const [asked] = argv.slice(2)
let faulty = 0

const say = (line: string) => stdout.write(`${line}\n`)

function tell(faults: readonly string[]): void {
  faulty += faults.length
  for (const fault of faults) say(fault)
}

tell(catalogue.flatMap((entry) => faultsOf(entry, entry.text, 'en')))
tell(unusedMessages().map((name) => `en: ${name} is not used`))
say(`en: ${catalogue.length} messages, ${entriesOf(desks).length} of them of desks`)
for (const language of languages.filter((each) => each !== english)) {
  const { tag } = language
  if (asked !== undefined && asked !== tag) continue
  tell(strangeKeys(language).map((name) => `${tag}: ${name} is unknown`))
  for (const [pages, places] of [
    ['of readers and authors', everywhere],
    ['of desks', desks],
  ] as const) {
    const wanted = entriesOf(places).filter((entry) => languagesOf(entry).includes(language))
    if (wanted.length > 0) tellLanguage(language, pages, wanted)
  }
}
exit(faulty === 0 ? 0 : 1)

function tellLanguage(language: Language, pages: string, wanted: readonly Entry[]): void {
  const { tag } = language
  const missing = wanted.filter((entry) => translationOf(entry, language) === undefined)
  const count = wanted.length - missing.length
  say(`${tag}: ${count} messages ${pages}, ${Math.floor((100 * count) / wanted.length)} %`)
  tell(
    wanted.flatMap((entry) => {
      const text = translationOf(entry, language)
      return text === undefined ? [] : faultsOf(entry, text, tag)
    }),
  )
  if (asked === tag) tell(missing.map((entry) => `${tag}: ${nameOf(entry)}: ${entry.text}`))
  else
    for (const [place, { length }] of Map.groupBy(missing, ({ place: each }) => each)) {
      tell([`${tag}: ${place} lacks ${length}`])
    }
}
