import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'

import type { ListVerb } from '#src/discovery/oai/oai_request.ts'

/** Where a list of records goes on: all that the pages so far have decided. */
export type ListState = {
  readonly verb: ListVerb
  readonly prefix: string
  readonly set?: string
  /** Datestamps in seconds, as the first request froze them. */
  readonly from: number
  readonly until: number
  /** Position and ARK, as it is shown, of the last record delivered. */
  readonly after: number
  readonly last: string
  /** Records delivered, and how many the list was found to have. */
  readonly cursor: number
  readonly size: number
}

/** Where a list of sets goes on. */
export type SetState = {
  readonly verb: 'ListSets'
  /** Slug of the last set delivered. */
  readonly last: string
  readonly cursor: number
}

export type TokenState = ListState | SetState

/** A token, and the second since 1970 from which on it is not taken any more. */
export type ResumptionToken = { readonly text: string; readonly expires: number }

/** Number of the tokens' form. */
const version = 1

const purpose = 'svc-oai-token-v1\n'
const macBytes = 16
const tokenCharactersMax = 1_024
const tokenForm = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{22})$/

type Payload = { readonly v: typeof version; readonly e: number; readonly s: TokenState }

/**
 * Makes and reads resumption tokens. They hold the state of a list themselves, signed, so that they
 * outlive a restart and serve at every instance with the same key. They have no character that
 * a client would have to escape.
 */
export class ResumptionTokens {
  readonly #key: KeyObject
  readonly #ttlSeconds: number

  /** `key` has 32 bytes. */
  constructor(key: Uint8Array, ttlSeconds: number) {
    this.#key = createSecretKey(key)
    this.#ttlSeconds = ttlSeconds
  }

  issue(state: TokenState, nowSeconds: number): ResumptionToken {
    const expires = nowSeconds + this.#ttlSeconds
    const payload: Payload = { v: version, e: expires, s: state }
    const body = Buffer.from(JSON.stringify(payload)).toString('base64url')
    return { text: `${body}.${this.#mac(body).toString('base64url')}`, expires }
  }

  /** The state in a token; undefined if it is not one of ours, or has expired. */
  read(token: string, nowSeconds: number): TokenState | undefined {
    if (token.length > tokenCharactersMax) return undefined
    const [, body = '', mac = ''] = tokenForm.exec(token) ?? []
    const given = Buffer.from(mac, 'base64url')
    // A last character may hold bits that decode to nothing; there is one spelling of a token.
    if (given.length !== macBytes || given.toString('base64url') !== mac) return undefined
    if (!timingSafeEqual(given, this.#mac(body))) return undefined
    const payload = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Payload
    return payload.v === version && nowSeconds < payload.e ? payload.s : undefined
  }

  #mac(body: string): Buffer {
    const digest = createHmac('sha256', this.#key).update(purpose).update(body).digest()
    return digest.subarray(0, macBytes)
  }
}
