import type { ExecutionContext } from 'ava'

import { parseKeyList } from '#src/client/verify/trusted_keys.js'
import type { MappedLog, MapTable } from '#test/src/client/verify/_mapped_log.ts'
import { createRegistry, keyListOf } from '#test/src/client/verify/_registry.ts'
import { openMonitor } from '#test/src/tlog_tools/monitor/_opened_monitor.ts'
import { filesOf, serveLog } from '#test/src/tlog_tools/monitor/_served_log.ts'

/** The registry whose log is served, with a map. */
export const registry = { ...createRegistry(1, 7), origin: 'log.example/test' }

/** The public keys of its live log. */
export const liveKeys = async () => (await parseKeyList(keyListOf(registry))).live

export const hourMs = 3_600_000

export const ark = (name: string | number) => `ark:/12345/fk4${name}`

/** A table in which the value of an ARK is another. */
export function changed(table: MapTable, name: string, changes: object): MapTable {
  const value = table.get(name)
  return value === undefined ? table : table.set(name, { ...value, ...changes })
}

/** A monitor of a log that grows as a test tells it. */
export async function follow(t: ExecutionContext, log: MappedLog, withinMs = 24 * hourMs) {
  const served = await serveLog(t, log.entries)
  const monitor = await openMonitor(t, served, { map: { withinMs, registry: served.url } })
  /** The kinds of the alarms of a look at the log as it is, whose registry shows these ARKs. */
  const look = async (shown: readonly string[] = []) => {
    served.files = filesOf(log.entries)
    for (const name of shown) {
      const answer = { map_proof: log.prove(name, log.checkpoint()) }
      const address = `v1/map/${name.replace('ark:/', 'ark:')}`
      served.files.set(address, Buffer.from(JSON.stringify(answer)))
    }
    const { alarms } = await monitor.look()
    return alarms.map(({ alarm }) => alarm.kind)
  }
  return { monitor, look }
}
