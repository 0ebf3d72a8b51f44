// A registry that lies about its map, in every way that docs/threats.md lists, and who finds it
// out. What is wrong on the disk alone (24) is found by the registry itself: test/log/store.

import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'

import { encodeMapProof } from '#log/tlog/map/map_proof.ts'
import { emptyNode, hashEntries, mapKey, pathTo } from '#log/tlog/map/map_tree.ts'
import { encodeMapValue } from '#log/tlog/map/map_value.ts'
import { parseForeignCheckpoint } from '#log/tlog/checkpoint.ts'
import { leafHash, nodeHash, sha256 } from '#log/tlog/hash.ts'
import { cosignatureType, formatVkey, parseNote } from '#log/tlog/note.ts'
import { judgeFraud } from '#src/client/verify/map_fraud.js'
import { checkHistory, checkMapProof } from '#src/client/verify/map_proof.js'
import { newestText, verifyNewest } from '#src/client/verify/newest.js'
import { examineReceipt } from '#src/client/verify/receipt.js'
import { withPolicy } from '#src/client/verify/trusted_keys.js'
import type { Bytes, NewestDemand } from '#src/client/verify/types.ts'
import { decide } from '#src/tlog_tools/witness/decision.ts'
import { testWitness, thresholdPolicy } from '#test/log/_witnesses.ts'
import { countOf } from '#test/long/_full_counts.ts'
import { MappedLog, type MapTable, type Stated } from '#test/src/client/verify/_mapped_log.ts'
import { entryOf, issueReceipt } from '#test/src/client/verify/_registry.ts'
import {
  ark,
  changed,
  follow,
  hourMs,
  liveKeys,
  registry,
} from '#test/src/tlog_tools/monitor/_followed_log.ts'

const logKeys = await liveKeys()
const keys = await withPolicy(logKeys, thresholdPolicy(2, 3))
const witnesses = [testWitness(1), testWitness(2)]
const atSeconds = 1_772_600_767
const nowMs = atSeconds * 1_000 + 60_000
const [a, b, c] = [ark('a'), ark('b'), ark('c')]

/** Two versions of a work, one withdrawn, one untouched; the last statements wait for a map. */
function makeLog() {
  const log = new MappedLog(registry)
  const first = log.state(a, 'registered', 1)
  log.state(b, 'registered', 1)
  log.state(c, 'registered', 1)
  log.addMapLeaf()
  const second = log.state(a, 'registered', 2)
  const gone = log.state(b, 'tombstoned', 1)
  return { log, first, second, gone }
}

const signed = (log: MappedLog, size = log.entries.length) =>
  log.checkpoint(size, witnesses, atSeconds)

/** Where a reader stops to believe; `believed` if nowhere. */
async function reader(proof: unknown, name: string, demand: Partial<NewestDemand> = {}) {
  const all = { ark: name, nowMs, withinMs: 2 * hourMs, ...demand }
  const { steps } = await verifyNewest(proof, keys, all)
  return steps.find(({ status }) => status === 'failed')?.step ?? 'believed'
}

async function receiptOf(log: MappedLog, stated: Stated) {
  const { receipt } = await examineReceipt(log.receipt(stated), logKeys)
  if (receipt === undefined) throw new Error('the receipt can be read')
  return receipt
}

/** What a monitor says of a log as it is, and whether what it keeps proves the lie to others. */
async function watched(t: ExecutionContext, log: MappedLog, shown: readonly string[] = []) {
  const { monitor, look } = await follow(t, log)
  const kinds = await look(shown)
  const [incident] = monitor.current().incidents
  const file = path.join(incident?.evidence ?? '', 'fraud.json.gz')
  const packed = await readFile(file).catch(() => undefined)
  const fraud: unknown = packed && JSON.parse(String(gunzipSync(packed)))
  const verdict = packed && (await judgeFraud(fraud, logKeys))
  return { kinds, isProven: verdict?.proven ?? false, size: packed?.length ?? 0 }
}

