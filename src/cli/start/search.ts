import { readFileSync, statfsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'

import type { EnvironmentName, Environments } from '#actors/registry/environment.ts'
import type { Config } from '#config/schema.ts'
import { ServerEngine } from '#src/discovery/search/meilisearch/server_engine.ts'
import { SearchService } from '#src/discovery/search/search_service.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

/** What search is opened from. */
export type OpenSearchOptions = {
  readonly config: Config
  readonly logger: Logger
  readonly environments: Environments
}

/** Searches of the embedded index that are read at a time. */
const readers = { live: 2, sandbox: 1 } as const

/** What begins the names of our indexes on a server that may have others. */
const serverPrefix = 'arklog_'

/**
 * Search in both environments; nothing is indexed before it is started. A server searches live
 * records only. Errors: StartError, if the file of its key cannot be read.
 */
export function openSearch(
  { config, logger, environments }: OpenSearchOptions,
  opened: AsyncDisposableStack,
): Readonly<Record<EnvironmentName, SearchService>> {
  const open = (name: EnvironmentName) => {
    const environment = environments[name]
    const server = name === 'live' ? openServer(config, environment.origin) : undefined
    const service = new SearchService({
      environment,
      dir: path.join(indexDir(config), name),
      readers: readers[name],
      queryMsMax: config.SEARCH_QUERY_MS,
      ...(server !== undefined && { server }),
      elapsedMs: () => performance.now(),
      hasRoom: () => hasRoom(config),
      report: (err) =>
        logger.error({ environment: name, err }, 'the search index could not be updated'),
    })
    opened.defer(() => service.close())
    return service
  }
  return { live: open('live'), sandbox: open('sandbox') }
}

/** Deletes indexes that nobody keeps: what is erased from now on would stay in them. */
export function deleteIndexes(config: Config): Promise<void> {
  return rm(indexDir(config), { recursive: true, force: true })
}

/** Asked before each batch: one of a few works can take more of the disk than all their events. */
export function hasRoom({ DATA_DIR, DISK_RESERVE_BYTES }: Config): boolean {
  const { bavail, bsize } = statfsSync(DATA_DIR)
  return bavail * bsize > DISK_RESERVE_BYTES
}

function indexDir({ DATA_DIR }: Config): string {
  return path.join(DATA_DIR, 'search')
}

function openServer(config: Config, journal: string): ServerEngine | undefined {
  const { SEARCH_URL: url, SEARCH_KEY_FILE: file } = config
  if (url === undefined) return undefined
  const key = file === undefined ? undefined : readKey(file)
  return new ServerEngine({ url, prefix: serverPrefix, journal, ...(key !== undefined && { key }) })
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const message = `SEARCH_KEY_FILE names ${file}, which cannot be read: ${String(error)}`
    throw new StartError('search_key_unreadable', message)
  }
}
