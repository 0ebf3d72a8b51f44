// Evidence as a registry gives it, and the same spoiled in hundreds of ways.

import type { ExecutionContext } from 'ava'

import type { Ark } from '#actors/values/ark.ts'
import { until } from '#test/_until.ts'
import type { EvidenceFile } from '#src/client/verify/types.ts'
import { evidenceOf } from '#src/http/receipts/receipt_routes.ts'
import { publishedKeys } from '#src/use_cases/published_keys.ts'
import { admin, arkOf, bodyOf, register, tickSigner } from '#test/actors/_environment.ts'
import type { ReceiptJson } from '#test/src/client/verify/_registry.ts'
import {
  makeWitnessed,
  policyOf,
  witnessed,
} from '#test/src/tlog_tools/cosigning/_witnessed_registry.ts'
import { serveWitness } from '#test/src/tlog_tools/witness/_served_witness.ts'

type NewestMap = { map_leaf: string; proof: string; inclusion_proof: string[] }

const map = { intervalMs: 1, isWitnessed: true }

/** Evidence whose parts a test may replace. */
export type Evidence = Omit<EvidenceFile, 'receipt' | 'keys' | 'newest'> & {
  receipt: ReceiptJson
  keys: {
    log: { origin: string; vkey: string; url: string }
    receipt_keys: Record<string, unknown>[]
  }
  newest: { checkpoint: string; consistency_proof: string[]; map?: NewestMap } | null
} & Record<string, unknown>

/**
 * Evidence of a version of a log that signs with Ed25519 and with ML-DSA-44, and has two witnesses,
 * one of each; after a rotation of the receipt key; and the keys as they were published before.
 */
export async function makeEvidence(t: ExecutionContext) {
  const registry = await makeWitnessed(t, Date.now, { logMldsa: true, map })
  const { options, vkey } = registry
  const witnesses = await Promise.all(
    [0, 1].map(async (index) => {
      const name = `w${index + 1}`
      const { client, admin: calls } = await serveWitness(t, { WITNESS_NAME: `${name}.example` })
      await calls.call('/logs/add', { origin: options.origin, vkey })
      return { name, vkey: client.vkeys[index] ?? '', url: client.url }
    }),
  )
  const { environment } = await registry.start(policyOf('all', witnesses))
  const environments = { live: environment, sandbox: environment }
  const base = 'https://registry.example'
  const read = async (ark: string) => {
    const named = { environment, ark: ark as Ark, requested: ark, version: 1 } as Parameters<
      typeof evidenceOf
    >[0]
    return bodyOf(await evidenceOf(named, environments, base, '')) as Evidence
  }
  const arks: string[] = []
  let keys: unknown
  let early: Evidence | undefined
  for (const title of ['One', 'Two', 'Three']) {
    arks.push(arkOf(await register(environment, title)))
    await witnessed(environment, environment.log.head().treeSize)
    if (title !== 'One') continue
    early = await read(arks[0] ?? '')
    keys = publishedKeys(environments, base, '')
    await environment.receiptKeys.rotate(tickSigner(3), admin)
  }
  const [one = '', two = ''] = arks
  await until('the newest map is witnessed', async () => {
    const { newest } = await read(two)
    return newest?.map?.map_leaf.split('\n')[3] === `${arks.length}`
  })
  const [first, evidence, again] = [await read(one), await read(two), await read(two)]
  const keysNow = publishedKeys(environments, base, '')
  return { early, first, evidence, again, keys, keysNow }
}

/** Evidence with something wrong, and the step that must say so. */
export type Spoiled = { readonly name: string; readonly step: string; readonly value: unknown }

type Spoil = (file: Evidence, index: number) => unknown

/** A text with another character at a place: of hex digits and base64 another of them. */
function changed(text: string, at: number): string {
  const place = at % text.length
  const sign = text[place] ?? ''
  const other = /[0-9]/.test(sign) ? String((Number(sign) + 1) % 10) : sign === 'a' ? 'b' : 'a'
  return text.slice(0, place) + other + text.slice(place + 1)
}

/** A note with a change in the base64 of one of its lines, behind the key ID and the time. */
function changedLine(note: string, name: string, at: number): string {
  return note.replace(new RegExp(`(?<=\u2014 ${name} )\\S+`), (base64) => {
    const bytes = Buffer.from(base64, 'base64')
    const place = 12 + (at % (bytes.length - 12))
    bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << (at % 8)), place)
    return bytes.toString('base64')
  })
}

function withoutLine(note: string, name: string): string {
  return note.replace(new RegExp(`\u2014 ${name} .*\\n`), '')
}

const log = 'registry.example/log'

