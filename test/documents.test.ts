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

// Documents in plain English: one that is edited for it is added here.
const plainDocuments = globSync([
  '{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md',
  '{log,actors,src/client,src/delivery/fetch}/README.md',
  'docs/{accounts,backup,benchmarks,citations,cluster,commands,configuration,content}.md',
  'docs/{evidence,harvesting,interface,operations,search,stores,threats,webhooks,witnesses}.md',
])

/** Phrases of a translation, and what is written in their place. */
const plainer: ReadonlyMap<RegExp, string> = new Map([
  [/\banew\b/i, 'again'],
  [/\bwhoever\b/i, 'a person who, anyone who'],
  [/\bfor ever\b/i, 'forever, permanently'],
  [/\bin vain\b/i, 'without success'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, repair, correct'],
  [/\bvouch(?:es|ed)?\b/i, 'prove'],
  [/\bunless told\b/i, 'by default'],
  [/\bgo(?:es|ing)? on\b/i, 'continue'],
  [/\bis there already\b/i, 'already exists'],
])

test('documents say it plainly', (t) => {
  t.is(plainDocuments.length, 25)
  const found = plainDocuments.flatMap((document) => {
    const prose = readFileSync(document, 'utf8')
      .replaceAll(/^```[\s\S]*?^```/gm, (code) => code.replaceAll(/[^\n]/g, ''))
      .replaceAll(/`[^`\n]*`/g, '')
    return prose.split('\n').flatMap((line, index) => {
      return [...plainer].flatMap(([phrase, better]) => {
        const [words] = phrase.exec(line) ?? []
        return words === undefined ? [] : [`${document}:${index + 1}: "${words}": ${better}`]
      })
    })
  })
  t.deepEqual(found, [])
})

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
  const versions = new Map<string, string>()
  const table = readFileSync('docs/dependencies.md', 'utf8')
  for (const folder of ['.', 'log', 'actors']) {
    const text = readFileSync(`${folder}/package.json`, 'utf8')
    const { dependencies, devDependencies = {} } = JSON.parse(text) as {
      readonly dependencies: Record<string, string>
      readonly devDependencies?: Record<string, string>
    }
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      t.regex(version, /^\d+\.\d+\.\d+$/, name)
      t.is(versions.get(name) ?? version, version, name)
      versions.set(name, version)
      if (!name.startsWith('@arklog/')) t.true(table.includes(`\`${name}\``), name)
    }
  }
})
