/** One line of the table: what was measured, and the goal it is held against. */
export type Figure = {
  readonly bench: string
  readonly name: string
  readonly value: number
  readonly unit: string
  readonly goal?: { readonly atLeast: number } | { readonly atMost: number }
}

/** Whether a figure meets its goal; undefined if it has none. */
function meetsGoal({ value, goal }: Figure): boolean | undefined {
  if (goal === undefined) return undefined
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

/** The figures as a table for people. */
export function formatFigures(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.bench,
    figure.name,
    `${formatNumber(figure.value)} ${figure.unit}`.trim(),
    formatGoal(figure),
  ])
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function formatGoal(figure: Figure): string {
  const { goal } = figure
  if (goal === undefined) return ''
  const verdict = meetsGoal(figure) === true ? 'met' : 'MISSED'
  return 'atLeast' in goal ? `≥ ${goal.atLeast} ${verdict}` : `≤ ${goal.atMost} ${verdict}`
}

function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : 3
  return value.toLocaleString('en', { maximumFractionDigits: digits })
}
