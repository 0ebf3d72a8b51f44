import path from 'node:path'
import type { ExecutionContext } from 'ava'

import { loadWitnessConfig } from '#config/witness.ts'
import { AdminClient } from '#src/cli/admin_client.ts'
import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import { openWitness } from '#src/cli/start/witness_service.ts'
import type { WitnessCalls } from '#src/tlog_tools/witness/witness_commands.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { WitnessClient } from '#test/src/tlog_tools/witness/_witness_client.ts'
import type { WitnessedHistory } from '#test/src/tlog_tools/witness/_witnessed_log.ts'

/** A witness as it is served, with the calls of its admin socket. */
export type ServedWitness = {
  readonly client: WitnessClient
  readonly admin: AdminClient<WitnessCalls>
  readonly dataDir: string
  addLog(log: WitnessedHistory): Promise<void>
  close(): Promise<void>
}

/** Serves a witness in this process until the test ends. */
export async function serveWitness(
  t: ExecutionContext,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServedWitness> {
  const dataDir = settings['DATA_DIR'] ?? path.join(await makeTempDir(t), 'data')
  const config = loadWitnessConfig({
    WITNESS_NAME: 'witness.example/w1',
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    ...settings,
  })
  const { facts, close } = await openWitness(config, { listen: true })
  const admin = new AdminClient<WitnessCalls>(adminSocketPath(dataDir))
  let closed: Promise<void> | undefined
  const end = () => {
    admin.close()
    return (closed ??= close())
  }
  t.teardown(end)
  return {
    client: new WitnessClient(facts.address.localUrl, facts.vkeys),
    admin,
    dataDir,
    async addLog({ origin, vkey }) {
      await admin.call('/logs/add', { origin, vkey })
    },
    close: end,
  }
}
