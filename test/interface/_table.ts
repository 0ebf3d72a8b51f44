import type { Outcome, Result } from '#test/interface/_outcome.ts'

const columns = {
  written: 'as written',
  differs: 'differ, explained',
  filled: 'filled in',
  not_tried: 'not tried',
  failed: 'FAIL',
} as const satisfies Record<Result, string>

const results = Object.keys(columns) as readonly Result[]

/** How many rows came out how. */
export type Counts = { readonly rows: number } & Readonly<Record<Result, number>>

/** Counts outcomes. */
export function count(outcomes: readonly Outcome[]): Counts {
  const of = (result: Result) => outcomes.filter((each) => each.result === result).length
  return {
    rows: outcomes.length,
    written: of('written'),
    differs: of('differs'),
    filled: of('filled'),
    not_tried: of('not_tried'),
    failed: of('failed'),
  }
}

/** The outcomes as a table for people: each section, then each row that is not as written. */
export function formatOutcomes(outcomes: readonly Outcome[]): string {
  const sections = Map.groupBy(outcomes, ({ section }) => section)
  const lines = [...sections].map(([name, own]) => {
    const [number = ''] = (own[0]?.id ?? '').split('.')
    return [number, name, ...numbers(own)]
  })
  const head = ['', 'section', 'rows', ...results.map((result) => columns[result])]
  const table = align([head, ...lines, ['', 'all', ...numbers(outcomes)]])
  const others = outcomes.filter(({ result }) => result !== 'written').map(describe)
  return [...table, '', ...others].join('\n')
}

function numbers(outcomes: readonly Outcome[]): string[] {
  const { rows, ...others } = count(outcomes)
  return [rows, ...results.map((result) => others[result])].map(String)
}

/** Pads cells to the widths of their columns; those after the second are numbers. */
function align(lines: readonly (readonly string[])[]): string[] {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  )
  return lines.map((line) =>
    line
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 1 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  '),
  )
}

function describe({ id, claim, result, see, reason }: Outcome): string {
  const what = {
    written: 'as written',
    differs: `differs: see ${see}`,
    filled: `the text is silent: see ${see}`,
    not_tried: `not tried: ${reason}`,
    failed: `FAILS: ${reason}`,
  }
  return `${id.padStart(6)}  ${claim}\n        ${what[result]}`
}
