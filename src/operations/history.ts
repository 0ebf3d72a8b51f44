import type { DatabaseSync, StatementSync } from 'node:sqlite'

import type { Sample } from '#src/operations/series.ts'
import { inTransaction, openDatabase, openOrInMemory } from '#src/operations/usage/sqlite_file.ts'

/** A time of which the history is kept, and how far its samples are apart. */
export const spans = {
  hour: { lengthMs: 3_600_000, stepMs: 30_000 },
  day: { lengthMs: 86_400_000, stepMs: 600_000 },
} as const

export type Span = keyof typeof spans

/** What was, at the beginning of its step, in milliseconds since 1970. */
export type DatedSample = { readonly atMs: number; readonly sample: Sample }

/**
 * The samples of the last hour and, as means of ten minutes, of the last day, in an SQLite file of
 * some 100 kB: each span has so many slots, and a new sample takes the place of the oldest. Nothing
 * else depends on the file. Owns it; one process writes it.
 */
export class OperationsHistory {
  readonly #db: DatabaseSync
  readonly #put: StatementSync
  readonly #get: StatementSync

  /** Opens the file, or makes one, as `openOrInMemory`. */
  static open(file: string, report: (error: unknown) => void): OperationsHistory {
    return openOrInMemory(file, (name) => new OperationsHistory(name), report)
  }

  private constructor(file: string) {
    this.#db = openDatabase(file, (db) =>
      db.exec(
        'CREATE TABLE IF NOT EXISTS samples (span TEXT NOT NULL, slot INTEGER NOT NULL, ' +
          'at INTEGER NOT NULL, sample TEXT NOT NULL, PRIMARY KEY (span, slot)) WITHOUT ROWID',
      ),
    )
    this.#put = this.#db.prepare(
      'INSERT OR REPLACE INTO samples (span, slot, at, sample) VALUES (?, ?, ?, ?)',
    )
    this.#get = this.#db.prepare(
      'SELECT at, sample FROM samples WHERE span = ? AND at > ? AND at <= ? ORDER BY at',
    )
  }

  /** Adds what is now, and to the day the mean of its ten minutes so far. */
  add(atMs: number, sample: Sample): void {
    inTransaction(this.#db, () => {
      this.#write('hour', atMs, sample)
      const beginMs = beginOf('day', atMs)
      const rows = this.#rows('hour', beginMs - 1, atMs)
      this.#write('day', atMs, meanOf(rows.map((row) => row.sample)))
    })
  }

  /** The samples of the span that ends now, oldest first. */
  read(span: Span, nowMs: number): readonly DatedSample[] {
    return this.#rows(span, nowMs - spans[span].lengthMs, nowMs)
  }

  close(): void {
    this.#db.close()
  }

  #write(span: Span, atMs: number, sample: Sample): void {
    const { lengthMs, stepMs } = spans[span]
    const beginMs = beginOf(span, atMs)
    const slot = (beginMs / stepMs) % (lengthMs / stepMs)
    this.#put.run(span, slot, beginMs, JSON.stringify(sample))
  }

  #rows(span: Span, afterMs: number, untilMs: number): readonly DatedSample[] {
    return this.#get.all(span, afterMs, untilMs).map(({ at, sample }) => {
      return { atMs: Number(at), sample: JSON.parse(String(sample)) as Sample }
    })
  }
}

function beginOf(span: Span, atMs: number): number {
  const { stepMs } = spans[span]
  return Math.floor(atMs / stepMs) * stepMs
}

/** The mean of each series, over the samples that have it. */
export function meanOf(samples: readonly Sample[]): Sample {
  const sums = new Map<string, { sum: number; count: number }>()
  for (const sample of samples) {
    for (const [name, value] of Object.entries(sample)) {
      const { sum, count } = sums.get(name) ?? { sum: 0, count: 0 }
      sums.set(name, { sum: sum + value, count: count + 1 })
    }
  }
  return Object.fromEntries([...sums].map(([name, { sum, count }]) => [name, sum / count]))
}
