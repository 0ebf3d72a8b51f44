// The dashboard of config/grafana, the alerts of config/prometheus and the operations page ask for
// metrics that a registry has.

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'
import { Registry } from 'prom-client'

import { uncosigned } from '#log/store/witnessed_history.ts'
import { addClusterMetrics, addWitnessMetrics } from '#src/cli/start/metrics.ts'
import { allSeries } from '#src/operations/series.ts'
import { freePort } from '#test/_free_port.ts'
import { newDataDir, startServer } from '#test/scenario/_process.ts'

const config = path.join(import.meta.dirname, '../../config')
const dashboard = path.join(config, 'grafana/arklog.json')
const alerts = path.join(config, 'prometheus/arklog.rules.yml')

type Panel = {
  readonly id: number
  readonly title: string
  readonly description?: string
  readonly targets?: readonly { readonly expr: string }[]
}

/** Names as they are asked for, of all metrics in a text as they are scraped. */
function namesIn(scraped: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [, name = '', type = ''] of scraped.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const parts = type === 'histogram' ? ['_bucket', '_count', '_sum'] : ['']
    for (const part of parts) names.add(name + part)
  }
  return names
}

/** What registries tell that have witnesses, or are nodes of a cluster. */
async function furtherMetrics(): Promise<string> {
  const registry = new Registry()
  const collector = { cosigned: uncosigned, links: [] }
  addWitnessMetrics(registry, { live: { collector, treeSize: () => 0 } })
  const status = {
    node: 'a',
    role: 'leader',
    position: 0,
    tree_size: 0,
    connected: true,
    leader: 'a',
    nodes: [],
    streams: [],
    impediments: [],
  } as const
  addClusterMetrics(registry, { status: () => status, superseded: 0 })
  return registry.metrics()
}

const asked = /\b(?:arklog|process|nodejs)_\w+/g

test('what is asked for is what registries tell', async (t) => {
  const port = String(await freePort())
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'registry@registry.example' }
  const settings = { DATA_DIR: await newDataDir(t), ADMIN_PORT: port, EDGE_THREADS: '1', ...mail }
  await startServer(t, settings)
  const told = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const plain = namesIn(told)
  const all = new Set([...plain, ...namesIn(await furtherMetrics())])

  const { panels } = JSON.parse(await readFile(dashboard, 'utf8')) as { panels: readonly Panel[] }
  const drawn = panels.filter(({ targets }) => targets !== undefined)
  t.true(drawn.length > 10)
  t.is(new Set(panels.map(({ id }) => id)).size, panels.length)
  for (const { title, description = '', targets = [] } of drawn) {
    t.not(description, '', title)
    t.true(targets.length > 0, title)
    for (const { expr } of targets) {
      const names = expr.match(asked) ?? []
      t.true(names.length > 0, expr)
      for (const name of names) t.true(plain.has(name), `${title}: ${name} is told`)
    }
  }

  const rules = (await readFile(alerts, 'utf8')).replaceAll(/^\s*(?:#|- name:).*$/gm, '')
  const inRules = rules.match(asked) ?? []
  t.true(inRules.length > 20)
  for (const name of inRules) t.true(all.has(name), `an alert: ${name} is told`)

  const inSeries = allSeries.flatMap((series) =>
    [series.of, ...(series.type === 'mean' ? [series.by] : [])].map(({ metric }) => metric),
  )
  for (const name of inSeries) t.true(all.has(name), `the operations page: ${name} is told`)
})
