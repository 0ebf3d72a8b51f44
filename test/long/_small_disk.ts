// A file system of its own size in memory, which a test fills without taking the machine's disk.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

const sizeBytes = 512 * 2 ** 20

/** Whether this machine lets the tests mount one. */
export const canMount: boolean = tryMount()

function tryMount(): boolean {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'arklog-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder], { stdio: 'ignore' })
    execFileSync('umount', [folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  } finally {
    rmdirSync(folder)
  }
}

/** A disk that is filled and emptied. */
export class SmallDisk {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Mounts one; it is gone after its owner. */
  static async mount(owner: Owner): Promise<SmallDisk> {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'arklog-disk-'))
    owner.teardown(() => fs.rmdir(folder))
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeBytes}`, 'tmpfs', folder])
    // Whoever still has a file open there is about to end.
    owner.teardown(() => void execFileSync('umount', ['--lazy', folder]))
    return new SmallDisk(folder)
  }

  /** A folder there that nobody has made yet. */
  get dataDir(): string {
    return path.join(this.#folder, 'data')
  }

  /** Leaves no byte free. */
  async fill(): Promise<void> {
    const { bavail, bsize } = await fs.statfs(this.#folder)
    const ballast = await fs.open(this.#ballast, 'w')
    try {
      const block = Buffer.alloc(2 ** 20)
      for (let bytes = 0; bytes <= bavail * bsize; bytes += block.length) await ballast.write(block)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    } finally {
      await ballast.close()
    }
  }

  /** Gives back what filled it. */
  async empty(): Promise<void> {
    await fs.rm(this.#ballast, { force: true })
  }

  get #ballast(): string {
    return path.join(this.#folder, 'ballast')
  }
}
