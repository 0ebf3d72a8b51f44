// What a reader believes of a map proof, and what not.

import test, { type ExecutionContext } from 'ava'

import { newestText, verifyNewest } from '#src/client/verify/newest.js'
import { examineReceipt } from '#src/client/verify/receipt.js'
import { parseKeyList, withPolicy } from '#src/client/verify/trusted_keys.js'
import type { MapProof, NewestDemand, UnverifiedReceipt } from '#src/client/verify/types.ts'
import { testWitness, thresholdPolicy } from '#test/log/_witnesses.ts'
import { MappedLog, registry, type Stated } from '#test/src/client/verify/_mapped_log.ts'
import { keyListOf } from '#test/src/client/verify/_registry.ts'

const [one, two, three] = [testWitness(1), testWitness(2), testWitness(3)]
const { live } = await parseKeyList(keyListOf(registry))
const keys = await withPolicy(live, thresholdPolicy(2, 3))
const atSeconds = 1_772_600_767
const nowMs = (atSeconds + 60) * 1_000
const hourMs = 3_600_000

const arks = ['ark:/12345/fk4one', 'ark:/12345/fk4two', 'ark:/12345/fk4three'] as const
const unknown = 'ark:/12345/fk4none'

/** A log of three works, of which the first has two versions and the second is withdrawn. */
function makeLog() {
  const log = new MappedLog()
  const [a, b, c] = arks
  const first = log.state(a, 'registered', 1)
  const second = log.state(b, 'registered', 1)
  log.addMapLeaf()
  const newer = log.state(a, 'registered', 2)
  const gone = log.state(b, 'tombstoned', 1)
  const other = log.state(c, 'registered', 1)
  log.addMapLeaf()
  return { log, first, second, newer, gone, other }
}

const { log, first, second, newer, gone } = makeLog()
const checkpoint = log.checkpoint(log.entries.length, [one, three], atSeconds)

async function receiptOf(stated: Stated, from = log): Promise<UnverifiedReceipt> {
  const { receipt } = await examineReceipt(from.receipt(stated), live)
  if (receipt === undefined) throw new Error('the receipt can be read')
  return receipt
}

function verify(proof: unknown, demand: Partial<NewestDemand> & { ark: string }) {
  return verifyNewest(proof, keys, { nowMs, withinMs: 2 * hourMs, ...demand })
}

async function refused(t: ExecutionContext, proof: unknown, demand: Parameters<typeof verify>[1]) {
  const { valid, standing, steps } = await verify(proof, demand)
  t.false(valid)
  t.is(standing, undefined)
  return steps.find(({ status }) => status === 'failed')?.step
}

test('newest, withdrawn and never registered are proven, and said in words', async (t) => {
  const found = await Promise.all(
    [arks[0], arks[1], unknown].map((ark) => verify(log.prove(ark, checkpoint), { ark })),
  )
  const at = (time: string) => time.slice(11, 16)
  t.deepEqual(
    found.map((report) => newestText(report, at)),
    [
      'This is the newest version, as of 05:06, seen by 2 of 3 witnesses.',
      'Withdrawn, as of 05:06, seen by 2 of 3 witnesses.',
      'No such ARK was ever registered here, as of 05:06, seen by 2 of 3 witnesses.',
    ],
  )
  const [newest] = found
  t.is(newest?.version, 2)
  t.is(newest?.tree_size, log.entries.length)
  t.is(newest?.as_of, '2026-03-04T05:06:07.000Z')
})

test('a receipt is newest, superseded, withdrawn, or younger than the map', async (t) => {
  const standing = async (stated: Stated, ark: string, proof = log.prove(ark, checkpoint)) =>
    (await verify(proof, { ark, receipt: await receiptOf(stated) })).standing
  t.is(await standing(newer, arks[0]), 'newest')
  t.is(await standing(first, arks[0]), 'superseded')
  t.is(await standing(second, arks[1]), 'withdrawn')
  t.is(await standing(gone, arks[1]), 'withdrawn')

  const later = makeLog().log
  const young = later.state(unknown, 'registered', 1, nowMs - 1_000)
  const receipt = await receiptOf(young, later)
  const report = await verify(log.prove(unknown, checkpoint), { ark: unknown, receipt })
  t.is(report.standing, 'not_yet')
  t.regex(newestText(report), /^Not yet known/)
  // For how long that may be said is the limit that the reader sets.
  const late = await receiptOf(makeLog().log.state(unknown, 'registered', 1, nowMs - hourMs), later)
  const demand = { ark: unknown, receipt: late, withinMs: 1_000 * 1_000 }
  t.is(await refused(t, log.prove(unknown, checkpoint), demand), 'receipt')
})

test('what a receipt contradicts is refused, and is no absence', async (t) => {
  const lying = makeLog().log
  const [a, b, c] = arks
  const stated = lying.state('ark:/12345/fk4late', 'registered', 1)
  lying.addMapLeaf((right) => {
    right.delete('ark:/12345/fk4late')
    const value = right.get(a)
    if (value !== undefined) right.set(a, { ...value, version: 1, versionLeaf: 0 })
    const withdrawn = right.get(b)
    if (withdrawn !== undefined) right.set(b, { ...withdrawn, state: 'registered' })
    const other = right.get(c)
    if (other !== undefined) right.set(c, { ...other, versionLeaf: 4 })
    return right
  })
  const signed = lying.checkpoint(lying.entries.length, [one, two], atSeconds)
  const cases = [
    ['ark:/12345/fk4late', stated],
    [a, newer],
    [b, gone],
    [c, makeLog().other],
  ] as const
  for (const [ark, receipt] of cases) {
    const proof = lying.prove(ark, signed)
    t.true((await verify(proof, { ark })).valid)
    t.is(await refused(t, proof, { ark, receipt: await receiptOf(receipt, lying) }), 'receipt')
  }
})

