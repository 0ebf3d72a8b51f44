import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import { normalForm } from '#actors/values/text.ts'
import type { Operation } from '#log/base/store.ts'
import {
  checkMadePasskey,
  checkPasskeyUse,
  passkeyAlgorithms,
  type PasskeyUse,
  readPasskeyResponse,
  type PasskeyResponse,
  handleOf,
} from '#src/identity/accounts/passkey_check.ts'
import {
  type OpenedChallenge,
  type PasskeyAsking,
  PasskeyChallenges,
} from '#src/identity/accounts/passkey_challenge.ts'
import { drawRecoveryCodes, recoveryDigests } from '#src/identity/accounts/recovery_code.ts'
import type { PasskeySupport, RelyingParty } from '#src/identity/accounts/relying_party.ts'
import {
  isOn,
  type Passkey,
  type SecondFactorRow,
  SecondFactorRows,
} from '#src/identity/accounts/second_factor_rows.ts'
import { AuditLog, type AuditAction } from '#src/identity/store/audit.ts'
import { base62RandomBytes, randomBase62 } from '#src/identity/store/base62.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'

/** Passkeys of one account. */
export const passkeysMax = 10

/** Characters of what a person calls a passkey. */
export const passkeyNameMax = 60

const idDigits = 10

/** How long a browser waits for its person. */
const timeoutMs = 5 * 60_000

/** What a page gives its script, and what it keeps for the answer. */
export type AskedPasskey = {
  /** Options of WebAuthn §5.4 or §5.5 in their JSON form. */
  readonly options: Readonly<Record<string, unknown>>
  readonly sealed: string
}

/** What a page sends back. */
export type PasskeyAnswer = PasskeyAsking & {
  readonly sealed: string
  /** As the browser has written it. */
  readonly credential: string
}

/**
 * Why an answer was not taken: it came too late or to another page; it was used before; nothing
 * of it fits, which tells nobody what; its signatures count less than they have (a copy is used).
 */
export type PasskeyRefusal = 'expired' | 'spent' | 'wrong' | 'counter'

export type AddPasskeyAnswer =
  | {
      readonly type: 'added'
      /** Shown once, to an account that had no second factor. */
      readonly recoveryCodes: readonly string[] | undefined
    }
  | { readonly type: 'refused'; readonly reason: PasskeyRefusal | 'known' | 'too_many' }

export type UsePasskeyAnswer =
  | {
      readonly type: 'accepted'
      readonly ppid: string
      /** Whether the device made sure who it is: then it is as good as both factors. */
      readonly isVerified: boolean
      readonly method: 'device_passkey' | 'synced_passkey'
    }
  | { readonly type: 'refused'; readonly reason: PasskeyRefusal }

export type PasskeysOptions = {
  readonly store: IdentityStore
  readonly clock: Clock
  readonly random: (bytes: number) => Uint8Array
  readonly support: PasskeySupport
}

/**
 * Passkeys of accounts (WebAuthn level 3). What a browser answers is verified outside of the turn
 * of the store; in it, challenge, passkey and counter are looked at as they are then.
 */
export class Passkeys {
  readonly support: PasskeySupport
  readonly #options: PasskeysOptions
  readonly #rows: SecondFactorRows
  readonly #challenges: PasskeyChallenges
  readonly #audit: AuditLog

  constructor(options: PasskeysOptions) {
    this.support = options.support
    this.#options = options
    this.#rows = new SecondFactorRows(options.store)
    this.#challenges = new PasskeyChallenges(options)
    this.#audit = new AuditLog(options.store)
  }

  /** The passkeys of an account, in the order in which they were added. */
  list(ppid: string): readonly Passkey[] {
    return this.#rows.read(ppid).passkeys ?? []
  }

