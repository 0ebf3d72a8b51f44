// The front servers of docs/deploy.md, as they are shipped, before a registry on loopback.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { freePort } from '#test/_free_port.ts'
import { until } from '#test/_until.ts'
import { speaksTls } from '#test/long/_tls_probe.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

const configDir = path.join(import.meta.dirname, '../../config')

/** Names of the front servers. */
export const frontServers = ['caddy', 'nginx'] as const

export type FrontServerName = (typeof frontServers)[number]

/** Where a front server is to listen, and where the registry does. */
type Ports = { readonly https: number; readonly http: number; readonly registry: number }

/** A front server that runs: where clients find the registry. */
export type FrontServer = { readonly baseUrl: string; readonly httpPort: number }

/** Why one cannot be run here, or undefined. */
export function whyNotInstalled(name: FrontServerName): string | undefined {
  const found = spawnSync(name, [name === 'caddy' ? 'version' : '-v'], { stdio: 'ignore' })
  return found.status === 0 ? undefined : `${name} is not installed`
}

/** Draws a port for each: the registry has to know its public address before it starts. */
export async function drawPorts(): Promise<Ports> {
  return { https: await freePort(), http: await freePort(), registry: await freePort() }
}

/** Starts one as it is shipped but for its ports and certificates, until its owner ends. */
export async function startFrontServer(
  owner: Owner,
  name: FrontServerName,
  ports: Ports,
): Promise<FrontServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-front-'))
  owner.teardown(() => rm(folder, { recursive: true, force: true }))
  const child = await (name === 'caddy' ? startCaddy(folder, ports) : startNginx(folder, ports))
  owner.teardown(() => void child.kill('SIGTERM'))
  await until(`${name} has its certificate`, () => speaksTls(ports.https), { pauseMs: 50 })
  return { baseUrl: `https://localhost:${ports.https}`, httpPort: ports.http }
}

async function startCaddy(folder: string, ports: Ports): Promise<ChildProcess> {
  const shipped = await readFile(path.join(configDir, 'caddy/registry.Caddyfile'), 'utf8')
  const listen = `http_port ${ports.http}\n\thttps_port ${ports.https}`
  const own = `admin off\n\tskip_install_trust\n\t${listen}`
  const file = path.join(folder, 'Caddyfile')
  await writeFile(file, replaced(shipped, 'servers {', `${own}\n\tservers {`))
  return spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      SITE_ADDRESS: 'localhost',
      REGISTRY: `127.0.0.1:${ports.registry}`,
    },
    stdio: 'ignore',
  })
}

async function startNginx(folder: string, ports: Ports): Promise<ChildProcess> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', 'key.pem']
  const certificate = ['-subj', '/CN=localhost', '-days', '2', '-out', 'certificate.pem']
  const request = ['req', '-x509', '-nodes', ...key, ...certificate]
  execFileSync('openssl', request, { cwd: folder, stdio: 'ignore' })
  const shipped = await readFile(path.join(configDir, 'nginx/arklog.conf'), 'utf8')
  const changes = [
    ['127.0.0.1:3000', `127.0.0.1:${ports.registry}`],
    ['listen 80;', `listen 127.0.0.1:${ports.http};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${ports.https} ssl http2;`],
    ['\tlisten [::]:80;\n', ''],
    ['\tlisten [::]:443 ssl http2;\n', ''],
    ['https://$host$request_uri', `https://$host:${ports.https}$request_uri`],
    ['/etc/letsencrypt/live/registry.example.org/fullchain.pem', `${folder}/certificate.pem`],
    ['/etc/letsencrypt/live/registry.example.org/privkey.pem', `${folder}/key.pem`],
  ] as const
  const site = changes.reduce((text, [from, to]) => replaced(text, from, to), shipped)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const lines = [
    'daemon off;',
    // Its workers write long bodies into the folder of the test.
    `user ${os.userInfo().username};`,
    `pid ${folder}/nginx.pid;`,
    `error_log ${folder}/error.log;`,
    'events {}',
    'http {',
    'access_log off;',
    ...temporary.map((what) => `${what}_temp_path ${folder}/${what};`),
    site.replaceAll('registry.example.org', 'localhost'),
    '}',
  ]
  const file = path.join(folder, 'nginx.conf')
  await writeFile(file, lines.join('\n'))
  return spawn('nginx', ['-c', file, '-e', `${folder}/error.log`], { stdio: 'ignore' })
}

function replaced(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`the file that is shipped has no "${from}" any more`)
  return text.replaceAll(from, to)
}
