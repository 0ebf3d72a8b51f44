import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'

/** The disk of a data directory, and the free bytes below which nothing is written to it. */
export type MeasuredDisk = { readonly dataDir: string; readonly reserveBytes: number }

/** Adds how much room the disk has, and how much of it is kept in reserve. */
export function addDiskMetrics(registry: Registry, { dataDir, reserveBytes }: MeasuredDisk): void {
  const free: Gauge = new Gauge({
    name: 'arklog_disk_free_bytes',
    help: 'Bytes that are free on the disk of DATA_DIR.',
    registers: [registry],
    async collect() {
      const { bavail, bsize } = await statfs(dataDir)
      free.set(bavail * bsize)
    },
  })
  new Gauge({
    name: 'arklog_disk_reserve_bytes',
    help: 'Free bytes below which nothing is written (DISK_RESERVE_BYTES).',
    registers: [registry],
  }).set(reserveBytes)
}
