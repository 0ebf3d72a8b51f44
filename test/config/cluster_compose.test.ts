import fs from 'node:fs/promises'
import test from 'ava'
import { parse } from 'yaml'

import { loadConfig } from '#config/config.ts'
import { configKeys } from '#config/schema.ts'
import { parseClusterUrl } from '#src/cluster/cluster_url.ts'
import { journalReplicas } from '#src/cluster/engine_state.ts'

type Service = {
  readonly image: string
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly ports?: readonly string[]
  readonly stop_grace_period?: string
  readonly env_file?: string
  readonly command?: readonly string[]
  readonly networks?: { readonly default: { readonly ipv4_address: string } }
}

type Compose = {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, null>>
}

const root = new URL('../../', import.meta.url)

const text = await fs.readFile(new URL('docker-compose.cluster.yml', root), 'utf8')
const { services, volumes } = parse(text, { merge: true }) as Compose

function servicesLike(form: RegExp): readonly (readonly [string, Service])[] {
  return Object.entries(services).filter(([name]) => form.test(name))
}

const nodes = servicesLike(/^registry-\d$/)
const servers = servicesLike(/^nats-\d$/)
const { balancer } = services

test('there are three nodes, three NATS servers, and a balancer', (t) => {
  t.is(nodes.length, 3)
  t.is(servers.length, journalReplicas)
  t.is(Object.keys(services).length, 7)
})

test('every image is pinned, but for the one that is built here', (t) => {
  for (const [name, { image }] of Object.entries(services)) {
    if (name.startsWith('registry-')) t.is(image, 'arklog')
    else t.regex(image, /^[a-z]+:\d+\.\d+\.\d+-alpine$/)
  }
})

test('the nodes have one configuration that loads, and each its own name', (t) => {
  const known = new Set<string>(configKeys.map(({ name }) => name))
  const common = nodes.map(([name, { environment }]) => {
    const { CLUSTER_NODE, ...others } = environment
    t.is(CLUSTER_NODE, name)
    for (const key of Object.keys(environment)) t.true(known.has(key), key)
    t.is(loadConfig(environment).CLUSTER_NODE, name)
    return others
  })
  for (const others of common) t.deepEqual(others, common[0])
})

test('a node reaches every NATS server, encrypted, with what it is given to read', (t) => {
  for (const [, { environment, volumes: mounted }] of nodes) {
    const { servers: named, isEncrypted } = parseClusterUrl(environment['CLUSTER_URL'] ?? '')
    t.true(isEncrypted)
    t.deepEqual(
      named,
      servers.map(([name]) => `${name}:4222`),
    )
    for (const key of ['CLUSTER_CREDENTIALS', 'CLUSTER_CA_FILE']) {
      const file = environment[key] ?? ''
      t.true(mounted.includes(`.${file}:${file}:ro`), key)
    }
    t.false(mounted.some((volume) => volume.includes('key.pem')))
  }
})

test('each node and server has a folder of its own, and time to stop', (t) => {
  const folders = [...nodes, ...servers].map(([name, { volumes: mounted, ...service }]) => {
    const seconds = Number.parseInt(service.stop_grace_period ?? '', 10)
    t.true(seconds * 1_000 > loadConfig({}).SHUTDOWN_GRACE_MS + handOverMs, name)
    return mounted.find((volume) => volume.endsWith(':/data'))
  })
  t.is(new Set(folders).size, 6)
  for (const folder of folders) t.true((folder?.split(':')[0] ?? '') in volumes)
})

/** What a leader may take to hand over, at most. */
const handOverMs = 8_000

test('only the balancer is reached from elsewhere, and only it is believed', async (t) => {
  for (const [name, { ports }] of Object.entries(services)) {
    t.is(ports === undefined, name !== 'balancer', name)
  }
  const [[, { environment }] = ['', { environment: {} }]] = nodes
  const config = loadConfig(environment)
  t.deepEqual(config.TRUST_PROXY, [balancer?.networks?.default.ipv4_address])
  t.is(config.BASE_URL, `https://${balancer?.environment['SITE_ADDRESS']}`)
  const caddyfile = await fs.readFile(new URL('config/caddy/Caddyfile', root), 'utf8')
  const [, upstreams = ''] = /^\tto (.*)$/m.exec(caddyfile) ?? []
  t.deepEqual(
    upstreams.split(' '),
    nodes.map(([name]) => `${name}:${config.PORT}`),
  )
  t.true(caddyfile.includes('{$SITE_ADDRESS} {'))
})

test('the servers have the configuration that names them all, and their passwords', async (t) => {
  const configuration = await fs.readFile(new URL('config/nats/server.conf', root), 'utf8')
  for (const [name, { environment, command, env_file, volumes: mounted }] of servers) {
    t.deepEqual(environment, { NATS_SERVER_NAME: name })
    t.deepEqual(command, ['-c', '/etc/nats/server.conf'])
    t.is(env_file, 'cluster/passwords.env')
    t.true(mounted.includes('./config/nats:/etc/nats:ro'))
    t.true(configuration.includes(`"tls://${name}:6222"`))
    for (const [file] of configuration.matchAll(/\/cluster\/[\w.-]+/g)) {
      t.true(mounted.includes(`.${file}:${file}:ro`), file)
    }
  }
})