/** That a monitor raises an alarm at a wrong map, with a fraud proof of at most 4 kB. */
async function isProvenByMonitor(t: ExecutionContext, log: MappedLog, shown: readonly string[]) {
  const { kinds, isProven, size } = await watched(t, log, shown)
  t.deepEqual(kinds, ['bad_map'])
  t.true(isProven)
  t.true(size > 0 && size <= 4_096)
}

const withoutA = (right: MapTable) => {
  right.delete(a)
  return right
}

test('0: the honest one is believed, and raises no alarm', async (t) => {
  const { log, first, second, gone } = makeLog()
  log.addMapLeaf()
  for (const name of [a, b, c, ark('none')]) {
    t.is(await reader(log.prove(name, signed(log)), name), 'believed')
  }
  for (const [stated, name] of [
    [first, a],
    [second, a],
    [gone, b],
  ] as const) {
    const receipt = await receiptOf(log, stated)
    t.is(await reader(log.prove(name, signed(log)), name, { receipt }), 'believed')
  }
  t.deepEqual((await watched(t, log)).kinds, [])
})

test('1: an old version is shown without a map proof', async (t) => {
  t.is(await reader(undefined, a), 'form')
})

test('2: an old map leaf and its proof are shown under a new checkpoint', async (t) => {
  const { log } = makeLog()
  log.addMapLeaf()
  t.is(await reader(log.prove(a, signed(log), 3), a), 'map_leaf')
})

test('3: an old checkpoint and an old map are shown, all of them valid', async (t) => {
  const { log } = makeLog()
  const old = log.checkpoint(4, witnesses, atSeconds - 8 * 3_600)
  t.is(await reader(log.prove(a, old, 3), a), 'freshness')
  const again = log.checkpoint(4, witnesses, atSeconds)
  t.is(await reader(log.prove(a, again, 3), a, { treeSizeSeen: 7 }), 'freshness')
})

test('4: the map keeps an older version', async (t) => {
  const { log, second } = makeLog()
  log.addMapLeaf((right) => changed(right, a, { version: 1, versionLeaf: 0 }))
  await isProvenByMonitor(t, log, [a])
  const receipt = await receiptOf(log, second)
  t.is(await reader(log.prove(a, signed(log)), a, { receipt }), 'receipt')
})

test('5: the map hides a withdrawal', async (t) => {
  const { log, gone } = makeLog()
  log.addMapLeaf((right) => changed(right, b, { state: 'registered' }))
  await isProvenByMonitor(t, log, [b])
  const receipt = await receiptOf(log, gone)
  t.is(await reader(log.prove(b, signed(log)), b, { receipt }), 'receipt')
})

test('6: the absence of an ARK is proven that is registered', async (t) => {
  const { log, first } = makeLog()
  log.addMapLeaf(withoutA)
  await isProvenByMonitor(t, log, [a])
  const receipt = await receiptOf(log, first)
  t.is(await reader(log.prove(a, signed(log)), a, { receipt }), 'receipt')
})

test('7: the map has an ARK, or a version, that no entry registered', async (t) => {
  for (const lie of [
    (right: MapTable) => {
      const value = right.get(c)
      return value ? right.set(ark('new'), value) : right
    },
    (right: MapTable) => changed(right, c, { version: 7 }),
  ]) {
    const { log } = makeLog()
    const index = log.addMapLeaf(lie)
    t.deepEqual((await watched(t, log)).kinds, ['bad_map'])
    const name = log.tables.get(index)?.has(ark('new')) ? ark('new') : c
    const proven = (leafIndex: number) => {
      const hashes = log.inclusionProof(leafIndex).map((hash) => Buffer.from(hash, 'hex'))
      const proof = Buffer.concat(hashes).toString('base64')
      return { leaf_index: leafIndex, text: String(log.entries[leafIndex]), proof }
    }
    const verdict = await judgeFraud(
      {
        format: 'arklog-map-fraud-v1',
        ark: name,
        checkpoint: log.checkpoint(),
        map_leaf: proven(index),
        map_proof: log.prove(name, log.checkpoint()).proof,
        entry: proven(2),
      },
      logKeys,
    )
    t.true(verdict.proven, verdict.reason)
  }
})

