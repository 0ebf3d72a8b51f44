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

type Check = (read: (metric: string) => number, sample: Sample) => FoundWarning | undefined

// As the alerts of config/prometheus have it, where both speak of the same.
const checks: readonly Check[] = [
  (read) => {
    if (read('arklog_damage') + read('arklog_scrub_problems') === 0) return undefined
    return {
      code: 'damage',
      command: 'arklog audit',
      guide: 'stores',
    }
  },
  (read) => {
    const [free, reserve] = [read('arklog_disk_free_bytes'), read('arklog_disk_reserve_bytes')]
    if (free === 0 || free > reserve * reservesMin) return undefined
    return {
      code: free > reserve ? 'diskLow' : 'diskFull',
      command: 'arklog doctor',
      guide: 'stores',
    }
  },
  (read) => {
    if (read('arklog_clock_wrong') === 0) return undefined
    return {
      code: 'clock',
      command: 'arklog clock status',
      guide: 'operations',
    }
  },
  (read) => {
    const isWrong = read('arklog_clock_wrong') > 0
    if (isWrong || read('arklog_log_ahead_seconds') <= logAheadSecondsMax) return undefined
    return {
      code: 'logAhead',
      command: 'arklog clock status',
      guide: 'operations',
    }
  },
  (read) => {
    if (read('arklog_identity_unwritable') === 0) return undefined
    return {
      code: 'identities',
      guide: 'stores',
    }
  },
  (_read, { pool = 0, commits }) => {
    if (pool === 0 || commits !== 0) return undefined
    return {
      code: 'stuck',
      command: 'arklog doctor',
    }
  },
  (_read, { failed = 0, requests = 0 }) => {
    if (failed <= requests * failedShareMax) return undefined
    return {
      code: 'failing',
      command: 'arklog doctor',
    }
  },
  (_read, { delay = 0 }) => {
    if (delay <= delayMsMax) return undefined
    return {
      code: 'slow',
      guide: 'benchmarks',
    }
  },
  (_read, { checks_due: due = 0 }) => {
    if (due < dueMax) return undefined
    return {
      code: 'checksLate',
      command: 'arklog fixity status',
      guide: 'content',
    }
  },
  (_read, { index_lag: lag = 0 }) => {
    if (lag < indexLagMax) return undefined
    return {
      code: 'indexLate',
      command: 'arklog reindex',
      guide: 'search',
    }
  },
  (read) => {
    if (read('arklog_map_failed') === 0) return undefined
    return {
      code: 'mapLeaf',
      command: 'arklog audit',
      guide: 'map',
    }
  },
  (read) => {
    if (read('arklog_witness_set_aside') === 0) return undefined
    return {
      code: 'witness',
      command: 'arklog doctor',
      guide: 'witnesses',
    }
  },
  (read) => {
    if (read('arklog_webhook_failing') === 0) return undefined
    return {
      code: 'webhooks',
      guide: 'webhooks',
    }
  },
  (read) => {
    if (read('arklog_cluster_impediments') === 0) return undefined
    return {
      code: 'cannotLead',
      command: 'arklog cluster status',
      guide: 'cluster',
    }
  },
]

/** What needs an operator, by what the metrics tell now. */
export function warningsOf(
  sample: Sample,
  values: readonly MetricValue[],
): readonly FoundWarning[] {
  const read = (metric: string) => sumOf(values, { metric }) ?? 0
  return checks.flatMap((check) => check(read, sample) ?? [])
}
