import { argon2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

import { assert } from '#log/errors.ts'
import { HttpError } from '#src/errors.ts'

const hashWith = promisify(argon2)

/** What one hash costs: memory in KiB, and passes over it (RFC 9106). */
export type PasswordCost = { readonly memory: number; readonly passes: number }

/** Three times the memory that OWASP asks of two passes; 0.15 s on a slow core. */
export const passwordCost: PasswordCost = { memory: 65_536, passes: 2 }

const saltBytes = 16
const tagBytes = 32

/** Hashes made at one time, which take a thread of libuv each, and those that wait for it. */
const runningMax = 4
const waitingMax = 64

/** Seconds after which who was sent away may try again. */
const retryAfterSeconds = 5

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([\w+/]+)\$([\w+/]+)$/

export type PasswordHasherOptions = {
  /** A secret that is not in the store: without it no hash can be tried out (RFC 9106 §3.1). */
  readonly secret: Uint8Array
  readonly random: (bytes: number) => Uint8Array
  readonly cost?: PasswordCost
}

/**
 * Hashes passwords with argon2id into PHC strings and verifies them, a few at a time. Passwords are
 * taken in NFKC, so that one typed on another system is the same (NIST SP 800-63B §3.1.1.2). Every
 * method throws HttpError `unavailable` when too many wait already.
 */
export class PasswordHasher {
  readonly #options: PasswordHasherOptions
  readonly #cost: PasswordCost
  readonly #waiting: (() => void)[] = []
  #running = 0
  #dummy: Promise<string> | undefined

  constructor(options: PasswordHasherOptions) {
    this.#options = options
    this.#cost = options.cost ?? passwordCost
  }

  /** The PHC string of a password. */
  async hash(password: string): Promise<string> {
    const salt = this.#options.random(saltBytes)
    const tag = await this.#inTurn(() => this.#tag(password, salt, this.#cost))
    const { memory, passes } = this.#cost
    return `$argon2id$v=19$m=${memory},t=${passes},p=1$${unpadded(salt)}$${unpadded(tag)}`
  }

  /** Whether a password is that of a PHC string. Null takes as long, and is never right. */
  async verify(password: string, hash: string | null): Promise<boolean> {
    const [, memory, passes, salt, tag] = phc.exec(hash ?? (await this.#dummyHash())) ?? []
    assert(salt !== undefined && tag !== undefined, 'only strings of this hasher are stored')
    const cost = { memory: Number(memory), passes: Number(passes) }
    const found = await this.#inTurn(() => this.#tag(password, Buffer.from(salt, 'base64'), cost))
    return timingSafeEqual(found, Buffer.from(tag, 'base64')) && hash !== null
  }

  /** Whether a PHC string was made at another cost than a new one would be. */
  isOutdated(hash: string): boolean {
    const [, memory, passes] = phc.exec(hash) ?? []
    return Number(memory) !== this.#cost.memory || Number(passes) !== this.#cost.passes
  }

  /** Makes the hash that stands in for those of unknown accounts, before anybody waits for it. */
  async warmUp(): Promise<void> {
    await this.#dummyHash()
  }

  #dummyHash(): Promise<string> {
    this.#dummy ??= this.hash(unpadded(this.#options.random(saltBytes)))
    return this.#dummy
  }

  #tag(password: string, nonce: Uint8Array, { memory, passes }: PasswordCost): Promise<Buffer> {
    return hashWith('argon2id', {
      message: password.normalize('NFKC'),
      nonce,
      memory,
      passes,
      parallelism: 1,
      tagLength: tagBytes,
      secret: this.#options.secret,
    })
  }

  async #inTurn<T>(job: () => Promise<T>): Promise<T> {
    if (this.#running < runningMax) this.#running += 1
    else await this.#wait()
    try {
      return await job()
    } finally {
      // A place goes from hand to hand: it is free only if nobody waits.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= waitingMax) {
      const message = 'Too many people are signing in at this moment; try again after a few seconds'
      throw new HttpError('unavailable', message, { extra: { retry_after: retryAfterSeconds } })
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    return promise
  }
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '')
}
