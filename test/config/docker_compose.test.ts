import fs from 'node:fs/promises'
import test from 'ava'
import { parse } from 'yaml'
import { loadConfig } from '#config/config.ts'
import { adapterKeys, loadAdapterConfig } from '#config/oai_adapter.ts'
import { configKeys } from '#config/schema.ts'
import { loadWitnessConfig, witnessKeys } from '#config/witness.ts'

type Service = { readonly environment: Record<string, string>; readonly stop_grace_period: string }

async function readService(name: 'registry' | 'oai' | 'witness'): Promise<Service> {
  const text = await fs.readFile(new URL('../../docker-compose.yml', import.meta.url), 'utf8')
  const { services } = parse(text) as { services: Record<string, Service> }
  const { [name]: service } = services
  if (service === undefined) throw new Error(`docker-compose.yml has no service named ${name}`)
  return service
}

test('every variable of the registry service is a configuration key', async (t) => {
  const { environment } = await readService('registry')
  const known = new Set<string>(configKeys.map(({ name }) => name))
  t.true(Object.keys(environment).length > 0)
  for (const name of Object.keys(environment)) t.true(known.has(name), name)
})

test('the registry service has a configuration that loads', async (t) => {
  const { environment } = await readService('registry')
  const config = loadConfig(environment)
  t.is(config.HOST, '0.0.0.0')
  t.is(config.BASE_URL, 'http://localhost:3000')
})

test('the adapter has a configuration that loads once it is given a key', async (t) => {
  const { environment, stop_grace_period: grace } = await readService('oai')
  t.is(environment['SVC_API_KEY'], '${SVC_API_KEY:-}')
  const config = loadAdapterConfig({ ...environment, SVC_API_KEY: 'svc_live_key' })
  t.is(config.SVC_PUBLIC_URL, (await readService('registry')).environment['BASE_URL'])
  t.true(Number.parseInt(grace, 10) * 1_000 > config.SHUTDOWN_GRACE_MS)
  const known = new Set<string>(adapterKeys.map(({ name }) => name))
  for (const name of Object.keys(environment)) t.true(known.has(name), name)
})

test('the witness has a configuration that loads once it is given a name', async (t) => {
  const { environment, stop_grace_period: grace } = await readService('witness')
  t.is(environment['WITNESS_NAME'], '${WITNESS_NAME:-}')
  const name = 'witness.example.org/w1'
  const config = loadWitnessConfig({ ...environment, WITNESS_NAME: name })
  t.is(config.WITNESS_NAME, name)
  t.true(Number.parseInt(grace, 10) * 1_000 > config.SHUTDOWN_GRACE_MS)
  const known = new Set<string>(witnessKeys.map(({ name: key }) => key))
  for (const key of Object.keys(environment)) t.true(known.has(key), key)
})

test('every variable of the image is a configuration key, or of what runs it', async (t) => {
  const text = await fs.readFile(new URL('../../Dockerfile', import.meta.url), 'utf8')
  const ofRuntime = ['MALLOC_ARENA_MAX', 'NODE_COMPILE_CACHE']
  const known = new Set<string>([...configKeys.map(({ name }) => name), ...ofRuntime])
  const names = [...text.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((pair) => pair.split('=')[0] ?? ''),
  )
  t.true(names.includes('DATA_DIR'))
  for (const name of names) t.true(known.has(name), name)
})

test('the container is given more time to stop than the registry takes', async (t) => {
  const { environment, stop_grace_period: grace } = await readService('registry')
  t.regex(grace, /^\d+s$/)
  t.true(Number.parseInt(grace, 10) * 1_000 > loadConfig(environment).SHUTDOWN_GRACE_MS)
})

test('the image, and the unit of systemd, start Node as npm start does', async (t) => {
  const read = (name: string) => fs.readFile(new URL(`../../${name}`, import.meta.url), 'utf8')
  type Package = { scripts: { start: string }; optionalDependencies: Record<string, string> }
  const { scripts, optionalDependencies } = JSON.parse(await read('package.json')) as Package
  const flags = scripts.start.split(' ').filter((word) => word.startsWith('--'))
  t.true(flags.length > 0)
  const image = /^CMD (.*)$/m.exec(await read('Dockerfile'))?.[1] ?? ''
  t.deepEqual(JSON.parse(image), ['node', ...flags, 'src/main.ts', 'serve'])
  const service = await read('config/systemd/arklog.service')
  const [, node, unit] = /^ExecStart=(\S+) (.*)$/m.exec(service) ?? []
  t.is(unit, `${flags.join(' ')} src/main.ts serve`)
  // A server is without the tools of development, and this is what it starts.
  t.is(node, '/opt/arklog/node_modules/.bin/node')
  t.true('node' in optionalDependencies)
})
