import assert from 'node:assert/strict'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { decodeEvent, keyPosition } from '#actors/journal/rows.ts'
import type { WorkEvent } from '#actors/works/events.ts'
import type { MemoryDisk } from '#test/contracts/_memory_store.ts'
import { sharedHost } from '#test/simulation/_simulated_web.ts'

const dayMs = 24 * 3_600_000

/**
 * Holds a journal to the rule that no work is registered while the one that was registered last at
 * the same address stands as it was, for a day: all of `sharedHost` are registered without a key,
 * by one registrant, under one title for each address. Those that were erased say nothing any more.
 */
export function checkRepeats(disk: MemoryDisk): void {
  const newest = new Map<string, { readonly stream: string; readonly atMs: number }>()
  for (const { type, stream, at, data } of workEvents(disk)) {
    const url = 'metadata' in data ? data.metadata?.work_url : undefined
    const before = url === undefined ? undefined : newest.get(url)
    if (type === 'WorkRegistered' && url?.startsWith(sharedHost)) {
      const atMs = Date.parse(at)
      const isTooSoon = before !== undefined && atMs - before.atMs < dayMs
      assert(!isTooSoon, `${stream} is registered while ${before?.stream} stands at ${url}`)
      newest.set(url, { stream, atMs })
    }
    const isAnother = type === 'WorkVersioned' && before?.stream !== stream
    if (type === 'WorkWithdrawn' || isAnother) forget(newest, stream)
  }
}

function workEvents(disk: MemoryDisk): (JournalEvent & WorkEvent)[] {
  const keys = [...disk.keys()].filter((key) => key.startsWith('event/')).sort()
  return keys
    .map((key) => decodeEvent(keyPosition(key), disk.get(key) ?? Buffer.alloc(0)))
    .filter(({ stream }) => stream.startsWith('work/')) as (JournalEvent & WorkEvent)[]
}

function forget(newest: Map<string, { readonly stream: string }>, stream: string): void {
  for (const [url, last] of newest) if (last.stream === stream) newest.delete(url)
}