function setAll(file: Evidence, change: (proof: ReceiptJson['chain_proof']) => void): void {
  change(file.receipt.chain_proof)
}

/** Each way to spoil a file, how often with other places, and the step at which it is refused. */
const ways: readonly (readonly [step: string, name: string, times: number, spoil: Spoil])[] = [
  [
    'form',
    'a member of the file is missing',
    8,
    (file, at) => {
      delete (file as Record<string, unknown>)[Object.keys(file)[at] ?? '']
    },
  ],
  [
    'form',
    'a member of the receipt is missing',
    9,
    (file, at) => {
      const known = Object.keys(file.receipt).filter((name) => name !== 'witnessed_checkpoint')
      delete (file.receipt as Record<string, unknown>)[known[at] ?? '']
    },
  ],
  [
    'form',
    'a member of the proof is missing',
    6,
    ({ receipt }, at) => {
      const { chain_proof: proof } = receipt
      delete (proof as Record<string, unknown>)[Object.keys(proof)[at] ?? '']
    },
  ],
  [
    'form',
    'a member of the signature is missing',
    3,
    ({ receipt }, at) => {
      delete (receipt.signature as Record<string, unknown>)[
        Object.keys(receipt.signature)[at] ?? ''
      ]
    },
  ],
  [
    'form',
    'a member of a key is missing',
    5,
    ({ keys }, at) => {
      const [key = {}] = keys.receipt_keys
      delete key[Object.keys(key)[at] ?? '']
    },
  ],
  [
    'form',
    'a member is added',
    6,
    (file, at) => {
      const places = [
        file,
        file.receipt.chain_proof,
        file.receipt.signature,
        file.keys,
        file.newest,
        file.newest?.map,
      ]
      Object.assign(places[at] ?? {}, { more: 'x' })
    },
  ],
  [
    'form',
    'the map is missing a member, or is none',
    5,
    ({ newest }, at) => {
      const spoiled: unknown = [null, 'map'][at - 3]
      if (at >= 3) Object.assign(newest ?? {}, { map: spoiled })
      else Reflect.deleteProperty(newest?.map ?? {}, Object.keys(newest?.map ?? {})[at] ?? '')
    },
  ],
  [
    'form',
    'a number is spelled as a text',
    4,
    ({ receipt }, at) => {
      const name = ['block_height', 'leaf_index', 'tree_size', 'version'][at] ?? ''
      const place: Record<string, unknown> = name === 'version' ? receipt : receipt.chain_proof
      place[name] = String(place[name])
    },
  ],
  [
    'form',
    'a time that there is not',
    6,
    ({ receipt }, at) => {
      const times = ['13-01T00:00:00.000', '00-01T00:00:00.000', '01-32T00:00:00.000']
      const more = ['01-01T25:00:00.000', '01-01T00:60:00.000', '01-01T00:00:00.00']
      Object.assign(receipt, { timestamp: `2026-${[...times, ...more][at]}Z` })
    },
  ],
  [
    'form',
    'half a character',
    3,
    (file, at) => {
      if (at === 0) return { ...file, metadata: `${file.metadata}\ud800` }
      Object.assign(at === 1 ? file.receipt : file.keys.log, { [at === 1 ? 'x' : 'url']: '\udc00' })
      return file
    },
  ],
  [
    'keys',
    'the key of the log',
    12,
    ({ keys }, at) => {
      keys.log.vkey = changed(keys.log.vkey, keys.log.vkey.indexOf('+') + 1 + at * 4)
    },
  ],
  [
    'keys',
    'the origin of the log',
    2,
    ({ keys }, at) => {
      keys.log.origin = ['registry.example/other', ''][at] ?? ''
    },
  ],
  [
    'keys',
    'the signature of a rotation',
    12,
    ({ keys }, at) => {
      const signature = rotationOf(keys)['signature'] as Record<string, string>
      signature['signature'] = changed(signature['signature'] ?? '', at * 9)
    },
  ],
  [
    'keys',
    'what a rotation says',
    5,
    ({ keys }, at) => {
      const rotation = rotationOf(keys)
      const name =
        ['old_key_id', 'new_key_id', 'new_public_key', 'timestamp', 'statement'][at] ?? ''
      rotation[name] =
        name === 'timestamp' ? '2026-01-01T00:00:00.000Z' : changed(String(rotation[name]), 3)
    },
  ],
  [
    'keys',
    'the proof of a rotation',
    8,
    ({ keys }, at) => {
      const proof = rotationOf(keys)['chain_proof'] as ReceiptJson['chain_proof']
      if (at < 4) proof.checkpoint = changedLine(proof.checkpoint, log, 20 + at)
      else proof.merkle_root = changed(proof.merkle_root, at)
    },
  ],
  [
    'keys',
    'a rotation is missing',
    1,
    ({ keys }) => {
      Object.assign(keys.receipt_keys[1] ?? {}, { rotation: null })
    },
  ],
  [
    'policy',
    'a policy of no sense',
    8,
    (file, at) => {
      const policy = file.policy ?? ''
      const wrong = [
        policy.replace('quorum g', ''),
        policy.replace('quorum g', 'quorum h'),
        policy.replace('group g', 'group w1'),
        policy.replace('witness w1', 'witness w2'),
        policy.replace('witness w1', 'watchman w1'),
        policy.replace('quorum g\n', 'quorum g\nquorum g\n'),
        policy.replace(/group g \S+/, 'group g 9'),
        policy.replace('w1 w2', 'w1 w3'),
      ]
      return { ...file, policy: wrong[at] }
    },
  ],
  [
    'receipt_key',
    'the key of another',
    4,
    ({ receipt }, at) => {
      receipt.signature.public_key = changed(receipt.signature.public_key, at * 15)
    },
  ],
  [
    'receipt_key',
    'a time before the key',
    2,
    ({ receipt }, at) => {
      Object.assign(receipt, {
        timestamp: ['2020-01-01T00:00:00.000Z', '2026-02-30T24:00:00.000Z'][at],
      })
    },
  ],
  [
    'signature',
    'the signature',
    40,
    ({ receipt }, at) => {
      receipt.signature.signature = changed(receipt.signature.signature, at * 6)
    },
  ],
  [
    'signature',
    'what is said',
    20,
    ({ receipt }, at) => {
      const hex = ['metadata_hash', 'witnessed_checkpoint'][at % 2] ?? ''
      if (at < 12)
        Object.assign(receipt, {
          [hex]: changed(String((receipt as Record<string, unknown>)[hex]), 8 + at),
        })
      else if (at < 15) Object.assign(receipt, { version: at })
      else if (at < 18) Object.assign(receipt, { [`more_${at}`]: 'x' })
      else Object.assign(receipt, { ark: `${receipt.ark}${at}` })
    },
  ],
  [
    'inclusion',
    'the place',
    6,
    ({ receipt }, at) => {
      const { chain_proof: proof } = receipt
      if (at < 3) proof.leaf_index += [1, -1, 100][at] ?? 0
      else proof.tree_size += [100, 1_000, 2 ** 40][at - 3] ?? 0
    },
  ],
  [
    'inclusion',
    'the root',
    32,
    (file, at) => {
      setAll(file, (proof) => (proof.merkle_root = changed(proof.merkle_root, at * 4)))
    },
  ],
  [
    'inclusion',
    'the hashes',
    24,
    ({ receipt }, at) => {
      const { inclusion_proof: path } = receipt.chain_proof
      const place = at % path.length
      if (at < 16) path[place] = changed(path[place] ?? '', at * 3)
      else if (at < 18) path.pop()
      else if (at < 20) path.shift()
      else path.splice(at - 20, 0, 'ab'.repeat(32))
    },
  ],
  [
    'tree_head',
    'the height',
    3,
    ({ receipt }, at) => {
      receipt.chain_proof.block_height += at + 1
    },
  ],
  [
    'tree_head',
    'the text of the checkpoint',
    6,
    ({ receipt }, at) => {
      const { checkpoint } = receipt.chain_proof
      const [origin = '', size = '', root = '', ...rest] = checkpoint.split('\n')
      const texts = [
        [origin, `${size}0`, root],
        [origin, `0${size}`, root],
        [origin, size, changed(root, 5)],
        [origin, size, root, 'more'],
        [origin, size],
        [`${origin} `, size, root],
      ]
      const wrong = texts[at % 6] ?? []
      receipt.chain_proof.checkpoint = [...wrong, ...rest].join('\n')
    },
  ],
  [
    'tree_head',
    'no note',
    8,
    ({ receipt }, at) => {
      const { checkpoint } = receipt.chain_proof
      receipt.chain_proof.checkpoint =
        [
          checkpoint.slice(0, -1),
          checkpoint.replace('\n\n', '\n'),
          `${checkpoint}\n`,
          checkpoint.replace('\u2014', '-'),
          checkpoint.replace('=\n', '\n'),
          checkpoint.replace('\n', '\r\n'),
          `${checkpoint}\u2014 more AAAA\n`,
          '',
        ][at] ?? ''
    },
  ],
  [
    'checkpoint',
    'the signature of the log',
    36,
    (file, at) => {
      setAll(file, (proof) => (proof.checkpoint = changedLine(proof.checkpoint, log, at * 5)))
    },
  ],
  [
    'checkpoint',
    'the log has not signed',
    1,
    (file) => {
      setAll(file, (proof) => (proof.checkpoint = withoutLine(proof.checkpoint, log)))
    },
  ],
  [
    'witnesses',
    'the signature of a witness',
    50,
    (file, at) => {
      const name = at % 2 === 0 ? 'w1.example' : 'w2.example'
      setAll(file, (proof) => (proof.checkpoint = changedLine(proof.checkpoint, name, at * 79)))
    },
  ],
  [
    'witnesses',
    'a witness has not signed',
    2,
    (file, at) => {
      const name = `w${at + 1}.example`
      setAll(file, (proof) => (proof.checkpoint = withoutLine(proof.checkpoint, name)))
    },
  ],
  [
    'time',
    'the checkpoint before it',
    20,
    (file, at) => {
      const name = 'arklog/witnessed-before'
      setAll(file, (proof) => (proof.checkpoint = changedLine(proof.checkpoint, name, at * 101)))
    },
  ],
  [
    'metadata_hash',
    'the metadata',
    24,
    (file, at) => {
      const metadata = file.metadata ?? ''
      const spoiled = [`${metadata} `, metadata.replace(':', ': '), '', '{}']
      return { ...file, metadata: spoiled[at] ?? changed(metadata, at * 7) }
    },
  ],
  [
    'newest',
    'the newest checkpoint',
    18,
    ({ newest }, at) => {
      if (newest === null) return
      const name = [log, 'w1.example', 'w2.example'][at % 3] ?? ''
      newest.checkpoint = changedLine(newest.checkpoint, name, at * 53)
    },
  ],
  [
    'newest',
    'a witness has not signed the newest',
    3,
    ({ newest }, at) => {
      if (newest === null) return
      const name = [log, 'w1.example', 'w2.example'][at] ?? ''
      newest.checkpoint = withoutLine(newest.checkpoint, name)
    },
  ],
  [
    'newest',
    'the proof of the newest',
    10,
    ({ newest }, at) => {
      const path = newest?.consistency_proof ?? []
      if (at < 6) path[at % path.length] = changed(path[at % path.length] ?? '', at * 9)
      else if (at < 8) path.pop()
      else path.push('cd'.repeat(32))
    },
  ],
  [
    'map_proof',
    'the map leaf',
    12,
    ({ newest }, at) => {
      const proof = newest?.map
      if (proof === undefined) return
      const lines = proof.map_leaf.split('\n')
      const texts = [`${proof.map_leaf}\n`, proof.map_leaf.slice(0, -1), '', 'a map\n']
      const line = 1 + (at % 4)
      lines[line] = changed(lines[line] ?? '', at)
      proof.map_leaf = texts[at] ?? lines.join('\n')
    },
  ],
  [
    'map_proof',
    'the place of the map leaf',
    9,
    ({ newest }, at) => {
      const path = newest?.map?.inclusion_proof ?? []
      if (at < 6) path[at % path.length] = changed(path[at % path.length] ?? '', at * 9)
      else if (at < 8) path.splice(at - 6, 1)
      else path.push('cd'.repeat(32))
    },
  ],
  [
    'map_proof',
    'the way to the root of the map',
    24,
    ({ newest }, at) => {
      const proof = newest?.map
      if (proof === undefined) return
      const bytes = Buffer.from(proof.proof, 'base64')
      const place = at < 9 ? Math.floor(at / 3) : (at * 7) % bytes.length
      bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << (at % 8)), place)
      const cut = [bytes.subarray(1), bytes.subarray(0, -1), Buffer.concat([bytes, bytes])]
      const other = at < 21 ? bytes : (cut[at - 21] ?? bytes)
      proof.proof = other.toString('base64')
    },
  ],
  [
    'map_proof',
    'a proof that is not base64',
    3,
    ({ newest }, at) => {
      if (newest?.map !== undefined) newest.map.proof = ['', '=', `${newest.map.proof}A`][at] ?? ''
    },
  ],
]

function rotationOf(keys: Evidence['keys']): Record<string, unknown> {
  return keys.receipt_keys[1]?.['rotation'] as Record<string, unknown>
}

/** The same evidence, spoiled in each of the ways. */
export function spoiledOnes(evidence: Evidence): readonly Spoiled[] {
  return ways.flatMap(([step, name, times, spoil]) => {
    return Array.from({ length: times }, (_, index) => {
      const copy = structuredClone(evidence)
      const value = spoil(copy, index) ?? copy
      return { name: `${name} (${index})`, step, value }
    })
  })
}
