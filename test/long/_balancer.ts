import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import type { ClusterProcess } from '#test/scenario/_cluster.ts'
import { freePort } from '#test/_free_port.ts'
import { until } from '#test/_until.ts'
import { speaksTls } from '#test/long/_tls_probe.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

const shipped = path.join(import.meta.dirname, '../../config/caddy/Caddyfile')

/** The addresses of the nodes in that file. */
const composed = 'registry-1:3000 registry-2:3000 registry-3:3000'

/** Certificates of its own, in a folder of its own, which this machine is not made to trust. */
const ownCertificates = '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n'

/** Why the balancer cannot be run here, or undefined: an older one loses the body of a write. */
export const whyNoBalancer = isCaddyNewEnough() ? undefined : 'caddy 2.11.4 or newer is missing'

/** A balancer that is to be started once its nodes are. */
export type Balancer = {
  /** Where clients find the registry: a setting of each node. */
  readonly baseUrl: string
  /** Starts it as it is shipped, before these nodes instead of those of docker-compose. */
  start(nodes: readonly ClusterProcess[]): Promise<void>
}

function isCaddyNewEnough(): boolean {
  const { stdout } = spawnSync('caddy', ['version'], { encoding: 'utf8' })
  const [major, minor, patch] = /^v?(\d+)\.(\d+)\.(\d+)/.exec(stdout ?? '')?.slice(1) ?? []
  return Number(major) * 1e6 + Number(minor) * 1e3 + Number(patch) >= 2_011_004
}

/** A balancer on a port of its own, until its owner ends. */
export async function prepareBalancer(owner: Owner): Promise<Balancer> {
  const baseUrl = `https://localhost:${await freePort()}`
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-caddy-'))
  owner.teardown(() => rm(folder, { recursive: true, force: true }))
  let caddy: ChildProcess | undefined
  owner.teardown(() => caddy?.kill('SIGKILL'))
  return {
    baseUrl,
    async start(nodes) {
      const text = await readFile(shipped, 'utf8')
      if (!text.includes(composed)) throw new Error(`${shipped} names its nodes otherwise`)
      const addresses = nodes.map(({ server }) => new URL(server.started.local_url).host)
      const file = path.join(folder, 'Caddyfile')
      await writeFile(file, ownCertificates + text.replace(composed, addresses.join(' ')))
      const env = { PATH: process.env['PATH'], SITE_ADDRESS: baseUrl, HOME: folder }
      const args = ['run', '--adapter', 'caddyfile', '--config', file]
      caddy = spawn('caddy', args, { env, stdio: 'ignore' })
      const { port } = new URL(baseUrl)
      await until('the balancer answers', () => speaksTls(Number(port)), { pauseMs: 50 })
    },
  }
}
