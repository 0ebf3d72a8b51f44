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
