// Real NATS servers with JetStream on loopback, as the cluster's documentation asks for them.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import { freePort } from '#test/_free_port.ts'
import { until } from '#test/_until.ts'
import { natsServerProgram } from '#test/src/cluster/_nats_program.ts'

/** How servers are set up where it is not as the documentation asks for. */
export type NatsOptions = {
  readonly servers?: number
  /** As in `sync_interval: always`, the default here. */
  readonly syncInterval?: string
  readonly maxPayload?: string
  /** Leaves out the accounts: nobody is asked for a password, and nobody sees the servers. */
  readonly withoutAccounts?: boolean
  /** Whoever comes without a password is refused, and not taken for a node. */
  readonly needsPassword?: boolean
  /** Connections of clients are encrypted, with a certificate that signs itself. */
  readonly isEncrypted?: boolean
  /** Where each server runs if it is not this host: its address, and what it is started with. */
  readonly hosts?: readonly NatsHost[]
}

/** A host that a server runs on, such as a network namespace. */
export type NatsHost = { readonly address: string; readonly prefix: readonly string[] }

/** `user:password` of each account, as `CLUSTER_CREDENTIALS` has it. */
export const natsCredentials = {
  node: 'arklog:node-password',
  operator: 'arklog-operator:operator-password',
  system: 'sys:system-password',
}

/** For how long a server is waited for that is asked how it is: one that starts may never say. */
const answerMs = 2_000

type Ports = { readonly client: number; readonly cluster: number; readonly monitor: number }

const accountsFile = path.join(import.meta.dirname, '../../../config/nats/accounts.conf')

/** Servers that run. An index counts them from 0. */
export class NatsServers {
  readonly #folder: string
  readonly #options: NatsOptions
  readonly #ports: readonly Ports[]
  readonly #processes: ChildProcess[] = []

  constructor(folder: string, ports: readonly Ports[], options: NatsOptions) {
    this.#folder = folder
    this.#ports = ports
    this.#options = options
  }

  /** `nats://host:port` of each server. */
  get urls(): readonly string[] {
    // Certificates are for names: the client asks for none of an address.
    if (this.#options.isEncrypted === true) {
      return this.#ports.map(({ client }) => `tls://localhost:${client}`)
    }
    return this.#ports.map(({ client }, index) => `nats://${this.#addressOf(index)}:${client}`)
  }

  /** As in `CLUSTER_URL`. */
  get url(): string {
    return this.urls.join(',')
  }

  get pids(): readonly number[] {
    return this.#processes.map(({ pid = 0 }) => pid)
  }

