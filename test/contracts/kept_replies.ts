import type { ExecutionContext, TestFn } from 'ava'

import type { Begun, KeptReplies, KeptReply } from '#src/edge/kept_replies.ts'

/** Two who share the replies of one registry, and a clock that a test sets forward. */
export type KeptRepliesFixture = {
  readonly pair: readonly [KeptReplies, KeptReplies]
  readonly forward: (ms: number) => void
}

/** Gives a fresh fixture to a test, and sees to its removal afterwards. */
export type MakeKeptReplies = (t: ExecutionContext) => Promise<KeptRepliesFixture>

const reply: KeptReply = {
  status: 201,
  headers: { 'content-type': 'application/json; charset=utf-8', etag: '"a"' },
  body: '{"name":"Öl"}',
}

function named(key: string, body_hash = 'a') {
  return { key, body_hash }
}

/** The contract of the KeptReplies port: what every adapter does alike, on every thread. */
export function testKeptReplies(test: TestFn, make: MakeKeptReplies): void {
  testOneWrite(test, make)
  testBounds(test, make)
}

function testOneWrite(test: TestFn, make: MakeKeptReplies): void {
  test('a write is fresh, then under way, then answered as it was, to both', async (t) => {
    const { pair } = await make(t)
    const [one, other] = pair
    const replies = [reply, { ...reply, body: Uint8Array.from(Array(256).keys()) }]
    for (const [nth, kept] of replies.entries()) {
      const write = named(`write ${nth}`)
      t.deepEqual(await one.begin(write), { type: 'fresh' })
      for (const each of pair) {
        t.deepEqual(await each.begin(write), { type: 'under_way' })
        t.deepEqual(await each.begin(named(write.key, 'b')), { type: 'under_way' })
      }
      await one.finish(write, kept)
      for (const each of [...pair, other]) {
        t.deepEqual(plain(await each.begin(write)), plain({ type: 'kept', reply: kept }))
        t.deepEqual(await each.begin(named(write.key, 'b')), { type: 'other_body' })
      }
    }
    t.deepEqual(await other.begin(named('another')), { type: 'fresh' })
  })

  test('a write that is abandoned is fresh again, with whatever body', async (t) => {
    const { pair } = await make(t)
    const [one, other] = pair
    for (const [begins, comes] of [pair, [other, one]] as const) {
      await begins.begin(named('write'))
      await begins.abandon(named('write'))
      t.deepEqual(await comes.begin(named('write', 'b')), { type: 'fresh' })
      await comes.abandon(named('write', 'b'))
    }
  })

  test('of those who begin a write at once one finds it fresh, in each round', async (t) => {
    const { pair } = await make(t)
    for (let round = 0; round < 20; round += 1) {
      const write = named(`write ${round}`)
      const turns = Array.from({ length: 10 }, (_, nth) => pair[(nth + round) % 2] ?? pair[0])
      const begun = await Promise.all(turns.map((each) => each.begin(write)))
      const types = begun.map(({ type }) => type)
      t.is(types.filter((type) => type === 'fresh').length, 1)
      t.is(types.filter((type) => type === 'under_way').length, 9)
      await turns[types.indexOf('fresh')]?.finish(write, reply)
      t.is((await pair[round % 2 === 0 ? 0 : 1].begin(write)).type, 'kept')
    }
  })
}

function testBounds(test: TestFn, make: MakeKeptReplies): void {
  test('a reply is kept for a day', async (t) => {
    const { pair, forward } = await make(t)
    const [one, other] = pair
    await one.begin(named('write'))
    await one.finish(named('write'), reply)
    forward(24 * 3_600_000)
    t.is((await other.begin(named('write'))).type, 'kept')
    forward(1_000)
    t.is((await other.begin(named('write'))).type, 'fresh')
  })

  test('where there is no more room, the oldest replies go, and the newest stay', async (t) => {
    const { pair } = await make(t)
    const [one, other] = pair
    const body = 'x'.repeat(262_144)
    for (let nth = 0; nth < 200; nth += 1) {
      await one.begin(named(`write ${nth}`))
      await one.finish(named(`write ${nth}`), { ...reply, body })
    }
    t.is((await other.begin(named('write 0'))).type, 'fresh')
    t.is((await other.begin(named('write 199'))).type, 'kept')
  })
}

/** The bytes of a body as numbers, whatever class they have. */
function plain(begun: Begun): unknown {
  if (begun.type !== 'kept' || typeof begun.reply.body === 'string') return begun
  return { ...begun, reply: { ...begun.reply, body: [...begun.reply.body] } }
}
