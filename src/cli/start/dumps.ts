import path from 'node:path'

import { dumpsFolder, newestDump, writeDump } from '#src/discovery/dump/dump_writer.ts'
import type { RunningRegistry } from '#src/cli/start/joined_thread.ts'
import { hasRoom } from '#src/cli/start/search.ts'

/** What dumps are made from. */
type DumpParts = Pick<RunningRegistry, 'config' | 'environments' | 'baseUrl' | 'logger'>

/** How long after a start the first look is, and how often it is looked whether a day is new. */
const firstMs = 60_000
const everyMs = 600_000

/** Makes a dump of the live works each day (UTC), behind all else, until it is closed. */
export function keepDumps(parts: DumpParts, opened: AsyncDisposableStack): void {
  const { config, environments, baseUrl, logger } = parts
  if (!config.DATA_DUMPS) return
  const dir = path.join(config.DATA_DIR, dumpsFolder)
  const ended = new AbortController()
  const source = {
    environment: environments.live,
    name: config.REPOSITORY_NAME,
    baseUrl,
    nowMs: Date.now,
    signal: ended.signal,
  }
  const makeIfDue = async () => {
    const day = new Date().toISOString().slice(0, 10)
    const { manifest } = (await newestDump(dir)) ?? {}
    if (manifest?.made_at.startsWith(day) === true || !hasRoom(config)) return
    const { counts, log } = await writeDump(source, dir)
    logger.info({ ...counts, tree_size: log.tree_size }, 'a dump of all works was made')
  }
  let making = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const later = (ms: number) => {
    timer = setTimeout(() => {
      making = makeIfDue().catch((err: unknown) => {
        if (!ended.signal.aborted) logger.error({ err }, 'no dump of the works could be made')
      })
      later(everyMs)
    }, ms).unref()
  }
  later(firstMs)
  opened.defer(async () => {
    clearTimeout(timer)
    ended.abort()
    await making
  })
}
