import test from 'ava'

import type { LogError } from '#log/tlog/errors.ts'
import { signNote } from '#log/tlog/note.ts'
import { knowLog, logId } from '#src/tlog_tools/witness/decision.ts'
import { FaultyStore } from '#test/contracts/_faulty_store.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { cosignedAt, openWitnessIn } from '#test/src/tlog_tools/witness/_open_witness.ts'
import { submissionOf, WitnessedHistory } from '#test/src/tlog_tools/witness/_witnessed_log.ts'

const log = new WitnessedHistory('log.example/a').branch(0, 100, 'a')

test('it cosigns what it can follow, and remembers it over a restart', async (t) => {
  const dir = await makeTempDir(t)
  const first = await openWitnessIn(t, { dir })
  await first.addLog(log)
  const answer = await first.submit(log.submission(0, 10))
  if (answer.type !== 'cosigned') return t.fail(answer.type)
  t.is(cosignedAt(log.text(10), answer.lines), 1_800_000_000)
  t.is(first.witness.checkpoint(logId(log.origin)), log.checkpoint(10) + answer.lines)
  await first.close()

  const again = await openWitnessIn(t, { dir, create: false })
  t.is(again.witness.checkpoint(logId(log.origin)), log.checkpoint(10) + answer.lines)
  t.deepEqual(await again.submit(log.submission(0, 20)), { type: 'stale', treeSize: 10 })
  t.is((await again.submit(log.submission(10, 20))).type, 'cosigned')
})

test('of two that come at once and fork the log, one is cosigned', async (t) => {
  const { submit, addLog } = await openWitnessIn(t)
  await addLog(log)
  await submit(log.submission(0, 10))
  const other = log.branch(15, 30, 'b')
  const answers = await Promise.all([
    submit(log.submission(10, 20)),
    submit(other.submission(10, 20)),
    submit(log.submission(20, 30)),
    submit(other.submission(20, 30)),
  ])
  t.deepEqual(
    answers.map(({ type }) => type),
    ['cosigned', 'stale', 'cosigned', 'stale'],
  )
  // The refusals tell of what the group has changed.
  t.deepEqual(answers[1], { type: 'stale', treeSize: 20 })
  t.deepEqual(answers[3], { type: 'stale', treeSize: 30 })
})

test('many logs share a batch', async (t) => {
  const { submit, addLog, rows } = await openWitnessIn(t)
  const logs = Array.from({ length: 100 }, (_, at) => {
    return new WitnessedHistory(`log.example/${at}`).branch(0, 9, String(at))
  })
  await Promise.all(logs.map(addLog))
  const before = rows.commits
  const answers = await Promise.all(logs.map((one) => submit(one.submission(0, 9))))
  t.true(answers.every(({ type }) => type === 'cosigned'))
  t.is(rows.commits - before, 1)
})

test('a checkpoint is cosigned anew in another second, and its time never goes back', async (t) => {
  const { submit, addLog, clock, rows } = await openWitnessIn(t)
  await addLog(log)
  const lineAt = async (nowMs: number) => {
    clock.nowMs = nowMs
    const answer = await submit(log.submission(10, 10))
    return answer.type === 'cosigned' ? answer.lines : answer.type
  }
  const answer = await submit(log.submission(0, 10))
  const first = answer.type === 'cosigned' ? answer.lines : ''
  const commits = rows.commits
  t.is(await lineAt(1_800_000_000_999), first)
  t.is(rows.commits, commits, 'what is the same again is not written')
  const second = await lineAt(1_800_000_001_000)
  t.is(cosignedAt(log.text(10), second), 1_800_000_001)
  t.is(rows.commits, commits + 1)
  t.is(await lineAt(1_799_999_950_000), second)
  t.is(await lineAt(1_799_999_940_999), 'unavailable')
  t.is(
    await lineAt(1_800_000_002_000).then((line) => cosignedAt(log.text(10), line)),
    1_800_000_002,
  )
})

test('extension lines are signed with Ed25519, and each text anew', async (t) => {
  const { submit, addLog, rows } = await openWitnessIn(t)
  await addLog(log)
  const cosignedWith = async (oldSize: number, extension: string) => {
    const text = log.text(10) + extension
    const answer = await submit(submissionOf(oldSize, [], signNote(text, [log.signer])))
    if (answer.type !== 'cosigned') return answer.type
    const signed = answer.lines.split('\n').length - 1
    t.is(cosignedAt(text, answer.lines, signed), 1_800_000_000)
    return signed
  }
  t.is(await cosignedWith(0, 'one\n'), 1)
  const { commits } = rows
  t.is(await cosignedWith(10, 'one\n'), 1)
  t.is(rows.commits, commits)
  t.is(await cosignedWith(10, 'one\ntwo\n'), 1)
  t.is(await cosignedWith(10, ''), 2)
})

test('lines of other keys are ignored, and none of them is kept', async (t) => {
  const { submit, addLog, witness } = await openWitnessIn(t)
  await addLog(log)
  const stranger = new WitnessedHistory('other.example/log', { seed: 4 }).signer
  const namesake = new WitnessedHistory(log.origin, { seed: 5 }).signer
  const alone = log.checkpoint(10, [stranger, namesake])
  t.is((await submit(submissionOf(0, [], alone))).type, 'unverified')
  const both = log.checkpoint(10, [stranger, log.signer, namesake])
  const answer = await submit(submissionOf(0, [], both))
  if (answer.type !== 'cosigned') return t.fail(answer.type)
  t.is(witness.checkpoint(logId(log.origin)), log.checkpoint(10) + answer.lines)
})

