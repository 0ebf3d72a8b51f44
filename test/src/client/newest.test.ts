import test from 'ava'

import { Arklog, newestText, parseWitnessPolicy, VerificationError } from '#src/client/arklog.ts'
import { newestWords } from '#src/pages/scripts/newest_words.js'
import { testWitness, thresholdPolicy } from '#test/log/_witnesses.ts'
import { MappedLog, registry } from '#test/src/client/verify/_mapped_log.ts'
import { keyListOf } from '#test/src/client/verify/_registry.ts'

const ark = 'ark:/12345/fk4a'
const atSeconds = 1_772_600_767
const nowMs = (atSeconds + 60) * 1_000
const witnesses = [testWitness(1), testWitness(2)]
const policy = thresholdPolicy(2, 3)

function makeLog() {
  const log = new MappedLog(registry)
  const first = log.state(ark, 'registered', 1)
  const second = log.state(ark, 'registered', 2)
  log.addMapLeaf()
  return { log, first, second }
}

/** A client of a registry that answers with map proofs of a log. */
function clientOf(log: MappedLog, checkpoint: string) {
  const answer = (url: string) => {
    const [, name] = /\/v1\/map\/(.*)$/.exec(decodeURIComponent(url)) ?? []
    if (name !== undefined) return { map_proof: log.prove(name, checkpoint) }
    throw new Error(`nobody asks for ${url}`)
  }
  return new Arklog({
    baseUrl: 'https://registry.example',
    keys: JSON.stringify(keyListOf(registry)),
    fetch: async (url) => new Response(JSON.stringify(answer(new Request(url).url))),
    surroundings: { nowMs: () => nowMs },
  })
}

test('the client proves how an ARK and a receipt stand, and says it in words', async (t) => {
  const { log, second } = makeLog()
  const size = log.entries.length
  const { receipts } = clientOf(log, log.checkpoint(size, witnesses, atSeconds))
  const demand = { witnesses: await parseWitnessPolicy(policy), withinMs: 7_200_000 }
  const report = await receipts.newest('12345/fk4a', demand)
  t.is(report.standing, 'newest')
  t.is(report.version, 2)
  const words = 'This is the newest version, as of 2026-03-04T05:06:07.000Z'
  t.is(newestText(report), `${words}, seen by 2 of 3 witnesses.`)
  t.is((await receipts.newest('ark:/12345/fk4none', demand)).standing, 'absent')
  const receipt = log.receipt(second, size) as never
  t.is((await receipts.newest(ark, { ...demand, receipt })).standing, 'newest')
  const old = receipts.newest(ark, { ...demand, withinMs: 1_000 })
  const error = await t.throwsAsync(old, { instanceOf: VerificationError })
  t.like(error, { step: 'newest' })
})

test('another spelling is refused: its absence can be proven, and tells nothing', async (t) => {
  const { log } = makeLog()
  const { receipts } = clientOf(log, log.checkpoint(log.entries.length, witnesses, atSeconds))
  for (const spelling of [
    'ark:/12345/FK4A',
    'ark:/12345/fk4-a',
    'ark:/12345/fk4a/',
    ' 12345/fk4a',
  ]) {
    const error = await t.throwsAsync(receipts.newest(spelling), { instanceOf: VerificationError })
    t.like(error, { step: 'newest' })
    t.regex(error?.message ?? '', /spell the ARK as the registry shows it/)
  }
})

test('the page of a work says whether its version is the newest', async (t) => {
  const { log, first, second } = makeLog()
  const size = log.entries.length
  const list = keyListOf(registry)
  const published = { ...list, log: { ...list.log, witness_policy: policy } }
  const proof = log.prove(ark, log.checkpoint(size, witnesses, atSeconds))
  const words = (stated: typeof first, shown: unknown = proof, at = nowMs) => {
    const evidence = { receipt: log.receipt(stated), published, environment: 'live' as const }
    const said = (name: string, facts: object) => `${name} ${Object.values(facts).join(' ')}`
    return newestWords(evidence, shown, at, said)
  }
  const clock = new Date(atSeconds * 1_000).toTimeString().slice(0, 5)
  const seen = `seen ${clock} 2 3`
  t.deepEqual(await words(second), {
    status: 'done',
    reason: `newest ${seen} 2`,
  })
  t.deepEqual(await words(first), { status: 'done', reason: `superseded ${seen} 2` })
  t.is((await words(second, null))?.status, 'failed')
  t.is((await words(second, proof, nowMs + 10_000_000))?.status, 'failed')
  const late = log.state('ark:/12345/fk4b', 'registered', 1, nowMs)
  const shown = log.prove('ark:/12345/fk4b', proof.checkpoint, size - 1)
  const young = await words(late, shown)
  t.is(young?.status, 'not_checked')
  t.regex(young?.reason ?? '', /^not_yet seen/)
})
