import * as path from 'node:path'

import { LogError } from '#log/tlog/errors.ts'
import { HeadGuard } from '#log/store/guard.ts'
import { openLevelStore } from '#log/store/level_store.ts'
import { LogReader } from '#log/store/log_reader.ts'
import { openLog } from '#log/store/open_log.ts'
import type { Store } from '#log/store/store.ts'
import { append, existing, logOptions, makeEntries, verifier } from '#test/log/_log.ts'

/** A data directory whose log was stopped: `store` and `log.head`, which belong together. */
export type Stopped = { readonly dir: string; readonly store: string; readonly head: string }

/** The parts of such a data directory. */
export function stoppedIn(dir: string): Stopped {
  return { dir, store: path.join(dir, 'store'), head: path.join(dir, 'log.head') }
}

/** Runs a log on real files for so many commits of two entries, then stops it. */
export async function runLog({ store: dir, head }: Stopped, commits: number): Promise<void> {
  const store = await openLevelStore(dir, { create: true })
  const log = new LogReader(store, await openLog(store, logOptions))
  const guard = new HeadGuard(head, verifier)
  guard.check(log)
  for (let i = 0; i < commits; i += 1) {
    const start = log.head().treeSize
    log.publish(await append(store, log.head(), makeEntries(start, start + 2)))
    guard.remember(log.head().checkpoint)
  }
  guard.close()
  await store.close()
}

/** Opens a log as a service does at its start. */
export async function startLog({ store: dir, head }: Stopped): Promise<[Store, LogReader]> {
  const store = await openLevelStore(dir, { create: false })
  const guard = new HeadGuard(head, verifier)
  try {
    const log = new LogReader(store, await openLog(store, existing))
    guard.check(log)
    return [store, log]
  } catch (error) {
    await store.close()
    throw error
  } finally {
    guard.close()
  }
}

/** Starts a log that may be damaged: the code it is refused with, or `started`. */
export async function outcomeOf(stopped: Stopped): Promise<string> {
  try {
    const [store] = await startLog(stopped)
    await store.close()
    return 'started'
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    return error.code
  }
}
