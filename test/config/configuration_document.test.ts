import { readFile } from 'node:fs/promises'
import test from 'ava'
import { configKeys } from '#config/schema.ts'
import { renderConfigTable } from '#test/config/_config_table.ts'

test('the table of docs/configuration.md is the one that the schema gives', async (t) => {
  const text = await readFile('docs/configuration.md', 'utf8')
  const table = renderConfigTable(configKeys)
  t.true(text.includes(table), `\n${table}\n`)
})

test('docs/dependencies.md names every dependency, and no other', async (t) => {
  const text = await readFile('docs/dependencies.md', 'utf8')
  const folders = ['.', 'log', 'actors']
  const manifests = await Promise.all(
    folders.map(async (folder) => {
      return JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as {
        dependencies: Record<string, string>
        devDependencies?: Record<string, string>
      }
    }),
  )
  const names = manifests
    .flatMap(({ dependencies, devDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies }),
    )
    .filter((name) => !name.startsWith('@arklog/'))
  const unnamed = names.filter(
    (name) => !name.startsWith('@types/') && !text.includes(`\`${name}\``),
  )
  t.deepEqual(unnamed, [])
  const [table = ''] = /^\| `[\s\S]*?\n\n/m.exec(text) ?? []
  const named = table.split('\n').flatMap((row) => {
    const [, packages = ''] = row.split('|')
    return [...packages.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  })
  t.true(named.length > 20)
  t.deepEqual(
    named.filter((name) => !names.includes(name)),
    [],
  )
})
