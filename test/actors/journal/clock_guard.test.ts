import test from 'ava'

import type { ClockGuard, ClockGuardOptions, KeptClock } from '#actors/journal/clock_guard.ts'
import { formatTimestamp } from '#actors/values/clock.ts'
import { guardOf } from '#test/actors/_clock.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const noonMs = Date.UTC(2026, 10, 21, 12)

/** A machine whose time passes, whose clock may be off, and which can be started anew. */
class Machine {
  /** What time it is, and when the machine was started. */
  realMs = noonMs
  bootedMs = noonMs - dayMs
  boots = 1
  offMs = 0
  kept: KeptClock | undefined
  readonly told: string[] = []

  guard(changes: Partial<ClockGuardOptions> = {}): ClockGuard {
    const passedMs = () => this.realMs - this.bootedMs
    return guardOf(() => this.realMs + this.offMs, {
      recall: () => this.kept,
      keep: (kept) => (this.kept = kept),
      report: (fault, log = '') =>
        void this.told.push([log, fault?.type ?? 'right', fault?.by ?? ''].join(' ').trim()),
      ...changes,
      machine: {
        elapsedMs: passedMs,
        uptimeMs: passedMs,
        bootId: `boot ${this.boots}`,
        ...changes.machine,
      },
    })
  }

  pass(ms: number): void {
    this.realMs += ms
  }

  /** The machine is off for so long, and started again. */
  boot(offForMs: number): void {
    this.pass(offForMs)
    this.bootedMs = this.realMs
    this.boots += 1
    // By then, whatever sets a clock has set it.
    this.pass(10 * minuteMs)
  }
}

