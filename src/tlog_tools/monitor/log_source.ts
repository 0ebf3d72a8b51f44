import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'

import { assert } from '#log/tlog/errors.ts'
import { hashBytes } from '#log/tlog/hash.ts'
import {
  entryBytesMax,
  formatEntriesPath,
  formatTilePath,
  type Tile,
  tileWidth,
} from '#log/tlog/tile.ts'
import { EvidenceError } from '#src/client/verify/evidence_error.js'
import { parseKeyList } from '#src/client/verify/trusted_keys.js'

/** An entry bundle as served: undecoded bytes, and the width of the bundle that was answered. */
export type ServedBundle = { readonly bytes: Uint8Array; readonly width: number }

/** Where a monitor reads a log: unverified bytes, bounded in size. Methods throw SourceError. */
export type LogSource = {
  checkpoint(): Promise<Uint8Array>
  /** The first `tile.width` hashes of a tile, or fewer if the log answers fewer. */
  tile(tile: Tile): Promise<Uint8Array>
  /** Entry bundle `index`, of `width` entries or, if that one is gone, the full one. */
  entryBundle(index: number, width: number): Promise<ServedBundle>
  /** The newest checkpoint that has its quorum, where a log serves it at an address of its own. */
  witnessed?(): Promise<Uint8Array>
}

/**
 * The log did not answer what was asked: `unreachable` if asking again later may help, `no_log` if
 * there is none at the address given, `missing` and `gone` if it answers 404 and 410.
 */
export class SourceError extends Error {
  readonly code: 'unreachable' | 'missing' | 'gone' | 'bad_reply' | 'no_log'

  constructor(code: SourceError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SourceError'
    this.code = code
  }
}

/** Bundles that are read at one time, at most; each has 16 MB at most. */
export const bundlesAhead = 8

const requestMs = 30_000

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }

/** How monitors and mirrors introduce themselves. */
const userAgent = `arklog/${version}`

/** How often, and for how long, a request is put off because the log asks for that. */
const laterTimesMax = 20
const laterMsMin = 250
const laterMsMax = 60_000
const checkpointBytesMax = 1_000_000
const tileBytesMax = tileWidth * hashBytes
const bundleBytesMax = tileWidth * (2 + entryBytesMax)

/**
 * Reads the log served below `url` (http or https), without following redirects. `signal` ends
 * every request.
 */
export function httpLogSource(url: string, signal: AbortSignal): LogSource {
  const base = url.replace(/\/+$/, '')
  const get = (path: string, bytesMax: number) => getBytes(`${base}/${path}`, bytesMax, signal)
  return {
    checkpoint: () => get('checkpoint', checkpointBytesMax),
    witnessed: () => get('checkpoint/witnessed', checkpointBytesMax),
    tile: async (tile) => {
      const bytes = await partialOrFull(tile.width, (width) =>
        get(formatTilePath({ ...tile, width }), tileBytesMax),
      )
      return bytes.subarray(0, tile.width * hashBytes)
    },
    entryBundle: (index, partialWidth) =>
      partialOrFull(partialWidth, async (width) => {
        const bytes = await get(formatEntriesPath({ index, width }), bundleBytesMax)
        return { bytes, width }
      }),
  }
}

// A log may drop a partial tile once the full one exists; its first hashes are the same.
async function partialOrFull<T>(width: number, read: (width: number) => Promise<T>): Promise<T> {
  try {
    return await read(width)
  } catch (error) {
    const gone = error instanceof SourceError && error.code === 'missing' && width < tileWidth
    if (!gone) throw error
    return read(tileWidth)
  }
}

/** Whether a text is an http or https address. */
export function isHttpAddress(text: string): boolean {
  const { protocol } = URL.parse(text) ?? {}
  return protocol === 'https:' || protocol === 'http:'
}

/**
 * The body at an address, of at most `bytesMax` bytes. Who is told to come later does so, a few
 * times. Throws SourceError.
 */
