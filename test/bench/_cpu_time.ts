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

const clockTickMs = 10

/**
 * CPU time in milliseconds of a process and of all that it started, those too that have ended since
 * and were waited for, as the backends of a database are: in the kernel's ticks.
 */
export function readWholeCpu(pid: number): number {
  const stat = readIfThere(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  const children = threadsOf(pid).flatMap((thread) =>
    readIfThere(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean),
  )
  return children.reduce((sum, child) => sum + readWholeCpu(Number(child)), ticks * clockTickMs)
}
