import { readdir, readFile } from 'node:fs/promises'

import { readCounters } from '#test/bench/_process.ts'

/** Bytes that a process and those it has started hold, as far as they are of no mapped file. */
export async function ownBytesOf(pid: number): Promise<number> {
  const { ownBytes } = await readCounters(pid)
  const threads = await readdir(`/proc/${pid}/task`)
  const lists = await Promise.all(
    threads.map((thread) =>
      readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''),
    ),
  )
  const children = lists.join(' ').split(' ').filter(Boolean).map(Number)
  // One of them may have ended meanwhile.
  const theirs = await Promise.all(children.map((child) => ownBytesOf(child).catch(() => 0)))
  return ownBytes + theirs.reduce((sum, bytes) => sum + bytes, 0)
}