test('an older map under a newer checkpoint, or one that skips an entry, is refused', async (t) => {
  const ark = arks[0]
  t.is(await refused(t, log.prove(ark, checkpoint, 2), { ark }), 'map_leaf')
  for (const covers of [5, 7]) {
    const lying = makeLog().log
    lying.state(ark, 'registered', 3)
    lying.addMapLeaf(undefined, { covers })
    const signed = lying.checkpoint(lying.entries.length, [one, two], atSeconds)
    t.is(await refused(t, lying.prove(ark, signed), { ark }), 'map_leaf')
  }
  const other = makeLog().log
  other.addMapLeaf(undefined, { origin: 'other.example/log' })
  const signed = other.checkpoint(other.entries.length, [one, two], atSeconds)
  t.is(await refused(t, other.prove(ark, signed), { ark }), 'map_leaf')
  const moved: MapProof = { ...log.prove(ark, checkpoint), inclusion_proof: log.inclusionProof(1) }
  t.is(await refused(t, moved, { ark }), 'inclusion')
})

test('who signed it and when decides: quorum, age, and what was seen before', async (t) => {
  const ark = arks[0]
  const size = log.entries.length
  const by = (witnesses: Parameters<MappedLog['checkpoint']>[1], seconds = atSeconds) =>
    log.prove(ark, log.checkpoint(size, witnesses, seconds))
  t.is(await refused(t, by([one]), { ark }), 'witnesses')
  t.is(await refused(t, by([one, two], atSeconds - 7_200), { ark }), 'freshness')
  t.is(await refused(t, by([one, two], atSeconds + 600), { ark }), 'freshness')
  t.is(await refused(t, by([one, two]), { ark, treeSizeSeen: size + 1 }), 'freshness')
  t.true((await verify(by([one, two]), { ark, treeSizeSeen: size })).valid)
  const report = await verifyNewest(by([]), live, { ark, nowMs })
  t.true(report.valid)
  t.is(newestText(report), 'This is the newest version, as the registry says.')
  const limited = await verifyNewest(by([]), live, { ark, nowMs, withinMs: hourMs })
  t.is(limited.steps.at(-1)?.reason.slice(0, 44), 'nobody but the registry says how old it is: ')
  const mixed = log.checkpoint(size, [one], atSeconds - 7_200)
  const lines = log.checkpoint(size, [two], atSeconds).split('\n').slice(-2).join('\n')
  t.is(await refused(t, log.prove(ark, mixed + lines), { ark }), 'freshness')
})

test('a proof of another ARK, of another log, or of another form is refused', async (t) => {
  const [a, b] = arks
  t.is(await refused(t, log.prove(b, checkpoint), { ark: a }), 'map_proof')
  const cosigned = checkpoint.replace('registry.example', 'registri.example')
  t.is(await refused(t, log.prove(a, cosigned), { ark: a }), 'checkpoint')
  const proof = log.prove(a, checkpoint)
  for (const value of [null, 'text', {}, { ...proof, more: 1 }, { ...proof, proof: 5 }]) {
    t.is(await refused(t, value, { ark: a }), 'form')
  }
  t.is(await refused(t, { ...proof, proof: `${proof.proof} ` }, { ark: a }), 'map_proof')
  const receipt = await receiptOf(second)
  t.is(await refused(t, proof, { ark: a, receipt }), 'receipt')
})

test('no mixture of parts of several answers is believed', async (t) => {
  const [early = 0, late = 0] = log.tables.keys()
  const answers = [early, late].flatMap((leaf) => {
    const signed = log.checkpoint(leaf + 1, [one, three], atSeconds - (leaf === early ? 600 : 0))
    return arks.map((ark) => log.prove(ark, signed, leaf))
  })
  const [old, young] = [answers[0], answers[3]] as [MapProof, MapProof]
  const truths = new Map([
    [old.checkpoint, ['newest 1', 'newest 1', 'absent null']],
    [young.checkpoint, ['newest 2', 'withdrawn 1', 'newest 1']],
  ])
  const mixtures = answers.flatMap(({ proof }) =>
    Array.from({ length: 8 }, (_, bits) => ({
      map_leaf: (bits & 1 ? old : young).map_leaf,
      proof,
      inclusion_proof: (bits & 2 ? old : young).inclusion_proof,
      checkpoint: (bits & 4 ? old : young).checkpoint,
    })),
  )
  for (const [at, ark] of arks.entries()) {
    const believed: MapProof[] = []
    for (const mixture of mixtures) {
      const { valid, standing, version } = await verify(mixture, { ark })
      if (!valid) continue
      believed.push(mixture)
      t.is(`${standing} ${version}`, truths.get(mixture.checkpoint)?.[at] ?? '')
    }
    t.deepEqual(believed, [answers[at], answers[at + 3]])
  }
})
