// @ts-check

import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { verifyNewest } from '#src/client/verify/newest.js'
import { examineReceipt } from '#src/client/verify/receipt.js'
import { trustOf } from '#src/pages/scripts/published_trust.js'

/**
 * @import { Evidence } from '#src/pages/scripts/receipt_check.js'
 * @import { NewestReport } from '#src/client/verify/types.ts'
 */

// A log that does not grow is signed again within the hour.
const withinMs = 7_200_000

/**
 * How the version of a receipt stands, by a map proof that the registry shows: checked here. It is
 * said in the words of the page, `said`, with the facts that were proven, by their names: as of
 * when, and seen by whom. Undefined for a receipt that is not proven itself, and where this browser
 * cannot check signatures.
 * @param {Pick<Evidence, 'receipt' | 'published' | 'environment'>} evidence
 * @param {unknown} proof
 * @param {number} nowMs
 * @param {(words: string, facts: Readonly<Record<string, string>>) => string} said
 * @returns {Promise<{ status: 'done' | 'failed' | 'not_checked', reason: string } | undefined>}
 */
export async function newestWords({ receipt: value, published, environment }, proof, nowMs, said) {
  try {
    const { witnesses, ...own } = await trustOf(published, environment)
    const { report, receipt } = await examineReceipt(value, own)
    if (receipt === undefined || !report.valid) return undefined
    const { ark } = receipt.statement
    const keys = witnesses === undefined ? own : { ...own, witnesses }
    const demand = { ark, receipt, nowMs, ...(witnesses?.quorum && { withinMs }) }
    const found = await verifyNewest(proof, keys, demand)
    const failed = found.steps.find(({ status }) => status === 'failed')
    if (failed !== undefined) return { status: 'failed', reason: failed.reason }
    const { standing = 'not_yet', version, as_of: asOf, seen_by: seen } = found
    const time = asOf === null ? '' : timeText(asOf, nowMs)
    const facts = { time, signed: `${seen.signed}`, of: `${seen.of}` }
    const when = said(asOf === null ? 'told' : 'seen', facts)
    const reason = said(standing, { when, number: `${version}` })
    return { status: isKnown(found) ? 'done' : 'not_checked', reason }
  } catch (error) {
    if (!(error instanceof EvidenceError)) throw error
    return undefined
  }
}

/** @param {NewestReport} found */
function isKnown({ standing }) {
  return standing !== 'not_yet'
}

/**
 * A time for people, in their own zone: of today the hour and the minute alone.
 * @param {string} time
 * @param {number} nowMs
 */
function timeText(time, nowMs) {
  const [date, now] = [new Date(time), new Date(nowMs)]
  const clock = [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0'))
  const hour = clock.join(':')
  return date.toDateString() === now.toDateString() ? hour : `${time.slice(0, 10)} ${hour}`
}
