import test from 'ava'

import { followRotations } from '#src/client/verify/key_chain.js'
import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import {
  createRegistry,
  issueReceipt,
  keyListOf,
  privateKey,
  type Registry,
} from '#test/src/client/verify/_registry.ts'
import {
  hexKey,
  keyIdOf,
  rotationOf,
  type RotationChanges,
} from '#test/src/client/verify/_rotation.ts'

// The keys of the registry are 1, then 3, then 4; 5 is the forger's; the log's is 2.
const first = createRegistry()
const second: Registry = { ...first, receiptKey: privateKey(3) }
const third: Registry = { ...first, receiptKey: privateKey(4) }
const [secondKey, thirdKey] = [hexKey(second.receiptKey), hexKey(third.receiptKey)]
const forger = privateKey(5)

const secondAt = '2026-02-01T00:00:00.000Z'
const thirdAt = '2026-03-01T00:00:00.000Z'

const saved = keyListOf(first)
const trusted = (await parseKeyList(JSON.stringify(saved))).live

type ListedKey = { readonly public_key: string; readonly rotation: unknown }

function listOf(...keys: readonly ListedKey[]): string {
  const [oldest] = saved.receipt_keys
  return JSON.stringify({ receipt_keys: [{ ...oldest, rotation: null }, ...keys] })
}

const toSecond = { public_key: secondKey, rotation: rotationOf(first, secondKey) }
const toThird = {
  public_key: thirdKey,
  rotation: rotationOf(second, thirdKey, { leafIndex: 7, statement: { timestamp: thirdAt } }),
}

test('a key file of before two rotations proves receipts of each key in its time', async (t) => {
  const keys = await followRotations(trusted, listOf(toSecond, toThird))
  const periods = keys.receiptKeys.map((key) => [key.validFromMs, key.validUntilMs, key.rotations])
  const [firstMs, secondMs, thirdMs] = [saved.receipt_keys[0]?.valid_from, secondAt, thirdAt].map(
    (time) => Date.parse(time ?? ''),
  )
  t.deepEqual(periods, [
    [firstMs, secondMs, 0],
    [secondMs, thirdMs, 1],
    [thirdMs, Infinity, 2],
  ])
  const times = ['2026-01-15T00:00:00.000Z', secondAt, thirdAt]
  for (const [age, registry] of [first, second, third].entries()) {
    for (const [when, timestamp] of times.entries()) {
      const receipt = issueReceipt(registry, { leafIndex: 8, treeSize: 11 }, { timestamp })
      t.is((await verifyReceipt(receipt, keys)).valid, when === age, `key ${age} at ${timestamp}`)
    }
  }
  const receipt = issueReceipt(third, undefined, { timestamp: thirdAt })
  t.false((await verifyReceipt(receipt, trusted)).valid, 'the saved keys alone do not prove it')
  const step = (await verifyReceipt(receipt, keys)).steps.find(
    ({ step: name }) => name === 'receipt_key',
  )
  t.regex(step?.reason ?? '', /^the key follows from the key file by 2 rotations in the log and/)
})

test('a key file that has the newest key, or newer ones, is followed from there', async (t) => {
  t.deepEqual(await followRotations(trusted, listOf()), trusted)
  const half = await followRotations(trusted, listOf(toSecond))
  const whole = await followRotations(half, listOf(toSecond, toThird))
  t.deepEqual(whole, await followRotations(trusted, listOf(toSecond, toThird)))
})

/** A list whose one rotation is not right. */
function forged(changes: RotationChanges, publicKey = secondKey): string {
  return listOf({ public_key: publicKey, rotation: rotationOf(first, publicKey, changes) })
}

const smallOrder = `01${'0'.repeat(62)}`
const forgerKey = hexKey(forger)
const otherLog: Registry = { ...first, logKey: privateKey(9) }

function withoutMember(name: string): string {
  const { [name]: _, ...rotation } = rotationOf(first, secondKey)
  return listOf({ public_key: secondKey, rotation })
}

