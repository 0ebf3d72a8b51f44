import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

import { FairQueue } from '#actors/kernel/fair_queue.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { countCharacters, normalForm } from '#actors/values/text.ts'
import { assert } from '#log/tlog/errors.ts'
import type { IdentityStore } from '#src/identity/store/identity_rows.ts'

const hashWith = promisify(argon2)

/** What one hash costs: memory in KiB, and passes over it (RFC 9106). */
export type PasswordCost = { readonly memory: number; readonly passes: number }

/** Three times the memory that OWASP asks of two passes; 0.15 s on a slow core. */
export const passwordCost: PasswordCost = { memory: 65_536, passes: 2 }

const saltBytes = 16
const tagBytes = 32

/** Hashes that wait for their turn, in all and of those who come from one place. */
const waitingMax = 64
const waitingPerCallerMax = 16

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/

export type PasswordHasherOptions = {
  /** Where the hashers of all threads take turns at the places for hashes. */
  readonly store: Pick<IdentityStore, 'inTurnAt'>
  /** A secret that is not in the store: without it no hash can be tried out (RFC 9106 §3.1). */
  readonly secret: Uint8Array
  readonly random: (bytes: number) => Uint8Array
  readonly cost?: PasswordCost
  /** Hashes made at one time, on all threads: each takes a core, and the memory of its cost. */
  readonly runningMax: number
}

/**
 * Hashes passwords with argon2id into PHC strings and verifies them, a few at a time. Passwords are
 * taken in NFKC, so that one typed on another system is the same (NIST SP 800-63B §3.1.1.2). `from`
 * is the place from which somebody asks: places take turns, so that nobody keeps all others from
 * signing in. Every method throws QueueError when too many wait already.
 */
export class PasswordHasher {
  readonly #options: PasswordHasherOptions
  readonly #cost: PasswordCost
  readonly #turns: FairQueue
  /** The places at which nobody here makes a hash. */
  readonly #free: number[]
  /** Stands in for the hashes of unknown accounts. */
  readonly #dummy: string

  constructor(options: PasswordHasherOptions) {
    this.#options = options
    this.#cost = options.cost ?? passwordCost
    const { runningMax, random } = options
    const places = Array.from({ length: runningMax }, (_, nth) => nth)
    // Each thread begins at another place, so that few meet.
    const [first = 0] = random(1)
    this.#free = places.map((place) => (place + first) % runningMax)
    // No password is right where there is no account, so its tag need not be the hash of one.
    this.#dummy = this.#phcOf(random(saltBytes), random(tagBytes))
    this.#turns = new FairQueue({
      runningMax,
      runningPerCallerMax: runningMax,
      waitingMax,
      waitingPerCallerMax,
    })
  }

  /** The PHC string of a password. */
  async hash(password: string, from: string): Promise<string> {
    const salt = this.#options.random(saltBytes)
    const tag = await this.#inTurn(from, () => this.#tag(password, salt, this.#cost))
    return this.#phcOf(salt, tag)
  }

  /** Whether a password is that of a PHC string. Null takes as long, and is never right. */
  async verify(password: string, hash: string | null, from: string): Promise<boolean> {
    const [, memory, passes, salt, tag] = phc.exec(hash ?? this.#dummy) ?? []
    assert(salt !== undefined && tag !== undefined, 'only strings of this hasher are stored')
    const cost = { memory: Number(memory), passes: Number(passes) }
    const found = await this.#inTurn(from, () =>
      this.#tag(password, Buffer.from(salt, 'base64'), cost),
    )
    return timingSafeEqual(found, Buffer.from(tag, 'base64')) && hash !== null
  }

  /** Whether a PHC string was made at another cost than a new one would be. */
  isOutdated(hash: string): boolean {
    const [, memory, passes] = phc.exec(hash) ?? []
    return Number(memory) !== this.#cost.memory || Number(passes) !== this.#cost.passes
  }

  #inTurn(from: string, make: () => Promise<Buffer>): Promise<Buffer> {
    return this.#turns.run(from, async () => {
      const place = this.#free.shift()
      assert(place !== undefined, 'no more hashes are made at a time than there are places')
      try {
        return await this.#options.store.inTurnAt(`password hash ${place}`, make)
      } finally {
        this.#free.push(place)
      }
    })
  }

  #phcOf(salt: Uint8Array, tag: Uint8Array): string {
    const { memory, passes } = this.#cost
    return `$argon2id$v=19$m=${memory},t=${passes},p=1$${unpadded(salt)}$${unpadded(tag)}`
  }

  #tag(password: string, nonce: Uint8Array, { memory, passes }: PasswordCost): Promise<Buffer> {
    return hashWith('argon2id', {
      message: normalForm(password, 'NFKC'),
      nonce,
      memory,
      passes,
      parallelism: 1,
      tagLength: tagBytes,
      secret: this.#options.secret,
    })
  }
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}

