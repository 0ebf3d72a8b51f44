// A device with passkeys: real keys and signatures, and the bytes that browsers send.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What a page gives its script. */
export type PasskeyOptions = {
  readonly challenge: string
  readonly rp?: { readonly id: string }
  readonly rpId?: string
  readonly user?: { readonly id: string }
  readonly allowCredentials?: readonly { readonly id: string }[]
}

/** How a test has a device answer otherwise than a right one does. */
export type Twist = {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly isVerified?: boolean
  readonly isPresent?: boolean
  readonly handle?: string | null
  readonly crossOrigin?: boolean
  readonly type?: string
  /** What its maker attests. */
  readonly attestation?: readonly [format: string, statement: Map<string, unknown>]
}

const flag = { present: 0x01, verified: 0x04, attested: 0x40 } as const

/** A device with one passkey, whose signatures it counts. */
export class Authenticator {
  readonly id = randomBytes(16)
  counter = 0
  readonly #origin: string
  readonly #key: KeyObject
  readonly #publicKey: KeyObject
  #handle = ''

  constructor(origin = 'https://registry.example') {
    this.#origin = origin
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    this.#publicKey = publicKey
  }

  /** Makes its passkey for what a page asks. */
  create({ challenge, rp, user }: PasskeyOptions, twist: Twist = {}): string {
    this.#handle = user?.id ?? ''
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' })
    const cose = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const attested = [Buffer.alloc(16), length, this.id, Buffer.from(isoCBOR.encode(cose))]
    const authData = Buffer.concat([
      this.#data(twist.rpId ?? rp?.id ?? '', twist, flag.attested),
      ...attested,
    ])
    const [format, statement] = twist.attestation ?? ['none', new Map()]
    const object = new Map<string, unknown>([
      ['fmt', format],
      ['attStmt', statement],
      ['authData', Uint8Array.from(authData)],
    ])
    return this.#told({
      clientDataJSON: this.#clientData('webauthn.create', challenge, twist),
      attestationObject: base64url(isoCBOR.encode(object as never)),
      transports: ['internal'],
    })
  }

  /** Signs what a page asks. */
  get({ challenge, rpId = '' }: PasskeyOptions, twist: Twist = {}): string {
    this.counter += 1
    const authData = this.#data(twist.rpId ?? rpId, twist)
    const clientDataJSON = this.#clientData('webauthn.get', challenge, twist)
    const hashed = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    const signature = sign('sha256', Buffer.concat([authData, hashed]), this.#key)
    const { handle = this.#handle } = twist
    return this.#told({
      clientDataJSON,
      authenticatorData: base64url(authData),
      signature: base64url(signature),
      ...(handle !== null && { userHandle: handle }),
    })
  }

  #told(response: object): string {
    const id = base64url(this.id)
    return JSON.stringify({ id, rawId: id, type: 'public-key', response })
  }

  #clientData(type: string, challenge: string, twist: Twist): string {
    const { origin = this.#origin, crossOrigin = false } = twist
    const told = { type: twist.type ?? type, origin, crossOrigin }
    const data = { ...told, challenge: twist.challenge ?? challenge }
    return base64url(Buffer.from(JSON.stringify(data)))
  }

  #data(rpId: string, { isVerified = true, isPresent = true }: Twist, more = 0): Buffer {
    const flags = (isPresent ? flag.present : 0) | (isVerified ? flag.verified : 0) | more
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.of(flags), counter])
  }
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
