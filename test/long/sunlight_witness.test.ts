import test, { type ExecutionContext } from 'ava'

import { encodeBase64 } from '#log/tlog/encoding.ts'
import { proveConsistency } from '#log/tlog/tree.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { readLeaves } from '#test/log/_trees.ts'
import { missingForSunlight, SunlightLog } from '#test/long/_sunlight_log.ts'
import { serveWitness } from '#test/src/tlog_tools/witness/_served_witness.ts'
import { submissionOf } from '#test/src/tlog_tools/witness/_witnessed_log.ts'

const name = 'a Sunlight log is witnessed from size 0, whatever other lines it has'
const missing = missingForSunlight()
if (missing === undefined) test.serial(name, runSunlight)
else test.skip(`${name}: skipped: ${missing} is not installed`, runSunlight)

async function runSunlight(t: ExecutionContext): Promise<void> {
  const log = await SunlightLog.start(t, await makeTempDir(t))
  const { client, admin } = await serveWitness(t)
  await admin.call('/logs/add', { vkey: log.vkey })
  const [origin = ''] = log.vkey.split('+', 1)
  let last = 0
  for (const growth of [0, 1, 1, 3, 7]) {
    await log.grow(growth)
    const note = await log.checkpoint()
    const lines = note.split('\n').filter((line) => line.startsWith('—'))
    t.true(lines.length > 2, 'it has lines of other keys')
    const size = Number(note.split('\n')[1])
    t.is(size, last + growth)
    const reply = await client.submit(submissionOf(last, await prove(log, last, size), note))
    t.is(reply.status, 200, reply.body)
    client.holdCosigned(note.slice(0, note.indexOf('\n\n') + 1), reply.body)
    t.is((await client.latest(origin))?.treeSize, size)
    last = size
  }
}

async function prove(log: SunlightLog, from: number, to: number): Promise<readonly string[]> {
  if (from === 0 || from === to) return []
  return proveConsistency(from, to, readLeaves(await log.leaves(to))).map(encodeBase64)
}
