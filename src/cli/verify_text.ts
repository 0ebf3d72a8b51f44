import type { SignedStatement, VerificationReport } from '#src/client/verify/types.ts'

const marks = { done: 'done', failed: 'FAILED', not_checked: 'not checked' } as const

/** A verification report for people: what the receipt says, every step, and the verdict. */
export function formatReport(line: number, report: VerificationReport): string {
  const steps = report.steps.map(
    ({ step, status, reason }) => `  ${marks[status].padEnd(12)} ${step.padEnd(14)} ${reason}`,
  )
  return printable([formatVerdict(line, report), ...steps].join('\n'))
}

/** One line: whether the receipt on that line of the file is proven, and what it says. */
export function formatVerdict(line: number, report: VerificationReport): string {
  const { statement, registered_on: day } = report
  const verdict = report.valid ? 'proven' : 'NOT PROVEN'
  if (statement === undefined) return `line ${line}: ${verdict}`
  const { ark, version, statement: kind, timestamp, receipt_id: receiptId } = statement
  const times = kind === 'registered' ? timestamp : `${day}, ${laterEvents[kind]} ${timestamp}`
  return `line ${line}: ${verdict}: ${ark} v${version} registered ${times} (${receiptId})`
}

/** What a statement says of a version after its registration, whose day alone it says. */
const laterEvents: Readonly<Record<Exclude<SignedStatement['statement'], 'registered'>, string>> = {
  content: 'content confirmed',
  tombstoned: 'withdrawn',
}

/** A text that may repeat what a stranger wrote, such that no terminal obeys it. */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, '\ufffd')
}