/** Characters of a password. */
export const passwordCharactersMin = 10
const passwordCharactersMax = 200

// Those of ten characters and more that lists of stolen passwords have most often, and the ways in
// which people make shorter ones longer; others are refused for their length already.
const common: ReadonlySet<string> = new Set(
  `0123456789 0987654321 1111111111 123123123123 1234512345 1234554321 123456654321 1234567890
  12345678900 12345678910 123456789a 123456789q 123456789abc 123qwe123qwe 147258369a 1a2b3c4d5e
  1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qazxsw23edc a123456789 a1b2c3d4e5 aa12345678 abc1234567
  abcd123456 abcd1234567 abcde12345 abcdefghij admin12345 admin123456 adminadmin administrator
  asdfasdfasdf asdfghjkl1 asdfghjkl123 asdfghjkl; basketball changeme123 changemenow chocolate1
  contrasena correcthorsebatterystaple football12 football123 iloveyou12 iloveyou123 iloveyouso
  january2024 january2025 letmein123 letmein1234 letmeinnow liverpool1 manchester marlboro123
  michelle123 mypassword mypassword1 p@ssw0rd12 p@ssw0rd123 p@ssword123 passw0rd12 passw0rd123
  password00 password01 password10 password11 password12 password123 password1234 password12345
  password2024 password2025 password2026 password21 password69 password99 passwordpassword
  passwort123 pokemon123 princess12 princess123 q1w2e3r4t5 q1w2e3r4t5y6 qazwsxedc1 qazwsxedcrfv
  qweasdzxc1 qweasdzxc123 qwer123456 qwerty1234 qwerty12345 qwerty123456 qwertyuiop qwertyuiop1
  qwertyuiop123 qwertyuiop[] secret1234 spiderman1 starwars12 sunshine12 sunshine123 superman12
  superman123 testtest12 testtest123 testtesttest trustno1trustno1 welcome123 welcome1234
  zaq12wsxcde3 zxcvbnm123 zxcvbnm1234 zxcvbnmasd`.split(/\s+/),
)

/** What is wrong with a new password, if anything; `known` are texts that others know as well. */
export function passwordFault(
  password: string,
  field: string,
  known: readonly (string | null | undefined)[],
): FieldFault | undefined {
  const length = countCharacters(password)
  if (length < passwordCharactersMin) {
    const message = `Choose a password of ${passwordCharactersMin} characters or more.`
    return { field, code: 'too_short', message }
  }
  if (length > passwordCharactersMax) {
    const message = `A password has ${passwordCharactersMax} characters at most.`
    return { field, code: 'too_long', message }
  }
  const folded = fold(password)
  if (common.has(folded) || new Set(folded).size <= 2) {
    const message = 'Many people use this password, so it is tried first: choose another one.'
    return { field, code: 'too_common', message }
  }
  if (known.some((text) => typeof text === 'string' && isNearly(folded, fold(text)))) {
    const message = 'Choose a password that is not your name, username or e-mail address.'
    return { field, code: 'not_secret', message }
  }
  return undefined
}

function isNearly(password: string, text: string): boolean {
  return password === text || (text.includes('@') && password === text.split('@', 1)[0])
}

function fold(text: string): string {
  return normalForm(text, 'NFKC').trim().toLowerCase()
}