export async function getBytes(
  url: string,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  for (let left = laterTimesMax; ; left -= 1) {
    const body = await getBody(url, bytesMax, signal, left > 0)
    if (body instanceof Uint8Array) return body
    // Ended early, the next request says so.
    await sleep(body.laterMs, undefined, { signal }).catch(() => undefined)
  }
}

/** The body at an address, or in how many milliseconds to ask again, if that may be waited for. */
async function getBody(
  url: string,
  bytesMax: number,
  signal: AbortSignal,
  mayWait: boolean,
): Promise<Uint8Array | { readonly laterMs: number }> {
  const ends = AbortSignal.any([signal, AbortSignal.timeout(requestMs)])
  try {
    const headers = { 'user-agent': userAgent }
    const response = await fetch(url, { headers, redirect: 'manual', signal: ends })
    if (response.status === 200) return await readBody(url, response, bytesMax)
    await response.body?.cancel()
    const laterMs = mayWait ? laterIn(response) : undefined
    if (laterMs !== undefined) return { laterMs }
    throw new SourceError(statusCode(response.status), `${url} answers ${said(response)}`)
  } catch (error) {
    if (error instanceof SourceError) throw error
    const { message, cause } = error as Error
    const why = cause instanceof Error ? cause.message : message
    throw new SourceError('unreachable', `${url} cannot be read: ${why}`, { cause: error })
  }
}

/** A status, and where a redirect leads: it is not followed, for who follows it decides. */
function said({ status, headers }: Response): string {
  const target = status >= 300 && status < 400 ? headers.get('location') : null
  return target === null ? `${status}` : `${status}, a redirect to ${target.slice(0, 1_000)}`
}

/** In how many milliseconds an answer asks to be asked again, if it does and that is soon. */
function laterIn({ status, headers }: Response): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const [, seconds] = /^(\d{1,3})$/.exec(headers.get('retry-after') ?? '') ?? []
  const laterMs = Number(seconds) * 1_000
  return laterMs <= laterMsMax ? Math.max(laterMs, laterMsMin) : undefined
}

function statusCode(status: number): SourceError['code'] {
  if (status === 404) return 'missing'
  if (status === 410) return 'gone'
  return status >= 500 || status === 408 || status === 429 ? 'unreachable' : 'bad_reply'
}

async function readBody(url: string, response: Response, bytesMax: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    // Leaving the loop by an error cancels the rest of the body.
    if (length > bytesMax) {
      throw new SourceError('bad_reply', `${url} answers more than ${bytesMax} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/** A log source that remembers its newest replies by file name, as evidence. */
export type RecordedSource = LogSource & { readonly replies: ReadonlyMap<string, Uint8Array> }

// A head is judged by the right edges of two trees and the tiles above them: 8 levels each.
const tilesKept = 64

/** Wraps a source so that the checkpoint, the newest tiles and the newest bundles are kept. */
export function recordReplies(source: LogSource): RecordedSource {
  const replies = new Map<string, Uint8Array>()
  const tilePaths: string[] = []
  const bundlePaths: string[] = []
  return {
    replies,
    ...(source.witnessed && { witnessed: () => source.witnessed?.() ?? source.checkpoint() }),
    async checkpoint() {
      const bytes = await source.checkpoint()
      replies.set('new-checkpoint', bytes)
      return bytes
    },
    async tile(tile) {
      const bytes = await source.tile(tile)
      const path = formatTilePath(tile)
      if (!replies.has(path)) tilePaths.push(path)
      replies.set(path, bytes)
      if (tilePaths.length > tilesKept) replies.delete(tilePaths.shift() ?? '')
      return bytes
    },
    async entryBundle(index, width) {
      const bundle = await source.entryBundle(index, width)
      const path = formatEntriesPath({ index, width: bundle.width })
      if (!replies.has(path)) bundlePaths.push(path)
      replies.set(path, bundle.bytes)
      if (bundlePaths.length > bundlesAhead) replies.delete(bundlePaths.shift() ?? '')
      return bundle
    },
  }
}

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
