import { readdirSync, readFileSync } from 'node:fs'

/**
 * CPU time in milliseconds of a process, in all its threads, and of the processes that it started:
 * to the nanosecond, as the scheduler counts, so that one request can be told from the next.
 */
export function readCpuMs(pid: number): number {
  let sum = 0
  for (const thread of threadsOf(pid)) {
    const folder = `/proc/${pid}/task/${thread}`
    sum += Number(readIfThere(`${folder}/schedstat`).split(' ')[0] ?? 0) / 1e6
    const children = readIfThere(`${folder}/children`).split(' ').filter(Boolean)
    for (const child of children) sum += readCpuMs(Number(child))
  }
  return sum
}

// A thread or process may have ended since it was listed.
function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return ''
  }
}
