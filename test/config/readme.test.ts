import { readFile } from 'node:fs/promises'
import test from 'ava'
import { configKeys } from '#config/schema.ts'
import { renderConfigTable } from '#test/config/_config_table.ts'

test('the configuration table of the README is the one that the schema gives', async (t) => {
  const readme = await readFile('README.md', 'utf8')
  const table = renderConfigTable(configKeys)
  t.true(readme.includes(table), `\n${table}\n`)
})

test('the README names every dependency', async (t) => {
  const readme = await readFile('README.md', 'utf8')
  const manifest = JSON.parse(await readFile('package.json', 'utf8')) as {
    dependencies: Record<string, string>
    devDependencies: Record<string, string>
  }
  const names = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)]
  const unnamed = names.filter(
    (name) => !name.startsWith('@types/') && !readme.includes(`\`${name}\``),
  )
  t.deepEqual(unnamed, [])
})
