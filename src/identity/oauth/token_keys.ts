import { generateKeyPair, hash, type KeyObject } from 'node:crypto'
import { statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { JWK } from 'oidc-provider'

import { type Clock, formatTimestamp } from '#actors/values/clock.ts'
import { createSecretFile, readSecretFile } from '#src/keeping/data_dir/secret_file.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'
import { syncFolder } from '#src/keeping/data_dir/secret_file.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'

/** Whether a set of keys is only announced, signs, or only verifies what it has signed. */
type KeyState = 'next' | 'current' | 'former'

/** One private key for each algorithm, made together. */
type KeySet = { readonly state: KeyState; readonly since: string; readonly keys: readonly JWK[] }

type KeyFile = { readonly schema: 1; readonly sets: readonly KeySet[] }

/** What a call of `rotate` did, or why it did nothing yet. */
export type KeyRotation = {
  readonly step: 'announced' | 'in_use' | 'dropped' | 'too_early'
  /** The key ids that the step was about. */
  readonly key_ids: readonly string[]
  /** What the next call does, and from when on. */
  readonly next_step: 'announce' | 'use' | 'drop'
  readonly not_before: string
}

/** How long readers may keep what `/oauth/jwks` said, before a key that it did not name signs. */
const announcedMs = 3_600_000

/** How long after its last signature a key is still asked for: the life of an ID token, twice. */
const formerMs = 2 * 3_600_000

const generate = promisify(generateKeyPair)
const rsaBits = 2_048

/** Where the keys lie, and where who changes them has a turn at it, on whatever thread. */
export type TokenKeysOptions = {
  readonly file: string
  readonly clock: Clock
  readonly store: Pick<IdentityStore, 'inTurnAt'>
}

/**
 * The private keys that sign ID tokens, in a file that only its owner can read. A rotation takes
 * three calls, with time between them: new keys are announced, then they sign, then the old ones
 * go.
 */
export class TokenKeys {
  readonly #options: TokenKeysOptions
  /** Tells the file that was read from every later one. */
  #stamp = ''
  #sets: readonly KeySet[] = []

  constructor(options: TokenKeysOptions) {
    this.#options = options
  }

  /** Reads the file, if it is another than before, and tells whether. Errors as `openTokenKeys`. */
  async refresh(): Promise<boolean> {
    const { file } = this.#options
    const stamp = stampOf(file)
    // Who runs goes on with what it has.
    if (stamp === this.#stamp || stamp === '') return false
    this.#sets = parseKeyFile(file, await readSecretFile(file))
    this.#stamp = stamp
    return true
  }

  /** The private keys (RFC 7517), those first that sign. */
  jwks(): { keys: JWK[] } {
    const order: readonly KeyState[] = ['current', 'next', 'former']
    const sets = order.flatMap((state) => this.#sets.filter((set) => set.state === state))
    return { keys: sets.flatMap(({ keys }) => keys) }
  }

  /** Takes the next step of a rotation, once it is time for it. */
  rotate(): Promise<KeyRotation> {
    const { clock, store } = this.#options
    return store.inTurnAt(turnName, async () => {
      await this.refresh()
      const nowMs = clock.nowMs()
      const former = this.#find('former')
      if (former !== undefined) return this.#drop(former, nowMs)
      const next = this.#find('next')
      return next === undefined ? this.#announce(nowMs) : this.#use(next, nowMs)
    })
  }

  async #announce(nowMs: number): Promise<KeyRotation> {
    const next = await newKeySet('next', nowMs)
    await this.#save([...this.#sets, next])
    return rotation('announced', next, 'use', nowMs + announcedMs)
  }

  async #use(next: KeySet, nowMs: number): Promise<KeyRotation> {
    const fromMs = Date.parse(next.since) + announcedMs
    if (nowMs < fromMs) return rotation('too_early', next, 'use', fromMs)
    const since = formatTimestamp(nowMs)
    const used = this.#sets.map((set): KeySet => {
      return set === next ? { ...set, state: 'current', since } : { ...set, state: 'former', since }
    })
    await this.#save(used)
    return rotation('in_use', next, 'drop', nowMs + formerMs)
  }

  async #drop(former: KeySet, nowMs: number): Promise<KeyRotation> {
    const fromMs = Date.parse(former.since) + formerMs
    if (nowMs < fromMs) return rotation('too_early', former, 'drop', fromMs)
    await this.#save(this.#sets.filter((set) => set !== former))
    return rotation('dropped', former, 'announce', nowMs)
  }

  #find(state: KeyState): KeySet | undefined {
    return this.#sets.find((set) => set.state === state)
  }

  async #save(sets: readonly KeySet[]): Promise<void> {
    await writeKeyFile(this.#options.file, sets)
    await this.refresh()
  }
}

