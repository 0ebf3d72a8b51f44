import test from 'ava'
import fc from 'fast-check'

import { ed25519Keys, noteSigner, noteVerifier } from '#log/tlog/ed25519.ts'
import { LogError } from '#log/tlog/errors.ts'
import {
  computeKeyId,
  cosignatureType,
  ed25519Type,
  formatNote,
  formatSignature,
  formatVkey,
  isKeyName,
  noteBytesMax,
  noteSignaturesMax,
  openNote,
  parseNote,
  parseVkey,
  signNote,
  type Verifier,
} from '#log/tlog/note.ts'
import { cosignatureVerifier, logVerifier } from '#log/tlog/cosignature.ts'
import { anyCharacter } from '#test/_any_character.ts'
import { unknownVkey } from '#test/log/_witnesses.ts'
import { fromHex, loadVectors, toHex } from '#test/log/_vectors.ts'

type ValidVkey = {
  readonly vkey: string
  readonly key_name: string
  readonly key_id: string
  readonly type: number
  readonly public_key: string
}

type InvalidVkey = { readonly vkey: string; readonly code: string; readonly error: string }

for (const vector of loadVectors<ValidVkey>('vkey/valid')) {
  test(`vkey vector: ${vector.name}`, (t) => {
    const { keyName, keyId, type, publicKey } = parseVkey(vector.vkey)
    t.is(keyName, vector.key_name)
    t.is(keyId, Number.parseInt(vector.key_id, 16))
    t.is(type, vector.type)
    t.is(toHex(publicKey), vector.public_key)
    t.is(formatVkey(keyName, type, publicKey), vector.vkey)
    t.is(computeKeyId(keyName, type, fromHex(vector.public_key)), keyId)
  })
}

for (const vector of loadVectors<InvalidVkey>('vkey/invalid')) {
  test(`invalid vkey vector: ${vector.name}`, (t) => {
    t.throws(() => parseVkey(vector.vkey), { code: vector.code, message: vector.error })
  })
}

test('what is written is read', (t) => {
  const names = fc.string({ unit: anyCharacter, minLength: 1 }).filter(isKeyName)
  const types = fc.constantFrom(ed25519Type, cosignatureType)
  const keys = fc.uint8Array({ minLength: 32, maxLength: 32 })
  fc.assert(
    fc.property(names, types, keys, (keyName, type, publicKey) => {
      const read = parseVkey(formatVkey(keyName, type, publicKey))
      t.deepEqual([read.keyName, read.type], [keyName, type])
      t.is(toHex(read.publicKey), toHex(publicKey))
    }),
  )
})

test('a key of an unknown type is read as it is written, and verifies nothing', (t) => {
  const vkey = unknownVkey('log.example')
  const { keyName, type, publicKey } = parseVkey(vkey)
  t.deepEqual([keyName, type, publicKey.length], ['log.example', 0x05, 1_312])
  t.is(parseVkey('ec.example+0000beef+AjBZ').keyId, 0xbeef)
  for (const [verifier, wanted] of [
    [noteVerifier, 'Ed25519 (type 01)'],
    [logVerifier, 'Ed25519 (type 01) or ML-DSA-44 (type 06)'],
    [cosignatureVerifier, 'Ed25519 (type 04) or ML-DSA-44 (type 06)'],
  ] as const) {
    t.throws(() => verifier(vkey), {
      code: 'malformed_vkey',
      message:
        'the key of log.example is of the unknown type 0x05: what is verified here is ' + wanted,
    })
  }
})

test('one key has different IDs as a log and as a witness', (t) => {
  const publicKey = new Uint8Array(32).fill(9)
  t.not(computeKeyId('a', ed25519Type, publicKey), computeKeyId('a', cosignatureType, publicKey))
})

test('a key name has no white space, control, plus or lone surrogate', (t) => {
  for (const name of ['a', 'example.com/log', '127.0.0.1:8080/log', 'ключ', '世界', 'a—b']) {
    t.true(isKeyName(name), name)
  }
  const spaces = ['\u0085', '\u00a0', '\u1680', '\u2003', '\u2028', '\u2029', '\u202f', '\u3000']
  for (const part of ['', ' ', '+', '\n', '\t', '\u0000', '\u007f', '\ud800', ...spaces]) {
    t.false(isKeyName(part), JSON.stringify(part))
    if (part !== '') t.false(isKeyName(`a${part}b`), JSON.stringify(part))
  }
})

type NoteVector = {
  readonly message?: string
  /** In place of a message that is no text. */
  readonly message_hex?: string
  readonly vkeys: readonly string[]
}

type ValidNote = NoteVector & {
  readonly text: string
  /** The key names of the signatures that are verified, in order, and of the others. */
  readonly verified: readonly string[]
  readonly unknown: readonly string[]
}

type InvalidNote = NoteVector & { readonly code: string; readonly error: string }

function bytesOf({ message, message_hex: hex = '' }: NoteVector): Uint8Array {
  return message === undefined ? fromHex(hex) : Buffer.from(message)
}

for (const vector of loadVectors<ValidNote>('note/valid')) {
  test(`vector: ${vector.name}`, (t) => {
    const verifiers = vector.vkeys.map((vkey) => logVerifier(vkey))
    const bytes = bytesOf(vector)
    const note = openNote(bytes, verifiers)
    t.is(note.text, vector.text)
    t.deepEqual(
      note.verified.map(({ keyName }) => keyName),
      vector.verified,
    )
    t.deepEqual(
      note.unknown.map(({ keyName }) => keyName),
      vector.unknown,
    )
    t.deepEqual(openNote(Buffer.from(bytes).toString(), verifiers), note)
  })

  test(`a parsed note is written as it was: ${vector.name}`, (t) => {
    const { unverifiedText, signatures } = parseNote(bytesOf(vector))
    t.is(formatNote(unverifiedText, signatures), Buffer.from(bytesOf(vector)).toString())
  })
}

