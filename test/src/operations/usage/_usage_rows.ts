import path from 'node:path'
import type { ExecutionContext } from 'ava'

import type { UsageBatch } from '#src/operations/usage/usage_batch.ts'
import type { UsageReader, UsageSubject } from '#src/operations/usage/usage_rows.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

/** The place of a file that is gone when the test has ended. */
export async function usageFile(t: ExecutionContext): Promise<string> {
  return path.join(await makeTempDir(t), 'usage.db')
}

/** So many resolutions of each of some works of an organization on a day. */
export function resolutionsOf(day: number, arks: readonly string[], count = 1): UsageBatch {
  return { day, works: arks.map((ark) => ['live', ark, 'press', [count, 0, 0, 0]] as const) }
}

export const everything: UsageSubject = { environment: 'live', of: 'everything' }
export const press: UsageSubject = { environment: 'live', of: { organization: 'press' } }

export function workSubject(ark: string): UsageSubject {
  return { environment: 'live', of: { ark } }
}

/** Resolutions by day or month, of all that a file tells of a subject. */
export function resolutionsIn(
  reader: Pick<UsageReader, 'read'>,
  table: 'days' | 'months',
  subject: UsageSubject,
  [from, to]: readonly [number, number],
): readonly (readonly [number, number])[] {
  return reader.read(table, subject, from, to).map(({ at, counts }) => [at, counts[0] ?? 0])
}
