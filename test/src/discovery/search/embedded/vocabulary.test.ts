import { hash } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'

import { EmbeddedEngine } from '#src/discovery/search/embedded/embedded_engine.ts'
import { indexPath, openReader } from '#src/discovery/search/embedded/index_file.ts'
import { Vocabulary, WordList } from '#src/discovery/search/embedded/vocabulary.ts'
import { batchOf, documentOf, put, queryOf } from '#test/contracts/search_engine.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

/** Words of one letter that are read in three steps, none of them spelled like another. */
const words = Array.from({ length: 2_500 }, (_, n) => `m${lettersOf(n)}`)

function lettersOf(n: number): string {
  const digits = hash('sha256', String(n)).slice(0, 9)
  return digits.replaceAll(/[0-9]/g, (digit) => 'ghijklnopq'[Number(digit)] ?? '')
}

async function openEngine(t: ExecutionContext): Promise<{ dir: string; engine: EmbeddedEngine }> {
  const dir = await makeTempDir(t)
  const engine = new EmbeddedEngine({ dir, journal: 'x', queryMsMax: 60_000 })
  t.teardown(() => engine.close())
  await put(engine, batchOf([documentOf(0, { title: words.join(' ') })]))
  return { dir, engine }
}

test('words that were read in steps beforehand are all there', async (t) => {
  const { dir } = await openEngine(t)
  const db = openReader(indexPath(dir, 'current'))
  t.teardown(() => db.close())
  const vocabulary = new Vocabulary(db, 'works', new WordList(db, 'works'))
  let steps = 0
  while (vocabulary.prepare()) steps += 1
  t.true(steps > 26, `${steps} steps: a letter of many words takes more than one`)
  const lost = words.filter((word) => vocabulary.near(`${word}z`)[0]?.text !== word)
  t.deepEqual(lost, [])
  t.false(vocabulary.prepare(), 'what was read a moment ago is not read anew')
})

test('an index that is prepared is searched, emptied and searched again', async (t) => {
  const { engine } = await openEngine(t)
  await engine.prepare('works')
  const [word = ''] = words
  const { alsoSearchedFor } = await engine.search('works', queryOf(`${word}z `))
  t.deepEqual(alsoSearchedFor, [word])
  await engine.reset()
  await engine.prepare('works')
  t.is((await engine.search('works', queryOf(word))).total, 0)
})
