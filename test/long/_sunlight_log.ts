// A log of Sunlight (static-ct-api) in a process of its own, and certificates for it.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ExecutionContext } from 'ava'

import { assert } from '#log/tlog/errors.ts'
import { hashBytes } from '#log/tlog/hash.ts'
import { until } from '#test/_until.ts'
import { request } from '#test/long/_host_request.ts'
import { freePort } from '#test/_free_port.ts'

const host = 'sunlight.example'
const elliptic = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** What has to be installed that is not. */
export function missingForSunlight(): string | undefined {
  const needed = ['sunlight', 'sunlight-keygen', 'openssl']
  return needed.find((name) => spawnSync('which', [name], { stdio: 'ignore' }).status !== 0)
}

/** A log that runs until the test ends. */
export class SunlightLog {
  /** Its Ed25519 key, which signs beside that of RFC 6962. */
  readonly vkey: string
  readonly #folder: string
  readonly #url: string
  #certificates = 0

  private constructor(folder: string, vkey: string, url: string) {
    this.#folder = folder
    this.vkey = vkey
    this.#url = url
  }

  static async start(t: ExecutionContext, folder: string): Promise<SunlightLog> {
    const at = (name: string) => path.join(folder, name)
    await mkdir(at('data'))
    const prefix = `https://${host}/log`
    // A seed that the program makes itself could not be removed after the test.
    await writeFile(at('seed'), randomBytes(32), { mode: 0o400 })
    const told = execFileSync('sunlight-keygen', ['-f', at('seed'), '-prefix', prefix], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [, vkey = ''] = /^Verifier key: (.*)$/m.exec(told.toString()) ?? []
    const table = 'CREATE TABLE checkpoints (logID BLOB PRIMARY KEY, body BLOB NOT NULL) STRICT'
    const database = new DatabaseSync(at('checkpoints.db'))
    database.exec(table)
    database.close()
    openssl(['req', '-x509', ...elliptic, '-keyout', at('root.key'), '-out', at('root.pem')], {
      name: 'root',
      extensions: ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign'],
    })
    const port = await freePort()
    const monitoring = await serveFolder(t, at('data'))
    await writeFile(at('sunlight.yaml'), settings(folder, { port, prefix, monitoring }))
    const child = spawn('sunlight', ['-c', at('sunlight.yaml')], {
      // As Debian builds it, its routes need to be told that they name methods.
      env: { ...process.env, GODEBUG: 'httpmuxgo121=0' },
      stdio: 'ignore',
    })
    t.teardown(async () => {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      // What it has written for ever could not be removed by an administrator otherwise.
      spawnSync('chattr', ['-R', '-i', folder], { stdio: 'ignore' })
    })
    const url = `http://127.0.0.1:${port}`
    await until('the log answers', () => isThere(url), { pauseMs: 100 })
    return new SunlightLog(folder, vkey, url)
  }

  /** Adds certificates; returns when its checkpoint covers them. */
  async grow(count: number): Promise<void> {
    const root = await this.#der('root.pem')
    for (let at = 0; at < count; at += 1) {
      const name = `certificate${(this.#certificates += 1)}`
      const [key, file] = [`${name}.key`, `${name}.pem`].map((one) => path.join(this.#folder, one))
      const signer = ['-CA', `${this.#folder}/root.pem`, '-CAkey', `${this.#folder}/root.key`]
      const wanted = ['req', '-x509', ...signer, ...elliptic, '-days', '90']
      openssl([...wanted, '-keyout', key ?? '', '-out', file ?? ''], {
        name,
        extensions: ['extendedKeyUsage=serverAuth', `subjectAltName=DNS:${name}.example`],
      })
      const body = JSON.stringify({ chain: [await this.#der(`${name}.pem`), root] })
      const reply = await request(`${this.#url}/log/ct/v1/add-chain`, { host, body })
      assert(reply.status === 200, `it takes the certificate: ${reply.body}`)
    }
  }

  /** Its newest checkpoint. */
  checkpoint(): Promise<string> {
    return readFile(path.join(this.#folder, 'data', 'checkpoint'), 'utf8')
  }

  /** Its leaf hashes, of which there are fewer than a tile has. */
  async leaves(size: number): Promise<readonly Uint8Array[]> {
    const tile = await readFile(path.join(this.#folder, `data/tile/0/000.p/${size}`))
    return Array.from({ length: size }, (_, at) => {
      return new Uint8Array(tile.subarray(at * hashBytes, (at + 1) * hashBytes))
    })
  }

  async #der(file: string): Promise<string> {
    const pem = await readFile(path.join(this.#folder, file), 'utf8')
    return pem.replace(/-----[A-Z ]+-----|\s/g, '')
  }
}

function openssl(
  args: readonly string[],
  { name, extensions }: { readonly name: string; readonly extensions: readonly string[] },
): void {
  const added = extensions.flatMap((extension) => ['-addext', extension])
  execFileSync('openssl', [...args, '-subj', `/CN=${name}`, ...added], { stdio: 'ignore' })
}

function settings(
  folder: string,
  at: { readonly port: number; readonly prefix: string; readonly monitoring: string },
): string {
  return `
listen: ["127.0.0.1:${at.port}"]
checkpoints: ${folder}/checkpoints.db
logs:
  - shortname: test
    inception: ${new Date().toISOString().slice(0, 10)}
    period: 100
    submissionprefix: ${at.prefix}
    monitoringprefix: ${at.monitoring}
    roots: ${folder}/root.pem
    secret: ${folder}/seed
    cache: ${folder}/cache.db
    localdirectory: ${folder}/data
    notafterstart: 2020-01-01T00:00:00Z
    notafterlimit: 2200-01-01T00:00:00Z
`
}

async function isThere(url: string): Promise<boolean> {
  const reply = await request(`${url}/log/log.v3.json`, { host }).catch(() => undefined)
  return reply?.status === 200
}

/** The log reads at its start what it publishes. */
async function serveFolder(t: ExecutionContext, folder: string): Promise<string> {
  const server = http.createServer((asked, response) => {
    const file = path.join(folder, path.basename(asked.url ?? ''))
    readFile(file).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
