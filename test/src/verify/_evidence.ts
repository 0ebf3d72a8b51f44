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
  [
    'form',
    'another kind of value where an object must be',
    14,
    (file, at) => {
      const { receipt, keys, newest } = file
      const places = [
        [file, 'receipt'],
        [file, 'keys'],
        [keys, 'log'],
        [receipt, 'signature'],
        [receipt, 'chain_proof'],
        [newest ?? {}, 'map'],
        [keys.receipt_keys, '1'],
      ] as const
      const [place, name] = places[at % 7] ?? [{}, '']
      Object.assign(place, { [name]: at < 7 ? [] : 'text' })
    },
  ],
  [
    'form',
    'a line feed behind a value',
    8,
    (file, at) => {
      const { receipt, keys } = file
      const places = [
        [file, 'environment'],
        [file, 'format'],
        [receipt, 'ark'],
        [receipt, 'timestamp'],
        [receipt, 'fixity_status'],
        [receipt.chain_proof, 'merkle_root'],
        [receipt.signature, 'algorithm'],
        [keys.receipt_keys[0] ?? {}, 'public_key'],
      ] as const
      const [place, name] = places[at] ?? [{}, '']
      Object.assign(place, { [name]: `${String((place as Record<string, unknown>)[name])}\n` })
    },
  ],
  [
    'form',
    'a number that counts nothing',
    10,
    ({ receipt }, at) => {
      const number = [2 ** 53, 1.5, -1, 1e300, null][at % 5]
      if (at < 5) Object.assign(receipt.chain_proof, { tree_size: number })
      else Object.assign(receipt, { version: number })
    },
  ],
  [
    'form',
    'another spelling',
    8,
    ({ receipt }, at) => {
      const { signature, chain_proof: proof } = receipt
      const changes = [
        () => (proof.merkle_root = proof.merkle_root.toUpperCase()),
        () => (signature.signature = signature.signature.replace(/^./, '\u0661')),
        () => (receipt.timestamp = receipt.timestamp.replace('2', '\u0662')),
        () => (receipt.timestamp = receipt.timestamp.replace('Z', '+00:00')),
        () => (receipt.ark = receipt.ark.replace('ark:/', 'ark:')),
        () => (receipt.ark = `ark:/${'a'.repeat(256)}`),
        () => (receipt.receipt_id = receipt.receipt_id.toUpperCase()),
        () => (receipt.metadata_hash = receipt.metadata_hash.slice(7)),
      ]
      changes[at]?.()
    },
  ],
  [
    'form',
    'a further member that is no text',
    5,
    ({ receipt }, at) => {
      Object.assign(receipt, { more: [1, true, [], {}, '\ud800'][at] })
    },
  ],
  [
    'form',
    'too many or none',
    5,
    ({ receipt, keys, newest }, at) => {
      const hashes = Array.from({ length: 65 }, () => 'ab'.repeat(32))
      if (at === 0) receipt.chain_proof.inclusion_proof = hashes
      else if (at === 1) Object.assign(newest ?? {}, { consistency_proof: hashes })
      else if (at === 2) keys.receipt_keys = []
      else if (at === 3)
        keys.receipt_keys = Array.from({ length: 1_001 }, () => keys.receipt_keys[0] ?? {})
      else Object.assign(receipt.chain_proof, { witnessed_before: receipt.chain_proof.checkpoint })
    },
  ],
  [
    'form',
    'half a character in a signed text',
    3,
    ({ receipt, newest }, at) => {
      if (at === 0) receipt.chain_proof.checkpoint += '\ud800'
      else if (at === 1) Object.assign(newest ?? {}, { checkpoint: '\udfff' })
      else Object.assign(newest?.map ?? {}, { map_leaf: '\ud800' })
    },
  ],
  [
    'keys',
    'another verifier key of the log',
    7,
    (file, at) => {
      const { log: logKey } = file.keys
      const witnessKey = /^witness w1 (\S+)/m.exec(file.policy ?? '')?.[1] ?? ''
      const [, name = '', id = '', base64 = ''] = /^([^+]+)\+([^+]+)\+(.+)$/.exec(logKey.vkey) ?? []
      logKey.vkey =
        [
          `${logKey.vkey}\n`,
          ` ${logKey.vkey}`,
          witnessKey,
          `${name}+${id}0+${base64}`,
          `${name}+${id}+${base64}=`,
          '',
          `${name}\u00a0+${id}+${base64}`,
        ][at] ?? ''
    },
  ],
  [
    'keys',
    'keys in another order',
    3,
    ({ keys }, at) => {
      const [first = {}, second = {}] = keys.receipt_keys
      keys.receipt_keys = [[second], [first, second, second], [second, second]][at] ?? []
    },
  ],
  [
    'receipt_key',
    'the trusted key is the newest of the file',
    3,
    ({ keys }, at) => {
      const [first = {}, second = {}] = keys.receipt_keys
      keys.receipt_keys = [[second, first], [first, second, first], [first]][at] ?? []
    },
  ],
  [
    'policy',
    'a policy in another form',
    18,
    (file, at) => {
      const policy = file.policy ?? ''
      const [w1 = '', w2 = ''] = policy.match(/^witness .*$/gm) ?? []
      const key = w1.split(' ')[2] ?? ''
      const wrong = [
        policy.replaceAll('\n', '\r\n'),
        `${policy}# \u007f\n`,
        policy.replace(w1, `${w1} more`),
        policy.replace(w1, `witness w1 ${key} ftp://w1.example`),
        policy.replace(w1, `witness w1 ${key} https://w1.example/?a`),
        policy.replace(w1, `${w1}\nwitness w3 ${key}`),
        policy.replace(w1, `${w1}\nlog ${file.keys.log.vkey}\nlog ${file.keys.log.vkey}`),
        policy.replace(w1, `log ${key}\n${w1}`),
        policy.replace(w1, `witness none ${key}`),
        policy.replace(/group g \S+/, 'group g 01'),
        policy.replace(/group g \S+/, 'group g +1'),
        policy.replace(/group g \S+/, 'group g 0'),
        policy.replace('w1 w2', 'w1 w1'),
        policy.replace('quorum g', 'quorum\u00a0g'),
        policy.replace('quorum g', 'quorum g g'),
        `\ufeff${policy}`,
        '',
        Array.from(
          { length: 65 },
          (_, index) => `group g${index} any ${index === 0 ? 'w1' : `g${index - 1}`}`,
        )
          .join('\n')
          .replace(/^/, `${w1}\n${w2}\n`)
          .concat('\nquorum g64\n'),
      ]
      return { ...file, policy: wrong[at] }
    },
  ],
  [
    'tree_head',
    'a note that has too much',
    4,
    ({ receipt: { chain_proof: proof } }, at) => {
      const line = `\u2014 more.example ${Buffer.alloc(8).toString('base64')}\n`
      const wrong = [
        proof.checkpoint + line.repeat(100),
        proof.checkpoint + line.replace('more', 'mo\u00a0re'),
        proof.checkpoint + line.replace(' more', '  more'),
        proof.checkpoint + `\u2014 more.example ${Buffer.alloc(1_000_000).toString('base64')}\n`,
      ]
      proof.checkpoint = wrong[at] ?? ''
    },
  ],
  [
    'checkpoint',
    'a line of the log',
    4,
    ({ receipt: { chain_proof: proof } }, at) => {
      const [own = ''] = new RegExp(`\u2014 ${log} .*\\n`).exec(proof.checkpoint) ?? []
      const wrong = [
        proof.checkpoint + changedLine(own, log, 9),
        changedLine(own, log, 9) + own,
        own.replace(log, 'registry.example/other'),
        `\u2014 ${log} ${Buffer.alloc(4 + 64, 1).toString('base64')}\n`,
      ]
      const whole = proof.checkpoint.replace(own, wrong[at] ?? '')
      proof.checkpoint = at === 0 ? (wrong[at] ?? '') : whole
    },
  ],
  [
    'witnesses',
    'the time or the name of a witness',
    8,
    ({ receipt: { chain_proof: proof } }, at) => {
      const name = `w${1 + (at % 2)}.example`
      proof.checkpoint = proof.checkpoint.replace(
        new RegExp(`(\u2014 ${name} )(\\S+)`),
        (_, start, base64) => {
          const bytes = Buffer.from(String(base64), 'base64')
          // The key ID, the high and the low end of the time, and its whole.
          const place = [0, 4, 11, 4][Math.floor(at / 2)] ?? 0
          if (at < 6) bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place)
          else bytes.fill(0, 4, 12)
          return `${start}${bytes.toString('base64')}`
        },
      )
    },
  ],
  [
    'witnesses',
    'a wrong line of a witness that nobody demands',
    2,
    (file, at) => {
      const policy = (file.policy ?? '').replace(/^quorum .*$/m, 'quorum none')
      const name = `w${at + 1}.example`
      setAll(file, (proof) => (proof.checkpoint = changedLine(proof.checkpoint, name, 30)))
      return { ...file, policy }
    },
  ],
  [
    'time',
    'another checkpoint before it',
    6,
    ({ receipt: { chain_proof: proof }, newest }, at) => {
      const form = /(?<=\u2014 arklog\/witnessed-before )\S+/
      const carried = Buffer.from(form.exec(proof.checkpoint)?.[0] ?? '', 'base64')
      const [id, note] = [carried.subarray(0, 4), carried.subarray(4)]
      const others = [
        Buffer.concat([id, Buffer.from('\ufeff'), note]),
        Buffer.concat([id, note.subarray(0, -1)]),
        Buffer.concat([id, Buffer.from(newest?.checkpoint ?? '')]),
        Buffer.concat([id, note, Buffer.from('\n')]),
        Buffer.concat([id, Buffer.from([0xff])]),
        Buffer.concat([id, Buffer.from(note.toString('latin1'))]),
      ].map((bytes) => bytes.toString('base64'))
      proof.checkpoint = proof.checkpoint.replace(form, others[at] ?? '')
    },
  ],
  [
    'metadata_hash',
    'the metadata in another spelling',
    4,
    (file, at) => {
      const metadata = file.metadata ?? ''
      const spelled = [`\ufeff${metadata}`, `${metadata}\n`, metadata.replace('e', '\\u0065')]
      return { ...file, metadata: spelled[at] ?? JSON.stringify(JSON.parse(metadata), null, 1) }
    },
  ],
  [
    'newest',
    'another newest checkpoint',
    5,
    ({ receipt, newest }, at) => {
      const { checkpoint } = receipt.chain_proof
      const { checkpoint: own = '' } = newest ?? {}
      const wrong = [
        checkpoint,
        '',
        `${own}\n`,
        own.replace('\n', '\n0'),
        own.replace('\n\n', '\nmore\n\n'),
      ]
      Object.assign(newest ?? {}, { checkpoint: wrong[at] ?? '' })
    },
  ],
  [
    'map_proof',
    'a newest checkpoint without its map leaf',
    2,
    ({ receipt, newest }, at) => {
      const { checkpoint } = receipt.chain_proof
      if (at === 0) Object.assign(newest ?? {}, { checkpoint, consistency_proof: [] })
      else
        Object.assign(newest?.map ?? {}, {
          map_leaf: newest?.map?.map_leaf.replace(/\n\d+/, '\n1'),
        })
    },
  ],
  [
    'form',
    'a value that looks like the right one',
    18,
    (file, at) => {
      const { receipt, keys, newest } = file
      const { chain_proof: proof } = receipt
      const changes: readonly (() => unknown)[] = [
        () => Object.assign(proof, { leaf_index: `${proof.leaf_index}` }),
        () => Object.assign(proof, { merkle_root: [proof.merkle_root] }),
        () => Object.assign(proof, { inclusion_proof: proof.inclusion_proof.join('') }),
        () => Object.assign(proof, { inclusion_proof: { ...proof.inclusion_proof } }),
        () => Object.assign(proof, { inclusion_proof: [null] }),
        () => Object.assign(proof, { checkpoint: proof.checkpoint.split('\n') }),
        () => Object.assign(receipt, { witnessed_checkpoint: null }),
        () => Object.assign(receipt, { content_hash: '' }),
        () => Object.assign(receipt, { constructor: {} }),
        () => Object.assign(receipt, { more: 'x\udfff' }),
        () => Object.assign(receipt, { '\ud800': 'x' }),
        () => Object.assign(receipt, { timestamp: ` ${receipt.timestamp}` }),
        () => Object.assign(receipt, { timestamp: '+02026-03-04T05:06:07.089Z' }),
        () => Object.assign(receipt.signature, { algorithm: 'ed25519' }),
        () => Object.assign(keys, { receipt_keys: { ...keys.receipt_keys } }),
        () => Object.assign(keys.receipt_keys[0] ?? {}, { valid_until: '' }),
        () => Object.assign(newest?.map ?? {}, { inclusion_proof: null }),
        () => Object.assign(file, { about: 'a text' }),
      ]
      changes[at]?.()
    },
  ],
  [
    'keys',
    'a forged rotation',
    6,
    ({ receipt, keys }, at) => {
      const rotation = rotationOf(keys)
      const forged = [
        { ...receipt },
        { ...rotation, timestamp: '9999-12-31T23:59:59.999Z' },
        { ...rotation, old_key_id: rotation['new_key_id'] },
        { ...rotation, new_public_key: keys.receipt_keys[0]?.['public_key'] },
        { ...rotation, chain_proof: receipt.chain_proof },
        { ...rotation, signature: receipt.signature },
      ]
      Object.assign(keys.receipt_keys[1] ?? {}, { rotation: forged[at] })
    },
  ],
  [
    'policy',
    'a policy in a third form',
    19,
    (file, at) => {
      const policy = file.policy ?? ''
      const [w1 = ''] = /^witness w1 .*$/m.exec(policy) ?? []
      const key = w1.split(' ')[2] ?? ''
      const bytes = Buffer.from(key.split('+').slice(2).join('+'), 'base64')
      const other = (type: number) => Buffer.concat([Buffer.of(type), bytes.subarray(1)])
      const unknown = (name: string, id: string, type: number) =>
        `${policy}witness w3 ${name}+${id}+${other(type).toString('base64')}\n`
      const [name = '', id = ''] = key.split('+')
      const at1 = (url: string) => policy.replace(w1, `witness w1 ${key} ${url}`)
      const wrong = [
        `${policy}group h any h\n`,
        `${policy}group h any i\ngroup i any h\n`,
        policy.replace(/group g \S+/, 'group g \u0662'),
        policy.replace(/group g \S+/, 'group g 2.0'),
        policy.replace(/group g \S+/, 'group g ALL'),
        policy.replace(/^group .*\n/m, '').replace('quorum g', 'quorum g\ngroup g all w1 w2'),
        policy.replace('quorum g', 'quorum none\nquorum none'),
        unknown('n', '00000000', 7),
        unknown(name, id, 7).replace(/(?<=w3 .*)=?=\n$/, 'AA==\n'),
        unknown('n', '00000000', 4),
        `${policy}witness w3 n+00000000+Bw==\n`,
        `${policy}# ${'\u{1f600}'.repeat(250_000)}\n`,
        at1('HTTPS://w1.example'),
        at1('https://'),
        at1('https://w1.example/a#b'),
        at1('https://user@w1.example'),
        at1('https://w1.example\u00a0/'),
        `${policy}\u2028`,
        policy.replace('witness', '\u000bwitness'),
      ]
      return { ...file, policy: wrong[at] }
    },
  ],
  [
    'witnesses',
    'a policy that nobody has reached',
    3,
    (file, at) => {
      const policy = (file.policy ?? '').replace(/^quorum .*\n/m, '')
      const unknown = 'witness w3 n+00000000+B2FiYw==\n'
      const wrong = [
        `${policy}${unknown}quorum w3\n`,
        `${policy}${unknown}group h all g w3\nquorum h\n`,
        `${policy}${unknown}group h 1 w3\ngroup i 2 g h\nquorum i\n`,
      ]
      return { ...file, policy: wrong[at] }
    },
  ],
  [
    'tree_head',
    'a note in another form',
    16,
    ({ receipt: { chain_proof: proof } }, at) => {
      const { checkpoint } = proof
      const ends = [' ', '\t', '\u00a0', '\u2028', '\r', '=', '\n\n', '\n ']
      const starts = ['\n', ' ', '\ufeff', '\r\n']
      const line = '\u2014 more.example AAAAAAAA\n'
      const lines = ['\u2013', '\u2014\u00a0', '\u2014  ', '\u2014\t'].map((dash) => {
        return checkpoint + line.replace('\u2014 ', dash)
      })
      const [end, start] = [ends[at], starts[at - 8]]
      if (end !== undefined) proof.checkpoint = `${checkpoint.slice(0, -1)}${end}\n`
      else if (start !== undefined) proof.checkpoint = start + checkpoint
      else proof.checkpoint = lines[at - 12] ?? ''
    },
  ],
  [
    'checkpoint',
    'the log’s line with what another signed',
    3,
    ({ receipt: { chain_proof: proof }, newest }, at) => {
      const form = new RegExp(`(?<=\u2014 ${log} )\\S+`)
      const own = Buffer.from(form.exec(proof.checkpoint)?.[0] ?? '', 'base64')
      const by = (note: string, name: string) =>
        Buffer.from(new RegExp(`(?<=\u2014 ${name} )\\S+`).exec(note)?.[0] ?? '', 'base64')
      const others = [
        by(newest?.checkpoint ?? '', log),
        Buffer.concat([own.subarray(0, 4), by(proof.checkpoint, 'w1.example').subarray(12)]),
        Buffer.concat([own, Buffer.of(0)]),
      ]
      proof.checkpoint = proof.checkpoint.replace(form, others[at]?.toString('base64') ?? '')
    },
  ],
  [
    'map_proof',
    'a map leaf in another spelling',
    6,
    ({ newest }, at) => {
      const proof = newest?.map
      if (proof === undefined) return
      const spelled = [
        proof.map_leaf.replaceAll('\n', '\r\n'),
        proof.map_leaf.replace('/v1', '/v2'),
        proof.map_leaf.replace(/\n(\d+)/, '\n0$1'),
        proof.map_leaf.replace(/\n\d+/, '\n9007199254740992'),
        proof.map_leaf.replace(/\n\d+/, '\n\u0667'),
        proof.map_leaf.replace(/=\n$/, '\n'),
      ]
      proof.map_leaf = spelled[at] ?? ''
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

/** Evidence as bytes, and whether that is strict JSON of the same evidence. */
export type Spelling = { readonly name: string; readonly isSound: boolean; readonly bytes: Buffer }

/** JSON whose objects have their members in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).reverse()
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]))
}

/** Every character of a text as an escape. */
function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

type Variants = readonly (readonly [name: string, bytes: string | Buffer])[]

/** The same evidence in other spellings. */
function soundSpellings(evidence: Evidence): Variants {
  const text = JSON.stringify(evidence)
  const size = `"tree_size":${evidence.receipt.chain_proof.tree_size}`
  const { environment, policy } = evidence
  const lines = (checkpoint: string, change: (lines: string[]) => string[]) => {
    const [start = '', end = ''] = checkpoint.split('\n\n')
    return `${start}\n\n${change(end.trimEnd().split('\n')).join('\n')}\n`
  }
  const noted = (change: (lines: string[]) => string[]) => {
    const copy = structuredClone(evidence)
    const { chain_proof: proof } = copy.receipt
    proof.checkpoint = lines(proof.checkpoint, change)
    return JSON.stringify(copy)
  }
  const unknown = `\u2014 more.example ${Buffer.alloc(9).toString('base64')}`
  return [
    ['members in another order', JSON.stringify(reversed(evidence))],
    ['white space', ` \r\n\t${JSON.stringify(evidence, null, '\t').replaceAll('\n', '\r\n')} \n`],
    [
      'escapes',
      text
        .replace('"metadata"', `"${escaped('metadata')}"`)
        .replace(environment, escaped(environment)),
    ],
    ['an escaped backslash before u0000', text.replace('"about":[', '"about":["\\\\u0000",')],
    ['a pair of surrogates', text.replace('"about":[', '"about":["\\ud83d\\ude00 \\/",')],
    ['a fraction of zero', text.replace(size, `${size}.0`)],
    ['an exponent', text.replace(size, `${size}0E-1`)],
    ['a number of 5,001 digits', text.replace(size, `${size}${'0'.repeat(5_000)}e-5000`)],
    ['a number almost whole', text.replace(size, `${size}.${'0'.repeat(900)}1`)],
    ['lines in another order', noted((all) => all.toReversed())],
    ['an unknown line', noted((all) => [unknown, ...all])],
    ['lines twice', noted((all) => [...all, ...all])],
    ['no instructions', JSON.stringify({ ...evidence, about: [] })],
    ['no policy', JSON.stringify({ ...evidence, policy: null })],
    ['nothing newer', JSON.stringify({ ...evidence, newest: null, metadata: null })],
    [
      'tabs and comments in the policy',
      JSON.stringify({
        ...evidence,
        policy: `#\u00a0\n\t${(policy ?? '').replaceAll(' ', '\t ')}\n# end`,
      }),
    ],
  ]
}

/** What only looks like evidence, to a reader that is not strict. */
function spoiledSpellings(evidence: Evidence): Variants {
  const text = JSON.stringify(evidence)
  const size = `"tree_size":${evidence.receipt.chain_proof.tree_size}`
  const { environment } = evidence
  return [
    ['a byte order mark', `\ufeff${text}`],
    ['a member twice', text.replace('{', `{"environment":"${environment}",`)],
    ['a member twice, once in escapes', text.replace('{', `{"${escaped('metadata')}":null,`)],
    ['a comma too many', text.replace(/\}$/, ',}')],
    ['a text behind it', `${text}x`],
    ['a second value', `${text}{}`],
    ['a number that is none', text.replace('"about":[', '"about":[NaN,')],
    ['a zero before a number', text.replace('"tree_size":', '"tree_size":0')],
    ['a plus before a number', text.replace('"tree_size":', '"tree_size":+')],
    ['a negative zero', text.replace(/"leaf_index":\d+/, '"leaf_index":-0')],
    ['a number too large', text.replace(size, '"tree_size":1e999')],
    ['a negative number too small', text.replace(/"leaf_index":\d+/, '"leaf_index":-1e-400')],
    ['a number in base 16', text.replace('"tree_size":', '"tree_size":0x')],
    ['a member twice further inside', text.replace('"tree_size":', '"tree_size":1,"tree_size":')],
    ['a member twice in a key', text.replace('"key_id":', '"key_id":"x","key_id":')],
    [
      'a member twice, its escapes further inside',
      text.replace('"tree_size":', `"${escaped('tree_size')}":1,"tree_size":`),
    ],
    ['__proto__ in the receipt', text.replace('"receipt":{', '"receipt":{"__proto__":null,')],
    ['__proto__ in escapes', text.replace('{', `{"${escaped('__proto__')}":null,`)],
    ['a form feed', text.replace('"receipt":', '"receipt":\f')],
    ['a space that is not of JSON', text.replace('"receipt":', '"receipt":\u00a0')],
    ['a byte order mark behind it', `${text}\ufeff`],
    ['a NUL behind it', `${text}\0`],
    [
      'a zero in two bytes',
      Buffer.from(text.replace('"about":[', '"about":["\u00c0\u0080",'), 'latin1'),
    ],
    [
      'a character above the last',
      Buffer.from(text.replace('"about":[', '"about":["\u00f4\u0090\u0080\u0080",'), 'latin1'),
    ],
    ['a comment', text.replace('{', '{/* */')],
    ['single quotes', text.replace('"environment"', "'environment'")],
    ['a control character', text.replace('"about":[', '"about":["\t",')],
    ['half a character', text.replace('"about":[', '"about":["\\ud83d",')],
    ['the halves in the wrong order', text.replace('"about":[', '"about":["\\ude00\\ud83d",')],
    ['the character NUL', text.replace('"about":[', '"about":["\\u0000",')],
    ['__proto__', text.replace('{', '{"__proto__":{},')],
    [
      'a list in the instructions',
      text.replace('"about":[', `"about":[${'['.repeat(5_000)}${']'.repeat(5_000)},`),
    ],
    ['an escape of no character', text.replace('"about":[', '"about":["\\x41",')],
    ['nothing', ''],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    [
      'a byte that is not UTF-8',
      Buffer.from(text.replace('"about":[', '"about":["\u00ff",'), 'latin1'),
    ],
    [
      'a surrogate in UTF-8',
      Buffer.from(text.replace('"about":[', '"about":["\u00ed\u00a0\u0080",'), 'latin1'),
    ],
    ['a list of one', `[${text}]`],
    ['another value', 'null'],
  ]
}

/** Evidence in other spellings, of which readers take only those of strict JSON. */
export function spellingsOf(evidence: Evidence): readonly Spelling[] {
  const named = (spelled: Variants, isSound: boolean) => {
    return spelled.map(([name, bytes]) => ({ name, isSound, bytes: Buffer.from(bytes) }))
  }
  return [...named(soundSpellings(evidence), true), ...named(spoiledSpellings(evidence), false)]
}
