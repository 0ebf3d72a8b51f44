// @ts-check

/** Every failure of the client is one of these; `code` is a word for programs, and stable. */
export class ArklogError extends Error {
  /**
   * @override
   * @type {string}
   */
  name = 'ArklogError'

  /**
   * @param {string} code
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(code, message, options) {
    super(message, options)
    /** @readonly */
    this.code = code
  }
}

/**
 * What was given proves nothing: one of the codes `no_canonical_form`, `malformed_vkey`,
 * `malformed_note`, `unverified_note`, `wrong_signature`, `malformed_checkpoint`,
 * `other_checkpoint`, `malformed_proof`, `proof_mismatch`, `malformed_map`, `stale_map`,
 * `malformed_policy`, `quorum_missed`, `malformed_key_list`, `other_log`, `broken_key_chain`.
 * Or, with `crypto_unavailable`, nothing can be verified here.
 */
export class EvidenceError extends ArklogError {
  /** @override */
  name = 'EvidenceError'
}

/**
 * Does a check whose errors begin with a sentence that says what they mean here.
 * @template T
 * @param {string} sentence
 * @param {() => Promise<T>} check
 * @returns {Promise<T>}
 */
export async function explained(sentence, check) {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof EvidenceError)) throw error
    throw new EvidenceError(error.code, `${sentence}: ${error.message}`, { cause: error })
  }
}