test('8: some readers are shown another map', async (t) => {
  const [one, other] = [makeLog().log, makeLog().log]
  one.addMapLeaf()
  other.addMapLeaf(withoutA)
  const [left, right] = [one, other].map((log) => {
    return parseForeignCheckpoint(parseNote(log.checkpoint()).unverifiedText)
  })
  if (left === undefined || right === undefined) return t.fail()
  // No witness signs two trees of one size: the map leaf is an entry of the log.
  const last = { ...left, timestamp: atSeconds }
  const claim = { oldSize: left.treeSize, proof: [], checkpoint: right }
  t.is(decide(claim, last).type, 'unproven')
})

test('9: a map leaf skips entries', async (t) => {
  const { log } = makeLog()
  log.addMapLeaf(undefined, { covers: 5 })
  t.is(await reader(log.prove(a, signed(log)), a), 'map_leaf')
  await isProvenByMonitor(t, log, [])
})

test('10: a root is computed without an entry', async (t) => {
  const { log } = makeLog()
  log.addMapLeaf((right) =>
    changed(right, b, { state: 'registered', statements: 1, newestLeaf: 1 }),
  )
  await isProvenByMonitor(t, log, [a, b])
})

test('11: the log grows, and no map leaf comes', async (t) => {
  const { log, second } = makeLog()
  const { look } = await follow(t, log, 2 * hourMs)
  for (const kinds of [[], [], [], ['map_missed']]) t.deepEqual(await look(), kinds)
  const receipt = await receiptOf(log, second)
  const shown = log.prove(a, log.checkpoint(4, witnesses, atSeconds), 3)
  t.is(await reader(shown, a, { receipt }), 'believed')
  t.is(await reader(shown, a, { receipt, withinMs: 600_000 }), 'receipt')
})

test('12: the witnesses were sent a checkpoint that does not end with the map', async (t) => {
  const { log } = makeLog()
  log.addMapLeaf()
  log.state(c, 'content', 1)
  t.is(await reader(log.prove(a, signed(log), 6), a), 'map_leaf')
  t.is(await reader(log.prove(a, log.checkpoint(7), 6), a), 'witnesses')
})

test('13: two map leaves follow each other, or somebody else writes one', async (t) => {
  const { log } = makeLog()
  log.addMapLeaf()
  log.addMapLeaf()
  t.deepEqual((await watched(t, log)).kinds, ['bad_map'])
  const other = makeLog().log
  other.add(Buffer.from('arklog-map/v1\nnobody\n'))
  t.deepEqual((await watched(t, other)).kinds, ['bad_map'])
})

test('14: the proof of a neighbour, or of another spelling, is shown', async (t) => {
  const { log } = makeLog()
  log.addMapLeaf()
  for (const name of [b, a.toUpperCase(), a.replace('ark:/', 'ark:'), `${a} `]) {
    t.is(await reader(log.prove(name, signed(log)), a), 'map_proof')
  }
})

/** A map of many keys, and the proof of one. */
function bigMap() {
  const table = Array.from({ length: 200 }, (_, at) => {
    return { key: mapKey(ark(at)), value: encodeMapValue({ ...made, versionLeaf: at }) }
  }).toSorted((x, y) => Buffer.compare(x.key, y.key))
  const way = (name: string) => pathTo(mapKey(name), table)
  const proofOf = (name: string) => bytes(encodeMapProof(mapKey(name), way(name)))
  return { root: bytes(hashEntries(table).hash), table, way, proofOf }
}

const made = {
  state: 'registered',
  version: 1,
  versionLeaf: 0,
  newestLeaf: 0,
  statements: 1,
  history: new Uint8Array(32),
} as const

function bytes(of: Uint8Array): Bytes {
  return new Uint8Array(of)
}

const says = (name: string, proof: Uint8Array, root: Bytes) =>
  checkMapProof(name, bytes(proof), root).then(
    (value) => (value === undefined ? 'absent' : 'present'),
    () => 'refused',
  )

