import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import plantedFaults from '#test/planted/faults.json' with { type: 'json' }
import keptFigures from '#test/tree_figures.json' with { type: 'json' }
import { parseSourceFile } from '#test/_source_file.ts'
import { treeFigures } from '#test/_tree_figures.ts'
import {
  markdownRules,
  moduleRules,
  rooms,
  type Rule,
  type TextFile,
  textRules,
} from '#test/_tree_rules.ts'

const root = join(import.meta.dirname, '..')
// What is installed or made at run time is not part of the tree.
const foreign = new Set(['node_modules', 'data', 'dist'])

const modules = readTree('{log,actors,config,src,test}/**/*.{ts,js}').map(({ path, text }) =>
  parseSourceFile(path, text),
)
const documents = readTree('**/*.md').map(textFile)

function readTree(pattern: string): readonly { readonly path: string; readonly text: string }[] {
  const paths = globSync(pattern, { cwd: root, exclude: (name) => foreign.has(name) })
  return paths.toSorted().map((file) => {
    return { path: file, text: readFileSync(join(root, file), 'utf8') }
  })
}

function textFile({ path, text }: { readonly path: string; readonly text: string }): TextFile {
  return { path, lines: text.split('\n') }
}

/** Tests that a rule finds each file broken on purpose, and nothing in the tree. */
function testRule<F extends TextFile>(
  rule: Rule<F>,
  files: readonly F[],
  parse: (file: { readonly path: string; readonly text: string }) => F,
): void {
  test(rule.name, (t) => {
    for (const broken of rule.broken) t.is(rule.check(parse(broken)).length, 1, broken.text)
    const faults = files.flatMap((file) => rule.check(file))
    t.is(faults.length, 0, `\n${faults.join('\n')}`)
  })
}

for (const rule of moduleRules) {
  testRule(rule, modules, ({ path, text }) => parseSourceFile(path, text))
}
for (const rule of textRules) testRule(rule, [...modules, ...documents], textFile)
for (const rule of markdownRules) testRule(rule, documents, textFile)

test('a package can import no other packages of ours than its place allows', (t) => {
  const importsOf = (folder: string) => {
    const text = readFileSync(join(root, folder, 'package.json'), 'utf8')
    return Object.keys((JSON.parse(text) as { imports: Record<string, string> }).imports)
  }
  t.deepEqual(importsOf('log'), ['#log/*'])
  t.deepEqual(importsOf('actors'), ['#actors/*', '#log/*'])
  t.deepEqual(importsOf('src/client'), ['#src/client/*'])
})

// Figures that have fallen are kept in the file, so that they stay.
test('the tree has no more rooms, arrows between them and small files than it had', (t) => {
  const figures = treeFigures(modules.filter(({ path }) => !path.startsWith('test/')))
  for (const name of ['rooms', 'arrows', 'smallFilesForOneImporter'] as const) {
    t.true(
      figures[name] <= keptFigures[name],
      `${name}: ${figures[name]}, not ${keptFigures[name]}`,
    )
  }
})

// AVA ends what imports it and was started otherwise: a bench would end before it begins.
test('what a script of the package starts imports no AVA', (t) => {
  const text = readFileSync(join(root, 'package.json'), 'utf8')
  const { scripts } = JSON.parse(text) as { scripts: Record<string, string> }
  const started = Object.values(scripts).map((each) => /^node (test\/\S+)/.exec(each)?.[1])
  const reached = new Set(started.filter((path) => path !== undefined))
  t.true(reached.size > 15)
  for (const path of reached) {
    const { imports = [], lines = [] } = modules.find((each) => each.path === path) ?? {}
    t.deepEqual(
      lines.filter((line) => /^import (?!type ).* from 'ava'/.test(line)),
      [],
      path,
    )
    for (const { name } of imports) if (name.startsWith('#test/')) reached.add(name.slice(1))
  }
})

// Sources change, and a fault that cannot be planted shows nothing.
test('each planted fault has its place in one file, and its tests', (t) => {
  const product = modules.filter(({ path }) => !path.startsWith('test/'))
  const texts = new Map(product.map(({ path, lines }) => [path, lines.join('\n')]))
  const names = new Set(modules.map(({ path }) => path.split('/').at(-1)))
  for (const [fault, { file, find, tests }] of Object.entries(plantedFaults)) {
    const hasOnce = (path: string) => texts.get(path)?.split(find).length === 2
    t.true(hasOnce(file) || [...texts.keys()].filter(hasOnce).length === 1, fault)
    for (const each of tests) t.true(names.has(each.split('/').at(-1)), `${fault}: ${each}`)
  }
})

test('the rules see the whole tree', (t) => {
  for (const folder of ['log', 'actors', 'config', 'src', 'test']) {
    t.true(
      modules.some(({ path }) => path.startsWith(`${folder}/`)),
      folder,
    )
  }
  for (const [folder, steps] of Object.entries(rooms)) {
    for (const room of steps.flat()) {
      const place = `${folder}/${room}`
      t.true(
        modules.some(({ path }) => path === place || path.startsWith(`${place}/`)),
        place,
      )
    }
  }
  const kernel = modules.find(({ path }) => path === 'actors/kernel/kernel.ts')
  t.true(kernel?.imports.some(({ name }) => name === 'nact'))
  t.true((kernel?.functions.length ?? 0) > 20)
  t.true(documents.some(({ path }) => path === 'actors/README.md'))
})
