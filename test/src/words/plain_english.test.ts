import test from 'ava'

import { catalogue, nameOf } from '#test/src/words/_catalogue.ts'

// Turns that the rules of plain English name, as far as a pattern can tell them.
const avoided: readonly RegExp[] = [
  /\bmay\b/,
  /\bshall\b/,
  /\bwhose\b/i,
  /\bin vain\b/i,
  /\bnot to be\b/i,
  /\bis to be\b/i,
  /\bare to be\b/i,
  /\bfor good\b/i,
  /\bjust now\b/i,
  /\btick(?:ed)?\b/i,
  /\bnot right yet\b/i,
  /\bis this right\b/i,
  /\bwhat (?:waits|is about|was not)\b/i,
  /\bthe newest first\b/i,
  /\btake (?:it|them|this) back\b/i,
  /\ba word to\b/i,
  /\bregistered last\b/i,
  /\byou need not\b/i,
  /\bwho (?:has|signs|reads|writes) [^?]*$/,
  /\bneeds nobody\b/i,
  /\bnobody’s\b/i,
  /\banew\b/i,
  /\bbut for\b/i,
  /\bis said\b/i,
  /\blead(?:s)? to (?:it|this)\b/i,
  /;.*;/,
]

const wordsMax = 30

test('English is plain', (t) => {
  const found = catalogue.flatMap((entry) =>
    avoided.filter((turn) => turn.test(entry.text)).map((turn) => `${nameOf(entry)}: ${turn}`),
  )
  t.deepEqual(found, [])
})

test('no sentence of English is long', (t) => {
  const long = catalogue.flatMap((entry) => {
    const sentences = entry.text.split(/[.!?:](?:\s|$)|\}\}/)
    return sentences
      .filter((sentence) => sentence.split(/\s+/).length > wordsMax)
      .map((sentence) => `${nameOf(entry)}: ${sentence}`)
  })
  t.deepEqual(long, [])
})
