/**
 * Which way a request takes through the code. `npm run walks` carries out each walk in a registry
 * that has done it before, in one thread and with an edge thread, and counts the files of ours that
 * ran until the answer, their functions, and the shapes that the work took. V8 counts the calls. It
 * fails if a figure has risen above the one that `figures.json` keeps in each of three counts, for
 * what a thread does by the clock can only add to one: of the second and third count are only the
 * walks that have risen. A count of all takes ten minutes. `npm run walks -- mint` lists the files
 * and shapes of one walk; `npm run walks -- --write` keeps what has fallen.
 */

import { CallCounter } from '#test/walks/_call_counter.ts'
import { countWalks, type WalkCount } from '#test/walks/_figures.ts'
import {
  figuresOf,
  type KeptFigures,
  lowerFigures,
  readKeptFigures,
  risenFigures,
  writeLowerFigures,
} from '#test/walks/_kept_figures.ts'

/** How often walks are counted at most. */
const countsMax = 3

const wanted = process.argv.slice(2)
const kept = readKeptFigures()
const counter = new CallCounter()
await counter.open()
let now = await countAgain(() => true)
for (let count = 1; count < countsMax; count += 1) {
  const risen = risenFigures(kept, now)
  if (risen.length === 0) break
  process.stdout.write(`${risen.length} figures have risen; their walks are counted again\n`)
  const isRisen = (name: string) => risen.some((line) => line.startsWith(`${name}:`))
  now = lowerFigures(now, await countAgain(isRisen))
}
for (const line of risenFigures(kept, now)) {
  process.stdout.write(`risen: ${line}\n`)
  process.exitCode = 1
}
if (wanted.includes('--write')) writeLowerFigures(kept, now)

/** Counts walks, and tells of each. */
async function countAgain(isWanted: (name: string) => boolean): Promise<KeptFigures> {
  const counts = new Map<string, WalkCount>()
  for await (const [name, count] of countWalks(counter, [0, 1], isWanted)) {
    counts.set(name, count)
    const { files, functions, shapes } = count
    const line = `${files.length} files, ${functions} functions, ${shapes.length} shapes`
    process.stdout.write(`${name}: ${line}\n`)
    if (wanted.some((each) => name.startsWith(each))) printLists(count)
  }
  return figuresOf(counts)
}

function printLists({ files, shapes }: WalkCount): void {
  for (const line of [...files, ...shapes.map((shape) => `shape ${shape}`)]) {
    process.stdout.write(`  ${line}\n`)
  }
}
