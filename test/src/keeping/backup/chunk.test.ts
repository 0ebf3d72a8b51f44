import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import test from 'ava'

import type { Row } from '#log/store/store.ts'
import {
  ChunkNames,
  cutSnapshot,
  isIdentity,
  recipientsProblem,
} from '#src/keeping/backup/chunk.ts'
import {
  backUp,
  newTarget,
  openKept,
  rowsOf,
  snapshotOf,
} from '#test/src/keeping/backup/_backed_up.ts'

const fewRows = rowsOf(10)

type Kind = 'classic' | 'post-quantum'

async function pairsOf(kind: Kind, count: number) {
  const make = kind === 'classic' ? generateX25519Identity : generateHybridIdentity
  const identities = await Promise.all(Array.from({ length: count }, make))
  const recipients = await Promise.all(identities.map((identity) => identityToRecipient(identity)))
  return { identities, recipients }
}

for (const [kind, count, format] of [
  ['classic', 16, 1],
  ['classic', 17, 2],
  ['classic', 64, 2],
  ['post-quantum', 1, 2],
  ['post-quantum', 64, 2],
] as const) {
  test(`a backup for ${count} ${kind} recipients opens for the last of them`, async (t) => {
    const { target } = await newTarget(t)
    const { identities, recipients } = await pairsOf(kind, count)
    t.is(recipientsProblem(recipients), undefined)
    const { manifest } = await backUp(fewRows, { target, recipients })
    t.is(manifest.format, format)
    const identity = identities.slice(-1)
    const kept = await openKept(target, { identities: identity })
    t.is((await Array.fromAsync(kept.items())).length, fewRows.length + 6)
    const [stranger] = (await pairsOf(kind, 1)).identities
    await t.throwsAsync(openKept(target, { identities: [stranger ?? ''] }), {
      code: 'backup_encrypted',
    })
  })
}

test('the names of chunks for a short list are those of older programs', (t) => {
  const bytes = Buffer.from('a chunk')
  const recipient = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
  const nameFor = (recipients: readonly string[]) =>
    new ChunkNames(Buffer.from('a pepper of the tests'), recipients).nameOf(bytes)
  t.is(nameFor([]), '668f14a0de2236a893a78f9c361a3381590f777bd15bce46d82fe5cfd66a5bfb')
  t.is(nameFor([recipient]), '59a4bffcbff7a7eb14dbed585f6e251456e0bf8250f81bb4ea335fbba5df19c8')
  // Other recipients, other names: of long lists too.
  const long = Array.from({ length: 17 }, (_, index) => `${recipient}${index}`)
  t.not(nameFor(long), nameFor(long.slice(1)))
})

test('recipients that do not go together are refused with what to do', async (t) => {
  const { recipients: classic } = await pairsOf('classic', 65)
  const { recipients: quantumSafe } = await pairsOf('post-quantum', 2)
  const [one = ''] = classic
  t.is(recipientsProblem([]), undefined)
  t.is(recipientsProblem(classic.slice(1)), undefined)
  t.is(recipientsProblem(classic), 'A backup can have at most 64 recipients.')
  t.regex(recipientsProblem([...quantumSafe, one]) ?? '', /cannot be mixed.*Give recipients of one/)
  for (const strange of ['age1nobody', 'ssh-ed25519 AAAA', one.slice(0, -1), one.toUpperCase()]) {
    t.regex(recipientsProblem([one, strange]) ?? '', /is not an age recipient/)
  }
})

test('an identity is told from what is none', async (t) => {
  for (const kind of ['classic', 'post-quantum'] as const) {
    const { identities } = await pairsOf(kind, 1)
    const [identity = ''] = identities
    t.true(isIdentity(identity))
    t.false(isIdentity(identity.slice(0, -1)))
  }
})

async function chunksOf(rows: readonly Row[]): Promise<readonly string[]> {
  const chunks = await Array.fromAsync(cutSnapshot(snapshotOf(rows)))
  return chunks.map(({ bytes }) => bytes.toString('latin1'))
}

test('the chunks of a snapshot are the snapshot, each of whole items', async (t) => {
  const rows = rowsOf(20_000)
  const chunks = await Array.fromAsync(cutSnapshot(snapshotOf(rows)))
  const whole = Buffer.concat(await Array.fromAsync(snapshotOf(rows)))
  t.true(Buffer.concat(chunks.map(({ bytes }) => bytes)).equals(whole))
  t.is(chunks.flatMap(({ items }) => items).length, rows.length + 6)
  t.deepEqual(
    chunks[0]?.items.map(({ type }) => type),
    ['head'],
  )
  t.true(chunks.length > 5)
  for (const { bytes } of chunks) t.true(bytes.length < 9_000_000)
})

test('a row that comes, goes or changes leaves nearly all chunks as they were', async (t) => {
  const rows = rowsOf(40_000)
  const before = new Set(await chunksOf(rows))
  const middle = 20_000
  const added: Row = ['work/00019999a', Buffer.from('new')]
  const cases = {
    added: [...rows.slice(0, middle), added, ...rows.slice(middle)],
    appended: [...rows, ['work/z', Buffer.from('last')] as Row],
    removed: [...rows.slice(0, middle), ...rows.slice(middle + 1)],
    changed: rows.map((row, nth): Row => (nth === middle ? [row[0], Buffer.from('other')] : row)),
  }
  for (const [name, changed] of Object.entries(cases)) {
    const fresh = (await chunksOf(changed)).filter((chunk) => !before.has(chunk))
    t.true(fresh.length <= 3, `${name}: ${fresh.length} of ${before.size}`)
  }
})