test('15: an absence is proven by another place, by the key itself, or by padding', async (t) => {
  const { root, way, proofOf, table } = bigMap()
  const sound = proofOf(ark(5))
  t.is(await says(ark(5), sound, root), 'present')
  const { siblings, entry } = way(ark(5))
  if (entry === undefined) return t.fail()
  const asOther = Buffer.concat([
    Buffer.of(1),
    sound.subarray(1, sound.length - 54),
    entry.key,
    sha256(entry.value),
  ])
  t.is(await says(ark(5), asOther, root), 'refused')
  t.is(await says(ark('none'), asOther, root), 'refused')
  for (const more of [
    [...siblings, emptyNode],
    siblings.slice(0, -1),
    [...siblings, { kind: 'leaf' as const, hash: sha256(entry.value) }],
  ]) {
    const proof = encodeMapProof(mapKey(ark(5)), { siblings: more, entry })
    t.is(await says(ark(5), proof, root), 'refused')
  }
  const elsewhere = table.find(({ key }) => (key[0] ?? 0) >> 7 !== (entry.key[0] ?? 0) >> 7)
  const beside = encodeMapProof(mapKey(ark(5)), { siblings, entry: elsewhere })
  t.is(await says(ark(5), beside, root), 'refused')
})

test('16: a node of another kind is given for a leaf of the map', async (t) => {
  const { root, way, proofOf } = bigMap()
  const sound = proofOf(ark(5))
  const { siblings } = way(ark(5))
  const [left, right] = siblings.slice(-2)
  if (left === undefined || right === undefined) return t.fail()
  const head = sound.subarray(0, sound.length - 54)
  for (const value of [
    Buffer.concat([left.hash, right.hash]),
    nodeHash(left.hash, right.hash),
    leafHash(Buffer.from('entry')),
    new Uint8Array(54),
  ]) {
    t.is(await says(ark(5), Buffer.concat([head, value]), root), 'refused')
  }
  // The root of the log's own tree is the root of no map.
  t.is(await says(ark(5), sound, bytes(nodeHash(left.hash, right.hash))), 'refused')
})

test('17: keys are taken from the wrong end', async (t) => {
  const { log } = makeLog()
  const reversed = new MappedLog(registry)
  for (const entry of log.entries) reversed.add(entry)
  const right = hashEntries([])
  reversed.addMapLeaf(undefined, { rootHash: sha256(right.hash) })
  t.deepEqual((await watched(t, reversed)).kinds, ['bad_map'])
})

test('18: a statement is left out of what is given as all of them', async (t) => {
  const log = new MappedLog(registry)
  const all = [
    log.state(a, 'registered', 1),
    log.state(a, 'content', 1),
    log.state(a, 'registered', 2),
  ].map(({ leafIndex }) => ({ leafIndex, entry: bytes(log.entries[leafIndex] ?? Buffer.of()) }))
  log.addMapLeaf()
  const { value } = await verifyNewest(log.prove(a, signed(log)), keys, { ark: a, nowMs })
  if (value === undefined) return t.fail()
  await t.notThrowsAsync(checkHistory(value, all))
  const [first, second, third] = all
  if (first === undefined || second === undefined || third === undefined) return t.fail()
  for (const some of [[first, third], [first, third, second], [...all, third], []]) {
    await t.throwsAsync(checkHistory(value, some), { code: 'proof_mismatch' })
  }
})

test('19: the log itself goes back to an older version, or on after a withdrawal', async (t) => {
  for (const [name, kind, version] of [
    [a, 'registered', 1],
    [a, 'registered', 4],
    [b, 'registered', 2],
    [b, 'content', 1],
  ] as const) {
    const { log } = makeLog()
    log.state(name, kind, version)
    log.addMapLeaf()
    t.deepEqual((await watched(t, log)).kinds, ['contradictory_work'])
    const report = await verifyNewest(log.prove(name, signed(log)), keys, { ark: name, nowMs })
    t.is(report.standing, 'contradictory')
    t.regex(newestText(report), /contradicts itself/)
  }
})

