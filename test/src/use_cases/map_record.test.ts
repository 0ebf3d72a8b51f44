import test from 'ava'

import type { Ark } from '#actors/values/ark.ts'
import { mapRecordOf } from '#src/use_cases/map_record.ts'
import { until } from '#test/_until.ts'
import { arkOf, register } from '#test/actors/_environment.ts'
import {
  makeWitnessed,
  policyOf,
  serveWitnesses,
} from '#test/src/tlog_tools/cosigning/_witnessed_registry.ts'

test('an answer is proven once for each witnessed map', async (t) => {
  const map = { intervalMs: 1, isWitnessed: true }
  const registry = await makeWitnessed(t, Date.now, { map })
  const { options, vkey } = registry
  const policy = policyOf('all', await serveWitnesses(t, 1, { ...options, vkey }))
  const { environment } = await registry.start(policy)
  const { log, catalogue, map: prover } = environment
  let proven = 0
  const counted = {
    log,
    catalogue,
    map: {
      prove: async (name: string) => {
        proven += 1
        return prover?.prove(name)
      },
    },
  }
  const ark = arkOf(await register(environment, 'One')) as Ark
  /** Waits for a map of so many ARKs, by which is proven. */
  const covered = (arks: number) => {
    return until(`a map of ${arks} is witnessed`, async () => {
      const record = await mapRecordOf(counted, ark)
      const [, , , keys] = record?.map_proof.map_leaf.split('\n') ?? []
      const size = Number(record?.map_proof.checkpoint.split('\n')[1])
      return keys === String(arks) && size === log.cosigned().witnessed?.treeSize
    })
  }
  await covered(1)
  const first = await mapRecordOf(counted, ark)
  const before = proven
  t.is(await mapRecordOf(counted, ark), first)
  t.is(proven, before)
  t.is((await mapRecordOf(counted, '12345/k2nothing' as Ark))?.state, 'absent')
  t.is(proven, before + 1)
  await register(environment, 'Two')
  await covered(2)
  t.true(proven > before + 1)
  t.like(await mapRecordOf(counted, ark), { state: 'registered', version: 1 })
})
