import { hkdfSync } from 'node:crypto'
import test from 'ava'

import { signCheckpoint } from '#log/tlog/checkpoint.ts'
import {
  cosignatureSigner,
  cosignatureVerifier,
  cosignedMessage,
  decodeCosignature,
  encodeCosignature,
  logSigner,
  logVerifier,
  mldsaSigner,
  mldsaVkeyOfLog,
  subtreeMessage,
} from '#log/tlog/cosignature.ts'
import { ed25519Keys, noteSigner, noteVerifier, verify } from '#log/tlog/ed25519.ts'
import { mldsaKeys, signMldsa, verifyMldsa } from '#log/tlog/mldsa.ts'
import {
  ed25519Type,
  formatVkey,
  mldsaType,
  openNote,
  parseVkey,
  signNote,
} from '#log/tlog/note.ts'
import { fromHex, loadVectors, toHex } from '#test/log/_vectors.ts'

type CosignatureVector = {
  readonly vkey: string
  readonly text: string
  readonly cosignature: string
}

/** The message of ML-DSA-44, in hex after the label (C2SP tlog-cosignature). */
function spellSubtree(name: string, timestamp: number, text: string): Uint8Array {
  const [origin = '', size = '', root = ''] = text.split('\n')
  const word = (value: string | number) => Number(value).toString(16).padStart(16, '0')
  const named = (value: string) => {
    const bytes = Buffer.from(value)
    return bytes.length.toString(16).padStart(2, '0') + bytes.toString('hex')
  }
  const hash = Buffer.from(root, 'base64').toString('hex')
  const members = [named(name), word(timestamp), named(origin), word(0), word(size), hash]
  return Buffer.from(`737562747265652f76310a00${members.join('')}`, 'hex')
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
    const { keyName, type, publicKey } = parseVkey(vector.vkey)
    if (type === mldsaType) {
      const message = spellSubtree(keyName, vector.timestamp, vector.text)
      t.true(verifyMldsa(message, cosignature.signature, publicKey))
      return
    }
    // The signed message, spelled out.
    const message = `cosignature/v1\ntime ${vector.timestamp}\n${vector.text}`
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
const logKey = ed25519Keys.fromSeed(Buffer.alloc(32, 1))
const witnessKey = ed25519Keys.fromSeed(Buffer.alloc(32, 3))
const ownVerifier = noteVerifier(formatVkey(logName, 1, logKey.publicKey))
const witnessVerifier = cosignatureVerifier(formatVkey(witnessName, 4, witnessKey.publicKey))
const text = 'registry.example/log\n8\nXcnaeadmWamtnLVVcB7Zoqud6IKtL0lg/jhw7/RgQyg=\n'

test('a checkpoint is opened with its log signature and its cosignature', (t) => {
  const signers = [noteSigner(logName, logKey), cosignatureSigner(witnessName, witnessKey, 17)]
  const { verified, unknown } = openNote(signNote(text, signers), [ownVerifier, witnessVerifier])
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
  t.throws(() => openNote(disguised, [ownVerifier]), wrong)
  const verifier = cosignatureVerifier(formatVkey(logName, 4, logKey.publicKey))
  t.throws(
    () => openNote(signNote(text, [{ ...signer, keyId: cosigner.keyId }]), [verifier]),
    wrong,
  )
})

test('the bytes of a cosignature have one form', (t) => {
  const error = {
    code: 'malformed_cosignature',
    message: 'not a cosignature: time and signature',
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
    message:
      'the vkey of witness.example/w1 holds no usable key of Ed25519 (type 04) or ML-DSA-44 ' +
      '(type 06)',
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

const mldsaKey = mldsaKeys.fromSeed(Buffer.alloc(32, 4))
const mldsaVkey = formatVkey(witnessName, mldsaType, mldsaKey.publicKey)

test('a witness signs with both kinds of keys, and each is verified by itself', (t) => {
  const signers = [
    noteSigner(logName, logKey),
    cosignatureSigner(witnessName, witnessKey, 17),
    mldsaSigner(witnessName, mldsaKey, 18),
  ]
  const note = signNote(text, signers)
  const { verified, unknown } = openNote(note, [cosignatureVerifier(mldsaVkey)])
  t.deepEqual(
    verified.map(({ bytes }) => [bytes.length, decodeCosignature(bytes).timestamp]),
    [[2_428, 18]],
  )
  t.is(unknown.length, 2)
  t.is(openNote(note, [ownVerifier, witnessVerifier]).unknown.length, 1)
})

test('a log may sign with ML-DSA-44 without a time, a witness may not', (t) => {
  const message = subtreeMessage(witnessName, 0, Buffer.from(text))
  const bytes = Buffer.concat([Buffer.alloc(8), signMldsa(message ?? Buffer.of(), mldsaKey)])
  t.true(logVerifier(mldsaVkey).verify(Buffer.from(text), bytes))
  t.false(cosignatureVerifier(mldsaVkey).verify(Buffer.from(text), bytes))
})

test('names beyond 255 bytes and extension lines have no message', (t) => {
  const at = (name: string, origin: string, end = '') => {
    const [, size, root] = text.split('\n')
    return subtreeMessage(name, 1, Buffer.from(`${origin}\n${size}\n${root}\n${end}`))
  }
  const long = 'ä'.repeat(127)
  t.is(at(long, `${long}a`)?.length, 12 + 255 + 8 + 256 + 16 + 32)
  t.is(at(`${long}aa`, 'a'), undefined)
  t.is(at('a', `${long}aa`), undefined)
  t.is(at('a', 'a', 'an extension\n'), undefined)
})

test('a log signs with a second key that follows from its first, and each is enough', (t) => {
  const key = ed25519Keys.fromSeed(Buffer.alloc(32, 7))
  const origin = 'registry.example/log'
  const checkpoint = { origin, treeSize: 3, rootHash: Buffer.alloc(32, 5) }
  const note = signCheckpoint(checkpoint, logSigner(origin, key, true))
  const [first, second] = [
    formatVkey(origin, ed25519Type, key.publicKey),
    mldsaVkeyOfLog(origin, key),
  ]
  // The seed of the second key, by the text of docs/threats.md.
  const seed = hkdfSync('sha256', Buffer.alloc(32, 7), '', 'arklog/log-key/ml-dsa-44', 32)
  const { publicKey } = mldsaKeys.fromSeed(new Uint8Array(seed))
  t.is(second, formatVkey(origin, mldsaType, publicKey))
  for (const [vkey, other] of [
    [first, 1],
    [second, 0],
  ] as const) {
    const { verified, unknown } = openNote(note, [logVerifier(vkey)])
    t.is(verified.length, 1)
    t.is(unknown[0]?.bytes.length, [64, 2_428][other])
  }
  t.is(openNote(note, [logVerifier(first), logVerifier(second)]).verified.length, 2)
  t.is(signCheckpoint(checkpoint, logSigner(origin, key, false)).split('\n').length, 6)
  // No witness may leave out when it signed.
  const [, , , , , line = ''] = note.split('\n')
  const unsure = cosignatureVerifier(second)
  const bytes = Buffer.from(line.split(' ')[2] ?? '', 'base64').subarray(4)
  t.false(unsure.verify(Buffer.from(note.slice(0, note.indexOf('\n\n') + 1)), bytes))
})
