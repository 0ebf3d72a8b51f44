// A witness in a process of its own that is killed again and again, under logs that fork.

import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'

import {
  newDataDir,
  runJson,
  type Running,
  spawnArklog,
  startArklog,
} from '#test/scenario/_process.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { WitnessClient } from '#test/src/tlog_tools/witness/_witness_client.ts'
import { WitnessedHistory } from '#test/src/tlog_tools/witness/_witnessed_log.ts'

const logCount = 12

/** Cosignatures of one life, at most. */
const cosignedMax = 60

/** How long it goes on after the last of them, at most: a batch and a half. */
const afterMs = 5

/** Within what time it is killed while it starts. */
const startMs = 1_500

/** A checkpoint that was submitted. */
type Submitted = { readonly size: number; readonly history: WitnessedHistory }

/** One log, whose key signs whatever history there may be, and all that was cosigned of it. */
class ForkingLog {
  readonly origin: string
  readonly vkey: string
  /** The last that the witness is known to have cosigned. */
  #last: Submitted
  /** What was submitted since, and may have been cosigned. */
  #open: Submitted[] = []
  #branches = 0
  readonly #random: () => number

  constructor(origin: string, random: () => number) {
    const history = new WitnessedHistory(origin)
    this.origin = origin
    this.vkey = history.vkey
    this.#last = { size: 0, history }
    this.#random = random
  }

  /** Submits until the witness is gone, and tells of each submission that was cosigned. */
  async loadUntilGone(client: WitnessClient, onCosigned: () => void): Promise<void> {
    try {
      for (;;) await this.#submitSome(client, onCosigned)
    } catch (error) {
      // What fetch throws when a connection fails; everything else is a broken promise.
      if (!(error instanceof TypeError)) throw error
    }
  }

  /** Histories that contradict one another, at one time: of them one may be cosigned at most. */
  async #submitSome(client: WitnessClient, onCosigned: () => void): Promise<void> {
    const { size: from } = this.#last
    const rivals = Array.from({ length: 3 }, () => this.#grow(from))
    this.#open = rivals
    const before = this.#last
    const replies = await Promise.allSettled(
      rivals.map(({ size, history }) => client.submit(history.submission(from, size))),
    )
    for (const [at, reply] of replies.entries()) {
      const rival = rivals[at]
      assert(rival !== undefined)
      if (reply.status === 'rejected') continue
      const { status, body } = reply.value
      if (status === 200) {
        client.holdCosigned(rival.history.text(rival.size), body)
        assert.equal(this.#last, before, `two histories of ${this.origin} were cosigned`)
        this.#last = rival
        onCosigned()
      } else {
        assert.equal(status, 409, body)
        const told = rivals.filter(({ size }) => body === `${size}\n`)
        assert(told.length > 0, `${this.origin} is at ${body}, which nobody has submitted`)
      }
    }
    const failed = replies.find((reply) => reply.status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    this.#open = []
  }

  #grow(from: number): Submitted {
    const size = from + 1 + Math.floor(this.#random() * 3)
    const name = `${this.origin} ${(this.#branches += 1)}`
    return { size, history: this.#last.history.branch(from, size, name) }
  }

  /** Finds where the witness is after a kill: where it was known to be, or where it may be. */
  async settle(client: WitnessClient): Promise<void> {
    const latest = await client.latest(this.origin)
    if (latest === undefined) {
      assert.equal(this.#last.size, 0, `${this.origin} is forgotten`)
      return
    }
    const isLatest = ({ size, history }: Submitted) =>
      history.text(size) === latest.text && size > 0
    const found = [...new Set([this.#last, ...this.#open])].filter(isLatest)
    assert.equal(found.length, 1, `${this.origin} is at ${latest.treeSize}, which none was`)
    const [now = this.#last] = found
    // Something that was open is it, unless another of its rivals was acknowledged.
    assert(this.#last === now || now.size > this.#last.size, `${this.origin} has gone back`)
    assert(
      this.#last === now || now.history.text(this.#last.size) === this.#lastText(),
      `${this.origin} has another history`,
    )
    this.#last = now
    this.#open = []
  }

  #lastText(): string {
    return this.#last.history.text(this.#last.size)
  }
}

/** Kills a witness under load so many times; whatever it cosigned before binds it ever after. */
export async function runWitnessKills(
  t: ExecutionContext,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): Promise<void> {
  t.log(`seed ${seed}`)
  const random = seededRandom(seed)
  const settings = {
    DATA_DIR: await newDataDir(t),
    WITNESS_NAME: 'witness.example/killed',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  }
  const logs = Array.from({ length: logCount }, (_, at) => new ForkingLog(`log${at}.test`, random))
  for (const { vkey } of logs.slice(0, 1)) await runJson(t, ['witness', 'add-log', vkey], settings)
  let cosigned = 0
  for (let round = 0; round < rounds; round += 1) {
    if (round % 4 === 3) await killWhileItStarts(t, settings, random)
    const { running, client } = await start(t, settings)
    if (round === 0) await addLogs(t, logs.slice(1), settings)
    await Promise.all(logs.map((log) => log.settle(client)))
    const end = cosigned + 1 + Math.floor(random() * cosignedMax)
    const { promise: lived, resolve } = Promise.withResolvers<void>()
    const onCosigned = () => {
      cosigned += 1
      if (cosigned === end) resolve()
    }
    const load = Promise.all(logs.map((log) => log.loadUntilGone(client, onCosigned)))
    const kill = lived.then(async () => {
      await setTimeout(random() * afterMs)
      return running.end('SIGKILL')
    })
    // The load ends with the witness, unless it finds a promise broken before.
    const { signal, stderr } = await Promise.all([kill, load]).then(([ended]) => ended)
    assert.equal(signal, 'SIGKILL', `it had not ended by itself: ${stderr}`)
  }
  t.log(`${cosigned} cosignatures in ${rounds} lives`)
  const { running, client } = await start(t, settings)
  await Promise.all(logs.map((log) => log.settle(client)))
  const { code, stderr } = await running.end('SIGTERM')
  t.is(code, 0, stderr)
  t.true(cosigned >= rounds)
}

type Settings = Readonly<Record<string, string>>

async function start(
  t: ExecutionContext,
  settings: Settings,
): Promise<{ readonly running: Running; readonly client: WitnessClient }> {
  const running = await startArklog(t, ['witness', 'serve', '--json'], settings)
  const { local_url: url, vkeys } = JSON.parse(running.line) as {
    readonly local_url: string
    readonly vkeys: readonly [string, ...string[]]
  }
  return { running, client: new WitnessClient(url, vkeys) }
}

async function killWhileItStarts(
  t: ExecutionContext,
  settings: Settings,
  random: () => number,
): Promise<void> {
  const { end } = spawnArklog(t, ['witness', 'serve'], settings)
  await setTimeout(random() * startMs)
  const { stderr } = await end('SIGKILL')
  assert.equal(stderr.includes('arklog:'), false, stderr)
}

/** While the witness runs. */
async function addLogs(
  t: ExecutionContext,
  logs: readonly ForkingLog[],
  settings: Settings,
): Promise<void> {
  for (const { vkey } of logs) await runJson(t, ['witness', 'add-log', vkey], settings)
  const { logs: listed } = await runJson<{ readonly logs: readonly unknown[] }>(
    t,
    ['witness', 'list'],
    settings,
  )
  assert.equal(listed.length, logCount)
}