  /** The certificate of encrypted servers, in PEM. */
  get certificateFile(): string {
    return path.join(this.#folder, 'certificate.pem')
  }

  /** The folder in which a server keeps its streams. */
  storeOf(index: number): string {
    return path.join(this.#folder, `store-${index}`)
  }

  /** Sends a signal, and waits for the end of the process where the signal ends it. */
  async signal(
    index: number,
    signal: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT',
  ): Promise<void> {
    const server = this.#processes[index]
    if (server === undefined || hasEnded(server)) return
    const ended = once(server, 'exit')
    server.kill(signal)
    if (signal === 'SIGKILL' || signal === 'SIGTERM') await ended
  }

  /** Starts a server, also again after its end, on its own ports and folder. */
  async start(index: number, changes: NatsOptions = {}): Promise<void> {
    const file = path.join(this.#folder, `server-${index}.conf`)
    await fs.writeFile(file, this.#configurationOf(index, { ...this.#options, ...changes }))
    const log = await fs.open(path.join(this.#folder, `server-${index}.log`), 'a')
    const { PATH = '' } = process.env
    const { prefix = [] } = this.#options.hosts?.[index] ?? {}
    const command = [...prefix, natsServerProgram ?? 'nats-server', '-c', file]
    const [program = '', ...args] = command
    this.#processes[index] = spawn(program, args, {
      cwd: this.#folder,
      stdio: ['ignore', log.fd, log.fd],
      env: {
        PATH,
        // Three servers share the machine with the tests.
        GOMEMLIMIT: '64MiB',
        ARKLOG_NODE_PASSWORD: 'node-password',
        ARKLOG_OPERATOR_PASSWORD: 'operator-password',
        NATS_SYS_PASSWORD: 'system-password',
      },
    })
    await log.close()
  }

  /** Ends a server, kill or not, and starts it again. */
  async restart(index: number, signal: 'SIGKILL' | 'SIGTERM' = 'SIGTERM'): Promise<void> {
    await this.signal(index, signal)
    await this.start(index)
  }

  /** Waits until the servers have a leader that sees all of them. False: one of them has ended. */
  async ready(): Promise<boolean> {
    const followers = this.#ports.length - 1
    const oneHasEnded = () => this.#processes.some(hasEnded)
    await until(
      `the NATS servers of ${this.#folder} are ready`,
      async () => oneHasEnded() || (await this.#followersSeen()) === followers,
      { pauseMs: 50 },
    )
    return !oneHasEnded()
  }

  async stop(): Promise<void> {
    this.killAll()
    await Promise.all(
      this.#processes.filter((server) => !hasEnded(server)).map((server) => once(server, 'exit')),
    )
    await fs.rm(this.#folder, { recursive: true, force: true })
  }

  /** Kills the servers without waiting: all that can be done when this process ends. */
  killAll(): void {
    for (const server of this.#processes) server.kill('SIGKILL')
  }

  /** How many servers the leader of all streams sees follow; -1 where none answers. */
  async #followersSeen(): Promise<number> {
    const seen = await Promise.all(
      this.#ports.map(async ({ monitor }, index) => {
        const url = `http://${this.#addressOf(index)}:${monitor}/jsz`
        const signal = AbortSignal.timeout(answerMs)
        const reply = await fetch(url, { signal }).catch(() => undefined)
        const state = (await reply?.json().catch(() => undefined)) as MetaState | undefined
        if (state === undefined) return -1
        const followers = state.meta_cluster?.replicas ?? []
        return followers.filter(({ current, offline }) => current && offline !== true).length
      }),
    )
    return Math.max(...seen)
  }

  #addressOf(index: number): string {
    return this.#options.hosts?.[index]?.address ?? '127.0.0.1'
  }

  #configurationOf(index: number, options: NatsOptions): string {
    const { syncInterval = 'always', maxPayload = '8MB', isEncrypted = false } = options
    const { withoutAccounts = false, needsPassword = false } = options
    const ports = this.#ports[index]
    const address = this.#addressOf(index)
    const routes = this.#ports
      .map(({ cluster }, at) => `nats://${this.#addressOf(at)}:${cluster}`)
      .join(', ')
    const lines = [
      `server_name: nats-${index}`,
      `listen: "${address}:${ports?.client}"`,
      `http: "${address}:${ports?.monitor}"`,
      `max_payload: ${maxPayload}`,
      'jetstream: {',
      `  store_dir: "${this.storeOf(index)}"`,
      '  max_memory_store: 16MB',
      '  max_file_store: 4GB',
      ...(syncInterval === '' ? [] : [`  sync_interval: ${syncInterval}`]),
      '}',
      ...(withoutAccounts ? [] : [`include "${path.relative(this.#folder, accountsFile)}"`]),
      ...(withoutAccounts || needsPassword ? [] : ['no_auth_user: arklog']),
      ...(isEncrypted ? [`tls: { cert_file: "certificate.pem", key_file: "key.pem" }`] : []),
      ...(this.#ports.length === 1
        ? []
        : [
            `cluster: { name: ${path.basename(this.#folder)}`,
            `  listen: "${address}:${ports?.cluster}"`,
            `  routes: [${routes}] }`,
          ]),
    ]
    return `${lines.join('\n')}\n`
  }
}

type MetaState = {
  readonly meta_cluster?: {
    readonly replicas?: readonly { readonly current: boolean; readonly offline?: boolean }[]
  }
}

/** Starts servers and waits until they are ready. Whoever starts them stops them. */
export async function startNatsServers(options: NatsOptions = {}): Promise<NatsServers> {
  for (let attempts = 1; ; attempts += 1) {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'arklog-nats-'))
    const ports = await freePorts(options.servers ?? 3)
    const servers = new NatsServers(folder, ports, options)
    process.once('exit', () => servers.killAll())
    if (options.isEncrypted === true) makeCertificate(folder)
    await Promise.all(ports.map((_, index) => servers.start(index)))
    const areReady = await servers.ready().catch(async (error: unknown) => {
      await servers.stop()
      throw error
    })
    if (areReady) return servers
    // Somebody else may have taken a port meanwhile.
    if (attempts === 3) throw new Error(`a NATS server has ended: see ${folder}`)
    await servers.stop()
  }
}

function makeCertificate(folder: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', 'key.pem']
  const name = ['-subj', '/CN=arklog', '-addext', 'subjectAltName=DNS:localhost', '-days', '2']
  const args = ['req', '-x509', '-nodes', ...key, ...name, '-out', 'certificate.pem']
  execFileSync('openssl', args, { cwd: folder, stdio: 'ignore' })
}

/** Ports that nobody has at the moment, each another one. */
async function freePorts(servers: number): Promise<readonly Ports[]> {
  const drawn = new Set<number>()
  while (drawn.size < servers * 3) drawn.add(await freePort())
  const ports = [...drawn]
  return Array.from({ length: servers }, (_, index) => {
    const [client = 0, cluster = 0, monitor = 0] = ports.slice(index * 3)
    return { client, cluster, monitor }
  })
}

function hasEnded(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null
}
