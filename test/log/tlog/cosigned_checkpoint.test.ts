import test from 'ava'

import { signCheckpoint } from '#log/tlog/checkpoint.ts'
import { openCosigned, openWitnessed, readCosignature } from '#log/tlog/cosigned_checkpoint.ts'
import { cosignatureVerifier, decodeCosignature } from '#log/tlog/cosignature.ts'
import { ed25519Keys, noteSigner } from '#log/tlog/ed25519.ts'
import { emptyRootHash } from '#log/tlog/hash.ts'
import { formatNote, formatSignature, parseNote, parseVkey } from '#log/tlog/note.ts'
import {
  checkpointOf,
  cosign,
  testWitness,
  thresholdPolicy,
  unknownVkey,
  verifiersOf,
  witnessLines,
} from '#test/log/_witnesses.ts'

const [one, two, three] = [testWitness(1), testWitness(2), testWitness(3)]
const twoOfThree = verifiersOf(thresholdPolicy(2, 3))
const checkpoint = checkpointOf(8)

test('a line of a key of an unknown type is kept as it is, and counts for nothing', (t) => {
  const vkey = unknownVkey('ml.example')
  const verifiers = verifiersOf(
    `${witnessLines(1)}witness ml ${vkey}\ngroup g any w1 ml\nquorum g\n`,
  )
  const line = formatSignature({ ...parseVkey(vkey), bytes: Buffer.alloc(2_428, 9) })
  const message = cosign(checkpoint + line, [one], 17)
  const { signed, missing } = openWitnessed(message, verifiers)
  t.deepEqual([signed, missing], [[{ name: 'w1', timestamp: 17 }], ['ml']])
  const { unverifiedText, signatures } = parseNote(message)
  t.is(formatNote(unverifiedText, signatures), message)
  t.throws(() => openWitnessed(checkpoint + line, verifiers), {
    code: 'quorum_missed',
    message:
      'the policy demands 1 of (w1, ml), but none of its witnesses has signed; witness ml has a ' +
      'key of an unknown type 0x05; it counts as missing',
  })
})

test('a checkpoint says who has cosigned it, when, and whether they are enough', (t) => {
  const cosigned = openWitnessed(cosign(cosign(checkpoint, [three], 18), [one], 17), twoOfThree)
  t.deepEqual(cosigned.signed, [
    { name: 'w1', timestamp: 17 },
    { name: 'w3', timestamp: 18 },
  ])
  t.deepEqual(cosigned.missing, ['w2'])
  t.is(cosigned.checkpoint.treeSize, 8)
  t.true(cosigned.isWitnessed)
})

test('below the quorum it is refused, and the message says who is missing', (t) => {
  const only = cosign(checkpoint, [two])
  t.false(openCosigned(only, twoOfThree).isWitnessed)
  t.throws(() => openWitnessed(only, twoOfThree), {
    code: 'quorum_missed',
    message: 'the policy demands 2 of (w1, w2, w3), but only w2 signed',
  })
  t.throws(() => openWitnessed(checkpoint, twoOfThree), {
    message: 'the policy demands 2 of (w1, w2, w3), but none of its witnesses has signed',
  })
})

test('one witness counts once, and strangers do not count', (t) => {
  const stranger = testWitness(4)
  const message = cosign(cosign(checkpoint, [two, stranger], 17), [two], 18)
  const { signed, isWitnessed } = openCosigned(message, twoOfThree)
  t.deepEqual(signed, [{ name: 'w2', timestamp: 17 }])
  t.false(isWitnessed)
})

test('a cosignature of another checkpoint of the log is refused with the whole note', (t) => {
  const older = cosign(checkpointOf(7), [one])
  const replayed = cosign(checkpoint, [two]) + older.slice(older.lastIndexOf('\u2014'))
  t.throws(() => openCosigned(replayed, twoOfThree), {
    code: 'unverified_note',
    message: 'the signature of w1.example is wrong',
  })
})

test('a checkpoint that only witnesses have signed is not one of the log', (t) => {
  const signed = cosign(checkpoint, [one, two])
  const lines = signed.split('\n')
  const message = lines.filter((line) => !line.startsWith('\u2014 log.example')).join('\n')
  const error = { message: 'the log log.example/test has not signed the checkpoint' }
  t.throws(() => openCosigned(message, twoOfThree), error)
})

test('the log of another origin is not the log, though it has the same key', (t) => {
  const other = noteSigner('other.example/test', ed25519Keys.fromSeed(Buffer.alloc(32, 7)))
  const head = { origin: other.keyName, treeSize: 0, rootHash: emptyRootHash }
  const message = cosign(signCheckpoint(head, other), [one, two])
  t.throws(() => openCosigned(message, twoOfThree), { code: 'unverified_note' })
})

test('of the lines that a witness answers its own is taken, and verified', (t) => {
  const verifier = cosignatureVerifier(one.vkey)
  const lines = cosign(checkpoint, [two, one], 99).split('\n').slice(5).join('\n')
  const signature = readCosignature(checkpoint, lines, verifier)
  t.is(decodeCosignature(signature.bytes).timestamp, 99)
  const unsigned = { code: 'unverified_note' }
  const others = cosign(checkpoint, [two]).split('\n').slice(5).join('\n')
  t.throws(() => readCosignature(checkpoint, others, verifier), unsigned)
  const older = cosign(checkpointOf(7), [one]).split('\n').slice(5).join('\n')
  t.throws(() => readCosignature(checkpoint, older, verifier), unsigned)
  for (const answer of ['', '\n', 'ok\n', lines.slice(0, -1), `\n${lines}`, `a\n\n${lines}`]) {
    t.throws(() => readCosignature(checkpoint, answer, verifier), undefined, answer)
  }
})