test('one wrong line of the log’s key condemns the checkpoint', async (t) => {
  const { submit, addLog } = await openWitnessIn(t)
  await addLog(log)
  const wrong = { ...log.signer, sign: () => new Uint8Array(64) }
  for (const signers of [[wrong], [log.signer, wrong], [wrong, log.signer]]) {
    const note = log.checkpoint(10, signers)
    t.is((await submit(submissionOf(0, [], note))).type, 'unverified')
  }
})

test('a log is verified by its own key under its own origin', async (t) => {
  const { submit, addLog } = await openWitnessIn(t)
  const other = new WitnessedHistory('log.example/b', { seed: 4 }).branch(0, 10, 'b')
  await addLog(log)
  await addLog(other)
  // The text of the one, signed by the other.
  t.is((await submit(submissionOf(0, [], log.checkpoint(10, [other.signer])))).type, 'unverified')
  const unknown = new WitnessedHistory('log.example/c').branch(0, 10, 'c')
  t.deepEqual(await submit(unknown.submission(0, 10)), { type: 'unknown_log' })
})

test('an origin may be another than the name of the key', async (t) => {
  const { submit, addLog, witness } = await openWitnessIn(t)
  const { leaves } = log
  const sumdb = new WitnessedHistory('go.sum database tree', { leaves, keyName: 'sum.golang.org' })
  await addLog(sumdb)
  t.is((await submit(sumdb.submission(0, 10))).type, 'cosigned')
  t.true(witness.checkpoint(logId(sumdb.origin))?.startsWith('go.sum database tree\n10\n'))
})

test('a log that is removed is unknown, and comes back with its history only', async (t) => {
  const { submit, addLog, witness } = await openWitnessIn(t)
  await addLog(log)
  await submit(log.submission(0, 10))
  t.true(await witness.removeLog(log.origin))
  t.false(await witness.removeLog(log.origin))
  t.deepEqual(await submit(log.submission(10, 20)), { type: 'unknown_log' })
  t.deepEqual(witness.list(), [])
  const heir = new WitnessedHistory(log.origin, { seed: 4 }).branch(0, 20, 'other')
  const added = await witness.addLog(knowLog({ ...heir, rate: null }))
  t.deepEqual(added, { type: 'added', treeSize: 10 })
  t.deepEqual(await submit(heir.submission(0, 20)), { type: 'stale', treeSize: 10 })
  t.is((await submit(heir.submission(10, 20))).type, 'unproven')
})

test('a log that is added again keeps its key, and may get another rate', async (t) => {
  const { witness } = await openWitnessIn(t)
  const add = (vkey: string, rate: number | null) =>
    witness.addLog(knowLog({ origin: log.origin, vkey, rate }))
  t.deepEqual(await add(log.vkey, null), { type: 'added', treeSize: undefined })
  t.deepEqual(await add(log.vkey, null), { type: 'unchanged', treeSize: undefined })
  t.deepEqual(await add(log.vkey, 5), { type: 'changed', treeSize: undefined })
  const { vkey } = new WitnessedHistory(log.origin, { seed: 4 })
  t.deepEqual(await add(vkey, 5), { type: 'other_key', vkey: log.vkey })
})

test('new checkpoints of a log are counted, and nothing else is', async (t) => {
  const { submit, addLog, witness, clock } = await openWitnessIn(t, { rate: 2 })
  const other = new WitnessedHistory('log.example/b').branch(0, 10, 'b')
  await addLog(log)
  await addLog(other)
  for (let from = 0; from < 2; from += 1) await submit(log.submission(from, from + 1))
  t.deepEqual(await submit(log.submission(2, 3)), { type: 'too_often', waitMs: 60_000 })
  t.is((await submit(log.submission(2, 2))).type, 'cosigned')
  t.is((await submit(log.submission(0, 2))).type, 'stale')
  t.is((await submit(other.submission(0, 2))).type, 'cosigned')
  clock.elapsedMs = 59_000
  t.deepEqual(await submit(log.submission(2, 3)), { type: 'too_often', waitMs: 1_000 })
  clock.elapsedMs = 60_000
  t.is((await submit(log.submission(2, 3))).type, 'cosigned')
  await witness.addLog(knowLog({ ...other, rate: 1 }))
  t.is((await submit(other.submission(2, 3))).type, 'cosigned')
  t.is((await submit(other.submission(3, 4))).type, 'too_often')
})

for (const outcome of ['lost', 'kept'] as const) {
  test(`of a write that is ${outcome} nobody sees a signature, and it is the last`, async (t) => {
    const dir = await makeTempDir(t)
    const first = await openWitnessIn(t, {
      dir,
      // The row of the witness, the log, a checkpoint, and the one that fails.
      wrap: (store) => new FaultyStore(store, { operation: 'commit', nth: 4, outcome }),
    })
    await first.addLog(log)
    await first.submit(log.submission(0, 10))
    const answers = await Promise.allSettled([
      first.submit(log.submission(10, 20)),
      first.submit(log.submission(10, 30)),
    ])
    for (const answer of answers) {
      t.is(answer.status === 'rejected' && (answer.reason as LogError).code, 'store_failed')
    }
    t.is(first.fatal.length, 1)
    t.false(first.witness.isHealthy)
    await t.throwsAsync(first.submit(log.submission(10, 20)), { code: 'store_failed' })
    t.true(first.witness.checkpoint(logId(log.origin))?.includes('\n10\n'))
    await first.close()

    const again = await openWitnessIn(t, { dir, create: false })
    const size = outcome === 'kept' ? 20 : 10
    t.deepEqual(await again.submit(log.submission(0, 30)), { type: 'stale', treeSize: size })
  })
}
