// The check of entries that browsers make, on entries of each kind that a registry logs.

import anyTest, { type TestFn } from 'ava'

import { statementSigner } from '#actors/works/receipts/statement.ts'
import { ed25519Keys } from '#log/tlog/ed25519.ts'
import { proveEntry } from '#src/use_cases/public_log.ts'
import { checkEntry } from '#src/pages/scripts/log_check.js'
import { admin } from '#test/actors/_environment.ts'
import { mint, type ServedRegistry, serveRegistry } from '#test/src/_served_registry.ts'

const test = anyTest as TestFn<ServedRegistry>

test.before(async (t) => {
  const registry = await serveRegistry()
  t.context = registry
  const key = await registry.key({ scopes: ['works:write'] })
  const { ark_identifier: ark } = await mint(registry, key)
  const next = statementSigner(ed25519Keys.fromSeed(Buffer.alloc(32, 9)))
  await registry.environments.live.receiptKeys.rotate(next, admin)
  await mint(registry, key, { work_title: 'By the next key' })
  await registry.call(`/v1/works/${ark}/withdraw`, {
    method: 'POST',
    key,
    body: { reason: 'fraud' },
  })
})

test.after.always((t) => t.context.close())

/** What became of each step of the check of an entry; `spoil` changes its text. */
async function check(
  { environments, call }: ServedRegistry,
  leafIndex: number,
  spoil = (text: string) => text,
) {
  const { log } = environments.live
  const { steps, checkpoint } = proveEntry(log, leafIndex)
  const entry = Buffer.from(log.entry(leafIndex)).toString('utf8')
  const { statement } = JSON.parse(entry) as { statement: string }
  const climbed: string[] = []
  const shown = {
    entry: spoil(entry),
    words: [['statement', statement]] as const,
    leafIndex,
    proof: steps.map(({ sibling }) => Uint8Array.from(sibling)),
    checkpoint,
    climbed: async (_step: number, hash: string) => climbed.push(hash) > 0,
  }
  const published = (await call('/.well-known/svc-keys.json')).json()
  const trust = { published, environment: 'live', ownVkey: '' } as const
  const found = await Array.fromAsync(checkEntry(shown, trust))
  const parents = steps.map(({ parent }) => Buffer.from(parent).toString('hex'))
  return { statement, statuses: found.map(({ status }) => status), climbed, parents }
}

test('entries of all kinds are right, also the last that a key has signed', async (t) => {
  const kinds: string[] = []
  for (let leafIndex = 0; leafIndex < 4; leafIndex += 1) {
    const { statement, statuses, climbed, parents } = await check(t.context, leafIndex)
    kinds.push(statement)
    t.deepEqual(statuses, ['done', 'done', 'done', 'done'], statement)
    t.deepEqual(climbed, parents)
  }
  t.deepEqual(kinds, ['registered', 'key_rotated', 'registered', 'tombstoned'])
})

test('an entry with any character changed is proven by nothing', async (t) => {
  const { log } = t.context.environments.live
  const { length } = Buffer.from(log.entry(3))
  for (let place = 0; place < length; place += 17) {
    const spoil = (text: string) => {
      const other = text[place] === '0' ? '1' : '0'
      return text.slice(0, place) + other + text.slice(place + 1)
    }
    const { statuses } = await check(t.context, 3, spoil)
    t.deepEqual(statuses.slice(2), ['failed', 'done'], `character ${place}`)
  }
})
