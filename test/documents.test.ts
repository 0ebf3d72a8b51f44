import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'ava'

import { parseVkey } from '#log/tlog/note.ts'

const documents = globSync('**/*.md', { exclude: (name) => name.includes('node_modules') })

test('a link from one document to a file, or to a heading, leads somewhere', (t) => {
  t.true(documents.length > 15)
  const dead: string[] = []
  for (const document of documents) {
    for (const [, target = ''] of readFileSync(document, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const [file = '', heading] = target.split('#')
      const found = file === '' ? document : path.join(path.dirname(document), file)
      if (!existsSync(found)) dead.push(`${document}: ${target}`)
      else if (heading !== undefined && !headingsOf(found).has(heading)) {
        dead.push(`${document}: ${target}`)
      }
    }
  }
  t.deepEqual(dead, [])
})

test('what the architecture names as a file or a folder is there', (t) => {
  const named = [
    ...readFileSync('ARCHITECTURE.md', 'utf8').matchAll(
      /`((?:log|actors|src|config|test)\/[\w./]*)`/g,
    ),
  ]
  t.true(named.length > 60)
  t.deepEqual(
    named.map(([, file = '']) => file).filter((file) => !existsSync(file)),
    [],
  )
})

/** The names by which the headings of a document are linked to, as forges make them. */
function headingsOf(document: string): ReadonlySet<string> {
  const headings = [...readFileSync(document, 'utf8').matchAll(/^#+ (.+)$/gm)]
  return new Set(
    headings.map(([, text = '']) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/g, '-'),
    ),
  )
}

test('a verifier key that a document writes out is one', (t) => {
  const written = documents.flatMap((document) =>
    [...readFileSync(document, 'utf8').matchAll(/[\w./-]+\+[\da-f]{8}\+[\w+/]{40,}=*/g)].map(
      String,
    ),
  )
  t.true(written.length > 0)
  for (const vkey of written) t.notThrows(() => parseVkey(vkey), vkey)
})

test('the way in is short', (t) => {
  t.true(readFileSync('README.md', 'utf8').split('\n').length <= 150)
})

test('each dependency has one exact version, and a line that says what it is for', (t) => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly dependencies: Record<string, string>
    readonly devDependencies: Record<string, string>
  }
  const table = readFileSync('docs/dependencies.md', 'utf8')
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    t.regex(version, /^\d+\.\d+\.\d+$/, name)
    t.true(table.includes(`\`${name}\``), name)
  }
})