test('20: a key is removed', async (t) => {
  const { log } = makeLog()
  log.addMapLeaf()
  log.state(a, 'content', 2)
  log.addMapLeaf(withoutA)
  await isProvenByMonitor(t, log, [a])
})

test('21: a wrong root is made good by the next one', async (t) => {
  const { log } = makeLog()
  log.addMapLeaf(withoutA)
  log.state(c, 'content', 1)
  log.addMapLeaf()
  t.deepEqual((await watched(t, log, [a, b, c])).kinds, ['bad_map'])
})

test('22: two keys of one witness are counted as two', async (t) => {
  const [one, two] = [testWitness(1), testWitness(2)]
  // A second key under the name of the first.
  const again = { ...two, vkey: formatVkey('w1.example', cosignatureType, two.key.publicKey) }
  const policy =
    `witness old ${one.vkey}\nwitness new ${again.vkey}\ngroup w any old new\n` +
    `witness other ${testWitness(3).vkey}\ngroup both all w other\nquorum both\n`
  const { log } = makeLog()
  log.addMapLeaf()
  const trusted = await withPolicy(logKeys, policy)
  const by = async (signers: readonly (typeof one)[]) => {
    const checkpoint = log.checkpoint(log.entries.length, signers, atSeconds)
    return verifyNewest(log.prove(a, checkpoint), trusted, { ark: a, nowMs })
  }
  const alone = await by([one, again])
  t.false(alone.valid)
  t.deepEqual(alone.seen_by, { signed: 1, of: 2 })
  t.deepEqual((await by([one, again, testWitness(3)])).seen_by, { signed: 2, of: 2 })
})

test('23: an extension line names another map', async (t) => {
  const { log } = makeLog()
  log.addMapLeaf()
  const [text = '', lines = ''] = signed(log).split('\n\n')
  const extended = `${text}\nmap ${sha256(Buffer.from('other')).toString()}\n\n${lines}`
  t.is(await reader(log.prove(a, extended), a), 'checkpoint')
})

test('25: mints are answered, and published much later', async (t) => {
  const { log } = makeLog()
  log.addMapLeaf()
  const late = log.state(ark('late'), 'registered', 1, nowMs - hourMs)
  const receipt = await receiptOf(log, late)
  const shown = log.prove(ark('late'), signed(log, 7), 6)
  t.is(await reader(shown, ark('late'), { receipt }), 'believed')
  const report = await verifyNewest(shown, keys, { ark: ark('late'), nowMs, receipt })
  t.is(report.standing, 'not_yet')
  t.is(await reader(shown, ark('late'), { receipt, withinMs: 1_800_000 }), 'receipt')
})

test('26: a newer version is registered in a form that the map passes over', async (t) => {
  for (const change of [
    { more: null },
    { reason: 'other' },
    { receipt_id: 'rcpt_2026_03_04_0' },
    { statement: 'tombstoned', by: 'operator' },
  ]) {
    const { log, second } = makeLog()
    const { signature: _, ...members } = second.members
    const later = issueReceipt(registry, undefined, { ...members, version: 3, ...change })
    const leafIndex = log.add(entryOf(later))
    log.addMapLeaf()
    // It is a receipt to everybody, and the map, which is right, says version 2.
    const receipt = await receiptOf(log, { leafIndex, members: later })
    const proof = log.prove(a, signed(log))
    t.is((await verifyNewest(proof, keys, { ark: a, nowMs })).version, 2)
    t.is(await reader(proof, a, { receipt }), 'receipt')
    t.deepEqual((await watched(t, log)).kinds, ['unread_statement'])
  }
})

test('27: content is confirmed of a version that was never registered', async (t) => {
  const { log } = makeLog()
  const stated = log.state(a, 'content', 3)
  log.addMapLeaf()
  const receipt = await receiptOf(log, stated)
  t.is(await reader(log.prove(a, signed(log)), a, { receipt }), 'receipt')
  t.deepEqual((await watched(t, log)).kinds, ['contradictory_work'])
})