test('a jump stops the time of the registry, and its end lets it go on', (t) => {
  const machine = new Machine()
  const guard = machine.guard()
  t.is(guard.nowMs(), noonMs)
  for (const offMs of [400 * dayMs, -dayMs, dayMs, -10 * 365 * dayMs]) {
    machine.pass(1)
    const rightMs = guard.nowMs()
    t.is(rightMs, machine.realMs)
    machine.offMs = offMs
    machine.pass(1)
    t.is(guard.nowMs(), rightMs, `${offMs}`)
    t.regex(guard.ofLog('live').fault('')?.message ?? '', /^This machine's clock says/)
    machine.pass(minuteMs)
    t.is(guard.nowMs(), rightMs, `${offMs}`)
    machine.offMs = 0
    t.is(guard.nowMs(), machine.realMs)
    t.is(guard.ofLog('live').fault(''), undefined)
  }
  t.deepEqual(machine.told, [
    'ahead uptime',
    'right',
    'behind uptime',
    'right',
    'ahead uptime',
    'right',
    'behind uptime',
    'right',
  ])
})

test('small steps never stop it, hour after hour', (t) => {
  const machine = new Machine()
  const guard = machine.guard()
  for (let hour = 0; hour < 48; hour += 1) {
    machine.offMs += hour < 24 ? 9 * minuteMs : -9 * minuteMs
    machine.pass(hourMs)
    t.is(guard.fault, undefined)
  }
})

test('the same machine knows after a restart of the process what time it should be', (t) => {
  const machine = new Machine()
  machine.guard().note()
  machine.guard().look()
  machine.pass(100 * dayMs)
  t.is(machine.guard().fault, undefined, 'off for 100 days, while the machine ran')
  machine.offMs = hourMs
  t.like(machine.guard().fault, { type: 'ahead', by: 'uptime' })
  machine.offMs = -hourMs
  t.like(machine.guard().fault, { type: 'behind', by: 'uptime' })
})

test('a machine that was off for long says so once, until an operator has spoken', (t) => {
  const machine = new Machine()
  t.is(machine.guard().fault, undefined)
  machine.boot(400 * dayMs)
  const guard = machine.guard()
  guard.status('live', formatTimestamp(noonMs))
  t.like(guard.fault, { type: 'ahead', by: 'last', knownMs: noonMs })
  t.like(guard.accept(), { type: 'ahead', by: 'last' })
  t.is(guard.fault, undefined)
  t.is(guard.accept(), undefined, 'nothing is left to accept')
  t.is(machine.guard().fault, undefined, 'after a restart of the process')
  machine.boot(dayMs)
  t.is(machine.guard().fault, undefined, 'after the next start of the machine')
})

test('a witness settles by itself whether the machine was off for long', (t) => {
  const machine = new Machine()
  t.is(machine.guard().fault, undefined)
  machine.boot(400 * dayMs)
  const guard = machine.guard()
  const mark = (ms: number) => [{ vkey: 'witness', timestamp: Math.floor(ms / 1_000) }]
  guard.recall(mark(noonMs))
  guard.hearWitnesses(mark(noonMs))
  t.like(guard.fault, { type: 'ahead', by: 'last' }, 'what it signed before says nothing of now')
  guard.hearWitnesses(mark(machine.realMs))
  t.is(guard.fault, undefined)
  t.deepEqual(machine.told, ['ahead last', 'right'])
})

test('witnesses that most say otherwise stop a clock that nothing else speaks against', (t) => {
  const machine = new Machine()
  machine.offMs = 400 * dayMs
  const guard = machine.guard()
  t.is(guard.fault, undefined)
  guard.hearWitnesses([
    { vkey: 'one', timestamp: machine.realMs / 1_000 },
    { vkey: 'two', timestamp: machine.realMs / 1_000 },
  ])
  t.like(guard.fault, { type: 'ahead', by: 'machines', knownMs: machine.realMs })
  machine.offMs = 0
  guard.accept()
  t.is(guard.fault, undefined)
})

test('what a machine said long ago counts no more', (t) => {
  const machine = new Machine()
  const guard = machine.guard()
  guard.hear('one', machine.realMs + dayMs)
  guard.hear('two', machine.realMs + dayMs)
  t.like(guard.fault, { by: 'machines' })
  machine.pass(3 * hourMs)
  t.is(guard.fault, undefined)
})

test('soon after a start of the machine its clock may be set', (t) => {
  const machine = new Machine()
  machine.guard().note()
  machine.boot(hourMs)
  machine.bootedMs = machine.realMs - 1_000
  machine.offMs = 2 * hourMs
  const guard = machine.guard()
  t.is(guard.fault, undefined)
  machine.offMs = 0
  machine.pass(minuteMs)
  t.is(guard.fault, undefined)
  machine.pass(10 * minuteMs)
  t.is(guard.fault, undefined)
  machine.offMs = 2 * hourMs
  t.like(guard.fault, { type: 'ahead', by: 'uptime' })
})

test('a log that is ahead stops what is dated in it alone, until that is accepted', (t) => {
  const machine = new Machine()
  const guard = machine.guard()
  const ahead = formatTimestamp(noonMs + 400 * dayMs)
  t.regex(guard.status('sandbox', ahead).problem ?? '', /400 days before 2027-12-26/)
  t.is(guard.status('sandbox', ahead).logAheadMs, 400 * dayMs)
  t.deepEqual(guard.status('live', formatTimestamp(noonMs)), { logAheadMs: 0 })
  t.deepEqual(machine.told, ['sandbox behind log'])
  t.like(guard.accept(), { type: 'behind', by: 'log' })
  t.deepEqual(guard.status('sandbox', ahead), { logAheadMs: 400 * dayMs })
  t.is(machine.kept?.isAccepted, false, 'nothing was said of the clock')
  const later = formatTimestamp(noonMs + 500 * dayMs)
  t.regex(guard.status('sandbox', later).problem ?? '', /500 days before/)
  machine.boot(hourMs)
  const next = machine.guard()
  t.is(next.status('sandbox', ahead).problem, undefined, 'after the next start of the machine')
})

test('a clock from before the program was made is not accepted', (t) => {
  const machine = new Machine()
  machine.offMs = -10 * 365 * dayMs
  const guard = machine.guard({ madeMs: noonMs - dayMs })
  t.like(guard.accept(), { by: 'release' })
  t.like(guard.fault, { by: 'release' })
  t.is(guard.nowMs(), 0, 'it was never right')
  machine.offMs = 0
  t.is(guard.nowMs(), noonMs)
})

test('where nothing tells one start of the machine from another, each may be another', (t) => {
  const machine = new Machine()
  const unknown = { machine: { bootId: '' } as ClockGuardOptions['machine'] }
  const guard = machine.guard(unknown)
  t.is(guard.fault, undefined)
  machine.offMs = hourMs
  t.like(guard.fault, { by: 'uptime' }, 'while the process runs it is one')
  t.is(machine.guard(unknown).fault, undefined)
})
