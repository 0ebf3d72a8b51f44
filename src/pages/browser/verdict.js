// @ts-check

/** Something is not as it must be; the message says what. */
export class Failure extends Error {}

/** Something cannot be found out here; the message says why. */
export class NotChecked extends Error {}

/**
 * What became of one step of a check, and why, in a sentence.
 * @template {string} Name
 * @typedef {object} Step
 * @property {Name} step
 * @property {'done' | 'failed' | 'not_checked'} status
 * @property {string} reason
 */

/**
 * Makes one step of a check, which gives what it has found.
 * @template {string} Name
 * @param {Name} step
 * @param {() => Promise<string>} check
 * @returns {Promise<Step<Name>>}
 */
export async function attempt(step, check) {
  try {
    return { step, status: 'done', reason: await check() }
  } catch (error) {
    if (error instanceof NotChecked) return { step, status: 'not_checked', reason: error.message }
    if (error instanceof Failure) return { step, status: 'failed', reason: error.message }
    // Deep or strange JSON ends here: whatever cannot be checked is not right.
    return { step, status: 'failed', reason: `it could not be read: ${String(error)}` }
  }
}
