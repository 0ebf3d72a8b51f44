import type { SequencerClock } from '#actors/journal/sequencer.ts'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { formatTimestamp, type MonotoneClock, monotoneClock } from '#actors/values/clock.ts'
import type { LogReader } from '#log/store/log_reader.ts'

/** What a machine says of time. All are milliseconds. */
export type MachineTime = {
  /** The time of day, since 1970. */
  readonly systemMs: () => number
  /** A clock that only goes forward, and is asked for every change. */
  readonly elapsedMs: () => number
  /** Since the machine was started, the time that it slept included. */
  readonly uptimeMs: () => number
  /** Which start of the machine this is; '' where that is not known. */
  readonly bootId: string
  /** The time that the file system gives to what is written now; undefined if it cannot tell. */
  readonly fileMs: () => number | undefined
}

/** What is remembered of the clock across starts: when it was right, and what was accepted. */
export type KeptClock = Moment & {
  readonly bootId: string
  readonly isAccepted: boolean
  /** Of each log, the newest time that an operator has gone on with. */
  readonly acceptedLogs: Readonly<Record<string, number>>
}

export type ClockGuardOptions = {
  readonly machine: MachineTime
  readonly bounds: ClockBounds
  /** No clock is right that is before this. */
  readonly madeMs: number
  /** What was kept last; asked once, when the clock is first looked at. */
  readonly recall: () => KeptClock | undefined
  readonly keep: (kept: KeptClock) => void
  /**
   * Hears what is wrong, whenever that has changed; undefined: nothing any more. `log` is the one
   * that is ahead of the clock, if it is that.
   */
  readonly report: (fault: ClockFault | undefined, log: string | undefined) => void
  /** Hears what an operator has gone on with. */
  readonly accepted: (fault: ClockFault) => void
}

/** What a witness has signed last: `timestamp` is in seconds since 1970, by its own clock. */
export type ClockMark = { readonly vkey: string; readonly timestamp: number }

/** How the clock of a registry is doing. */
export type ClockStatus = {
  /** Why nothing is dated, and what to do, in some sentences; absent while the clock is sound. */
  readonly problem?: string
  /** How far the newest entry of the log is ahead of the clock, in milliseconds; 0 if it is not. */
  readonly logAheadMs: number
}

// What was found is believed for so long, while the clock keeps step with `elapsedMs`.
const believedMs = 1_000
const inStepMs = 100

/** So long after a machine was started its clock may still be set for the first time. */
const bootMs = 5 * 60_000

/** How often the moment at which the clock was right is noted anew. */
const noteMs = 3_600_000

/** What another machine said counts for so long. */
const heardMs = 2 * 3_600_000

/**
 * Watches the clock of one process for all logs that it writes. While the clock is wrong, its time
 * stands still and nothing is dated. It owns what is known of the time.
 */
export class ClockGuard {
  readonly #options: ClockGuardOptions
  readonly #logs = new Map<string, number>()
  readonly #marks = new Map<string, number>()
  readonly #heard = new Map<string, Moment>()
  #kept: KeptClock | undefined
  #isRecalled = false
  #seen: { readonly wallMs: number; readonly elapsedMs: number } | undefined
  #fault: ClockFault | undefined
  /** What was told last: of the clock under '', of a log under its name. */
  readonly #told = new Map<string, string>()
  #soundMs = 0

  constructor(options: ClockGuardOptions) {
    this.#options = options
  }

  /** What is wrong with the clock, whatever the logs hold; undefined while it is sound. */
  get fault(): ClockFault | undefined {
    this.#look()
    return this.#fault
  }

