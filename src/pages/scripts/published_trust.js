// @ts-check

import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { parseTrustedKeys, withPolicy } from '#src/client/verify/trusted_keys.js'
import { unverifiable } from '#src/client/verify/witness_policy.js'
import { memberOf } from '#src/pages/scripts/check_list.js'

/**
 * @import { CosignedCheckpoint, EnvironmentName, TrustedKeys, WitnessPolicy }
 *   from '#src/client/verify/types.ts'
 */

/** The reason of a step in a browser without Ed25519. */
export const noCrypto = 'this browser cannot check Ed25519 signatures; a newer one can'

/**
 * Whether something could not be found out here, and is neither right nor wrong.
 * @param {unknown} error
 */
export function isNoCrypto(error) {
  return error instanceof EvidenceError && error.code === 'crypto_unavailable'
}

/**
 * The keys of an environment that a registry publishes, and the witnesses that it demands, if any.
 * Throws EvidenceError.
 * @param {unknown} published `/.well-known/svc-keys.json`
 * @param {EnvironmentName} environment
 * @returns {Promise<TrustedKeys>}
 */
export async function trustOf(published, environment) {
  const keys = await parseTrustedKeys(published, environment)
  const part = environment === 'sandbox' ? memberOf(published, 'sandbox') : published
  const policy = memberOf(memberOf(part, 'log'), 'witness_policy')
  return typeof policy === 'string' ? withPolicy(keys, policy) : keys
}

/**
 * The result of the cosignatures of a checkpoint. Below the quorum nothing is wrong yet.
 * @param {CosignedCheckpoint} cosigned
 * @param {WitnessPolicy} policy
 * @returns {{ status: 'done' | 'not_checked', reason: string }}
 */
export function witnessedBy({ signed, isWitnessed }, policy) {
  const said = signed.map(({ name, seconds }) => `${name} on ${timeOf(seconds)}`).join(', ')
  if (isWitnessed)
    return { status: 'done', reason: `witnesses signed this checkpoint too: ${said}` }
  const who = said === '' ? 'none of the witnesses has' : `only ${said} have`
  const others = unverifiable(policy).map(
    ({ name }) => `; the key of ${name} is of a type unknown to this page`,
  )
  const reason = `${who} signed this checkpoint by now; they do within seconds, try again`
  return { status: 'not_checked', reason: reason + others.join('') }
}

/** @param {number} seconds */
function timeOf(seconds) {
  const date = new Date(seconds * 1_000)
  if (Number.isNaN(date.getTime())) return `second ${seconds}`
  return date.toISOString().replace('T', ' at ').replace('.000Z', ' UTC')
}
