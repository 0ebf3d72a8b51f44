// The dashboard of config/grafana asks for metrics that a registry has.

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { freePort } from '#test/_free_port.ts'
import { newDataDir, startServer } from '#test/scenario/_process.ts'

const file = path.join(import.meta.dirname, '../../config/grafana/arklog.json')

type Panel = {
  readonly id: number
  readonly title: string
  readonly description?: string
  readonly targets?: readonly { readonly expr: string }[]
}

test('every metric of the dashboard is one that a registry tells', async (t) => {
  const { panels } = JSON.parse(await readFile(file, 'utf8')) as { panels: readonly Panel[] }
  const port = String(await freePort())
  await startServer(t, { DATA_DIR: await newDataDir(t), ADMIN_PORT: port })
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const known = new Set<string>()
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const parts = type === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']
    for (const part of parts) known.add(name + part)
  }
  const drawn = panels.filter(({ targets }) => targets !== undefined)
  t.true(drawn.length > 10)
  t.is(new Set(panels.map(({ id }) => id)).size, panels.length)
  for (const { title, description = '', targets = [] } of drawn) {
    t.not(description, '', title)
    t.true(targets.length > 0, title)
    for (const { expr } of targets) {
      const names = expr.match(/\b(?:arklog|process|nodejs)_\w+/g) ?? []
      t.true(names.length > 0, expr)
      for (const name of names) t.true(known.has(name), `${title}: ${name} is told`)
    }
  }
})
