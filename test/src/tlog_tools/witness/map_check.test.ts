// A witness that computes maps signs no checkpoint whose map is another than its own.

import test, { type ExecutionContext } from 'ava'

import { leafHash } from '#log/tlog/hash.ts'
import { proveConsistency } from '#log/tlog/tree.ts'
import { knowLog } from '#src/tlog_tools/witness/decision.ts'
import { MapChecks } from '#src/tlog_tools/witness/map_check.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { readLeaves } from '#test/log/_trees.ts'
import { MappedLog } from '#test/src/client/verify/_mapped_log.ts'
import { ark, changed, registry } from '#test/src/tlog_tools/monitor/_followed_log.ts'
import { filesOf, serveLog, vkey } from '#test/src/tlog_tools/monitor/_served_log.ts'
import { openWitnessIn } from '#test/src/tlog_tools/witness/_open_witness.ts'

/** A witness of a log, and how it answers when the log as it is is submitted. */
async function witnessed(t: ExecutionContext, log: MappedLog) {
  const served = await serveLog(t, log.entries)
  const maps = new MapChecks(await makeTempDir(t), new AbortController().signal)
  const { witness } = await openWitnessIn(t, { maps })
  const { origin } = registry
  await witness.addLog(knowLog({ origin, vkey, rate: null, url: served.url }))
  let cosignedSize = 0
  const submit = async (files = filesOf(log.entries)) => {
    served.files = files
    const leaves = readLeaves(log.entries.map(leafHash))
    const size = log.entries.length
    const proof = cosignedSize === 0 ? [] : proveConsistency(cosignedSize, size, leaves)
    const lines = proof.map((hash) => `${Buffer.from(hash).toString('base64')}\n`).join('')
    const body = `old ${cosignedSize}\n${lines}\n${log.checkpoint()}`
    const answer = await witness.submit(Buffer.from(body))
    if (answer.type === 'cosigned') cosignedSize = size
    return 'message' in answer ? `${answer.type}: ${answer.message}` : answer.type
  }
  return submit
}

function makeLog(): MappedLog {
  const log = new MappedLog(registry)
  for (let n = 0; n < 300; n += 1) log.state(ark(n), 'registered', 1)
  return log
}

test('it signs what ends with a map leaf that it has computed', async (t) => {
  const log = makeLog()
  const submit = await witnessed(t, log)
  for (let round = 0; round < 3; round += 1) {
    log.addMapLeaf()
    t.is(await submit(), 'cosigned')
    t.is(await submit(), 'cosigned')
    log.state(ark(round), 'registered', 2)
  }
})

test('it signs no checkpoint without a map leaf at its end', async (t) => {
  const log = makeLog()
  const submit = await witnessed(t, log)
  t.is(await submit(), 'unproven: The checkpoint does not end with a map leaf')
  log.addMapLeaf()
  t.is(await submit(), 'cosigned')
  log.state(ark('more'), 'registered', 1)
  t.is(await submit(), 'unproven: The checkpoint does not end with a map leaf')
})

test('it signs no wrong map, and nothing that comes after one', async (t) => {
  const log = makeLog()
  const submit = await witnessed(t, log)
  log.addMapLeaf()
  t.is(await submit(), 'cosigned')
  log.state(ark(0), 'registered', 2)
  log.addMapLeaf((right) => changed(right, ark(0), { version: 1, versionLeaf: 0 }))
  t.regex(await submit(), /^unproven: the map leaf 302 is wrong: the entries before it lead to/)
  log.state(ark(1), 'registered', 2)
  log.addMapLeaf()
  t.regex(await submit(), /^unproven: the map leaf 302 is wrong/)
})

test('without the entries it signs nothing, and goes on once it can read them', async (t) => {
  const log = makeLog()
  const submit = await witnessed(t, log)
  log.addMapLeaf()
  t.regex(await submit(new Map()), /^unavailable: .* answers 404$/)
  t.is(await submit(), 'cosigned')
})

test('entries that are not those of the checkpoint are refused', async (t) => {
  const log = makeLog()
  log.addMapLeaf()
  const submit = await witnessed(t, log)
  t.is(await submit(), 'cosigned')
  log.state(ark('more'), 'registered', 1)
  log.addMapLeaf()
  const other = makeLog()
  other.addMapLeaf()
  other.state(ark('else'), 'registered', 1)
  other.addMapLeaf()
  t.regex(await submit(filesOf(other.entries)), /^unproven: the tiles of the right edge/)
})
