import { assert } from '#log/base/errors.ts'
import {
  getBytes,
  httpLogSource,
  isHttpAddress,
  type LogSource,
  SourceError,
} from '#src/tlog_tools/monitor/log_source.ts'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { parseKeyList } from '#src/client/verify/trusted_keys.js'

// A thousand keys, each with the proof of its rotation.
const keyListBytesMax = 8_000_000

/**
 * Reads the log whose key is `vkey` at `url`: its own address, or that of its registry, whose
 * `/.well-known/svc-keys.json` then says where the log is, and nothing more: what vouches for the
 * log is the key. One node of several is asked itself: the address that it names is that of all of
 * them, so the log is looked for at the same path of the one that was given before. Once found, the
 * log stays where it is. `signal` ends every request.
 */
export function findLogSource(url: string, vkey: string, signal: AbortSignal): LogSource {
  const given = httpLogSource(url, signal)
  let found: LogSource | undefined
  const known = () => {
    assert(found !== undefined, 'the checkpoint of a log is read first')
    return found
  }
  return {
    async checkpoint() {
      if (found !== undefined) return found.checkpoint()
      try {
        const checkpoint = await given.checkpoint()
        found = given
        return checkpoint
      } catch (error) {
        if (!(error instanceof SourceError) || error.code === 'unreachable') throw error
        const location = await locateLog(url, vkey, error, signal)
        const own = httpLogSource(new URL(new URL(location).pathname, url).href, signal)
        const checkpoint = await own.checkpoint().catch(unlessUnread)
        found = checkpoint === undefined ? httpLogSource(location, signal) : own
        return checkpoint ?? found.checkpoint()
      }
    },
    // Of a log over HTTP, which has it.
    witnessed: async () => known().witnessed?.() ?? new Uint8Array(0),
    tile: (tile) => known().tile(tile),
    entryBundle: (index, width) => known().entryBundle(index, width),
  }
}

function unlessUnread(error: unknown): undefined {
  if (!(error instanceof SourceError)) throw error
}

/** The text of a registry's `/.well-known/svc-keys.json`, unverified. Throws SourceError. */
export async function readKeyListOf(url: string, signal: AbortSignal): Promise<string> {
  const bytes = await getBytes(keysUrlOf(url), keyListBytesMax, signal)
  return Buffer.from(bytes).toString('utf8')
}

function keysUrlOf(url: string): string {
  return `${url.replace(/\/+$/, '')}/.well-known/svc-keys.json`
}

async function locateLog(
  url: string,
  vkey: string,
  noCheckpoint: SourceError,
  signal: AbortSignal,
): Promise<string> {
  const keysUrl = keysUrlOf(url)
  const text = await readKeyListOf(url, signal).catch((error: unknown) => {
    if (!(error instanceof SourceError) || error.code === 'unreachable') throw error
    throw noLog(`${url} has no log: ${noCheckpoint.message}, and ${error.message}`, error)
  })
  const location = await locationIn(text, vkey, keysUrl)
  if (location !== undefined && isHttpAddress(location)) return location
  throw noLog(`${url} has no log of the key ${vkey}: ${keysUrl} names others`)
}

async function locationIn(
  text: string,
  vkey: string,
  keysUrl: string,
): Promise<string | undefined> {
  try {
    const { live, sandbox } = await parseKeyList(text)
    return [live, sandbox].find((keys) => keys?.vkey === vkey)?.url
  } catch (error) {
    if (!(error instanceof EvidenceError)) throw error
    throw noLog(`${keysUrl} does not say where the log is: ${error.message}`, error)
  }
}

function noLog(message: string, cause?: unknown): SourceError {
  const advice = 'give the address of the log, or of the registry that has it'
  return new SourceError('no_log', `${message}; ${advice}`, { cause })
}
