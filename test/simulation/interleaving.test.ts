import test from 'ava'
import fc from 'fast-check'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, close, createSystem, spawn, stopSystem, tell } from '#actors/kernel/kernel.ts'
import { Counter, neverMs } from '#test/actors/kernel/_counter.ts'
import { interleave } from '#test/simulation/_interleaving.ts'

/** The order in which six actors handle one message each. */
async function orderOfSix(): Promise<string> {
  const trace: string[] = []
  const system = createSystem('test', { report: () => {} })
  const counters = Array.from({ length: 6 }, (_, n) => {
    return spawn(system, () => new Counter(trace), { name: `counter${n}`, mailboxMax: 1 })
  })
  for (const [n, counter] of counters.entries()) tell(counter, { type: 'note', text: String(n) })
  await Promise.all(counters.map((counter) => close(counter)))
  await stopSystem(system)
  return trace.join('')
}

test.serial('a seed decides the interleaving, and decides it alike each time', async (t) => {
  const orders = new Set<string>()
  for (let seed = 0; seed < 50; seed += 1) {
    const order = await interleave(seed, orderOfSix)
    t.is(await interleave(seed, orderOfSix), order, `seed ${seed}`)
    orders.add(order)
  }
  t.true(orders.size >= 40, `${orders.size} orders of six messages`)
})

test.serial('what a scenario leaves waiting still runs, and the globals come back', async (t) => {
  const before = [globalThis.setImmediate, globalThis.clearImmediate]
  const ran: string[] = []
  const left = Promise.withResolvers<void>()
  await interleave(1, async () => {
    clearImmediate(setImmediate(() => ran.push('cancelled')))
    setImmediate((text: string) => {
      ran.push(text)
      left.resolve()
    }, 'left')
  })
  t.deepEqual([globalThis.setImmediate, globalThis.clearImmediate], before)
  await left.promise
  t.deepEqual(ran, ['left'])
})

test.serial('a scenario that throws gives the globals back', async (t) => {
  const before = globalThis.setImmediate
  const thrown = interleave(1, () => Promise.reject(new Error('broken')))
  await t.throwsAsync(thrown, { message: 'broken' })
  t.is(globalThis.setImmediate, before)
})

type Step = 'add' | 'note' | 'fail' | 'wait' | 'close' | 'stop' | 'turn'

/** What became of the messages of one run, by its outcome. */
class Tally {
  readonly counts: Record<string, number> = {}

  count(outcome: string): void {
    this.counts[outcome] = (this.counts[outcome] ?? 0) + 1
  }

  sum(...outcomes: readonly string[]): number {
    return outcomes.reduce((sum, outcome) => sum + (this.counts[outcome] ?? 0), 0)
  }
}

/** Sends `steps` to one actor and returns what became of each message, and what it traced. */
async function runSteps(steps: readonly Step[], tally: Tally) {
  const trace: string[] = []
  const system = createSystem('test', {
    report: (report) => tally.count(`reported ${report.type}`),
  })
  const options = { name: 'counter', mailboxMax: 5 }
  const counter = spawn(system, () => new Counter(trace), options)
  const answers: Promise<void>[] = []
  const question = (promise: Promise<unknown>): void => {
    const refused = (error: unknown) =>
      tally.count(error instanceof ActorError ? error.code : 'bug')
    answers.push(promise.then(() => tally.count('answered'), refused))
  }
  const until = () => new Promise<void>((resolve) => setImmediate(resolve))
  const send = {
    add: () => question(ask(counter, { type: 'add', amount: 1 }, neverMs)),
    note: () => tell(counter, { type: 'note', text: 'note' }),
    fail: () => question(ask(counter, { type: 'fail', error: new Error('broken') }, neverMs)),
    wait: () => question(ask(counter, { type: 'wait', until }, neverMs)),
    close: () => answers.push(close(counter)),
    stop: () => answers.push(stopSystem(system)),
    turn: until,
  }
  for (const step of steps) await send[step]()
  await Promise.all(answers)
  await close(counter)
  await stopSystem(system)
  return trace
}

test.serial('whatever the interleaving, every message has one outcome', async (t) => {
  const step = fc.constantFrom<Step>('add', 'note', 'fail', 'wait', 'turn', 'turn', 'close', 'stop')
  const steps = fc.array(step, { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(fc.integer(), steps, async (seed, sent) => {
      const tally = new Tally()
      const trace = await interleave(seed, () => runSteps(sent, tally))
      const count = (...types: readonly Step[]) => sent.filter((s) => types.includes(s)).length
      const asked = tally.sum('answered', 'fault', 'overloaded', 'stopped')
      t.is(tally.sum('bug', 'timeout'), 0)
      t.is(asked, count('add', 'fail', 'wait'))
      const noted = trace.filter((line) => line === 'note').length
      t.is(noted + tally.sum('reported dead_letter'), count('note'))
      const waits = trace.filter((line) => line.endsWith('wait')).join()
      t.regex(waits, /^(begin wait,end wait,?)*$/)
    }),
    { numRuns: 300 },
  )
})
