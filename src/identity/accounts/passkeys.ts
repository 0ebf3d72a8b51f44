import net from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

import { isJsonObject, parseJson } from '#actors/values/serialization.ts'
import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import { normalForm } from '#actors/values/text.ts'
import type { Operation } from '#log/store/store.ts'
import {
  drawRecoveryCodes,
  isOn,
  type Passkey,
  recoveryDigests,
  type SecondFactorRow,
  SecondFactorRows,
} from '#src/identity/accounts/second_factor.ts'
import { type AuditAction, AuditLog } from '#src/identity/store/audit.ts'
import { base62RandomBytes, randomBase62 } from '#src/identity/store/base62.ts'
import { type IdentityStore, putRow, type StoreParts } from '#src/identity/store/identity_rows.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'
import { openText, sealText } from '#src/identity/store/sealed_rows.ts'

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

/** Characters of what a browser tells of a passkey, at most: it is far less than that. */
const credentialCharactersMax = 16_384

/** Algorithms that are asked for, the preferred one first: ES256, Ed25519, RS256 (RFC 9053). */
const passkeyAlgorithms: readonly number[] = [-7, -8, -257]

const transportsMax = 8
const transportForm = /^[a-z-]{1,16}$/

/** What a browser has answered, before anything of it is believed. */
export type PasskeyResponse = {
  readonly id: string
  readonly rawId: string
  readonly type: string
  readonly response: Readonly<Record<string, unknown>>
}

/** What a passkey was asked to sign, and for whom. */
export type PasskeyQuestion = { readonly challenge: string; readonly party: RelyingParty }

/** A passkey that was made just now. */
export type MadePasskey = Pick<
  Passkey,
  'credential_id' | 'public_key' | 'counter' | 'transports' | 'is_synced'
>

/** What a passkey that has signed told of itself. */
export type PasskeyUse = {
  readonly counter: number
  /** Whether the device made sure that it is its person: by a PIN, a finger, a face. */
  readonly isVerified: boolean
  readonly isSynced: boolean
}

/** Reads what a script of ours has sent (WebAuthn §5.1, `toJSON`); undefined for what it is not. */
function readPasskeyResponse(text: string): PasskeyResponse | undefined {
  if (text.length > credentialCharactersMax || !text.startsWith('{')) return undefined
  const answer = parseJson(text)
  if (!isJsonObject(answer)) return undefined
  const { id, rawId, type, response } = answer
  const isWhole = typeof id === 'string' && typeof rawId === 'string' && typeof type === 'string'
  return isWhole && isJsonObject(response) ? { id, rawId, type, response } : undefined
}

/** The handle of an account by which a passkey was found without a name, if it tells one. */
function handleOf({ response }: PasskeyResponse): string | undefined {
  const { userHandle } = response
  return typeof userHandle === 'string' ? userHandle : undefined
}

/**
 * Verifies that a passkey was made for what was asked (WebAuthn §7.1); undefined if it was not.
 * What its maker attests is not looked at: certificates that a stranger sends name addresses of
 * lists to fetch.
 */
async function checkMadePasskey(
  answer: PasskeyResponse,
  { challenge, party }: PasskeyQuestion,
): Promise<MadePasskey | undefined> {
  // Loaded here because most processes never verify a passkey.
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const attestationObject = await unattested(answer)
  if (attestationObject === undefined) return undefined
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: answerOf<RegistrationResponseJSON>(answer, { attestationObject }),
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    })
    if (!verified || isFramed(answer)) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    // The browser names the credential beside it, which nothing has signed.
    if (credential.id !== answer.id) return undefined
    return {
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: transportsOf(answer),
      is_synced: credentialBackedUp,
    }
  } catch {
    return undefined
  }
}

/**
 * Verifies that a passkey of ours has signed what was asked (WebAuthn §7.2); undefined if it has
 * not. Its counter is told, and not judged: that needs what is known at the time of the judgment.
 */
