import { statfsSync } from 'node:fs'

import type { EnvironmentOptions } from '#actors/registry/environment.ts'

/** How long a measurement of the free disk space is believed. */
const roomMs = 1_000

/** Whether the disk has more free than its reserve; asked of the system once a second at most. */
export function roomOf({
  storeDir,
  limits,
  systemMs,
}: Pick<EnvironmentOptions, 'storeDir' | 'limits' | 'systemMs'>): () => boolean {
  let askedMs = Number.NEGATIVE_INFINITY
  let hasRoom = true
  return () => {
    if (Math.abs(systemMs() - askedMs) < roomMs) return hasRoom
    askedMs = systemMs()
    const { bavail, bsize } = statfsSync(storeDir)
    hasRoom = bavail * bsize > limits.diskReserveBytes
    return hasRoom
  }
}
