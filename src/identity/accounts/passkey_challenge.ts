import type { Clock } from '#actors/values/clock.ts'
import type { Operation } from '#log/base/store.ts'
import { putRow } from '#src/identity/store/identity_rows.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { openText, sealText } from '#src/identity/store/sealed_text.ts'

/** What somebody is to show with a passkey: a challenge for one thing is good for no other. */
export type PasskeyPurpose = 'add' | 'sign_in' | 'second_factor' | 'confirm'

/** For what, in which browser, and for whom, if that is known, a passkey is asked. */
export type PasskeyAsking = {
  readonly purpose: PasskeyPurpose
  /** Names the browser: a text that no other one has. */
  readonly browser: string
  readonly ppid?: string
}

/** A challenge, and how a page keeps it until the answer comes. */
export type IssuedChallenge = { readonly challenge: string; readonly sealed: string }

/** A challenge that was opened again, which is not over yet. */
export type OpenedChallenge = { readonly challenge: string; readonly expiresMs: number }

/** How long a page waits for a passkey. */
const lifetimeMs = 10 * 60_000

/** Random bytes of a challenge (WebAuthn §13.4.3: 16 at least). */
const challengeBytes = 32

/** Rows of challenges that are over, of which so many go when one is used up. */
const removedMax = 100

const sealedForm = /^[0-9A-Za-z+/=]{1,400}$/
const spentPrefix = 'passkey_spent/'

export type PasskeyChallengesOptions = {
  readonly store: IdentityStore
  readonly clock: Clock
  readonly random: (bytes: number) => Uint8Array
}

/**
 * Challenges of passkeys, which pages keep, sealed for what they are for: nothing is kept of one
 * here until it has been answered rightly. From then until its time is over a row says that it is
 * used up, on whichever node.
 */
export class PasskeyChallenges {
  readonly #options: PasskeyChallengesOptions
  readonly #sealKey: Uint8Array

  constructor(options: PasskeyChallengesOptions) {
    this.#options = options
    this.#sealKey = options.store.deriveKey('passkey challenge')
  }

  issue(asking: PasskeyAsking): IssuedChallenge {
    const { clock, random } = this.#options
    const challenge = Buffer.from(random(challengeBytes)).toString('base64url')
    const issued: OpenedChallenge = { challenge, expiresMs: clock.nowMs() + lifetimeMs }
    return { challenge, sealed: sealText(this.#sealKey, placeOf(asking), JSON.stringify(issued)) }
  }

  /** A challenge that was issued for just this, unless its time is over. */
  open(asking: PasskeyAsking, sealed: string): OpenedChallenge | undefined {
    if (!sealedForm.test(sealed)) return undefined
    const text = openText(this.#sealKey, placeOf(asking), sealed)
    const opened = text === undefined ? undefined : (JSON.parse(text) as OpenedChallenge)
    const isOver = opened === undefined || this.#options.clock.nowMs() >= opened.expiresMs
    return isOver ? undefined : opened
  }

  /** Rows that use a challenge up; undefined if it was used before. Call it in turn. */
  async spend({ challenge, expiresMs }: OpenedChallenge): Promise<Operation[] | undefined> {
    const { store, clock } = this.#options
    const digest = store.hashKey(`spent ${challenge}`).toString('hex')
    const key = spentPrefix + timeText(expiresMs) + digest
    if (store.read(key) !== undefined) return undefined
    const rows: Operation[] = [putRow(key, true)]
    const before = spentPrefix + timeText(clock.nowMs())
    for await (const [over] of store.scan(spentPrefix, { before, limit: removedMax })) {
      rows.push({ type: 'del', key: over })
    }
    return rows
  }
}

function placeOf({ purpose, browser, ppid = '' }: PasskeyAsking): string {
  return `${purpose}\0${ppid}\0${browser}`
}

/** A time as keys are ordered by it. */
function timeText(ms: number): string {
  return ms.toString(16).padStart(12, '0')
}
