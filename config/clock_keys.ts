import { integer } from '#config/key_schema.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

/** The keys of when the clock is not believed, and nothing is dated by it. */
export const clockKeys = {
  CLOCK_STEP_MS: integer({
    description:
      'How far the clock may be from where it should be by how long the machine has run, by the ' +
      'file system, or by most other machines; beyond that, writes are answered with 503.',
    unit: 'ms',
    default: 10 * minuteMs,
    minimum: minuteMs,
    maximum: dayMs,
  }),
  CLOCK_GAP_MS: integer({
    description:
      'How long a registry may have been off, before a start of its machine, until its clock has ' +
      'to be accepted (docs/operations.md#the-clock).',
    unit: 'ms',
    default: 30 * dayMs,
    minimum: 60 * minuteMs,
    maximum: 3_650 * dayMs,
  }),
  CLOCK_BEHIND_MS: integer({
    description:
      'How far the clock may be behind the newest entry of the log; beyond that, writes are ' +
      'answered with 503.',
    unit: 'ms',
    default: 10 * minuteMs,
    minimum: 10_000,
    maximum: dayMs,
  }),
}