const forgeries: readonly [what: string, list: string, message: RegExp][] = [
  [
    'signed by the new key',
    forged({ signer: second.receiptKey }),
    new RegExp(`another key has signed it, ${keyIdOf(secondKey)}$`),
  ],
  [
    'with the signature of another key under the name of the old one',
    listOf({
      public_key: secondKey,
      rotation: {
        ...rotationOf(first, secondKey),
        signature: {
          algorithm: 'Ed25519',
          public_key: hexKey(first.receiptKey),
          signature: (
            rotationOf(first, secondKey, { signer: forger })['signature'] as {
              signature: string
            }
          ).signature,
        },
      },
    }),
    /the signature is not one of it by that key$/,
  ],
  [
    'to a key that the statement does not announce',
    listOf({ public_key: forgerKey, rotation: rotationOf(first, secondKey) }),
    /it announces another key than the one that the newer list has next$/,
  ],
  [
    'with the id of another new key',
    forged({ statement: { new_key_id: keyIdOf(forgerKey) } }),
    /new_key_id is [0-9a-f]{16}, which is not the id of new_public_key$/,
  ],
  [
    'with the id of another old key',
    forged({ statement: { old_key_id: keyIdOf(forgerKey) } }),
    /old_key_id is [0-9a-f]{16}, which is not the id of the key that signed it$/,
  ],
  ['to a key of small order', forged({}, smallOrder), /new_public_key is of small order or no/],
  [
    'in no log',
    listOf({
      public_key: secondKey,
      rotation: {
        ...rotationOf(first, secondKey),
        chain_proof: issueReceipt(first).chain_proof,
      },
    }),
    /the log does not have it: /,
  ],
  ['in another log', forged({ log: otherLog }), /the log does not have it: .*/],
  [
    'of before the key was in use',
    forged({ statement: { timestamp: '2025-01-01T00:00:00.000Z' } }),
    /its time is before that key was in use$/,
  ],
  [
    'by id alone, as older statements are',
    forged({ statement: { new_public_key: undefined } }),
    /names the new key by its id alone, as older ones do, proves no key: save the key file anew$/,
  ],
  ['without a proof', withoutMember('chain_proof'), /chain_proof must be an object$/],
  ['without a signature', withoutMember('signature'), /signature must be an object$/],
  ['that says more', forged({ statement: { more: 'x' } }), /rotation may only have the members/],
  [
    'that is a receipt',
    listOf({ public_key: secondKey, rotation: issueReceipt(first) }),
    /rotation\.statement must be key_rotated/,
  ],
  ['that is missing', listOf({ public_key: secondKey, rotation: null }), /must be a JSON object$/],
  [
    'later in the chain than in the log',
    listOf(toSecond, {
      public_key: thirdKey,
      rotation: rotationOf(second, thirdKey, { leafIndex: 1, statement: { timestamp: thirdAt } }),
    }),
    /it stands before an earlier one$/,
  ],
]

for (const [what, list, message] of forgeries) {
  test(`a rotation ${what} is refused`, async (t) => {
    const followed = followRotations(trusted, list)
    const error = await t.throwsAsync(followed, { code: 'broken_key_chain' })
    t.regex(error.message, /^the rotations do not follow from the key file: of the rotation after/)
    t.regex(error.message, message)
  })
}

test('a list that does not know the newest trusted key, or is none, is refused', async (t) => {
  const other = JSON.stringify(keyListOf(createRegistry(5)))
  for (const [list, message] of [
    [other, /the newer list has not the key first, the last one trusted$/],
    ['[]', /the newer list has no receipt_keys of the live registry$/],
    ['{"receipt_keys":[1]}', /has no receipt_keys of the live registry$/],
    ['not JSON', /has no receipt_keys of the live registry$/],
  ] as const) {
    const followed = followRotations(trusted, list)
    await t.throwsAsync(followed, { code: 'broken_key_chain', message })
  }
})