test('28: a receipt is of the future, so that it waits for its map for ever', async (t) => {
  const { log } = makeLog()
  log.addMapLeaf()
  const late = log.state(ark('late'), 'registered', 1, nowMs + 24 * hourMs)
  const receipt = await receiptOf(log, late)
  t.is(await reader(log.prove(ark('late'), signed(log, 7), 6), ark('late'), { receipt }), 'receipt')
})

// Further lies, of what a reader is shown.
const further: Readonly<Record<string, (log: MappedLog) => Promise<string> | string>> = {
  'a map of another log': (log) => {
    log.addMapLeaf(undefined, { origin: 'other.example/log' })
    return reader(log.prove(a, signed(log)), a)
  },
  'a later form of the map leaf': (log) => {
    log.addMapLeaf()
    const proof = log.prove(a, signed(log))
    return reader({ ...proof, map_leaf: proof.map_leaf.replace('v1', 'v2') }, a)
  },
  'a leaf that is not in the log': (log) => {
    log.addMapLeaf()
    const proof = log.prove(a, signed(log))
    const lying = makeLog().log
    lying.addMapLeaf(withoutA)
    return reader({ ...lying.prove(a, lying.checkpoint()), checkpoint: proof.checkpoint }, a)
  },
  'the proof of another leaf': (log) => {
    log.addMapLeaf()
    return reader({ ...log.prove(a, signed(log)), inclusion_proof: log.inclusionProof(5) }, a)
  },
  'more hashes than there are': (log) => {
    log.addMapLeaf()
    const proof = log.prove(a, signed(log))
    const [hash = ''] = proof.inclusion_proof
    return reader({ ...proof, inclusion_proof: [...proof.inclusion_proof, hash] }, a)
  },
  'cosignatures of another tree': (log) => {
    log.addMapLeaf()
    const other = makeLog().log
    other.addMapLeaf(withoutA)
    const lines = signed(other).split('\n').slice(-3).join('\n')
    return reader(log.prove(a, log.checkpoint() + lines), a)
  },
  'a checkpoint that another key signed': (log) => {
    log.addMapLeaf()
    const forged = new MappedLog({ ...registry, logKey: registry.receiptKey })
    for (const entry of log.entries) forged.add(entry)
    return reader(log.prove(a, signed(forged)), a)
  },
  'cosignatures of the future': (log) => {
    log.addMapLeaf()
    const later = log.checkpoint(log.entries.length, witnesses, atSeconds + 3_600)
    return reader(log.prove(a, later), a)
  },
  'fewer cosignatures than the policy demands': (log) => {
    log.addMapLeaf()
    const alone = log.checkpoint(log.entries.length, witnesses.slice(0, 1), atSeconds)
    return reader(log.prove(a, alone), a)
  },
  'a number that is spelled in another way': (log) => {
    const leaf = log.addMapLeaf()
    const lines = String(log.entries[leaf]).split('\n')
    log.entries[leaf] = Buffer.from(lines.with(3, `0${lines[3]}`).join('\n'))
    return reader(log.prove(a, signed(log)), a)
  },
  'one fresh cosignature, and old ones': (log) => {
    log.addMapLeaf()
    const size = log.entries.length
    const old = log.checkpoint(size, witnesses.slice(0, 1), atSeconds - 9_000)
    const fresh = log.checkpoint(size, witnesses.slice(1), atSeconds)
    return reader(log.prove(a, old + fresh.split('\n').slice(-2).join('\n')), a)
  },
  'the receipt of another ARK': async (log) => {
    const other = log.state(c, 'content', 1)
    log.addMapLeaf()
    return reader(log.prove(a, signed(log)), a, { receipt: await receiptOf(log, other) })
  },
  'another entry for the same version': async (log) => {
    log.addMapLeaf((right) => changed(right, a, { versionLeaf: 0 }))
    const stated = { leafIndex: 4, members: JSON.parse(String(log.entries[4])) as object }
    const receipt = await receiptOf(log, stated as Stated)
    return reader(log.prove(a, signed(log)), a, { receipt })
  },
  'a newest statement that was left out': async (log) => {
    const stated = log.state(c, 'content', 1)
    log.addMapLeaf((right) => changed(right, c, { newestLeaf: 2, statements: 1 }))
    return reader(log.prove(c, signed(log)), c, { receipt: await receiptOf(log, stated) })
  },
}

