import { type MetricValue, type Sample, sumOf } from '#src/operations/series.ts'

/** Something that needs an operator: what is found, what to do, and the guide that tells more. */
export type FoundWarning = {
  readonly found: string
  readonly action: string
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
      found: 'Rows of the store are damaged.',
      action: 'Keep the disk as it is: a backup or a mirror has the rows.',
      command: 'arklog audit',
      guide: 'stores',
    }
  },
  (read) => {
    const [free, reserve] = [read('arklog_disk_free_bytes'), read('arklog_disk_reserve_bytes')]
    if (free === 0 || free > reserve * reservesMin) return undefined
    return {
      found:
        free > reserve
          ? 'The disk is nearly full: below its reserve nothing is written any more.'
          : 'The disk is full: nothing is written.',
      action: 'Make room, or give the data directory a larger disk.',
      command: 'arklog doctor',
      guide: 'stores',
    }
  },
  (read) => {
    if (read('arklog_clock_wrong') === 0) return undefined
    return {
      found: 'The clock of this machine is wrong: nothing that carries a time is written.',
      action: 'Set it, and have it kept by NTP; the command says what speaks against it.',
      command: 'arklog clock status',
      guide: 'operations',
    }
  },
  (read) => {
    const isWrong = read('arklog_clock_wrong') > 0
    if (isWrong || read('arklog_log_ahead_seconds') <= logAheadSecondsMax) return undefined
    return {
      found: 'The newest entry of the log is ahead of the clock: new ones are dated with its time.',
      action: 'The command says until when. An operator has accepted that.',
      command: 'arklog clock status',
      guide: 'operations',
    }
  },
  (read) => {
    if (read('arklog_identity_unwritable') === 0) return undefined
    return {
      found: 'A write of accounts or keys has failed: nobody signs in, and no key is changed.',
      action: 'Make room if the disk is full, then restart the registry.',
      guide: 'stores',
    }
  },
  (_read, { pool = 0, commits }) => {
    if (pool === 0 || commits !== 0) return undefined
    return {
      found: 'Proposals wait, and nothing is committed.',
      action: 'Look at the disk and at the log of the process.',
      command: 'arklog doctor',
    }
  },
  (_read, { failed = 0, requests = 0 }) => {
    if (failed <= requests * failedShareMax) return undefined
    return {
      found: 'More than 1 in 100 replies are errors of the server.',
      action: 'The log of the process names each with its request id.',
      command: 'arklog doctor',
    }
  },
  (_read, { delay = 0 }) => {
    if (delay <= delayMsMax) return undefined
    return {
      found: 'The thread that runs the registry is short of processor time.',
      action: 'Give the machine more cores, or take other work off it.',
      guide: 'benchmarks',
    }
  },
  (_read, { checks_due: due = 0 }) => {
    if (due < dueMax) return undefined
    return {
      found: 'Checks of content come late.',
      action: 'Allow more fetches at a time (FETCH_CONCURRENCY_MAX).',
      command: 'arklog fixity status',
      guide: 'content',
    }
  },
  (_read, { index_lag: lag = 0 }) => {
    if (lag < indexLagMax) return undefined
    return {
      found: 'Search does not know the newest works yet.',
      action: 'It catches up by itself; if it does not, make the index anew.',
      command: 'arklog reindex',
      guide: 'search',
    }
  },
  (read) => {
    if (read('arklog_map_failed') === 0) return undefined
    return {
      found: 'The log has a map leaf that does not follow from its entries.',
      action: 'Keep everything as it is: the audit says which leaf, and monitors will report it.',
      command: 'arklog audit',
      guide: 'map',
    }
  },
  (read) => {
    if (read('arklog_witness_set_aside') === 0) return undefined
    return {
      found: 'A witness says that the log is not what it was, and proves nothing: it is set aside.',
      action:
        'Ask its operator. If you have restored an older copy of the data, stop the registry.',
      command: 'arklog doctor',
      guide: 'witnesses',
    }
  },
  (read) => {
    if (read('arklog_webhook_failing') === 0) return undefined
    return {
      found: 'Webhooks do not take their messages.',
      action: 'Their owners see why on their pages; messages are tried again for three days.',
      guide: 'webhooks',
    }
  },
  (read) => {
    if (read('arklog_cluster_impediments') === 0) return undefined
    return {
      found: 'This node cannot lead the cluster.',
      action: 'The page of the cluster says why.',
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
