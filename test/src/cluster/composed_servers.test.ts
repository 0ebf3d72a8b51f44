// The NATS servers of docker-compose.cluster.yml, with their own configuration, on loopback.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { ClusterError } from '#src/cluster/cluster_error.ts'
import { parseClusterUrl } from '#src/cluster/cluster_url.ts'
import { checkEngine, connectEngine, readCredentials } from '#src/cluster/engine.ts'
import { openJournalStream } from '#src/cluster/streams.ts'
import { freePort } from '#test/_free_port.ts'
import { testPatience } from '#test/src/cluster/_engine_options.ts'
import { natsServerProgram } from '#test/src/cluster/_nats_program.ts'
import { until } from '#test/_until.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const config = path.join(import.meta.dirname, '../../../config/nats')
const { PATH = '', REQUIRE_NATS } = process.env

type Ports = { readonly client: number; readonly cluster: number; readonly monitor: number }

/** The configuration of one server, with places of this machine for those of its container. */
function placed(text: string, folder: string, index: number, ports: readonly Ports[]): string {
  const own = ports[index]
  const routes = ports.map(({ cluster }) => `"tls://localhost:${cluster}"`).join(', ')
  return text
    .replace('0.0.0.0:4222', `127.0.0.1:${own?.client}`)
    .replace('0.0.0.0:6222', `127.0.0.1:${own?.cluster}`)
    .replace('127.0.0.1:8222', `127.0.0.1:${own?.monitor}`)
    .replace(/^ {2}routes: .*$/m, `  routes: [${routes}]`)
    .replace('"/data"', `"${folder}/data-${index}"`)
    .replaceAll('"/cluster/', `"${folder}/cluster/`)
}

/** Starts the three of them until the end of the test; gives their ports and secrets. */
async function startServers(t: ExecutionContext) {
  const folder = await makeTempDir(t)
  const secrets = path.join(folder, 'cluster')
  const script = path.join(config, 'new_secrets.sh')
  execFileSync('sh', [script, secrets, 'localhost'], { stdio: 'ignore' })
  const passwords = await fs.readFile(path.join(secrets, 'passwords.env'), 'utf8')
  const environment = passwords
    .trim()
    .split('\n')
    .map((line) => line.split('='))
  const text = await fs.readFile(path.join(config, 'server.conf'), 'utf8')
  await fs.copyFile(path.join(config, 'accounts.conf'), path.join(folder, 'accounts.conf'))
  const ports: Ports[] = []
  for (let index = 0; index < 3; index += 1) {
    ports.push({ client: await freePort(), cluster: await freePort(), monitor: await freePort() })
  }
  for (const index of ports.keys()) {
    const file = path.join(folder, `server-${index}.conf`)
    await fs.writeFile(file, placed(text, folder, index, ports))
    const server = spawn(natsServerProgram ?? '', ['-c', file], {
      stdio: 'ignore',
      env: { PATH, ...Object.fromEntries(environment), NATS_SERVER_NAME: `nats-${index + 1}` },
    })
    t.teardown(async () => {
      const ended = once(server, 'exit')
      if (server.kill('SIGKILL')) await ended
    })
  }
  return { ports, secrets }
}

if (natsServerProgram === undefined) {
  const missing = 'the composed servers are left out: nats-server is not installed'
  if (REQUIRE_NATS === '1') test(missing, (t) => t.fail())
  else test.skip(missing, () => undefined)
} else {
  test('the composed servers are safe, and take a node by its password alone', async (t) => {
    const { ports, secrets } = await startServers(t)
    const options = {
      url: parseClusterUrl(ports.map(({ client }) => `tls://localhost:${client}`).join(',')),
      node: 'a',
      caFile: path.join(secrets, 'ca.pem'),
      patience: testPatience,
      report: () => undefined,
    }
    const credentials = await readCredentials(path.join(secrets, 'node.txt'))
    const connection = await connectEngine({ ...options, credentials })
    t.teardown(() => connection.close())
    await until('all three are there and safe', async () => {
      const found = await checkEngine(connection, { messageBytesMax: 8_388_608 }, 2_000).catch(
        (error: unknown) => error,
      )
      if (found instanceof ClusterError) return false
      return (found as { servers: readonly unknown[] }).servers.length === 3
    })
    await t.notThrowsAsync(
      openJournalStream({ connection, name: 'composed', patience: testPatience }),
    )
    await t.throwsAsync(connectEngine(options), { code: 'engine_refused' })
    const wrong = { user: 'arklog', pass: 'wrong' }
    await t.throwsAsync(connectEngine({ ...options, credentials: wrong }), {
      code: 'engine_refused',
    })
  })
}
