import { readFile } from 'node:fs/promises'
import test from 'ava'

import { countWalks, figuresFile } from '#test/walks/_figures.ts'

type Figures = Readonly<
  Record<string, { readonly files: number; readonly functions: number; readonly shapes: number }>
>

/** On a busy machine a timer may run in every round of a walk: what is counted again says so. */
const attempts = 3

// In one thread nothing runs beside a request; with more, what follows the answer in another thread
// may be counted, so those figures are told by `npm run walks` and held by nothing.
test('no request passes more files, functions or shapes than it did', async (t) => {
  const kept = JSON.parse(await readFile(figuresFile, 'utf8')) as Figures
  let grown: string[] | undefined
  for (let attempt = 0; attempt < attempts && grown?.length !== 0; attempt += 1) {
    const found: string[] = []
    for (const [name, { files, functions, shapes }] of await countWalks([0])) {
      const most = kept[name] ?? { files: 0, functions: 0, shapes: 0 }
      if (files.length > most.files) found.push(`${name}: ${files.length} files`)
      if (functions > most.functions) found.push(`${name}: ${functions} functions`)
      if (shapes.length > most.shapes) found.push(`${name}: ${shapes.length} shapes`)
    }
    grown = found
  }
  t.deepEqual(grown, [], 'npm run walks -- mint lists the files of a walk')
})
