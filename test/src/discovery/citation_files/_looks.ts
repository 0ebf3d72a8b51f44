import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

import type { ExecutionContext } from 'ava'

import type { CountedReader } from '#test/src/discovery/citation_files/_counting_reader.ts'

/** Characters that are looked at for each one of a text, at most. */
export const looksMax = 100

/** How long the texts of one piece are. */
const characters = 60_000

/** How many characters a reader looks at for each of these texts, one after the other. */
export async function* looksOf(
  texts: readonly string[],
  reader: CountedReader = 'BibTeX',
): AsyncGenerator<number> {
  const file = new URL('_counting_reader.ts', import.meta.url)
  const worker = new Worker(file, { workerData: reader })
  for (const text of texts) {
    worker.postMessage(text)
    const [looks] = (await once(worker, 'message')) as [number]
    yield looks
  }
  await worker.terminate()
}

/** Asserts that a reader takes no more steps for texts of one piece alone than they are long. */
export async function assertFewLooks(
  t: ExecutionContext,
  reader: CountedReader,
  pieces: readonly string[],
): Promise<void> {
  const texts = pieces.map((piece) => piece.repeat(characters / piece.length))
  let at = 0
  for await (const looks of looksOf(texts, reader)) {
    t.true(looks <= looksMax * characters, `${reader} ${pieces[at]}: ${looks}`)
    at += 1
  }
  t.is(at, pieces.length)
}
