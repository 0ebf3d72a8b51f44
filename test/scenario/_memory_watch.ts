import { readFile } from 'node:fs/promises'
import type { ExecutionContext } from 'ava'

/** The memory of a process, and of those that come after it. */
export type MemoryWatch = {
  /** Follows a process, or the same one from now on apart from before. */
  follow(pid: number | undefined): void
  /** The most anonymous memory that was resident since each call of `follow`, in bytes. */
  readonly peaks: readonly number[]
}

const sampleMs = 200

const mebibyte = 1_048_576
const { EDGE_THREADS = '1' } = process.env

/**
 * What a registry may hold at most, whatever is asked of it: each thread beyond the first that
 * answers requests has a heap and replies of its own.
 */
export const memoryBytesMax =
  600 * mebibyte + 125 * mebibyte * Math.max(0, Number(EDGE_THREADS) - 1)

/** Reads /proc while a test runs. What LevelDB maps of its tables is not counted: it is no heap. */
export function watchMemory(t: ExecutionContext): MemoryWatch {
  const peaks: number[] = []
  let pid: number | undefined
  const sample = async () => {
    const newest = peaks.length - 1
    const bytes = await residentBytes(pid)
    if (newest >= 0) peaks[newest] = Math.max(peaks[newest] ?? 0, bytes)
  }
  const timer = setInterval(() => void sample(), sampleMs)
  t.teardown(() => clearInterval(timer))
  return {
    peaks,
    follow(next) {
      pid = next
      peaks.push(0)
    },
  }
}

/** Zero if the process has ended. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024
}
