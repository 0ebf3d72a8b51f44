// @ts-check

import { decodeBase64, encodeBase64 } from '#src/client/verify/encoding.js'

// A form with `data-passkey` is sent with what a passkey has answered (WebAuthn §5.1). The page has
// all that is asked for it; nothing else is fetched. What can be done without a passkey is beside.

for (const form of document.querySelectorAll('form[data-passkey]')) {
  if (form instanceof HTMLFormElement) enable(form)
}

/** @param {HTMLFormElement} form */
function enable(form) {
  const answer = form.querySelector('input[name=credential]')
  const outcome = form.querySelector('[data-passkey-outcome]')
  const buttons = form.querySelector('[data-passkey-buttons]')
  const given = form.dataset['refusals'] ?? '{}'
  // Messages, by the name of the error.
  const refusals = /** @type {Record<string, string>} */ (JSON.parse(given))
  if (!(answer instanceof HTMLInputElement && outcome instanceof HTMLElement)) return
  if (!('PublicKeyCredential' in globalThis) || navigator.credentials === undefined) {
    say(refusals['unknown'])
    return
  }
  buttons?.removeAttribute('hidden')
  const offering = new AbortController()
  if (form.dataset['passkeyAutofill'] !== undefined) {
    // A person who fills in something else, or has no passkey here, has refused nothing.
    offer(form, offering.signal).then(send, () => {})
  }
  let isAsking = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isAsking) return
    isAsking = true
    outcome.hidden = true
    // A browser asks for one passkey at a time.
    offering.abort()
    ask(form)
      .then(send)
      .catch((/** @type {unknown} */ error) => {
        const name = error instanceof Error ? error.name : ''
        say(refusals[name] ?? refusals['other'])
      })
      .finally(() => (isAsking = false))
  })

  /** @param {object | undefined} credential */
  function send(credential) {
    if (credential === undefined || !(answer instanceof HTMLInputElement)) return
    answer.value = JSON.stringify(credential)
    form.submit()
  }

  /** @param {string | undefined} text */
  function say(text) {
    if (!(outcome instanceof HTMLElement)) return
    outcome.textContent = text ?? ''
    outcome.hidden = false
  }
}

/**
 * @typedef {{ id: string, transports: AuthenticatorTransport[] }} Described
 * @typedef {{
 *   challenge: string,
 *   rp: PublicKeyCredentialRpEntity,
 *   user: { id: string, name: string, displayName: string },
 *   pubKeyCredParams: PublicKeyCredentialParameters[],
 *   excludeCredentials: Described[],
 *   allowCredentials: Described[],
 * }} Asked What a page asks for: the last but one of a new passkey, the last of one that is used.
 */

/**
 * Offers passkeys among what the browser fills into the field for a name (WebAuthn §5.1.4,
 * conditional mediation), where it can: gives what was chosen, maybe much later.
 * @param {HTMLFormElement} form
 * @param {AbortSignal} signal
 */
async function offer(form, signal) {
  const canOffer = await PublicKeyCredential.isConditionalMediationAvailable?.()
  if (!canOffer || signal.aborted) return undefined
  return ask(form, { mediation: 'conditional', signal })
}

/**
 * Asks the browser for what the page wants of it.
 * @param {HTMLFormElement} form
 * @param {Pick<CredentialRequestOptions, 'mediation' | 'signal'>} how
 */
async function ask({ dataset }, how = {}) {
  const told = /** @type {Asked} */ (JSON.parse(dataset['options'] ?? '{}'))
  const { challenge, user, excludeCredentials, allowCredentials, ...rest } = told
  const asked = { ...rest, challenge: bytesOfBase64url(challenge) }
  const credential =
    dataset['passkey'] === 'create'
      ? await navigator.credentials.create({
          publicKey: {
            ...asked,
            user: { ...user, id: bytesOfBase64url(user.id) },
            excludeCredentials: excludeCredentials.map(described),
          },
        })
      : await navigator.credentials.get({
          ...how,
          publicKey: { ...asked, allowCredentials: allowCredentials.map(described) },
        })
  if (!(credential instanceof PublicKeyCredential)) throw new Error('no passkey was given')
  const { id, rawId, type, response } = credential
  return { id, rawId: toBase64url(rawId), type, response: answerOf(response) }
}

/**
 * @param {Described} credential
 * @returns {PublicKeyCredentialDescriptor}
 */
function described({ id, transports }) {
  return { type: 'public-key', id: bytesOfBase64url(id), transports }
}

/** @param {AuthenticatorResponse} response */
function answerOf(response) {
  const clientDataJSON = toBase64url(response.clientDataJSON)
  if (response instanceof AuthenticatorAttestationResponse) {
    const attestationObject = toBase64url(response.attestationObject)
    return { clientDataJSON, attestationObject, transports: response.getTransports() }
  }
  if (!(response instanceof AuthenticatorAssertionResponse)) throw new Error('it is no answer')
  const { authenticatorData, signature, userHandle } = response
  return {
    clientDataJSON,
    authenticatorData: toBase64url(authenticatorData),
    signature: toBase64url(signature),
    ...(userHandle !== null && { userHandle: toBase64url(userHandle) }),
  }
}

/** @param {ArrayBuffer} bytes */
function toBase64url(bytes) {
  const text = encodeBase64(new Uint8Array(bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** @param {string} text */
function bytesOfBase64url(text) {
  const padding = '='.repeat((4 - (text.length % 4)) % 4)
  const bytes = decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/') + padding)
  if (bytes === undefined) throw new Error('a text is not base64 in its one spelling')
  return bytes
}
