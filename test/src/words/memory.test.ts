import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import test from 'ava'
import { build } from 'esbuild'

import { ownFiles } from '#src/cli/bundle/write_bundle.ts'

const root = join(import.meta.dirname, '../../..')

/** What all texts of all languages can take in a thread. */
const catalogueBytesMax = 6_000_000

// What the parser takes is not counted; all else that a thread keeps of the catalogue is.
const program = `
import { stdout } from 'node:process'
import { english } from '#src/words/language.ts'
import { messages } from '#src/words/message.ts'

const used = () => {
  for (let round = 0; round < 5; round += 1) globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
messages('first', { text: '{$count :integer}' }).text({ count: 1 }).text(english)
const before = used()
const { languages } = await import('#src/words/languages.ts')
const places = await Promise.all([
  import('#src/words/english.ts'),
  import('#src/words/publisher_desk.ts'),
  import('#src/words/record_desk.ts'),
  import('#src/words/administrator_desk.ts'),
])
const kept = places.flatMap((module) => Object.values(module))
const unread = used() - before
for (const language of languages) {
  for (const each of kept.flatMap((place) => Object.values(place))) each.message.in(language)
}
stdout.write(JSON.stringify({ languages: languages.length, unread, read: used() - before }))
`

test('all texts of all languages, as the bundle has them, take little memory', async (t) => {
  const outdir = await mkdtemp(join(tmpdir(), 'arklog-words-'))
  t.teardown(() => rm(outdir, { recursive: true }))
  await build({
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    outdir,
    outExtension: { '.js': '.mjs' },
    stdin: { contents: program, resolveDir: root, sourcefile: 'words.ts', loader: 'ts' },
    plugins: [ownFiles],
  })
  const run = promisify(execFile)
  const { stdout } = await run(execPath, ['--expose-gc', join(outdir, 'stdin.mjs')])
  const { languages, unread, read } = JSON.parse(stdout) as Record<string, number>
  t.log({ unread, read })
  t.is(languages, 8)
  t.true(read !== undefined && read < catalogueBytesMax, stdout)
  // A language that nobody reads takes nothing: there is little more than English.
  t.true(unread !== undefined && unread < catalogueBytesMax / 2, stdout)
})
