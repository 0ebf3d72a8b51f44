import test from 'ava'

import {
  cosignatureSigner,
  cosignatureVerifier,
  cosignedMessage,
  decodeCosignature,
  encodeCosignature,
} from '#log/tlog/cosignature.ts'
import { keyFromSeed, noteSigner, noteVerifier, verify } from '#log/tlog/ed25519.ts'
import { formatVkey, openNote, parseVkey, signNote } from '#log/tlog/note.ts'
import { fromHex, loadVectors, toHex } from '#test/log/_vectors.ts'

type CosignatureVector = {
  readonly vkey: string
  readonly text: string
  readonly cosignature: string
}

type ValidCosignature = CosignatureVector & { readonly timestamp: number }

for (const vector of loadVectors<ValidCosignature>('cosignature/valid')) {
  test(`vector: ${vector.name}`, (t) => {
    const text = Buffer.from(vector.text)
    const bytes = fromHex(vector.cosignature)
    t.true(cosignatureVerifier(vector.vkey).verify(text, bytes))
    const cosignature = decodeCosignature(bytes)
    t.is(cosignature.timestamp, vector.timestamp)
    t.is(toHex(encodeCosignature(cosignature)), vector.cosignature)
    // The signed message, spelled out.
    const message = `cosignature/v1\ntime ${vector.timestamp}\n${vector.text}`
    const { publicKey } = parseVkey(vector.vkey)
    t.true(verify(Buffer.from(message), cosignature.signature, publicKey))
  })
}

for (const vector of loadVectors<CosignatureVector>('cosignature/invalid')) {
  test(`invalid vector: ${vector.name}`, (t) => {
    const verifier = cosignatureVerifier(vector.vkey)
    t.false(verifier.verify(Buffer.from(vector.text), fromHex(vector.cosignature)))
  })
}

const logName = 'registry.example/log'
const witnessName = 'witness.example/w1'
const logKey = keyFromSeed(Buffer.alloc(32, 1))
const witnessKey = keyFromSeed(Buffer.alloc(32, 3))
const logVerifier = noteVerifier(formatVkey(logName, 1, logKey.publicKey))
const witnessVerifier = cosignatureVerifier(formatVkey(witnessName, 4, witnessKey.publicKey))
const text = 'registry.example/log\n8\nXcnaeadmWamtnLVVcB7Zoqud6IKtL0lg/jhw7/RgQyg=\n'

test('a checkpoint is opened with its log signature and its cosignature', (t) => {
  const signers = [noteSigner(logName, logKey), cosignatureSigner(witnessName, witnessKey, 17)]
  const { verified, unknown } = openNote(signNote(text, signers), [logVerifier, witnessVerifier])
  t.deepEqual(
    verified.map(({ keyName }) => keyName),
    [logName, witnessName],
  )
  t.deepEqual(unknown, [])
  t.is(verified[1]?.bytes.length, 72)
  t.is(decodeCosignature(verified[1]?.bytes ?? new Uint8Array(0)).timestamp, 17)
})

test('two cosignatures of one witness count once', (t) => {
  const signers = [17, 18].map((time) => cosignatureSigner(witnessName, witnessKey, time))
  t.is(openNote(signNote(text, signers), [witnessVerifier]).verified.length, 1)
})

test('a cosignature is no signature of a note, and a signature no cosignature', (t) => {
  const cosigner = cosignatureSigner(logName, logKey, 17)
  const signer = noteSigner(logName, logKey)
  // Under the same name and key, the type gives another key ID.
  t.not(cosigner.keyId, signer.keyId)
  const disguised = signNote(text, [{ ...cosigner, keyId: signer.keyId }])
  const wrong = { code: 'unverified_note', message: `the signature of ${logName} is wrong` }
  t.throws(() => openNote(disguised, [logVerifier]), wrong)
  const verifier = cosignatureVerifier(formatVkey(logName, 4, logKey.publicKey))
  t.throws(
    () => openNote(signNote(text, [{ ...signer, keyId: cosigner.keyId }]), [verifier]),
    wrong,
  )
})

test('the bytes of a cosignature have one form', (t) => {
  const error = {
    code: 'malformed_cosignature',
    message: 'not a cosignature: time and Ed25519 signature',
  }
  for (const length of [0, 8, 64, 71, 73]) {
    const bytes = Buffer.alloc(length)
    if (length >= 8) bytes.writeBigUInt64BE(17n)
    t.throws(() => decodeCosignature(bytes), error)
  }
  for (const time of [0n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n]) {
    const bytes = Buffer.alloc(72)
    bytes.writeBigUInt64BE(time)
    t.throws(() => decodeCosignature(bytes), error)
  }
})

test('the signed message has the time and the whole text', (t) => {
  const message = cosignedMessage(1_679_315_147, Buffer.from('a\n'))
  t.is(Buffer.from(message).toString(), 'cosignature/v1\ntime 1679315147\na\n')
})

test('a verifier of cosignatures is made of a usable cosigner key alone', (t) => {
  const error = {
    code: 'malformed_vkey',
    message: 'the vkey does not hold a usable cosigner key',
  }
  t.throws(() => cosignatureVerifier(formatVkey(witnessName, 1, witnessKey.publicKey)), error)
  t.throws(() => cosignatureVerifier(formatVkey(witnessName, 4, new Uint8Array(32))), error)
})

test('no time before the first second or beyond safe integers is cosigned', (t) => {
  for (const time of [0, -1, 1.5, Number.NaN, 2 ** 53]) {
    const signer = cosignatureSigner(witnessName, witnessKey, time)
    t.throws(() => signer.sign(Buffer.from(text)), {
      message: 'assertion failed: a cosignature is made at a time',
    })
  }
})
