// @ts-check

import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { newestText, verifyNewest } from '#src/client/verify/newest.js'
import { examineReceipt } from '#src/client/verify/receipt.js'
import { trustOf } from '#src/pages/scripts/published_trust.js'

/**
 * @import { Evidence } from '#src/pages/scripts/receipt_check.js'
 * @import { NewestReport } from '#src/client/verify/types.ts'
 */

// A log that does not grow is signed again within the hour.
const withinMs = 7_200_000

/**
 * How the version of a receipt stands, by a map proof that the registry shows: checked here, and
 * said as of when and seen by whom. Undefined for a receipt that is not proven itself, and where
 * this browser cannot check signatures.
 * @param {Pick<Evidence, 'receipt' | 'published' | 'environment'>} evidence
 * @param {unknown} proof
 * @param {number} nowMs
 * @returns {Promise<{ status: 'done' | 'failed' | 'not_checked', reason: string } | undefined>}
 */
export async function newestWords({ receipt: value, published, environment }, proof, nowMs) {
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
    const text = newestText(found, (time) => timeText(time, nowMs)).replace(/\.$/, '')
    return { status: isKnown(found) ? 'done' : 'not_checked', reason: text }
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
