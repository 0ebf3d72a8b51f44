import { type MetricValue, type Sample, sumOf } from '#src/operations/series.ts'

/** What an operator can be needed for; pages say it in words, by these codes. */
type WarningCode =
  | 'damage'
  | 'diskLow'
  | 'diskFull'
  | 'clock'
  | 'logAhead'
  | 'identities'
  | 'stuck'
  | 'failing'
  | 'slow'
  | 'checksLate'
  | 'indexLate'
  | 'mapLeaf'
  | 'witness'
  | 'webhooks'
  | 'cannotLead'

/** Something that needs an operator: what is found, and the guide that tells more. */
export type FoundWarning = {
  readonly code: WarningCode
  /** A command that tells more, or mends it. */
  readonly command?: string
  /** The name of a guide. */
  readonly guide?: string
}

/** Free bytes of the disk, in reserves, below which it is told of. */
const reservesMin = 5

/** Shares and sizes from which on something is told of. */
const failedShareMax = 0.01
const delayMsMax = 200
const dueMax = 10_000
const indexLagMax = 10_000
const logAheadSecondsMax = 600

type Check = FoundWarning & {
  readonly isFound: (read: (metric: string) => number, sample: Sample) => boolean
}

/** Finds a metric that is not 0. */
function isNotZero(metric: string): Check['isFound'] {
  return (read) => read(metric) !== 0
}

// As the alerts of config/prometheus have it, where both speak of the same.
const checks: readonly Check[] = [
  {
    code: 'damage',
    command: 'arklog audit',
    guide: 'stores',
    isFound: (read) => read('arklog_damage') + read('arklog_scrub_problems') !== 0,
  },
  {
    code: 'diskLow',
    command: 'arklog doctor',
    guide: 'stores',
    isFound(read) {
      const [free, reserve] = [read('arklog_disk_free_bytes'), read('arklog_disk_reserve_bytes')]
      return free > reserve && free <= reserve * reservesMin
    },
  },
  {
    code: 'diskFull',
    command: 'arklog doctor',
    guide: 'stores',
    isFound(read) {
      const free = read('arklog_disk_free_bytes')
      return free !== 0 && free <= read('arklog_disk_reserve_bytes')
    },
  },
  {
    code: 'clock',
    command: 'arklog clock status',
    guide: 'operations',
    isFound: isNotZero('arklog_clock_wrong'),
  },
  {
    code: 'logAhead',
    command: 'arklog clock status',
    guide: 'operations',
    isFound: (read) =>
      read('arklog_clock_wrong') <= 0 && read('arklog_log_ahead_seconds') > logAheadSecondsMax,
  },
  { code: 'identities', guide: 'stores', isFound: isNotZero('arklog_identity_unwritable') },
  {
    code: 'stuck',
    command: 'arklog doctor',
    isFound: (_read, { pool = 0, commits }) => pool !== 0 && commits === 0,
  },
  {
    code: 'failing',
    command: 'arklog doctor',
    isFound: (_read, { failed = 0, requests = 0 }) => failed > requests * failedShareMax,
  },
  { code: 'slow', guide: 'benchmarks', isFound: (_read, { delay = 0 }) => delay > delayMsMax },
  {
    code: 'checksLate',
    command: 'arklog fixity status',
    guide: 'content',
    isFound: (_read, { checks_due: due = 0 }) => due >= dueMax,
  },
  {
    code: 'indexLate',
    command: 'arklog reindex',
    guide: 'search',
    isFound: (_read, { index_lag: lag = 0 }) => lag >= indexLagMax,
  },
  {
    code: 'mapLeaf',
    command: 'arklog audit',
    guide: 'map',
    isFound: isNotZero('arklog_map_failed'),
  },
  {
    code: 'witness',
    command: 'arklog doctor',
    guide: 'witnesses',
    isFound: isNotZero('arklog_witness_set_aside'),
  },
  { code: 'webhooks', guide: 'webhooks', isFound: isNotZero('arklog_webhook_failing') },
  {
    code: 'cannotLead',
    command: 'arklog cluster status',
    guide: 'cluster',
    isFound: isNotZero('arklog_cluster_impediments'),
  },
]

/** What needs an operator, by what the metrics tell now. */
export function warningsOf(
  sample: Sample,
  values: readonly MetricValue[],
): readonly FoundWarning[] {
  const read = (metric: string) => sumOf(values, { metric }) ?? 0
  return checks
    .filter(({ isFound }) => isFound(read, sample))
    .map(({ isFound: _isFound, ...warning }) => warning)
}
