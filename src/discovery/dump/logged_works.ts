import { hash } from 'node:crypto'

import { parseEntry } from '#actors/works/receipts/statement.ts'
import { parseJson } from '#actors/values/serialization.ts'
import { isMapLeaf } from '#log/tlog/map/map_leaf.ts'
import { CodedError } from '#log/tlog/errors.ts'

/**
 * `dump_not_proven`: the log says otherwise; `dump_unusable`: it is not a dump, or not a whole one.
 */
export class DumpError extends CodedError<'dump_not_proven' | 'dump_unusable'> {
  override readonly name: string = 'DumpError'
}

/** What the log says of a work: what its statements say of the newest version, taken together. */
export type LoggedWork = {
  /** `ark:/naan/name`. */
  readonly ark: string
  readonly status: 'registered' | 'withdrawn'
  readonly version: number
  /** When the first version was registered, and the newest one. */
  readonly registered_at: string
  readonly version_registered_at: string
  readonly withdrawn_at: string | null
  readonly withdrawal_reason: string | null
  /** When the log said something of it last. */
  readonly changed_at: string
  readonly receipt_id: string
  readonly metadata_hash: string
  readonly content_hash: string | null
}

/**
 * The line of an entry in a file of the log: a statement as it stands, for it is canonical JSON; a
 * map leaf, which has lines, as a string of JSON.
 */
export function entryLine(entry: Uint8Array): string {
  const text = Buffer.from(entry).toString('utf8')
  return isMapLeaf(entry) ? JSON.stringify(text) : text
}

/** The entry of such a line. */
export function entryOfLine(line: Buffer): Uint8Array {
  if (line[0] !== quote) return line
  const text = parseJson(line.toString('utf8'))
  return typeof text === 'string' ? Buffer.from(text) : line
}

const quote = 0x22

/** Which works are looked at: those whose ARK falls to the `nth` of `parts` (0-based). */
export type WorksPart = { readonly nth: number; readonly parts: number }

/** Whether a work, by its ARK, falls to a part. */
export function isIn({ nth, parts }: WorksPart, ark: string): boolean {
  return parts === 1 || Number.parseInt(hash('sha256', ark).slice(0, 8), 16) % parts === nth
}

/** The month in which the log said something of a work last, such as `2026-01`. */
export function monthOf({ changed_at }: Pick<LoggedWork, 'changed_at'>): string {
  return changed_at.slice(0, 7)
}

/** The works of a part that a log has, as its entries say in their order. */
export class LoggedWorks {
  readonly #part: WorksPart
  readonly #works = new Map<string, LoggedWork>()

  constructor(part: WorksPart) {
    this.#part = part
  }

  get size(): number {
    return this.#works.size
  }

  get(ark: string): LoggedWork | undefined {
    return this.#works.get(ark)
  }

  /** In the order of their registration. */
  all(): Iterable<LoggedWork> {
    return this.#works.values()
  }

  /** Takes the next entry in. Errors: DumpError `dump_not_proven`. */
  add(entry: Uint8Array): void {
    if (isMapLeaf(entry)) return
    const parsed = parseEntry(entry)
    if ('type' in parsed)
      throw new DumpError('dump_not_proven', `an entry is none: ${parsed.reason}`)
    const { statement } = parsed
    if (statement.statement === 'key_rotated') return
    const { ark, version, timestamp, receipt_id, metadata_hash, content_hash } = statement
    if (!isIn(this.#part, ark)) return
    const before = this.#works.get(ark)
    if (statement.statement === 'tombstoned' && before !== undefined) {
      const ended = { status: 'withdrawn', withdrawn_at: timestamp } as const
      const why = { withdrawal_reason: statement.reason, changed_at: timestamp }
      this.#works.set(ark, { ...before, ...ended, ...why })
    } else if (statement.statement === 'registered') {
      this.#works.set(ark, {
        ark,
        status: 'registered',
        version,
        registered_at: before?.registered_at ?? timestamp,
        version_registered_at: timestamp,
        withdrawn_at: null,
        withdrawal_reason: null,
        changed_at: timestamp,
        receipt_id,
        metadata_hash,
        content_hash,
      })
    } else if (before?.version === version) {
      this.#works.set(ark, { ...before, changed_at: timestamp, content_hash })
    }
  }
}
