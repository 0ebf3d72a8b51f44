import { known } from '#test/src/discovery/formats/_known_losses.ts'
import type { Facts } from '#test/src/discovery/formats/_served_formats.ts'

/** What a reader has read of a work, or that it is missing. */
export type Reading = {
  readonly reader: string
  readonly missing?: string
  readonly version?: string
  readonly format?: string
  readonly work?: number
  readonly facts?: Readonly<Record<string, unknown>>
}

/** How a reader has read a format. */
type Comparison = {
  readonly reader: string
  readonly version: string
  readonly format: string
  readonly same: number
  /** Why fields were lost, with how often. */
  readonly byFormat: ReadonlyMap<string, number>
  readonly byReader: ReadonlyMap<string, number>
  readonly wrong: readonly string[]
}

/** Compares all readings with what the works say; `facts` by the number of the work. */
export function compareReadings(
  readings: readonly Reading[],
  facts: readonly Facts[],
): readonly Comparison[] {
  const read = readings.filter(({ missing }) => missing === undefined)
  const groups = Map.groupBy(read, ({ reader, format }) => `${reader}\n${format}`)
  return [...groups.values()].map((group) => compareGroup(group, facts))
}

function compareGroup(group: readonly Reading[], facts: readonly Facts[]): Comparison {
  const [first] = group
  const { reader = '', version = '', format = '' } = first ?? {}
  const [byFormat, byReader] = [new Map<string, number>(), new Map<string, number>()]
  const wrong: string[] = []
  let same = 0
  for (const { work = 0, facts: found = {} } of group) {
    const expected = facts[work] ?? {}
    for (const [field, value] of Object.entries(found)) {
      if (field === 'key' || field === 'reference') continue
      const difference = { field, ours: fold(expected[field]), theirs: fold(value) }
      if (difference.ours === difference.theirs) {
        same += 1
        continue
      }
      const loss = known.find(
        (one) =>
          one.reader.test(reader) &&
          one.format.test(format) &&
          one.field.test(field) &&
          (one.when === undefined || one.when(difference)),
      )
      if (loss === undefined) {
        wrong.push(`${field} of work ${work}: ${difference.ours} | ${difference.theirs}`)
        continue
      }
      const counts = loss.by === 'format' ? byFormat : byReader
      counts.set(loss.why, (counts.get(loss.why) ?? 0) + 1)
    }
  }
  return { reader, version, format, same, byFormat, byReader, wrong }
}

/** A text in which only typography differs from another is the same. */
function fold(value: unknown): string {
  const text = Array.isArray(value) ? value.join('; ') : plainText(value)
  return decoded(text)
    .replaceAll(/[‐‑‒–—−-]+/g, '-')
    .replaceAll(/[“”«»„]/g, '"')
    .replaceAll(/[‘’‚]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .normalize('NFC')
    .trim()
}

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value ?? undefined) ?? '')
}

/** Addresses differ in what of them is percent-encoded. */
function decoded(text: string): string {
  if (!/^https?:\S*%/.test(text)) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The table of docs/formats.md. */
export function tableOf(comparisons: readonly Comparison[], day: string, works: number): string {
  const rows = comparisons.map(({ reader, version, format, same, byFormat, byReader, wrong }) => {
    const [lost, misread] = [byFormat, byReader].map(listed)
    return `| ${format} | ${reader} ${version} | ${same} | ${lost} | ${misread} | ${wrong.length} |`
  })
  return [
    `Read on ${day}: ${works} works of hard kinds, by ${readersOf(comparisons)} programs.`,
    'A number is one of fields; what is not named here was read as the work says it.',
    '',
    '| format | reader | the same | lost by the format | lost by the reader | wrong by us |',
    '|---|---|--:|---|---|--:|',
    ...rows.toSorted(),
  ].join('\n')
}

function listed(losses: ReadonlyMap<string, number>): string {
  const counted = [...losses].map(([why, count]) => `${count}: ${why}`)
  return counted.length === 0 ? '0' : counted.join('; ')
}

/** How many programs have read; two versions of one are one. */
export function readersOf(comparisons: readonly Comparison[]): number {
  return new Set(comparisons.map(({ reader }) => reader.replace(/ \d$/, ''))).size
}
