import test from 'ava'

import {
  type ClockEvidence,
  formatClockFault,
  judgeByLog,
  judgeClock,
  type Moment,
} from '#actors/journal/clock_guard.ts'
import { bounds } from '#test/actors/_clock.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const yearMs = 365 * dayMs
const noonMs = Date.UTC(2026, 10, 21, 12)

const nothing: ClockEvidence = {
  madeMs: Date.UTC(2026, 0, 1),
  anchor: undefined,
  isAccepted: false,
  lastMs: 0,
  newestMs: 0,
  fileMs: undefined,
  heard: [],
}

/** The registry ran for a day until an hour ago, and so did the machine, without a pause. */
const now: Moment = { wallMs: noonMs, uptimeMs: 25 * hourMs }
const anchor: Moment = { wallMs: noonMs - hourMs, uptimeMs: 24 * hourMs }
/** The machine was started since: nothing measures the time between. */
const restarted = { lastMs: noonMs - hourMs, newestMs: noonMs - 2 * hourMs }

/** What another machine says now whose clock is off by so much. */
function told(offMs: number): Moment {
  return { ...now, wallMs: noonMs + offMs }
}

type Row = readonly [
  name: string,
  offMs: number,
  evidence: Partial<ClockEvidence>,
  /** What is found, as `type by`; '' for nothing. */
  found: string,
]

const rows: readonly Row[] = [
  ['a first start by a clock that is right', 0, {}, ''],
  ['a first start ten years behind', -10 * yearMs, {}, 'behind release'],
  ['a first start that nothing speaks against', 400 * dayMs, {}, ''],
  ['a first start whose file system disagrees', 400 * dayMs, { fileMs: noonMs }, 'ahead files'],
  ['a first start whose file system agrees', 0, { fileMs: noonMs - 3 }, ''],
  ['a file system behind a clock', 0, { fileMs: noonMs - hourMs }, 'ahead files'],
  ['a file system ahead of a clock', 0, { fileMs: noonMs + hourMs }, 'behind files'],

  ['the same start of the machine', 0, { anchor }, ''],
  ['an NTP step of seconds', 5 * secondMs, { anchor }, ''],
  ['an NTP step of seconds back', -5 * secondMs, { anchor }, ''],
  ['a leap second', -secondMs, { anchor }, ''],
  ['five minutes ahead', 5 * minuteMs, { anchor }, ''],
  ['just within the bound', bounds.stepMs, { anchor }, ''],
  ['just beyond the bound', bounds.stepMs + 1, { anchor }, 'ahead uptime'],
  ['just beyond the bound back', -bounds.stepMs - 1, { anchor }, 'behind uptime'],
  ['a jump of a day', dayMs, { anchor }, 'ahead uptime'],
  ['a jump of a day back', -dayMs, { anchor }, 'behind uptime'],
  ['a jump of 400 days', 400 * dayMs, { anchor }, 'ahead uptime'],
  ['a jump of ten years back', -10 * yearMs, { anchor }, 'behind release'],
  [
    'a machine that slept for ten hours, or was off duty for 400 days while it ran',
    400 * dayMs,
    { anchor: { ...anchor, uptimeMs: anchor.uptimeMs - 400 * dayMs } },
    '',
  ],

  ['a start of the machine', 0, restarted, ''],
  ['a start five minutes ahead', 5 * minuteMs, restarted, ''],
  ['a start within the gap', 20 * dayMs, restarted, ''],
  ['a start 400 days ahead', 400 * dayMs, restarted, 'ahead last'],
  ['a start a day behind', -dayMs, restarted, 'behind last'],
  ['a start minutes behind', -65 * minuteMs, restarted, ''],
  ['a start 400 days ahead of a log alone', 400 * dayMs, { newestMs: noonMs }, 'ahead last'],
  ['an idle log of a registry that ran', 0, { lastMs: noonMs, newestMs: noonMs - yearMs }, ''],

  [
    'off for 400 days, and one witness says so',
    400 * dayMs,
    { ...restarted, heard: [told(400 * dayMs)] },
    '',
  ],
  [
    '400 days ahead, and a witness says so',
    400 * dayMs,
    { ...restarted, heard: [told(0)] },
    'ahead last',
  ],
  ['one witness ten years ahead', 0, { anchor, heard: [told(10 * yearMs)] }, ''],
  [
    'one witness ten years ahead of two others',
    0,
    { anchor, heard: [told(10 * yearMs), told(0), told(1)] },
    '',
  ],
  [
    'two witnesses a day behind',
    0,
    { anchor, heard: [told(-dayMs), told(-dayMs)] },
    'ahead machines',
  ],
  [
    'two witnesses a day ahead',
    0,
    { anchor, heard: [told(dayMs), told(dayMs), told(0)] },
    'behind machines',
  ],
  ['as many as agree', 0, { anchor, heard: [told(dayMs), told(dayMs), told(0), told(0)] }, ''],
  [
    'two of them after an operator has spoken',
    0,
    { anchor, isAccepted: true, heard: [told(dayMs), told(dayMs)] },
    '',
  ],
  [
    'a machine that stood still for a day, and others agree',
    0,
    { anchor: { ...anchor, uptimeMs: now.uptimeMs + dayMs }, heard: [told(0)] },
    '',
  ],
  ['one of them was heard an hour ago', 0, { anchor, heard: [anchor, told(0)] }, ''],
]

for (const [name, offMs, evidence, found] of rows) {
  test(`judged: ${name}`, (t) => {
    const moment = { ...now, wallMs: noonMs + offMs }
    const fault = judgeClock(moment, { ...nothing, ...evidence }, bounds)
    t.is(fault === undefined ? '' : `${fault.type} ${fault.by}`, found)
    if (fault !== undefined) t.is(fault.wallMs, moment.wallMs)
  })
}

test('a log that is ahead speaks against the clock, unless an operator has accepted it', (t) => {
  const newestMs = noonMs + 400 * dayMs
  t.is(judgeByLog(noonMs, noonMs + bounds.behindMs, 0, bounds), undefined)
  t.like(judgeByLog(noonMs, newestMs, 0, bounds), { type: 'behind', by: 'log', knownMs: newestMs })
  t.is(judgeByLog(noonMs, newestMs, newestMs, bounds), undefined)
  t.is(judgeByLog(noonMs, newestMs + 5, newestMs, bounds), undefined, 'a rotation adds to it')
  t.like(judgeByLog(noonMs, newestMs + dayMs, newestMs, bounds), { by: 'log' })
})

test('what is wrong is said with both times, how far they are apart, and what to do', (t) => {
  const fault = judgeClock(
    { ...now, wallMs: noonMs + 400 * dayMs },
    { ...nothing, ...restarted },
    bounds,
  )
  t.truthy(fault)
  if (fault === undefined) return
  t.is(
    formatClockFault(fault),
    "This machine's clock says 2027-12-26T12:00:00.000Z, 400 days after " +
      '2026-11-21T11:00:00.000Z, the newest time that the registry knows. Nothing that carries a ' +
      'time is written; reading goes on. Set the clock, and have it kept by NTP: writing then ' +
      'goes on by itself. If the clock is right, run "arklog clock accept".',
  )
})
