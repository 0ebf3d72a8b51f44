// Says what is missing, unused, too long or broken in the catalogue of words, by language:
// `npm run check:words`, with the tag of a language for that one and the texts that it lacks.

import { argv, exit, stdout } from 'node:process'

import { languages } from '#src/words/languages.ts'
import { english } from '#src/words/language.ts'
import {
  catalogue,
  faultsOf,
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
say(`en: ${catalogue.length} messages`)
for (const language of languages.filter((each) => each !== english)) {
  const { tag } = language
  if (asked !== undefined && asked !== tag) continue
  const missing = catalogue.filter((entry) => translationOf(entry, language) === undefined)
  const faults = catalogue.flatMap((entry) => {
    const text = translationOf(entry, language)
    return text === undefined ? [] : faultsOf(entry, text, tag)
  })
  tell([...faults, ...strangeKeys(language).map((name) => `${tag}: ${name} is unknown`)])
  const share = Math.floor((100 * (catalogue.length - missing.length)) / catalogue.length)
  say(`${tag}: ${catalogue.length - missing.length} messages, ${share} %`)
  const byPlace = Map.groupBy(missing, ({ place }) => place)
  for (const [place, entries] of byPlace) {
    if (asked === undefined) say(`${tag}: ${place} lacks ${entries.length}`)
    else for (const entry of entries) say(`${tag}: ${nameOf(entry)}: ${entry.text}`)
  }
}
exit(faulty === 0 ? 0 : 1)