  /** Asks a browser for a new passkey; undefined where there can be none. */
  askNew(browser: string, person: { readonly ppid: string; readonly name: string }) {
    const party = this.#party()
    if (party === undefined) return undefined
    const { ppid, name } = person
    const issued = this.#challenges.issue({ purpose: 'add', browser, ppid })
    const options = {
      rp: { id: party.id, name: party.name },
      user: { id: this.#handleOf(ppid), name, displayName: name },
      challenge: issued.challenge,
      pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key', alg })),
      timeout: timeoutMs,
      excludeCredentials: this.list(ppid).map(descriptor),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      attestation: 'none',
    }
    return { options, sealed: issued.sealed } satisfies AskedPasskey
  }

  /** Asks for a passkey; undefined where there can be none, or a person that is named has none. */
  ask(asking: PasskeyAsking): AskedPasskey | undefined {
    const party = this.#party()
    const { purpose, ppid } = asking
    const own = ppid === undefined ? [] : this.list(ppid)
    if (party === undefined || (ppid !== undefined && own.length === 0)) return undefined
    const issued = this.#challenges.issue(asking)
    const options = {
      challenge: issued.challenge,
      timeout: timeoutMs,
      rpId: party.id,
      allowCredentials: own.map(descriptor),
      userVerification: purpose === 'second_factor' ? 'preferred' : 'required',
    }
    return { options, sealed: issued.sealed }
  }

  /** Adds a passkey that a browser has made; with the first second factor, recovery codes too. */
  async add(answer: PasskeyAnswer & { readonly ppid: string }, name: string) {
    const { ppid } = answer
    const opened = this.#open(answer)
    if ('reason' in opened) return opened
    const made = await checkMadePasskey(opened.response, opened)
    if (made === undefined) return refused('wrong')
    const { store, clock, random } = this.#options
    const passkey: Passkey = {
      ...made,
      id: `pk_${randomBase62(idDigits, random(base62RandomBytes(idDigits)))}`,
      name: foldName(name),
      created_at: formatTimestamp(clock.nowMs()),
    }
    const codes = drawRecoveryCodes(random)
    return store.inTurn(async (): Promise<AddPasskeyAnswer> => {
      const row = this.#rows.read(ppid)
      const { passkeys = [] } = row
      if (passkeys.length >= passkeysMax) return refused('too_many')
      if (this.#rows.ppidOf(passkey.credential_id) !== undefined) return refused('known')
      const spent = await this.#challenges.spend(opened.challengeOf)
      if (spent === undefined) return refused('spent')
      const recovery = isOn(row) ? row.recovery : recoveryDigests(store, ppid, codes)
      const changed: SecondFactorRow = {
        ...row,
        passkeys: [...passkeys, passkey],
        ...(recovery && { recovery }),
      }
      await this.#commit(ppid, row, changed, 'passkey_added', spent)
      return { type: 'added', recoveryCodes: isOn(row) ? undefined : codes }
    })
  }

  /** Takes what a passkey has signed. */
  async use(answer: PasskeyAnswer): Promise<UsePasskeyAnswer> {
    const opened = this.#open(answer)
    if ('reason' in opened) return opened
    const { response } = opened
    const ppid = this.#rows.ppidOf(response.id)
    const passkey = ppid === undefined ? undefined : this.#find(ppid, response.id)
    if (ppid === undefined || passkey === undefined) return refused('wrong')
    if (answer.ppid !== undefined && answer.ppid !== ppid) return refused('wrong')
    // Who is found by the passkey alone is whom the passkey was made for (WebAuthn §7.2, step 6).
    const handle = handleOf(response)
    const needsHandle = answer.ppid === undefined
    if ((handle !== undefined || needsHandle) && handle !== this.#handleOf(ppid)) {
      return refused('wrong')
    }
    const used = await checkPasskeyUse(response, passkey, opened)
    if (used === undefined) return refused('wrong')
    return this.#options.store.inTurn(() => this.#take(ppid, passkey, used, opened.challengeOf))
  }

  /** Calls a passkey by another name; false if there is none. */
  rename(ppid: string, id: string, name: string): Promise<boolean> {
    const { store } = this.#options
    return store.inTurn(async () => {
      const row = this.#rows.read(ppid)
      const { passkeys = [] } = row
      if (!passkeys.some((each) => each.id === id)) return false
      const renamed = passkeys.map((each) =>
        each.id === id ? { ...each, name: foldName(name) } : each,
      )
      await store.commit(this.#rows.replace(ppid, row, { ...row, passkeys: renamed }))
      return true
    })
  }

  /** Removes a passkey; gives it, or undefined if there is none. */
  remove(ppid: string, id: string): Promise<Passkey | undefined> {
    return this.#options.store.inTurn(async () => {
      const row = this.#rows.read(ppid)
      const { passkeys = [] } = row
      const removed = passkeys.find((each) => each.id === id)
      if (removed === undefined) return undefined
      const left = passkeys.filter((each) => each !== removed)
      await this.#commit(ppid, row, { ...row, passkeys: left }, 'passkey_removed')
      return removed
    })
  }

  /** Removes all passkeys of an account that somebody else may have made them for. */
  removeAll(ppid: string): Promise<void> {
    return this.#options.store.inTurn(async () => {
      const row = this.#rows.read(ppid)
      const { passkeys, ...rest } = row
      if (passkeys !== undefined) await this.#commit(ppid, row, rest, 'passkey_removed')
    })
  }

  async #take(
    ppid: string,
    seen: Passkey,
    { counter, isVerified, isSynced }: PasskeyUse,
    challenge: OpenedChallenge,
  ): Promise<UsePasskeyAnswer> {
    const { store, clock } = this.#options
    const row = this.#rows.read(ppid)
    const { passkeys: known = [] } = row
    const passkey = known.find(({ credential_id: id }) => id === seen.credential_id)
    // It may have been removed meanwhile.
    if (passkey === undefined || passkey.public_key !== seen.public_key) return refused('wrong')
    const spent = await this.#challenges.spend(challenge)
    if (spent === undefined) return refused('spent')
    const isCounted = counter > 0 || passkey.counter > 0
    if (isCounted && counter <= passkey.counter) {
      await this.#commit(ppid, row, row, 'passkey_refused', spent)
      return refused('counter')
    }
    const used: Passkey = {
      ...passkey,
      counter,
      is_synced: isSynced,
      last_used_at: formatTimestamp(clock.nowMs()),
    }
    const passkeys = known.map((each) => (each === passkey ? used : each))
    await store.commit([...this.#rows.replace(ppid, row, { ...row, passkeys }), ...spent])
    const method = isSynced ? 'synced_passkey' : 'device_passkey'
    return { type: 'accepted', ppid, isVerified, method }
  }

  /** Opens the challenge that is answered, and reads the answer. */
  #open({ credential, sealed, ...asking }: PasskeyAnswer) {
    const party = this.#party()
    const challengeOf = this.#challenges.open(asking, sealed)
    if (party === undefined || challengeOf === undefined) return refused('expired')
    const response: PasskeyResponse | undefined = readPasskeyResponse(credential)
    if (response === undefined) return refused('wrong')
    return { challengeOf, challenge: challengeOf.challenge, party, response } as const
  }

  #party(): RelyingParty | undefined {
    const { support } = this
    return support.type === 'offered' ? support.party : undefined
  }

  #find(ppid: string, credentialId: string): Passkey | undefined {
    return this.list(ppid).find(({ credential_id: id }) => id === credentialId)
  }

  /** By what a passkey names its account to us: 32 bytes that tell nobody else anything. */
  #handleOf(ppid: string): string {
    return this.#options.store.hashKey(`handle ${ppid}`).toString('base64url')
  }

  async #commit(
    ppid: string,
    before: SecondFactorRow,
    after: SecondFactorRow,
    action: AuditAction,
    further: readonly Operation[] = [],
  ): Promise<void> {
    const at = formatTimestamp(this.#options.clock.nowMs())
    const owner = { type: 'person', id: ppid } as const
    const noted = await this.#audit.rows([{ owner, at, action, by: personOwner(ppid) }])
    const changed = this.#rows.replace(ppid, before, after)
    await this.#options.store.commit([...changed, ...noted, ...further])
  }
}

/** A passkey as a browser is told of it. */
function descriptor({ credential_id: id, transports }: Passkey) {
  return { type: 'public-key', id, transports }
}

/** A name in one line, never empty. */
function foldName(text: string): string {
  const line = normalForm(text, 'NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return Array.from(line).slice(0, passkeyNameMax).join('') || 'Passkey'
}

function refused<R extends PasskeyRefusal | 'known' | 'too_many'>(reason: R) {
  return { type: 'refused', reason } as const
}
