import test from 'ava'

import { type FollowedRotation, KeyWatch } from '#src/tlog_tools/monitor/round.ts'
import { privateKey } from '#test/src/client/verify/_registry.ts'
import {
  hexKey,
  keyIdOf,
  type RotationChanges,
  signRotation,
} from '#test/src/client/verify/_rotation.ts'

const [first, second, third, forger] = [1, 3, 4, 5].map(privateKey)
if (!first || !second || !third || !forger) throw new Error('there are four keys')
const timestamp = '2026-02-01T00:00:00.000Z'

test('the keys of a log are followed by its own entries, from any that are trusted', (t) => {
  const followed: FollowedRotation[] = []
  const watch = new KeyWatch([hexKey(first)], (rotation) => followed.push(rotation))
  watch.see(0, Buffer.from('{"statement":"registered"}'))
  watch.see(4, signRotation(first, hexKey(second)).entry)
  watch.see(9, signRotation(second, hexKey(third)).entry)
  t.deepEqual(watch.keys, [first, second, third].map(hexKey))
  t.deepEqual(followed, [
    { leafIndex: 4, oldPublicKey: hexKey(first), newPublicKey: hexKey(second), timestamp },
    { leafIndex: 9, oldPublicKey: hexKey(second), newPublicKey: hexKey(third), timestamp },
  ])
  // Who knows the newer keys already is told nothing, and finds that the log agrees.
  const informed = new KeyWatch(watch.keys, () => t.fail())
  informed.see(4, signRotation(first, hexKey(second)).entry)
  const byId = { statement: { new_public_key: undefined } }
  informed.see(9, signRotation(second, hexKey(third), byId).entry)
  t.deepEqual(informed.keys, watch.keys)
})

const wrong: readonly [what: string, entry: Buffer, message: RegExp][] = [
  ['by a key that nobody knows', signRotation(forger, hexKey(second)).entry, /is not known$/],
  [
    'to another key than before',
    signRotation(first, hexKey(forger)).entry,
    /announces [0-9a-f]{16} after a key that another followed$/,
  ],
  [
    'to a key of small order',
    rotated(`01${'0'.repeat(62)}`),
    /announces a key that is not a valid one$/,
  ],
  [
    'with the id of another key',
    rotated(hexKey(third), { statement: { new_key_id: keyIdOf(hexKey(forger)) } }),
    /announces a key with the id of another$/,
  ],
  [
    'in the name of another key',
    rotated(hexKey(third), { statement: { old_key_id: keyIdOf(hexKey(forger)) } }),
    /names another key than its signer$/,
  ],
  [
    'by the id alone',
    rotated(hexKey(third), { statement: { new_public_key: undefined } }),
    /names the new key by its id alone: save the key file anew$/,
  ],
  ['with more members', rotated(hexKey(third), { statement: { more: 1 } }), /is malformed: /],
  ['with a wrong signature', withWrongSignature(), /has a wrong signature$/],
]

function rotated(newPublicKey: string, changes: RotationChanges = {}): Buffer {
  return signRotation(privateKey(3), newPublicKey, changes).entry
}

function withWrongSignature(): Buffer {
  const entry = rotated(hexKey(privateKey(4))).toString('utf8')
  return Buffer.from(entry.replace(/"signature":"[0-9a-f]{2}/, '"signature":"ff'))
}

for (const [what, entry, message] of wrong) {
  test(`a rotation ${what} is an alarm`, (t) => {
    const watch = new KeyWatch([first, second].map(hexKey), () => t.fail())
    const error = t.throws(() => watch.see(7, entry), { code: 'bad_rotation' })
    t.regex(error.message, /^entry 7, a rotation of receipt keys, /)
    t.regex(error.message, message)
  })
}