const stops: Readonly<Record<keyof typeof further, string>> = {
  'a map of another log': 'map_leaf',
  'a later form of the map leaf': 'map_leaf',
  'a leaf that is not in the log': 'inclusion',
  'the proof of another leaf': 'inclusion',
  'more hashes than there are': 'inclusion',
  'cosignatures of another tree': 'witnesses',
  'a checkpoint that another key signed': 'checkpoint',
  'cosignatures of the future': 'freshness',
  'fewer cosignatures than the policy demands': 'witnesses',
  'a number that is spelled in another way': 'map_leaf',
  'one fresh cosignature, and old ones': 'freshness',
  'the receipt of another ARK': 'receipt',
  'another entry for the same version': 'receipt',
  'a newest statement that was left out': 'receipt',
}

for (const [name, lie] of Object.entries(further)) {
  test(`a reader does not believe ${name}`, async (t) => {
    t.is(await lie(makeLog().log), stops[name] ?? 'nowhere')
  })
}

// Further lies, of what is in the map alone: every one is an alarm of whoever computes it.
const inMap: Readonly<Record<string, (right: MapTable) => MapTable>> = {
  'a version of the future': (right) => changed(right, c, { version: 2 }),
  'no version of an ARK': (right) => changed(right, c, { version: 0, versionLeaf: 0 }),
  'another leaf of the version': (right) => changed(right, c, { versionLeaf: 1 }),
  'another newest statement': (right) => changed(right, c, { newestLeaf: 5 }),
  'a number of statements': (right) => changed(right, c, { statements: 9 }),
  'another history': (right) => changed(right, c, { history: sha256(Buffer.from('other')) }),
  'a withdrawal that nobody stated': (right) => changed(right, c, { state: 'tombstoned' }),
  'a contradiction that is none': (right) => changed(right, c, { state: 'contradictory' }),
  'values that changed places': (right) => {
    const [left, other] = [right.get(a), right.get(c)]
    return left && other ? right.set(a, other).set(c, left) : right
  },
  'nothing at all': () => new Map(),
  'another key': (right) => {
    const value = right.get(c)
    right.delete(c)
    return value ? right.set(`${c}x`, value) : right
  },
}

for (const [name, lie] of Object.entries(inMap)) {
  test(`a monitor finds a map with ${name}`, async (t) => {
    const { log } = makeLog()
    log.addMapLeaf(lie)
    t.deepEqual((await watched(t, log)).kinds, ['bad_map'])
  })
}

test('an honest registry raises no alarm over a long random history', async (t) => {
  const step = fc.record({
    work: fc.integer({ min: 0, max: 60 }),
    kind: fc.constantFrom('registered', 'registered', 'content', 'tombstoned', 'other', 'map'),
    look: fc.integer({ min: 0, max: 150 }),
  })
  const steps = fc.sample(step, { numRuns: countOf({ few: 1_200, full: 4_000 }), seed: 46 })
  const log = new MappedLog(registry)
  const { monitor, look } = await follow(t, log)
  const versions = new Map<number, number>()
  const gone = new Set<number>()
  log.state(ark('begin'), 'registered', 1)
  for (const { work, kind, look: chance } of steps) {
    const version = versions.get(work) ?? 0
    if (kind === 'map') {
      if (!String(log.entries.at(-1)).startsWith('arklog-map')) log.addMapLeaf()
    } else if (kind === 'other') log.add(Buffer.from('{"statement":"key_rotated"'))
    else if (!gone.has(work) && (version > 0 || kind === 'registered')) {
      const next = kind === 'registered' ? version + 1 : version
      log.state(ark(work), kind, next)
      versions.set(work, next)
      if (kind === 'tombstoned') gone.add(work)
    }
    if (chance > 2) continue
    t.deepEqual(await look(), [])
    if (chance === 0) await monitor.reopen()
  }
  t.deepEqual(await look(), [])
})