  /** Looks at the clock, so that what is wrong is reported while nobody writes. */
  look(): void {
    for (const name of this.#logs.keys()) this.#faultOf(name)
  }

  /** The time of day while the clock is sound; while it is not, when it last was, or 0. */
  nowMs(): number {
    this.#look()
    return this.#soundMs
  }

  /** What the sequencer of a log asks. */
  ofLog(name: string): SequencerClock {
    return {
      nowMs: () => this.nowMs(),
      fault: (newestAt) => {
        const { problem } = this.status(name, newestAt)
        return problem === undefined ? undefined : new ActorError('clock_wrong', problem)
      },
      latest: (newestAt) => {
        const newestMs = newestAt === '' ? 0 : Date.parse(newestAt)
        return formatTimestamp(Math.max(this.nowMs(), newestMs) + this.#options.bounds.stepMs)
      },
    }
  }

  /** How the clock is doing for a log whose newest time is `newestAt`, or '' if it has none. */
  status(name: string, newestAt: string): ClockStatus {
    const newestMs = Math.max(this.#logs.get(name) ?? 0, newestAt === '' ? 0 : Date.parse(newestAt))
    this.#logs.set(name, newestMs)
    const fault = this.#faultOf(name)
    const logAheadMs = Math.max(0, newestMs - this.#options.machine.systemMs())
    return { ...(fault && { problem: formatClockFault(fault) }), logAheadMs }
  }

  /** Takes what witnesses signed before this start: no newer time was known of them. */
  recall(marks: readonly ClockMark[]): void {
    for (const { vkey, timestamp } of marks) this.#marks.set(vkey, timestamp)
  }

  /** Takes what witnesses have just signed: those whose time has changed told it by now. */
  hearWitnesses(marks: readonly ClockMark[]): void {
    for (const { vkey, timestamp } of marks) {
      if (this.#marks.get(vkey) === timestamp) continue
      this.#marks.set(vkey, timestamp)
      this.hear(vkey, timestamp * 1_000)
    }
  }

  /** Takes what another machine, by a name of its own, says is the time at this moment. */
  hear(name: string, wallMs: number): void {
    this.#heard.set(name, { wallMs, uptimeMs: this.#options.machine.uptimeMs() })
    this.#seen = undefined
  }

  /**
   * Goes on with the clock as it is, by an operator's word, and with logs that are ahead of it;
   * what speaks against it is heard again after the next start of the machine. A clock from before
   * the program was made is not accepted. Gives what was wrong; undefined: nothing.
   */
  accept(): ClockFault | undefined {
    const fault = this.fault
    if (fault?.by === 'release') return fault
    const byLogs = [...this.#logs.keys()].flatMap((name) => this.#faultByLog(name) ?? [])
    if (fault === undefined && byLogs.length === 0) return undefined
    // What was told to be settled is no later than when the clock was right last.
    const settled = [...this.#logs].map(
      ([name, ms]) => [name, Math.max(ms, this.#soundMs)] as const,
    )
    const wallMs = this.#options.machine.systemMs()
    this.#note({
      ...(fault && { isAccepted: true }),
      acceptedLogs: Object.fromEntries(settled.filter(([, ms]) => ms > wallMs)),
    })
    this.#seen = undefined
    const found = fault ?? byLogs[0]
    if (found !== undefined) this.#options.accepted(found)
    this.look()
    return found
  }

  /** Notes that the clock is right now, if it is: before the process ends. */
  note(): void {
    if (this.fault === undefined && this.#isAnchored) this.#note({})
  }

  #faultOf(name: string): ClockFault | undefined {
    const fault = this.fault
    if (fault !== undefined) return fault
    const byLog = this.#faultByLog(name)
    this.#tell(byLog, name)
    return byLog
  }

  #faultByLog(name: string): ClockFault | undefined {
    const { machine, bounds } = this.#options
    const acceptedMs = this.#kept?.acceptedLogs[name] ?? 0
    return judgeByLog(machine.systemMs(), this.#logs.get(name) ?? 0, acceptedMs, bounds)
  }

  #now(): Moment {
    const { systemMs, uptimeMs } = this.#options.machine
    return { wallMs: systemMs(), uptimeMs: uptimeMs() }
  }

  /** Judges the clock, unless that was just done and it has kept step since. */
  #look(): void {
    const { machine } = this.#options
    const elapsedMs = machine.elapsedMs()
    const wallMs = machine.systemMs()
    if (this.#seen !== undefined) {
      const passedMs = elapsedMs - this.#seen.elapsedMs
      const isInStep = Math.abs(wallMs - this.#seen.wallMs - passedMs) < inStepMs
      if (isInStep && passedMs < believedMs) {
        if (this.#fault === undefined) this.#soundMs = wallMs
        return
      }
    }
    this.#seen = { wallMs, elapsedMs }
    this.#judge()
  }

  #judge(): void {
    const { madeMs, bounds } = this.#options
    this.#recallOnce()
    const now = this.#now()
    const anchor = this.#isAnchored ? this.#kept : undefined
    const evidence = {
      madeMs,
      anchor,
      isAccepted: anchor?.isAccepted ?? false,
      lastMs: this.#kept?.wallMs ?? 0,
      newestMs: this.#newestMs(now.wallMs),
      fileMs: anchor === undefined ? this.#options.machine.fileMs() : undefined,
      heard: this.#heardSince(now.uptimeMs - heardMs),
    }
    this.#fault = judgeClock(now, evidence, bounds)
    if (this.#fault === undefined) this.#trust(now, anchor)
    this.#tell(this.#fault, '')
  }

  /** Whether the clock was right since the machine was started. */
  get #isAnchored(): boolean {
    const { bootId, uptimeMs } = this.#options.machine
    return this.#kept?.bootId === bootId && this.#kept.uptimeMs <= uptimeMs()
  }

  #recallOnce(): void {
    if (this.#isRecalled) return
    this.#isRecalled = true
    const kept = this.#options.recall()
    // Where nothing says which start of the machine it was, it was another one.
    this.#kept = kept?.bootId === '' ? { ...kept, bootId: 'another' } : kept
  }

  #newestMs(wallMs: number): number {
    const marks = [...this.#marks.values()].map((seconds) => seconds * 1_000)
    return Math.max(0, ...[...this.#logs.values(), ...marks].filter((ms) => ms <= wallMs))
  }

  #heardSince(uptimeMs: number): readonly Moment[] {
    for (const [name, moment] of this.#heard) {
      if (moment.uptimeMs < uptimeMs) this.#heard.delete(name)
    }
    return [...this.#heard.values()]
  }

  #trust(now: Moment, anchor: Moment | undefined): void {
    this.#soundMs = now.wallMs
    const stepMs = anchor && Math.abs(now.wallMs - anchor.wallMs - now.uptimeMs + anchor.uptimeMs)
    const isDue = anchor === undefined || now.uptimeMs - anchor.uptimeMs >= noteMs
    const hasStepped = stepMs !== undefined && stepMs > this.#options.bounds.stepMs
    if (now.uptimeMs >= bootMs && (isDue || hasStepped)) this.#note({})
  }

  #note(accepted: Partial<Pick<KeptClock, 'isAccepted' | 'acceptedLogs'>>): void {
    const { machine, keep } = this.#options
    const { isAccepted = false, acceptedLogs = {} } = this.#kept ?? {}
    const before = { isAccepted: this.#isAnchored && isAccepted, acceptedLogs }
    this.#kept = { ...this.#now(), bootId: machine.bootId, ...before, ...accepted }
    keep(this.#kept)
  }

  #tell(fault: ClockFault | undefined, log: string): void {
    const text = fault === undefined ? '' : `${fault.type} ${fault.by}`
    if (text === (this.#told.get(log) ?? '')) return
    this.#told.set(log, text)
    this.#options.report(fault, log === '' ? undefined : log)
  }
}

/** How far clocks may be apart before nothing is dated any more, in milliseconds. */
export type ClockBounds = {
  /** From where the clock should be, by what measures the time between. */
  readonly stepMs: number
  /** Ahead of what was known last, where nothing measures the time between. */
  readonly gapMs: number
  /** Behind the newest time of a log, or behind what was known last. */
  readonly behindMs: number
}

/**
 * A time of day, in milliseconds since 1970, and for how long the machine had run by then, the time
 * that it slept included. From one such moment on, the machine's run tells what time it should be.
 */
export type Moment = { readonly wallMs: number; readonly uptimeMs: number }

/** What is known of the time beside the clock that is judged. */
export type ClockEvidence = {
  /** No clock is right that is before this: the program is not older. */
  readonly madeMs: number
  /** When the clock was right since the machine was started, as far as that is known. */
  readonly anchor: Moment | undefined
  /** Whether an operator has said so: then no other clock is heard. */
  readonly isAccepted: boolean
  /** When the clock was right before that, the last time; 0 if that is not known. */
  readonly lastMs: number
  /** The newest time that anything is dated with and that has come; 0 if nothing is. */
  readonly newestMs: number
  /** The time that the file system gives to what is written now, if that was looked at. */
  readonly fileMs: number | undefined
  /** What other machines said, with the moment at which it was heard. */
  readonly heard: readonly Moment[]
}

/** What says that a clock is wrong. */
export type ClockWitness = 'release' | 'uptime' | 'last' | 'files' | 'machines' | 'log'

/** A clock is wrong: it is `wallMs`, and by `by` it should be about `knownMs`. */
export type ClockFault = {
  readonly type: 'ahead' | 'behind'
  readonly by: ClockWitness
  readonly wallMs: number
  readonly knownMs: number
}

/** One other clock alone may be the one that is wrong. */
const otherClocksMin = 2

/**
 * Judges the clock of a machine; undefined: nothing speaks against it. What has measured the time
 * since the clock was right is believed before what only bounds it, and most other machines before
 * both, unless an operator has said that the clock is right.
 */
export function judgeClock(
  now: Moment,
  evidence: ClockEvidence,
  bounds: ClockBounds,
): ClockFault | undefined {
  const { wallMs } = now
  const { madeMs, isAccepted } = evidence
  if (wallMs < madeMs) return { type: 'behind', by: 'release', wallMs, knownMs: madeMs }
  const found = judgeAlone(now, evidence, bounds)
  const told = evidence.heard.map((moment) => timeBy(moment, now))
  const others = told.filter((ms) => Math.abs(ms - wallMs) > bounds.stepMs)
  const agreeing = told.length - others.length
  if (found !== undefined) return agreeing > others.length ? undefined : found
  if (isAccepted || others.length < otherClocksMin || others.length <= agreeing) return undefined
  const knownMs = others.toSorted((one, other) => one - other)[others.length >> 1] ?? wallMs
  return { type: wallMs > knownMs ? 'ahead' : 'behind', by: 'machines', wallMs, knownMs }
}

/** Judges it by what this machine knows. */
function judgeAlone(
  now: Moment,
  { anchor, lastMs, newestMs, fileMs }: ClockEvidence,
  { stepMs, gapMs, behindMs }: ClockBounds,
): ClockFault | undefined {
  const { wallMs } = now
  if (anchor !== undefined) return judgeStep('uptime', wallMs, timeBy(anchor, now), stepMs)
  if (lastMs - wallMs > behindMs) return { type: 'behind', by: 'last', wallMs, knownMs: lastMs }
  const ofFiles = fileMs === undefined ? undefined : judgeStep('files', wallMs, fileMs, stepMs)
  if (ofFiles !== undefined) return ofFiles
  const knownMs = Math.max(lastMs, newestMs)
  if (knownMs === 0 || wallMs - knownMs <= gapMs) return undefined
  return { type: 'ahead', by: 'last', wallMs, knownMs }
}

function judgeStep(
  by: ClockWitness,
  wallMs: number,
  knownMs: number,
  stepMs: number,
): ClockFault | undefined {
  if (Math.abs(wallMs - knownMs) <= stepMs) return undefined
  return { type: wallMs > knownMs ? 'ahead' : 'behind', by, wallMs, knownMs }
}

/** What time it is by an earlier moment. */
function timeBy(moment: Moment, now: Moment): number {
  return moment.wallMs + now.uptimeMs - moment.uptimeMs
}

/**
 * Judges a clock by the newest time of a log, which no later entry may be before. `acceptedMs` is
 * the newest time of the log that an operator has gone on with; 0 if none has.
 */
export function judgeByLog(
  wallMs: number,
  newestMs: number,
  acceptedMs: number,
  { behindMs }: ClockBounds,
): ClockFault | undefined {
  if (newestMs - wallMs <= behindMs || newestMs - acceptedMs <= behindMs) return undefined
  return { type: 'behind', by: 'log', wallMs, knownMs: newestMs }
}

/** What is wrong with a clock and what an operator does about it, in some sentences. */
export function formatClockFault(fault: ClockFault): string {
  const { type, by, wallMs, knownMs } = fault
  const [clock, known] = [dateOf(wallMs), dateOf(knownMs)]
  const apart = `${spanOf(Math.abs(wallMs - knownMs))} ${type === 'ahead' ? 'after' : 'before'}`
  const found = `This machine's clock says ${clock}, ${apart} ${sayings[by](known)}.`
  return `${found} Nothing that carries a time is written; reading goes on. ${advice[by]}`
}

const setClock =
  'Set the clock, and have it kept by NTP: writing then goes on by itself. If the clock is ' +
  'right, run "arklog clock accept".'

const sayings: Readonly<Record<ClockWitness, (known: string) => string>> = {
  release: (known) => `${known}, and this version of Arklog was made later than that`,
  uptime: (known) => `${known}, which it should be by how long the machine has run`,
  last: (known) => `${known}, the newest time that the registry knows`,
  files: (known) => `${known}, the time that the file system gives to a new file`,
  machines: (known) => `${known}, which it is by most of the other machines (witnesses, nodes)`,
  log: (known) => `${known}, the time of the newest entry of the log`,
}

const advice: Readonly<Record<ClockWitness, string>> = {
  release: 'Set the clock, and have it kept by NTP: writing then goes on by itself.',
  uptime: setClock,
  last: setClock,
  files: setClock,
  machines: setClock,
  log:
    'If the clock is wrong, set it. If it is right, it was wrong when that entry was dated, and ' +
    'the times of a log never go back: wait until that time, or run "arklog clock accept", which ' +
    'dates all that is written until then with that time.',
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString()
}

const secondMs = 1_000
const smallest = [secondMs, 'second', 'seconds'] as const
const units: readonly (readonly [ms: number, one: string, many: string])[] = [
  [86_400 * secondMs, 'day', 'days'],
  [3_600 * secondMs, 'hour', 'hours'],
  [60 * secondMs, 'minute', 'minutes'],
  smallest,
]

/** A span in its largest unit, rounded, such as `400 days`. */
function spanOf(ms: number): string {
  const nearly = 0.99
  const [unitMs, one, many] = units.find(([unit]) => ms >= unit * nearly) ?? smallest
  const count = Math.round(ms / unitMs)
  return `${count} ${count === 1 ? one : many}`
}

/** What the clock of a log is made from. `newestAt` is asked each time: '' if the log is empty. */
export type LogClockOptions = {
  readonly guard: ClockGuard
  readonly name: string
  readonly newestAt: () => string
  readonly log: Pick<LogReader, 'cosigned'>
}

/** The clock that one log is dated by. It owns the newest time that was given of it. */
export class LogClock {
  readonly #options: LogClockOptions
  /** Dates changes: it stands still while the clock is wrong. */
  readonly dating: MonotoneClock
  readonly sequencer: SequencerClock

  constructor(options: LogClockOptions) {
    const { guard, name, newestAt, log } = options
    this.#options = options
    this.dating = monotoneClock(() => guard.nowMs(), newestAt())
    this.sequencer = guard.ofLog(name)
    guard.recall(log.cosigned().witnesses)
    this.status()
  }

  /** How the clock is doing for this log. */
  status(): ClockStatus {
    const { guard, name, newestAt } = this.#options
    return guard.status(name, newestAt())
  }

  /** Takes what witnesses have just signed. */
  hear(marks: readonly ClockMark[]): void {
    this.#options.guard.hearWitnesses(marks)
  }

  /** Dates what follows by the clock as it is now, after an operator has accepted it. */
  restart(): void {
    this.dating.restart(this.#options.newestAt())
  }

  /**
   * Up to when all can be settled that came before a time, in milliseconds since 1970: to now at
   * most, and while the clock is wrong, to the newest time of the log.
   */
  settledMs(timeMs: number): number {
    const { guard, newestAt } = this.#options
    if (guard.fault === undefined) return Math.min(timeMs, this.dating.nowMs())
    const newest = newestAt()
    return Math.min(timeMs, newest === '' ? 0 : Date.parse(newest))
  }
}
