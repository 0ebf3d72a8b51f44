// A real process whose clock is wrong: at its start, and while it runs.

import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { freePort } from '#test/_free_port.ts'
import {
  call,
  newDataDir,
  newWork,
  runArklog,
  runJson,
  type Server,
  type Settings,
  spawnArklog,
  startServer,
} from '#test/scenario/_process.ts'

/** What shifts the wall clock of a program, and leaves its steady clock alone. */
const faketime = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((library) => existsSync(library))

/** How far a clock is allowed to be off by its bounds, and a little more for what runs slowly. */
const offMsMax = 6 * 60_000

/** For how long a test may take on a busy machine: it starts many processes. */
const testMsMax = 600_000

type Checks = Readonly<Record<string, { readonly ok: boolean; readonly problem?: string }>>

type Minted = { readonly created_at: string; readonly ark_identifier: string }

/** A registry that is run by one clock after the other. */
class ClockedRegistry {
  readonly settings: Settings
  readonly #t: ExecutionContext
  /** What faketime reads, again and again: how far the clock is off. */
  readonly #offFile: string
  readonly #beganMs = Date.now()
  readonly #minted: Minted[] = []

  constructor(t: ExecutionContext, dataDir: string, adminPort: number) {
    this.#t = t
    this.#offFile = path.join(path.dirname(dataDir), 'off')
    this.settings = { DATA_DIR: dataDir, ADMIN_PORT: String(adminPort), SEARCH: 'off' }
  }