const turnName = 'token keys'

/** Reads the keys; makes them if there is no file. Errors: StartError as `readSecretFile`. */
export function openTokenKeys(options: TokenKeysOptions): Promise<TokenKeys> {
  const { file, clock, store } = options
  return store.inTurnAt(turnName, async () => {
    // Nothing that was signed before is lost with the file: ID tokens live for an hour.
    if (stampOf(file) === '') await writeKeyFile(file, [await newKeySet('current', clock.nowMs())])
    const keys = new TokenKeys(options)
    await keys.refresh()
    return keys
  })
}

/** Is another for each file that was put in this place; empty if there is none. */
function stampOf(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? '' : `${found.ino} ${found.mtimeNs} ${found.size}`
}

function rotation(
  step: KeyRotation['step'],
  { keys }: KeySet,
  next_step: KeyRotation['next_step'],
  notBeforeMs: number,
): KeyRotation {
  const key_ids = keys.map(({ kid }) => kid ?? '')
  return { step, key_ids, next_step, not_before: formatTimestamp(notBeforeMs) }
}

function parseKeyFile(file: string, bytes: Buffer): readonly KeySet[] {
  try {
    const { schema, sets } = JSON.parse(bytes.toString()) as KeyFile
    if (schema === 1 && sets.some(({ state }) => state === 'current')) return sets
  } catch {
    // What is no JSON is no key file either.
  }
  throw new StartError(
    'secret_malformed',
    `${file} is not a file of token keys: restore it from a backup, or remove it; ID tokens that ` +
      'were signed with its keys are then no longer accepted',
  )
}

/** Puts a new file in the place of the old one: whatever moment it is cut off at, one is there. */
async function writeKeyFile(file: string, sets: readonly KeySet[]): Promise<void> {
  const written = `${file}.new`
  await rm(written, { force: true })
  await createSecretFile(written, `${JSON.stringify({ schema: 1, sets } satisfies KeyFile)}\n`)
  await rename(written, file)
  await syncFolder(path.dirname(file))
}

/** RS256 is what every client must know, ES256 and EdDSA are what those want that have a choice. */
async function newKeySet(state: KeyState, nowMs: number): Promise<KeySet> {
  const rsa = await generate('rsa', { modulusLength: rsaBits })
  const ec = await generate('ec', { namedCurve: 'P-256' })
  const ed = await generate('ed25519')
  const keys = [
    privateJwk(rsa.privateKey, 'RS256'),
    privateJwk(ec.privateKey, 'ES256'),
    privateJwk(ed.privateKey, 'EdDSA'),
  ]
  return { state, since: formatTimestamp(nowMs), keys }
}

function privateJwk(key: KeyObject, alg: string): JWK {
  const jwk = key.export({ format: 'jwk' }) as JWK
  return { ...jwk, kid: thumbprint(jwk), alg, use: 'sig' }
}

const thumbprintMembers: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  OKP: ['crv', 'kty', 'x'],
  RSA: ['e', 'kty', 'n'],
}

/** The thumbprint of a key (RFC 7638): the digest of the members that make it up, in order. */
function thumbprint(jwk: JWK): string {
  const members = thumbprintMembers[jwk.kty ?? ''] ?? []
  const known = jwk as unknown as Readonly<Record<string, string>>
  const text = JSON.stringify(Object.fromEntries(members.map((name) => [name, known[name]])))
  return hash('sha256', text, 'base64url')
}
