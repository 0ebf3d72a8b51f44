import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import * as os from 'node:os'
import * as path from 'node:path'

/** A small file system, or why this machine gives none. */
export type SmallDisk =
  | { readonly type: 'mounted'; readonly dir: string; unmount(): void }
  | { readonly type: 'refused'; readonly reason: string }

/** Mounts a file system in memory with room for so many bytes; it takes the right to mount. */
export function mountSmallDisk(bytes: number): SmallDisk {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'arklog-'))
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', dir]
    execFileSync('mount', options, { stdio: 'pipe' })
  } catch (error) {
    fs.rmdirSync(dir)
    return { type: 'refused', reason: firstLine(error as Error & { stderr?: Buffer }) }
  }
  return {
    type: 'mounted',
    dir,
    unmount() {
      execFileSync('umount', ['-l', dir], { stdio: 'pipe' })
      fs.rmdirSync(dir)
    },
  }
}

function firstLine({ stderr, message }: Error & { stderr?: Buffer }): string {
  const text = stderr === undefined || stderr.length === 0 ? message : stderr.toString()
  return text.split('\n', 1).join('')
}