async function checkPasskeyUse(
  answer: PasskeyResponse,
  passkey: Passkey,
  { challenge, party }: PasskeyQuestion,
): Promise<PasskeyUse | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answerOf<AuthenticationResponseJSON>(answer),
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      credential: {
        id: passkey.credential_id,
        publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
        counter: 0,
      },
    })
    if (!verified || isFramed(answer)) return undefined
    const { newCounter: counter, userVerified, credentialBackedUp } = authenticationInfo
    return { counter, isVerified: userVerified, isSynced: credentialBackedUp }
  } catch {
    return undefined
  }
}

/** The object of a new passkey (WebAuthn §6.5.4) without what its maker attests. */
async function unattested({ response }: PasskeyResponse): Promise<string | undefined> {
  const { attestationObject } = response
  if (typeof attestationObject !== 'string') return undefined
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await import(
    '@simplewebauthn/server/helpers'
  )
  try {
    const authData = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject)).get(
      'authData',
    )
    const parts: [string, string | Uint8Array | Map<never, never>][] = [
      ['fmt', 'none'],
      ['attStmt', new Map<never, never>()],
      ['authData', authData],
    ]
    return isoBase64URL.fromBuffer(isoCBOR.encode(new Map(parts)))
  } catch {
    return undefined
  }
}

/** Whether a page of another site had ours in a frame, which our pages forbid. */
function isFramed({ response }: PasskeyResponse): boolean {
  const text = Buffer.from(String(response['clientDataJSON']), 'base64url').toString('utf8')
  const answer = parseJson(text)
  return !isJsonObject(answer) || answer['crossOrigin'] === true
}

/** What was told as the library takes it, which looks at every member that it uses. */
function answerOf<T>(
  { response, ...answer }: PasskeyResponse,
  instead: Partial<T> | object = {},
): T {
  return { ...answer, response: { ...response, ...instead }, clientExtensionResults: {} } as T
}

function transportsOf({ response }: PasskeyResponse): readonly string[] {
  const { transports } = response
  if (!Array.isArray(transports)) return []
  const known = transports.filter((each) => typeof each === 'string' && transportForm.test(each))
  return [...new Set(known as string[])].slice(0, transportsMax)
}

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

/**
 * Challenges of passkeys, which pages keep, sealed for what they are for: nothing is kept of one
 * here until it has been answered rightly. From then until its time is over a row says that it is
 * used up, on whichever node.
 */
export class PasskeyChallenges {
  readonly #options: StoreParts
  readonly #sealKey: Uint8Array

  constructor(options: StoreParts) {
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

/** Whom passkeys are made for (WebAuthn §4): browsers use them on no other site. */
export type RelyingParty = {
  /** The host of the pages. */
  readonly id: string
  /** Where the pages are: no other origin can send what a passkey has signed. */
  readonly origin: string
  /** What browsers call us. */
  readonly name: string
}

/** The relying party, or why browsers make no passkeys for pages at this address. */
export type PasskeySupport =
  | { readonly type: 'offered'; readonly party: RelyingParty }
  | { readonly type: 'impossible'; readonly why: 'ip_address' | 'insecure' | 'sandbox' }

/**
 * Whether passkeys can be used on pages at `authUrl`: its host needs a name, which passkeys are
 * bound to, and browsers take part in a secure context alone (WebAuthn §5.1.7). `registry` is its
 * name.
 */
export function passkeySupport(authUrl: string, registry: string): PasskeySupport {
  const { protocol, hostname, host, origin } = new URL(authUrl)
  if (net.isIP(hostname.replaceAll(/^\[|\]$/g, '')) !== 0) {
    return { type: 'impossible', why: 'ip_address' }
  }
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocal) return { type: 'impossible', why: 'insecure' }
  return { type: 'offered', party: { id: hostname, origin, name: `${registry} at ${host}` } }
}
