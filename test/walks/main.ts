/**
 * Which way a request takes through the code. `npm run walks` carries out each walk in a registry
 * that has done it before, in one thread and with an edge thread, and counts the files of ours that
 * ran until the answer, their functions, and the shapes that the work took. V8 counts the calls. It
 * fails if a figure has risen above the one that `figures.json` keeps in each of three counts, for
 * what a thread does by the clock can only add to one. `npm run walks -- mint` lists the files and
 * shapes of one walk; `npm run walks -- --write` keeps what has fallen.
 */

import { countWalks, type WalkCount } from '#test/walks/_figures.ts'
import {
  figuresOf,
  lowerFigures,
  readKeptFigures,
  risenFigures,
  writeLowerFigures,
} from '#test/walks/_kept_figures.ts'

/** How often walks are counted at most. */
const countsMax = 3

const wanted = process.argv.slice(2)
const counts = await countWalks([0, 1])
for (const [name, { files, functions, shapes }] of counts) {
  const line = `${files.length} files, ${functions} functions, ${shapes.length} shapes`
  process.stdout.write(`${name}: ${line}\n`)
  if (wanted.some((each) => name.startsWith(each))) printLists({ files, functions, shapes })
}
const kept = readKeptFigures()
let now = figuresOf(counts)
for (let count = 1; count < countsMax && risenFigures(kept, now).length > 0; count += 1) {
  now = lowerFigures(now, figuresOf(await countWalks([0, 1])))
}
for (const line of risenFigures(kept, now)) {
  process.stdout.write(`risen: ${line}\n`)
  process.exitCode = 1
}
if (wanted.includes('--write')) writeLowerFigures(kept, now)

function printLists({ files, shapes }: WalkCount): void {
  for (const line of [...files, ...shapes.map((shape) => `shape ${shape}`)]) {
    process.stdout.write(`  ${line}\n`)
  }
}
