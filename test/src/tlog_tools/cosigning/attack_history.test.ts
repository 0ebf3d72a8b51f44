import { readFile, writeFile } from 'node:fs/promises'
import test from 'ava'

import { openCosigned } from '#log/tlog/cosigned_checkpoint.ts'
import type { LogError } from '#log/tlog/errors.ts'
import { until } from '#test/_until.ts'
import { register } from '#test/actors/_environment.ts'
import { honestWitness, strangeWitness } from '#test/src/tlog_tools/cosigning/_strange_witness.ts'
import {
  makeWitnessed,
  policyOf,
  serveWitnesses,
  witnessed,
  type WitnessedRegistry,
} from '#test/src/tlog_tools/cosigning/_witnessed_registry.ts'

/** Copies what a registry has on its disk, and gives what puts the copy back. */
async function copyOf({ disk, options }: WitnessedRegistry): Promise<() => Promise<void>> {
  const rows = new Map(disk)
  const guard = await readFile(options.headFile)
  return async () => {
    disk.clear()
    for (const [key, row] of rows) disk.set(key, row)
    await writeFile(options.headFile, guard)
  }
}

const rolledBack =
  /a checkpoint of 3 entries, signed with the key of this log, but the store holds 1: /
const advice =
  /kept in \S+live\.witness-evidence\. .*Keep DATA_DIR as it is, and put the newest copy of it in/

test('a log that was rolled back is not started, and nothing is written', async (t) => {
  const registry = await makeWitnessed(t)
  const policy = policyOf(
    1,
    await serveWitnesses(t, 1, { ...registry.options, vkey: registry.vkey }),
  )
  const { environment, close } = await registry.start(policy)
  await register(environment, 'One')
  await witnessed(environment, 1)
  const restore = await copyOf(registry)
  await register(environment, 'Two')
  await register(environment, 'Three')
  await witnessed(environment, 3)
  await close()
  const renew = await copyOf(registry)
  await restore()
  const rows = registry.disk.size
  const error = await t.throwsAsync(registry.start(policy), { code: 'log_rolled_back' })
  t.regex(error?.message ?? '', /^the witness w1 shows /)
  t.regex(error?.message ?? '', rolledBack)
  t.regex(error?.message ?? '', advice)
  t.is(registry.disk.size, rows)
  // What has proven it is kept, and proves it also where nobody is there to show it.
  const kept = await readFile(registry.files.evidence, 'utf8')
  t.is(openCosigned(kept, registry.verifiers(policy)).checkpoint.treeSize, 3)
  const alone = policy.replace(/http:\S+/, 'http://127.0.0.1:1')
  const again = await t.throwsAsync(registry.start(alone), { code: 'log_rolled_back' })
  t.regex(again?.message ?? '', /^the file \S+live\.witness-evidence holds /)
  t.regex(again?.message ?? '', rolledBack)
  // In the newest copy it contradicts nothing.
  await renew()
  const { environment: newest } = await registry.start(policy)
  t.is(newest.log.head().treeSize, 3)
})

test('a log that was rolled back while nobody answered stops as soon as one does', async (t) => {
  const registry = await makeWitnessed(t)
  let isMute = false
  const witness = await honestWitness(t, 1, () => (isMute ? [503, ''] : undefined))
  const policy = policyOf(1, [witness])
  const { environment, close } = await registry.start(policy)
  await register(environment, 'One')
  await witnessed(environment, 1)
  const restore = await copyOf(registry)
  for (const title of ['Two', 'Three', 'Four', 'Five']) await register(environment, title)
  await witnessed(environment, 5)
  await close()
  await restore()
  isMute = true
  const again = await registry.start(policy)
  await register(again.environment, 'Another two')
  isMute = false
  await until('it has stopped', () => registry.fatal.length > 0)
  const error = registry.fatal[0] as LogError
  t.is(error.code, 'log_rolled_back')
  t.regex(
    error.message,
    /a checkpoint of 5 entries, signed with the key of this log, but the store holds 2: /,
  )
  await t.throwsAsync(register(again.environment, 'Another three'))
  t.false(again.environment.status().healthy)
  t.is(again.environment.status().problem, error.message)
})

test('a log that was rolled back and has grown beyond what was witnessed stops', async (t) => {
  const registry = await makeWitnessed(t)
  const witnesses = await serveWitnesses(t, 1, { ...registry.options, vkey: registry.vkey })
  const policy = policyOf(1, witnesses)
  const { environment, close } = await registry.start(policy)
  await register(environment, 'One')
  await witnessed(environment, 1)
  const restore = await copyOf(registry)
  await register(environment, 'Two')
  await witnessed(environment, 2)
  await close()
  await restore()
  const unwatched = await registry.start('quorum none')
  for (const title of ['Other', 'Further', 'More']) await register(unwatched.environment, title)
  await unwatched.close()
  const error = await t.throwsAsync(registry.start(policy), { code: 'log_inconsistent' })
  t.regex(
    error?.message ?? '',
    /^the witness w1 shows a checkpoint of 2 entries, signed with the key of this log, /,
  )
  t.regex(error?.message ?? '', advice)
})

test('two views that two witnesses are shown are found by who saw the other', async (t) => {
  const registry = await makeWitnessed(t)
  const known = { ...registry.options, vkey: registry.vkey }
  const [one, two] = await serveWitnesses(t, 2, known)
  if (one === undefined || two === undefined) throw new Error('two witnesses are served')
  // The same key, another history: to one witness first this view, then that one.
  const twin = await makeWitnessed(t)
  const otherView = await twin.start(policyOf('all', [two]))
  await register(otherView.environment, 'For your eyes only')
  await witnessed(otherView.environment, 1)
  await otherView.close()
  const { environment } = await registry.start(policyOf('all', [one, two]))
  await register(environment, 'For all')
  await until('it has stopped', () => registry.fatal.length > 0)
  const error = registry.fatal[0] as LogError
  t.is(error.code, 'log_inconsistent')
  t.regex(error.message, /^the witness w2 shows a checkpoint of 1 entries, signed with /)
  t.is(environment.log.cosigned().witnessed, undefined)
})

test('a witness that speaks of another history without a reason is only left alone', async (t) => {
  const registry = await makeWitnessed(t)
  const witness = await strangeWitness(t, 1, () => [422, 'no'])
  const { environment, collector } = await registry.start(policyOf('all', [witness]))
  await register(environment, 'One')
  await until('it was answered', () => collector.links[0]?.facts.problem !== undefined)
  t.is(collector.links[0]?.facts.problem, 'it answers 422: no')
  t.deepEqual(registry.fatal, [])
  await register(environment, 'Two')
})
