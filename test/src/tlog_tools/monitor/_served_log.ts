// A log made of the formats alone and served over HTTP, which can be told to misbehave.

import type { ExecutionContext } from 'ava'

import { merkleTreeHash } from '#test/scenario/_tlog_client.ts'
import {
  leafHashOf,
  privateKey,
  signedCheckpoint,
  vkeyOf,
} from '#test/src/client/verify/_registry.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

const origin = 'log.example/test'
const logKey = privateKey(7)

export const vkey = vkeyOf(origin, logKey)

/**
 * A log under test: `files` are its replies by path, and may be changed; others are 404. `asked`
 * are the paths that were asked for, in their order. The next `busy` requests are told to come
 * later.
 */
export type ServedLog = {
  readonly url: string
  files: Map<string, Buffer | number>
  readonly asked: string[]
  busy: number
}

/** Entries that differ by index, and by `history` if given. */
export function makeEntries(count: number, history = ''): Buffer[] {
  return Array.from({ length: count }, (_, index) => Buffer.from(`entry ${index}${history}`))
}

/** Serves a log of these entries on a random port until the test ends. */
export async function serveLog(
  t: ExecutionContext,
  entries: readonly Buffer[],
): Promise<ServedLog> {
  const log = { url: '', files: filesOf(entries), asked: new Array<string>(), busy: 0 }
  const { url } = await serve(t, (request, response) => {
    const path = request.url?.slice(1) ?? ''
    log.asked.push(path)
    if (log.busy > 0) {
      log.busy -= 1
      response.writeHead(429, { 'retry-after': '0' }).end()
      return
    }
    const reply = log.files.get(path) ?? 404
    if (typeof reply === 'number') response.writeHead(reply, { location: '/checkpoint' }).end()
    else response.end(reply)
  })
  log.url = url
  return log
}

/** The same replies below a path. */
export function filesBelow(
  path: string,
  files: ReadonlyMap<string, Buffer | number>,
): Map<string, Buffer | number> {
  return new Map([...files].map(([name, reply]) => [`${path}/${name}`, reply]))
}

/** Everything a log of these entries serves at its size, by path. */
export function filesOf(entries: readonly Buffer[]): Map<string, Buffer | number> {
  const files = new Map<string, Buffer | number>()
  let hashes = entries.map(leafHashOf)
  files.set('checkpoint', Buffer.from(checkpointOf(entries)))
  chunks(entries).forEach((bundle, index) => {
    files.set(`tile/entries/${pathOf(index, bundle.length)}`, encodeBundle(bundle))
  })
  for (let level = 0; hashes.length > 0; level += 1) {
    chunks(hashes).forEach((tile, index) => {
      files.set(`tile/${level}/${pathOf(index, tile.length)}`, Buffer.concat(tile))
    })
    hashes = chunks(hashes)
      .filter((tile) => tile.length === 256)
      .map(merkleTreeHash)
  }
  return files
}

/** The signed checkpoint of a log of these entries. */
export function checkpointOf(entries: readonly Buffer[]): string {
  const root = merkleTreeHash(entries.map(leafHashOf))
  return signedCheckpoint({ origin, logKey }, entries.length, root)
}

/** The bytes of an entry bundle: each entry after its length. */
export function encodeBundle(entries: readonly Buffer[]): Buffer {
  return Buffer.concat(
    entries.flatMap((entry) => [Buffer.of(entry.length >> 8, entry.length & 255), entry]),
  )
}

// The tests stay below 1,000 tiles on a level, so that one group of digits is enough.
function pathOf(index: number, width: number): string {
  return `${String(index).padStart(3, '0')}${width === 256 ? '' : `.p/${width}`}`
}

function chunks<T>(items: readonly T[]): T[][] {
  const count = Math.ceil(items.length / 256)
  return Array.from({ length: count }, (_, index) => items.slice(index * 256, (index + 1) * 256))
}
