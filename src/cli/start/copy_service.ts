import type {
  IncomingMessage,
  OutgoingHttpHeaders,
  RequestListener,
  ServerResponse,
} from 'node:http'

import { LogError } from '#log/tlog/errors.ts'
import { parseEntriesPath, parseTilePath } from '#log/tlog/tile.ts'
import type { CopyFolder } from '#src/tlog_tools/mirror/copy_folder.ts'
import { isMapFile, newestMapFile } from '#src/tlog_tools/mirror/map_files.ts'
import { openSmallServer, type SmallAddress } from '#src/cli/start/listeners.ts'

/** A copy that is served. */
export type CopyService = { readonly url: string; close(): void }

const connectionsMax = 1_000
const requestMs = 30_000

/** For how long a reader may take nothing of an answer. */
const stalledMs = 20_000

/**
 * Files that are read for answers at one time, each of which has 16 MB at most, and bytes of
 * answers that their readers have not taken yet.
 */
const limitsDefault = { reads: 32, unsentBytes: 256 * 1_048_576 }

// As the log itself has them: what a tile holds never changes.
const forEver = 'public, max-age=31536000, immutable'

/**
 * Serves a copy to everybody, read-only, at the addresses of C2SP tlog-tiles: `/checkpoint`,
 * `/tile/…`; and the files of its map, `/map/…`. Also partial tiles and bundles that only wider
 * ones are there of. Errors: those of listening.
 */
export async function serveCopy(
  folder: CopyFolder,
  address: SmallAddress,
  limits = limitsDefault,
): Promise<CopyService> {
  let reads = 0
  let unsentBytes = 0
  const serve: RequestListener = (request, response) => {
    if (reads >= limits.reads || unsentBytes >= limits.unsentBytes) {
      return answer(response, 503, { 'retry-after': '1' }, 'busy\n')
    }
    reads += 1
    reply(folder, request, response)
      .then((bytes) => {
        unsentBytes += bytes
        response.once('close', () => (unsentBytes -= bytes))
      })
      .catch(() => response.destroy())
      .finally(() => (reads -= 1))
  }
  const opened = await openSmallServer(serve, address, { connectionsMax, requestMs })
  // A connection whose reader stands still is closed, and so is one that asks for nothing.
  opened.server.setTimeout(stalledMs)
  return opened
}

/** Answers a request; gives how many bytes the body of the answer has. */
async function reply(
  folder: CopyFolder,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<number> {
  if (method !== 'GET' && method !== 'HEAD') {
    answer(response, 405, { allow: 'GET, HEAD' }, 'method not allowed\n')
    return 0
  }
  const path = url.slice(1)
  const bytes = await read(folder, path)
  if (bytes === undefined) {
    answer(response, 404, { 'cache-control': 'no-store' }, 'not found\n')
    return 0
  }
  const isReplaced = path === 'checkpoint' || path === newestMapFile
  const isText = isReplaced || path.endsWith('/checkpoint')
  const headers = {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    'cache-control': isReplaced ? 'no-cache' : forEver,
    // A page that checks a log in a browser can read any copy of it.
    'access-control-allow-origin': '*',
    'content-length': bytes.length,
  }
  const body = method === 'HEAD' ? undefined : bytes
  response.writeHead(200, headers).end(body)
  return body?.length ?? 0
}

/** What is at a path, in its one spelling; undefined if there is nothing. */
async function read(folder: CopyFolder, path: string): Promise<Uint8Array | undefined> {
  if (path === 'checkpoint') return folder.checkpoint()
  if (isMapFile(path)) return folder.file(path)
  try {
    if (path.startsWith('tile/entries/')) return await folder.bundle(parseEntriesPath(path))
    return await folder.tile(parseTilePath(path))
  } catch (error) {
    if (error instanceof LogError) return undefined
    throw error
  }
}

function answer(
  response: ServerResponse,
  status: number,
  headers: OutgoingHttpHeaders,
  text: string,
): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(text)
}