  /** The settings of a process whose clock is off by what the file says at any time. */
  get offSettings(): Settings {
    return {
      ...this.settings,
      LD_PRELOAD: faketime ?? '',
      FAKETIME_TIMESTAMP_FILE: this.#offFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
  }

  async setOff(off: string): Promise<void> {
    await fs.writeFile(`${this.#offFile}.new`, `${off}\n`)
    await fs.rename(`${this.#offFile}.new`, this.#offFile)
  }

  async start(off: string): Promise<Server> {
    await this.setOff(off)
    return startServer(this.#t, this.offSettings)
  }

  /** Registers a work in each environment, which must be dated by a clock that is right. */
  async registers(server: Server, keys: readonly string[], title: string): Promise<Minted> {
    for (const key of keys) {
      const { status, body } = await call<Minted>(server, '/v1/works', {
        key,
        body: newWork(title),
      })
      this.#t.is(status, 201, `${title}: ${JSON.stringify(body)}`)
      const dated = Date.parse(body.created_at)
      this.#t.true(dated >= this.#beganMs && dated <= Date.now() + offMsMax, body.created_at)
      this.#minted.push(body)
    }
    const [first] = this.#minted
    if (first === undefined) throw new Error('something was registered')
    return first
  }

  /** Nothing is dated, what to do is told everywhere, and what is there is read. */
  async refuses(server: Server, keys: readonly string[], says: RegExp): Promise<void> {
    const t = this.#t
    for (const key of keys) {
      const { status, body } = await call(server, '/v1/works', { key, body: newWork('Refused') })
      t.like({ status, ...body }, { status: 503, error: 'clock_wrong', retry_after: 60 })
    }
    for (const { ark_identifier } of this.#minted) {
      t.is((await call(server, `/v1/resolve/${ark_identifier}`)).status, 200)
    }
    t.is((await call(server, '/healthz')).status, 200)
    t.is((await call(server, '/readyz')).status, 503)
    const admin = `http://127.0.0.1:${this.settings['ADMIN_PORT']}`
    const { checks } = (await (await fetch(`${admin}/readyz`)).json()) as { checks: Checks }
    t.is(checks['clock']?.ok, false)
    t.regex(checks['clock']?.problem ?? '', says)
    const metrics = await (await fetch(`${admin}/metrics`)).text()
    t.regex(metrics, /^arklog_clock_wrong\{environment="live"\} 1$/m)
    t.regex(metrics, /^arklog_clock_wrong\{environment="sandbox"\} 1$/m)
  }

  /** Commands tell it too, and what they would write is refused. */
  async tellsOperator(says: RegExp): Promise<void> {
    const t = this.#t
    const create = ['organization', 'create', 'new', '--name', 'New', '--json']
    const refused = await runArklog(t, create, this.settings)
    t.is(refused.code, 1)
    t.regex(refused.stderr, /"error":"clock_wrong"/)
    const doctor = await runArklog(t, ['doctor'], this.settings)
    t.regex(doctor.stdout, /PROBLEM clock .*This machine's clock says/)
    const status = await runArklog(t, ['clock', 'status'], this.settings)
    t.regex(status.stdout, says)
  }

  /** All that was registered is there, and nothing else, and sound. */
  async holdsAll(): Promise<void> {
    const audit = await runArklog(this.#t, ['audit', '--json'], this.settings)
    this.#t.is(audit.code, 0, `${audit.stdout}${audit.stderr}`)
    // A line for each log.
    const logs = audit.stdout.trim().split('\n')
    const sizes = logs.map((line) => (JSON.parse(line) as { tree_size: number }).tree_size)
    const entries = sizes.reduce((sum, size) => sum + size, 0)
    this.#t.is(entries, this.#minted.length)
  }
}

/** Keys for a year, for the live registry and for its sandbox. */
async function makeKeys(t: ExecutionContext, settings: Settings): Promise<readonly string[]> {
  const keys: string[] = []
  for (const environment of ['live', 'sandbox']) {
    const wish = ['--owner', 'org:demo', '--scopes', 'works:write', '--hours', String(366 * 24)]
    const args = ['key', 'create', ...wish, '--environment', environment]
    keys.push((await runJson<{ key: string }>(t, args, settings)).key)
  }
  return keys
}

if (faketime === undefined) {
  test.skip('processes by a wrong clock are left out: faketime is not installed', () => undefined)
} else {
  test('a registry that is started by a wrong clock dates and loses nothing', async (t) => {
    t.timeout(testMsMax)
    const registry = new ClockedRegistry(t, await newDataDir(t), await freePort())
    let server = await registry.start('+0')
    const keys = await makeKeys(t, registry.settings)
    await registry.registers(server, keys, 'By a clock that is right')
    for (const [off, says, isHttp] of [
      ['-3650d', /clock says 201\d-.*, and this version of Arklog was made later/, true],
      ['-1d', /, 1 day before .*by how long the machine has run/, true],
      ['+400d', /, 400 days after .*by how long the machine has run/, false],
    ] as const) {
      await server.end('SIGTERM')
      server = await registry.start(off)
      t.true(
        server.started.warnings.some((warning) => says.test(warning)),
        off,
      )
      // A key that is a year old has expired by that clock.
      await registry.refuses(server, isHttp ? keys : [], says)
      if (!isHttp) await registry.tellsOperator(says)
      const { stderr } = await server.end('SIGTERM')
      t.regex(stderr, /"clock":"(ahead|behind)".*This machine's clock says/)
    }
    server = await registry.start('+5m')
    await registry.registers(server, keys, 'By a clock that is minutes ahead')
    await server.end('SIGTERM')
    server = await registry.start('+0')
    await registry.registers(server, keys, 'By a clock that is right again')
    await server.end('SIGTERM')
    await registry.holdsAll()
  })

  test('a registry whose clock jumps while it runs dates nothing by it', async (t) => {
    t.timeout(testMsMax)
    const registry = new ClockedRegistry(t, await newDataDir(t), await freePort())
    const server = await registry.start('+0')
    const keys = await makeKeys(t, registry.settings)
    await registry.registers(server, keys, 'Before all jumps')
    for (const [off, says] of [
      ['+200d', /, 200 days after .*by how long the machine has run/],
      ['-1d', /, 1 day before .*by how long the machine has run/],
      ['-3650d', /, and this version of Arklog was made later/],
    ] as const) {
      await registry.setOff(off)
      await registry.refuses(server, keys, says)
      await registry.setOff('+0')
      await registry.registers(server, keys, `After a jump of ${off}`)
    }
    await registry.setOff('+5m')
    await registry.registers(server, keys, 'After a step of five minutes')
    await registry.setOff('+0')
    await registry.registers(server, keys, 'After all jumps')
    const { stderr } = await server.end('SIGTERM')
    t.is(stderr.match(/the clock is right again: writing continues/g)?.length, 3)
    await registry.holdsAll()
  })

  test('an operator accepts a clock that is right, and none begins by another', async (t) => {
    t.timeout(testMsMax)
    const dataDir = await newDataDir(t)
    const registry = new ClockedRegistry(t, dataDir, await freePort())
    await registry.setOff('+400d')
    const refused = await spawnArklog(t, ['serve', '--json'], registry.offSettings).ended
    t.is(refused.code, 1)
    t.regex(refused.stderr, /"error":"clock_wrong".*400 days after .*the file system gives/)
    await t.throwsAsync(fs.stat(path.join(dataDir, 'instance.json')), { code: 'ENOENT' })

    let server = await registry.start('+0')
    const keys = await makeKeys(t, registry.settings)
    await registry.registers(server, keys, 'By a clock that is right')
    await server.end('SIGTERM')
    // As after a start of the machine, for which it was off for long.
    const file = path.join(dataDir, 'clock.json')
    const kept = JSON.parse(await fs.readFile(file, 'utf8')) as Record<string, unknown>
    await fs.writeFile(file, JSON.stringify({ ...kept, boot_id: 'another' }))
    const settings = { ...registry.settings, CLOCK_GAP_MS: '3600000' }
    await registry.setOff('+2h')
    server = await startServer(t, { ...registry.offSettings, CLOCK_GAP_MS: '3600000' })
    await registry.refuses(server, keys, /2 hours after/)
    const accepted = await runArklog(t, ['clock', 'accept'], settings)
    t.is(accepted.code, 0, accepted.stderr)
    t.regex(accepted.stdout, /^The clock is gone on with\. What spoke against it: /)
    t.regex(accepted.stdout, /live: the clock is believed\.\nsandbox: the clock is believed\.\n$/)
    const [key] = keys
    const { status } = await call(server, '/v1/works', { key: key ?? '', body: newWork('Taken') })
    t.is(status, 201)
    await server.end('SIGTERM')
  })
}
