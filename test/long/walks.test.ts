import test from 'ava'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

import { root } from '#test/walks/_call_counter.ts'
import { readKeptFigures } from '#test/walks/_kept_figures.ts'

// It fails with the lines of what has risen.
test('no walk passes more files, functions or shapes than it did', async (t) => {
  const main = path.join(root, 'test/walks/main.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [main], { cwd: root })
  t.false(stdout.includes('risen: '), stdout)
  for (const name of Object.keys(readKeptFigures())) t.true(stdout.includes(`${name}: `), name)
})
