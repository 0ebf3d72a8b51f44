import type { ExecutionContext, TestFn } from 'ava'

import type { StreamMessage, SharedStream } from '#actors/journal/shared_stream.ts'

/** Gives a test two nodes' ways to one journal that is empty. */
export type MakeSharedJournal = (
  t: ExecutionContext,
) => Promise<readonly [SharedStream, SharedStream]>

/** Never comes. */
const { signal: never } = new AbortController()

/** The contract of the SharedStream port: what every adapter does alike. */
export function testSharedJournal(test: TestFn, make: MakeSharedJournal): void {
  testAppends(test, make)
  testReads(test, make)
  testEnds(test, make)
}

function testAppends(test: TestFn, make: MakeSharedJournal): void {
  test('a message is appended where the journal ends, and nowhere else', async (t) => {
    const [one, other] = await make(t)
    t.is(await one.newest(never), 0)
    t.is(await one.oldest(never), 1)
    t.is(await one.append(bytesOf('first'), 0, never), 'appended')
    t.is(await other.append(bytesOf('second'), 1, never), 'appended')
    t.is(await one.append(bytesOf('late'), 1, never), 'fenced')
    t.is(await one.append(bytesOf('later'), 0, never), 'fenced')
    t.is(await other.newest(never), 2)
    t.is(await other.oldest(never), 1)
    t.deepEqual(await textsAt(one, [1, 2, 3]), ['first', 'second', undefined])
  })

  test('a message that is appended again at its place was appended once', async (t) => {
    const [one, other] = await make(t)
    t.is(await one.append(bytesOf('once'), 0, never), 'appended')
    t.is(await one.append(bytesOf('once'), 0, never), 'appended')
    t.is(await other.newest(never), 1)
  })

  test('of two that append at one place one goes on', async (t) => {
    const [one, other] = await make(t)
    for (let after = 0; after < 20; after += 1) {
      const outcomes = await Promise.all([
        one.append(bytesOf(`one ${after}`), after, never),
        other.append(bytesOf(`other ${after}`), after, never),
      ])
      t.deepEqual(outcomes.toSorted(), ['appended', 'fenced'])
      const [text] = await textsAt(one, [after + 1])
      t.is(text, `${outcomes[0] === 'appended' ? 'one' : 'other'} ${after}`)
    }
    t.is(await one.newest(never), 20)
  })

  test('a message of four mebibytes is appended and read', async (t) => {
    const [one, other] = await make(t)
    const long = Buffer.alloc(4 * 1_048_576, 'x')
    t.is(await one.append(long, 0, never), 'appended')
    t.is(Buffer.compare((await other.at(1, never)) ?? bytesOf(''), long), 0)
  })
}

function testReads(test: TestFn, make: MakeSharedJournal): void {
  test('who follows has all messages after a place, those that come too', async (t) => {
    const [one, other] = await make(t)
    for (const [after, text] of ['a', 'b', 'c'].entries())
      await one.append(bytesOf(text), after, never)
    const following = new AbortController()
    const all = collect(other, 0, 5, following)
    const some = collect(other, 2, 5, new AbortController())
    t.is(await one.append(bytesOf('d'), 3, never), 'appended')
    t.is(await other.append(bytesOf('e'), 4, never), 'appended')
    t.deepEqual(await all, ['1 a', '2 b', '3 c', '4 d', '5 e'])
    t.deepEqual(await some, ['3 c', '4 d', '5 e'])
  })

  test('a thousand messages come in their order', async (t) => {
    const [one, other] = await make(t)
    const messages = 1_000
    const all = collect(other, 0, messages, new AbortController())
    for (let after = 0; after < messages; after += 1) {
      if ((await one.append(bytesOf(`${after}`), after, never)) !== 'appended') t.fail()
    }
    const expected = Array.from({ length: messages }, (_, after) => `${after + 1} ${after}`)
    t.deepEqual(await all, expected)
  })
}

function testEnds(test: TestFn, make: MakeSharedJournal): void {
  test('who does not wait any longer is told that it is not decided', async (t) => {
    const [one] = await make(t)
    const ended = AbortSignal.abort(new Error('enough'))
    t.is(await one.append(bytesOf('a'), 0, ended), 'undecided')
    await t.throwsAsync(one.newest(ended), { message: 'enough' })
    await t.throwsAsync(one.at(1, ended), { message: 'enough' })
  })

  test('following ends when it is told to, also while nothing comes', async (t) => {
    const [one, other] = await make(t)
    await one.append(bytesOf('a'), 0, never)
    const following = new AbortController()
    const seen: string[] = []
    for await (const message of other.follow(0, following.signal)) {
      seen.push(lineOf(message))
      setImmediate(() => following.abort())
    }
    t.deepEqual(seen, ['1 a'])
    for await (const message of other.follow(0, AbortSignal.abort())) seen.push(lineOf(message))
    t.is(seen.length, 1)
  })
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text)
}

function lineOf({ sequence, message }: StreamMessage): string {
  return `${sequence} ${Buffer.from(message).toString()}`
}

async function textsAt(
  journal: SharedStream,
  places: readonly number[],
): Promise<(string | undefined)[]> {
  const found = await Promise.all(places.map((place) => journal.at(place, never)))
  return found.map((message) => message && Buffer.from(message).toString())
}

async function collect(
  journal: SharedStream,
  after: number,
  last: number,
  following: AbortController,
): Promise<string[]> {
  const lines: string[] = []
  for await (const message of journal.follow(after, following.signal)) {
    lines.push(lineOf(message))
    if (message.sequence === last) break
  }
  following.abort()
  return lines
}
