import * as path from 'node:path'

import { audit } from '#log/store/audit.ts'
import { LogError } from '#log/tlog/errors.ts'
import { leafHash } from '#log/tlog/hash.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import { checkInclusion } from '#log/tlog/proof.ts'
import { Scrubber } from '#log/store/scrub.ts'
import type { Store } from '#log/store/store.ts'
import { flipByte, replaceDir } from '#test/log/_damage.ts'
import { makeEntries, origin, verifier } from '#test/log/_log.ts'
import { outcomeOf, startLog, stoppedIn } from '#test/log/_stopped_log.ts'

/**
 * A process that flips a byte of a stopped log's table, one position after the other, and prints a
 * line for each: the position, and where the damage was found. It is a process of its own because
 * LevelDB aborts when keys are out of order in a table that it compacts.
 * Arguments: the directory of the log, one to work in, the table's name, the positions.
 */
const [, , pristine = '', work = '', table = '', ...positions] = process.argv
for (const at of positions) {
  await replaceDir(pristine, work)
  await flipByte(path.join(stoppedIn(work).store, table), Number(at))
  process.stdout.write(`${at} ${await findDamage(work)}\n`)
}

/** Where damage is found. Whatever is answered, damage or not, must be right. */
async function findDamage(dir: string): Promise<string> {
  const stopped = stoppedIn(dir)
  if ((await outcomeOf(stopped)) !== 'started') return 'start'
  const [store, log] = await startLog(stopped)
  const { problems } = await audit(store, { origin, verifier })
  const found = problems.length > 0 ? 'audit' : (await scrub(store)) > 0 ? 'scrub' : 'nothing'
  const refused = readAll(log)
  await store.close()
  if (found === 'nothing' && refused > 0) throw new Error(`${refused} reads of a clean log fail`)
  return found
}

/** Reads all entries and proofs; how many are refused. One that is answered must be right. */
function readAll(log: LogReader): number {
  const { treeSize, rootHash } = log.head()
  let refused = 0
  for (const [leafIndex, entry] of makeEntries(0, treeSize).entries()) {
    try {
      if (Buffer.compare(log.entry(leafIndex), entry) !== 0)
        throw new Error(`${leafIndex} is wrong`)
      const proof = log.inclusion(leafIndex)
      checkInclusion({ leafHash: leafHash(entry), leafIndex, treeSize, proof, rootHash })
    } catch (error) {
      if (!(error instanceof LogError) || error.code !== 'store_corrupt') throw error
      refused += 1
    }
  }
  return refused
}

async function scrub(store: Store): Promise<number> {
  const stop = new AbortController()
  const scrubber = new Scrubber(store, {
    stepRows: 100,
    pause: async () => {
      if (scrubber.counters.passes === 1) stop.abort()
    },
    onProblem: () => undefined,
  })
  await scrubber.run(stop.signal)
  return scrubber.counters.problems
}
