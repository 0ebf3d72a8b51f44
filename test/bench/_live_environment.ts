import { randomBytes } from 'node:crypto'
import path from 'node:path'

import { type Environment, environmentLimits } from '#actors/registry/environment.ts'
import { openEnvironment } from '#actors/registry/open_environment.ts'
import { statementSigner } from '#actors/works/receipts/statement.ts'
import { openDataDir } from '#src/keeping/data_dir/data_dir.ts'
import { guardOf } from '#test/actors/_clock.ts'
import { personKeys } from '#test/actors/people/_seal.ts'

/** Opens the live registry of a data directory in this process, with the limits of a server. */
export async function openLive(dataDir: string): Promise<Environment> {
  const keysDir = path.join(dataDir, 'keys')
  const options = {
    dataDir,
    keysDir,
    kind: 'registry',
    origin: '',
    originIsExplicit: false,
  } as const
  const folder = await openDataDir(options, Date.now)
  // The lock of the store is enough for a bench.
  folder.release()
  const live = folder.logs.get('live')
  if (live?.keys.receipt === undefined) throw new Error(`${dataDir} holds no registry`)
  const { receipt } = live.keys
  return openEnvironment({
    name: 'live',
    naan: '12345',
    shoulder: 'k2',
    dated: false,
    baseUrl: 'http://127.0.0.1',
    origin: live.origin,
    logKey: live.keys.log,
    ...personKeys(),
    receiptSigner: (publicKey) => statementSigner(receipt.choose(publicKey)),
    storeDir: path.join(dataDir, 'live'),
    headFile: path.join(dataDir, 'live.head'),
    create: false,
    systemMs: Date.now,
    clock: guardOf(Date.now),
    random: randomBytes,
    limits: environmentLimits,
    report: (report) => process.stderr.write(`${JSON.stringify(report)}\n`),
    damaged: (message) => {
      throw new Error(message)
    },
    fatal: (error) => {
      throw error
    },
  })
}
