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
 * `malformed_note`, `unverified_note`, `malformed_checkpoint`, `malformed_proof`, `proof_mismatch`,
 * `malformed_map`, `stale_map`, `malformed_policy`, `quorum_missed`, `malformed_key_list`,
 * `broken_key_chain`. Or, with `crypto_unavailable`, nothing can be verified here.
 */
export class EvidenceError extends ArklogError {
  /** @override */
  name = 'EvidenceError'
}
