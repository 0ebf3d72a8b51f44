import type { VerificationReport } from '#src/verify/receipt.ts'

const marks = { done: 'done', failed: 'FAILED', not_checked: 'not checked' } as const

/** A verification report for people: what the receipt says, every step, and the verdict. */
export function formatReport(line: number, report: VerificationReport): string {
  const steps = report.steps.map(
    ({ step, status, reason }) => `  ${marks[status].padEnd(12)} ${step.padEnd(14)} ${reason}`,
  )
  return printable([formatVerdict(line, report), ...steps].join('\n'))
}

/** One line: whether the receipt on that line of the file is proven, and what it says. */
export function formatVerdict(line: number, { valid, statement }: VerificationReport): string {
  const verdict = valid ? 'proven' : 'NOT PROVEN'
  if (statement === undefined) return `line ${line}: ${verdict}`
  const { ark, version, statement: kind, timestamp, receipt_id: receiptId } = statement
  return `line ${line}: ${verdict}: ${ark} v${version} ${kind} ${timestamp} (${receiptId})`
}

/** A text that may repeat what a stranger wrote, such that no terminal obeys it. */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\n]/gu, '\ufffd')
}