for (const vector of loadVectors<InvalidNote>('note/invalid')) {
  test(`invalid vector: ${vector.name}`, (t) => {
    const error = { code: vector.code, message: vector.error }
    t.throws(() => openNote(bytesOf(vector), vector.vkeys.map(noteVerifier)), error)
  })
}

const name = 'registry.example/log'
const key = ed25519Keys.fromSeed(Buffer.alloc(32, 1))
const signer = noteSigner(name, key)
const verifier = noteVerifier(formatVkey(name, 1, key.publicKey))

test('what is signed is opened, whatever the text', (t) => {
  const unit = fc.oneof(
    fc.constantFrom('\n', '\n\n', '— ', ' ', '+'),
    fc.string({ unit: 'grapheme', maxLength: 3 }).filter((text) => !/[\u0000-\u001f]/.test(text)),
  )
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (body) => {
      const text = `${body}\n`
      t.is(openNote(signNote(text, [signer]), [verifier]).text, text)
    }),
  )
})

test('a note of which any byte was changed is refused', (t) => {
  const message = Buffer.from(signNote('a text\n\nof two parts\n', [signer]))
  const refusals = new Set([
    'malformed_note: not a signed note',
    'unverified_note: the note has no signature of a known key',
    `unverified_note: the signature of ${name} is wrong`,
  ])
  for (let at = 0; at < message.length; at += 1) {
    for (const bit of [1, 2, 4, 8, 16, 32, 64, 128]) {
      const changed = Buffer.from(message)
      changed[at] = (message[at] ?? 0) ^ bit
      const error = t.throws(() => openNote(changed, [verifier]))
      t.true(error instanceof LogError && refusals.has(`${error.code}: ${error.message}`))
    }
  }
})

test('a string with a lone surrogate is not a note', (t) => {
  const message = signNote('a text\n', [signer]).replace('text', 'te\ud800xt')
  const error = { code: 'malformed_note', message: 'not a signed note' }
  t.throws(() => openNote(message, [verifier]), error)
})

test('a note of more than a million bytes is refused before it is read', (t) => {
  const signed = signNote('a text\n', [signer])
  const longest = 'é'.repeat((noteBytesMax - Buffer.byteLength(signed)) / 2)
  const text = `${longest}a text\n`
  const fits = signNote(text, [signer])
  t.true(noteBytesMax - Buffer.byteLength(fits) < 2)
  t.is(openNote(fits, [verifier]).text, text)
  const error = { code: 'malformed_note', message: 'not a signed note' }
  t.throws(() => openNote(`éé${fits}`, [verifier]), error)
  t.throws(() => openNote(Buffer.from(`éé${fits}`), [verifier]), error)
})

test('a hundred signatures are read, and not one more', (t) => {
  const signature = { keyName: 'k', keyId: 1, bytes: Buffer.of(1) }
  const note = (count: number) =>
    formatNote(
      'a\n',
      Array.from({ length: count }, () => signature),
    )
  t.is(parseNote(note(noteSignaturesMax)).signatures.length, 100)
  t.throws(() => parseNote(note(noteSignaturesMax + 1)), {
    code: 'malformed_note',
    message: 'not a signed note',
  })
})

test('a verifier is given the text with its newline, and the bytes after the key ID', (t) => {
  const calls: string[] = []
  const recorder: Verifier = {
    keyName: 'k',
    keyId: 0xfeedbeef,
    verify: (text, signature) => {
      calls.push(Buffer.from(text).toString(), Buffer.from(signature).toString('hex'))
      return true
    },
  }
  const signature = { keyName: 'k', keyId: 0xfeedbeef, bytes: Buffer.of(1, 2, 3) }
  const { verified } = openNote(formatNote('a\n\nb\n', [signature]), [recorder])
  t.deepEqual(calls, ['a\n\nb\n', '010203'])
  t.is(verified.length, 1)
  t.is(verified[0]?.keyId, 0xfeedbeef)
})

test('no trusted keys, no verified note', (t) => {
  t.throws(() => openNote(signNote('a\n', [signer]), []), {
    code: 'unverified_note',
    message: 'the note has no signature of a known key',
  })
})

test('two trusted keys of one name and ID are our own mistake', (t) => {
  t.throws(() => openNote(signNote('a\n', [signer]), [verifier, { ...verifier }]), {
    message: `assertion failed: two trusted keys share the name ${name} and the ID`,
  })
})

test('a note that could not be read back is never written', (t) => {
  const signatures = parseNote(signNote('a\n', [signer])).signatures
  const ends = { message: 'assertion failed: the text of a note ends with a line feed' }
  t.throws(() => signNote('a', [signer]), ends)
  t.throws(() => formatNote('', signatures), ends)
  const plain = { message: 'assertion failed: the text of a note is plain' }
  for (const text of ['a\tb\n', 'a\r\n', '\u0000\n', 'a\ud800\n']) {
    t.throws(() => formatNote(text, signatures), plain)
  }
  t.throws(() => formatNote('a\n', []), {
    message: 'assertion failed: a signed note has a signature',
  })
  for (const keyName of ['', 'a b', 'a+b', 'a\nb', 'a\u00a0b', '\ud800']) {
    t.throws(() => formatSignature({ keyName, keyId: 1, bytes: Buffer.of(1) }), {
      message: 'assertion failed: a signature names its key',
    })
  }
})
