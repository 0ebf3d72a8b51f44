import test, { type ExecutionContext } from 'ava'
import path from 'node:path'

import { encodeBase64 } from '#log/tlog/encoding.ts'
import { proveConsistency } from '#log/tlog/tree.ts'
import { readLeaves } from '#test/log/_trees.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { MappedLog, registry } from '#test/src/client/verify/_mapped_log.ts'
import { leafHashOf, vkeyOf } from '#test/src/client/verify/_registry.ts'
import { filesOf, serveLog } from '#test/src/tlog_tools/monitor/_served_log.ts'
import { serveWitness } from '#test/src/tlog_tools/witness/_served_witness.ts'
import { submissionOf } from '#test/src/tlog_tools/witness/_witnessed_log.ts'

const settings = { WITNESS_NAME: 'witness.example/map', WITNESS_CHECKS_MAP: 'on' }
const vkey = vkeyOf(registry.origin, registry.logKey)

/** A witness that checks maps, and a log that submits to it what it serves. */
async function openBoth(
  t: ExecutionContext,
  log: MappedLog,
  dataDir?: string,
  changes: Readonly<Record<string, string>> = {},
) {
  const served = await serveLog(t, [])
  const show = (entries: MappedLog) => {
    served.files = filesOf(entries.entries).set('checkpoint', Buffer.from(entries.checkpoint()))
  }
  show(log)
  const dir = dataDir ?? path.join(await makeTempDir(t), 'data')
  const witness = await serveWitness(t, { ...settings, ...changes, DATA_DIR: dir })
  await witness.admin.call('/logs/add', { vkey, url: served.url })
  const submit = async (old: number, from = log, isShown = true) => {
    if (isShown) show(from)
    else served.files = new Map()
    const size = from.entries.length
    const leaves = readLeaves(from.entries.map(leafHashOf))
    const proof = old === 0 || old === size ? [] : proveConsistency(old, size, leaves)
    const submission = submissionOf(old, proof.map(encodeBase64), from.checkpoint())
    let { status, body: text } = await witness.client.submit(submission)
    // A busy machine may take longer than the witness waits, which then goes on meanwhile.
    while (status === 503 && text.includes('still being computed'))
      ({ status, body: text } = await witness.client.submit(submission))
    return `${status} ${status === 200 ? '' : text.replace(/^.*"message":"([^"]*)".*$/s, '$1')}`
  }
  return { ...witness, dir, submit, served }
}

function startedLog(count = 300): MappedLog {
  const log = new MappedLog()
  for (let at = 0; at < count; at += 1) log.state(`ark:/12345/x${at}`, 'registered', 1)
  return log
}

test('only a checkpoint whose map is right is cosigned', async (t) => {
  const log = startedLog()
  const { submit } = await openBoth(t, log)
  t.regex(await submit(0), /^403 .*does not end with a map leaf/)
  log.addMapLeaf()
  t.is(await submit(0), '200 ')
  t.is(await submit(301), '200 ')
  log.state('ark:/12345/x7', 'registered', 2)
  t.regex(await submit(301), /^403 .*does not end with a map leaf/)
  const lie = log.addMapLeaf((table) => {
    table.delete('ark:/12345/x8')
    return table
  })
  t.regex(await submit(301), new RegExp(`^403 .*map leaf at entry ${lie} has 299 ARKs`))
  log.state('ark:/12345/x9', 'registered', 2)
  log.addMapLeaf()
  t.is(await submit(301), '200 ')
})

test('a log with a statement that no map counts is cosigned no more', async (t) => {
  const log = startedLog(3)
  log.addMapLeaf()
  const { submit } = await openBoth(t, log)
  t.is(await submit(0), '200 ')
  const { members } = new MappedLog().state('ark:/12345/x1', 'registered', 2)
  log.add(Buffer.from(JSON.stringify({ ...members, more: 'x' })))
  log.addMapLeaf()
  for (const _ of [1, 2]) t.regex(await submit(4), /^403 .*entry 4 is a statement .* no map counts/)
  log.state('ark:/12345/x2', 'registered', 2)
  log.addMapLeaf()
  t.regex(await submit(4), /^403 .*entry 4 is a statement/)
})

test('it goes on after a restart, and reads only what is new', async (t) => {
  const log = startedLog(600)
  log.addMapLeaf()
  const first = await openBoth(t, log)
  t.is(await first.submit(0), '200 ')
  await first.close()
  const { submit, served } = await openBoth(t, log, first.dir)
  log.state('ark:/12345/x7', 'registered', 2)
  log.addMapLeaf()
  t.is(await submit(601), '200 ')
  t.deepEqual(
    served.asked.filter((asked) => asked.startsWith('tile/entries/')),
    ['tile/entries/002.p/91'],
  )
})

test('a log that cannot be read is not cosigned, and is once it can', async (t) => {
  const log = startedLog(3)
  log.addMapLeaf()
  const { submit } = await openBoth(t, log)
  t.regex(await submit(0, log, false), /^503 .*entries cannot be read/)
  t.is(await submit(0), '200 ')
})

test('who was shown another history that it did not cosign cosigns no more', async (t) => {
  const log = startedLog(3)
  log.addMapLeaf()
  const { submit } = await openBoth(t, log)
  t.is(await submit(0), '200 ')
  const fork = new MappedLog()
  log.entries.forEach((entry) => fork.add(entry))
  fork.state('ark:/12345/forked', 'registered', 1)
  log.state('ark:/12345/x1', 'registered', 2)
  log.addMapLeaf()
  t.regex(await submit(4, fork), /^403 .*does not end with a map leaf/)
  t.regex(await submit(4), /^403 .*of another history than the 5 entries/)
})

test('a witness that checks maps goes on so, whatever it is told later', async (t) => {
  const log = startedLog(3)
  log.addMapLeaf()
  const first = await openBoth(t, log)
  t.is(await first.submit(0), '200 ')
  await first.close()
  const { submit } = await openBoth(t, log, first.dir, { WITNESS_CHECKS_MAP: 'off' })
  log.state('ark:/12345/x1', 'registered', 2)
  t.regex(await submit(4), /^403 /)
})
