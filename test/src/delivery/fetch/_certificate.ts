import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A certificate that vouches for itself, and its private key, both in PEM. */
export type SelfSigned = { readonly cert: string; readonly key: string }

// Object identifiers of X.509 (RFC 5280) and of ECDSA with SHA-256 (RFC 5758), in DER.
const commonName = Buffer.from('0603550403', 'hex')
const ecdsaWithSha256 = Buffer.from('06082a8648ce3d040302', 'hex')
const subjectAltName = Buffer.from('0603551d11', 'hex')
const basicConstraints = Buffer.from('0603551d13', 'hex')

/** Makes a certificate for a host name; tests need one that is known to no authority. */
export function selfSign(host: string): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(ecdsaWithSha256)
  const name = sequence(element(0x31, sequence(commonName, element(0x0c, Buffer.from(host)))))
  const body = sequence(
    element(0xa0, element(0x02, Buffer.of(2))),
    element(0x02, Buffer.of(1)),
    algorithm,
    name,
    sequence(time('20200101000000Z'), time('20991231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(extension(subjectAltName, altName(host)), authority())),
  )
  const cert = sequence(body, algorithm, element(0x03, Buffer.of(0), signatureOf(body, privateKey)))
  return { cert: pem(cert), key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) }
}

function signatureOf(body: Buffer, key: KeyObject): Buffer {
  return sign('sha256', body, key)
}

function altName(host: string): Buffer {
  return sequence(element(0x82, Buffer.from(host)))
}

function authority(): Buffer {
  return extension(basicConstraints, sequence(element(0x01, Buffer.of(0xff))))
}

function extension(id: Buffer, value: Buffer): Buffer {
  return sequence(id, element(0x04, value))
}

function time(text: string): Buffer {
  return element(0x18, Buffer.from(text))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return element(0x30, ...parts)
}

/** One element of DER; no content here is longer than 65,535 bytes. */
function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const head = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
