import test, { type ExecutionContext } from 'ava'
import fc from 'fast-check'
import { ActorError } from '#actors/kernel/actor_error.ts'
import { ask, type Ref, tell } from '#actors/kernel/kernel.ts'
import { type Remote, type RemoteOptions, SerializedValue } from '#actors/kernel/remote.ts'
import { isDamage } from '#log/tlog/errors.ts'
import { anyCharacter } from '#test/_any_character.ts'
import { until } from '#test/_until.ts'
import { neverMs } from '#test/actors/kernel/_counter.ts'
import { type RegisterMessage, registerMailboxMax } from '#test/actors/kernel/_register.ts'

/** Registers as whoever asks them sees them, wherever they live. */
export type Registers = {
  at(key: string): Ref<RegisterMessage>
  release(): void
  close(): Promise<void>
}

/** Registers on another side; `name` is what it is called, `kill` ends it without a word. */
export type RemoteRegisters = Registers & {
  readonly name: string
  readonly remote: Remote
  kill(): Promise<void>
}

type Start = (t: ExecutionContext) => Registers | Promise<Registers>

type StartRemote = (
  t: ExecutionContext,
  options?: Partial<RemoteOptions>,
) => RemoteRegisters | Promise<RemoteRegisters>

/** What holds of asking an actor, wherever it lives. Each test starts registers of its own. */
export function testAsks(place: string, start: Start): void {
  testMessages(place, start)
  testFailures(place, start)
}

/** What holds of asking an actor on another side. */
export function testRemoteAsks(place: string, start: StartRemote): void {
  testEnds(place, start)
  testBounds(place, start)
}

function testMessages(place: string, start: Start): void {
  test(`${place}: a reference is called after its entity, and a key has one of them`, async (t) => {
    const subject = await start(t)
    const ref = subject.at('a/b')
    t.is(ref.name, 'register/a/b')
    t.true(tell(ref, { type: 'keep', value: 1 }))
    t.true(tell(subject.at('a'), { type: 'keep', value: 2 }))
    t.deepEqual(await ask(subject.at('a/b'), { type: 'list' }, neverMs), [1])
    t.deepEqual(await ask(subject.at('a'), { type: 'list' }, neverMs), [2])
  })

  test(`${place}: messages arrive in the order in which they were sent`, async (t) => {
    const ref = (await start(t)).at('a')
    const kept: number[] = []
    for (let sent = 0; sent < 40; sent += 1) {
      tell(ref, { type: 'keep', value: sent })
      kept.push(sent)
      // So that they are sent in several turns, and no mailbox is full.
      if (sent % 4 === 3) t.deepEqual(await ask(ref, { type: 'list' }, neverMs), kept)
    }
  })

  test(`${place}: whatever is plain arrives as it is, both ways`, async (t) => {
    const ref = (await start(t)).at('a')
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary' }), async (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as unknown
        t.deepEqual(await ask(ref, { type: 'echo', value: plain }, neverMs), plain)
      }),
      { numRuns: 50 },
    )
    t.is(await ask(ref, { type: 'confirm' }, neverMs), undefined)
  })

  test(`${place}: what a message carries serialized arrives as the very same text`, async (t) => {
    const ref = (await start(t)).at('a')
    const value = fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue(), { maxKeys: 5 })
    await fc.assert(
      fc.asyncProperty(value, fc.constantFrom(0, 2), async (wanted, spaces) => {
        const text = JSON.stringify(wanted, null, spaces)
        const serialized = new SerializedValue(text)
        const told = await ask(ref, { type: 'tell_serialized', serialized }, neverMs)
        t.deepEqual(told, { text, value: JSON.parse(text) as object })
      }),
      { numRuns: 50 },
    )
  })

  test(`${place}: each of many questions has its own answer`, async (t) => {
    const subject = await start(t)
    const values = Array.from({ length: 400 }, (_, index) => index)
    const answers = values.map((value) =>
      ask(subject.at(String(value % 100)), { type: 'echo', value }, neverMs),
    )
    t.deepEqual(await Promise.all(answers), values)
  })
}

function testFailures(place: string, start: Start): void {
  test(`${place}: a fault is told with what broke, and harms no other question`, async (t) => {
    const ref = (await start(t)).at('a')
    const error = await failure(t, ask(ref, { type: 'fail', how: 'error' }, neverMs))
    t.is(error.code, 'fault')
    t.is(error.message, 'register/a failed on "fail"')
    const cause = error.cause as Error
    t.deepEqual([cause.name, cause.message], ['TypeError', 'a mistake'])
    t.regex(cause.stack ?? '', /_register\.ts/)
    t.is(await ask(ref, { type: 'echo', value: 1 }, neverMs), 1)
  })

  test(`${place}: damage of a store is known as such`, async (t) => {
    const ref = (await start(t)).at('a')
    const damage = await failure(t, ask(ref, { type: 'fail', how: 'damage' }, neverMs))
    t.true(isDamage(damage))
    const mistake = await failure(t, ask(ref, { type: 'fail', how: 'error' }, neverMs))
    t.false(isDamage(mistake))
  })

  test(`${place}: what an actor was refused further down arrives with its code`, async (t) => {
    const ref = (await start(t)).at('a')
    const error = await failure(t, ask(ref, { type: 'fail', how: 'overloaded' }, neverMs))
    t.is(error.code, 'overloaded')
  })

  test(`${place}: a full mailbox refuses what is too much, and no more`, async (t) => {
    const subject = await start(t)
    const ref = subject.at('a')
    const asked = Array.from({ length: registerMailboxMax + 2 }, () =>
      ask(ref, { type: 'hold' }, neverMs).catch((error: unknown) => (error as ActorError).code),
    )
    const [first, second] = await Promise.all(asked.slice(registerMailboxMax))
    t.deepEqual([first, second], ['overloaded', 'overloaded'])
    subject.release()
    const answers = await Promise.all(asked.slice(0, registerMailboxMax))
    t.deepEqual([...new Set(answers)], ['released'])
  })

  test(`${place}: an answer that comes too late is nobody's`, async (t) => {
    const subject = await start(t)
    const ref = subject.at('a')
    const error = await failure(t, ask(ref, { type: 'hold' }, 1))
    t.deepEqual(
      [error.code, error.message],
      ['timeout', 'register/a gave no answer to "hold" in 1 ms'],
    )
    subject.release()
    t.is(await ask(ref, { type: 'echo', value: 1 }, neverMs), 1)
  })

  test(`${place}: who closes answers what was accepted, and refuses the rest`, async (t) => {
    const subject = await start(t)
    const ref = subject.at('a')
    const held = ask(ref, { type: 'hold' }, neverMs)
    t.is(await ask(subject.at('b'), { type: 'echo', value: 1 }, neverMs), 1)
    const closed = subject.close()
    subject.release()
    t.is(await held, 'released')
    await closed
    const error = await failure(t, ask(ref, { type: 'echo', value: 1 }, neverMs))
    t.is(error.code, 'stopped')
  })
}

function testEnds(place: string, start: StartRemote): void {
  test(`${place}: the end of the other side is told at once, and later too`, async (t) => {
    const { at, remote, kill, name } = await start(t)
    const held = ask(at('a'), { type: 'hold' }, neverMs)
    t.is(await ask(at('b'), { type: 'echo', value: 1 }, neverMs), 1)
    await kill()
    const error = await failure(t, held)
    t.deepEqual(
      [error.code, error.message],
      ['lost', `register/a: ${name} has ended before it answered`],
    )
    await remote.ended
    const later = await failure(t, ask(at('a'), { type: 'hold' }, neverMs))
    t.deepEqual([later.code, later.message], ['stopped', `${name} has ended`])
    t.deepEqual(remote.counters, { asked: 0, late: 0, lost: 1 })
  })

  test(`${place}: a connection that is closed here fails what was asked over it`, async (t) => {
    const { at, remote } = await start(t)
    const held = ask(at('a'), { type: 'hold' }, neverMs)
    remote.close()
    t.is((await failure(t, held)).code, 'lost')
    t.false(tell(at('a'), { type: 'keep', value: 1 }))
  })

  test(`${place}: it is told when all that was asked is answered`, async (t) => {
    const { at, remote, release } = await start(t)
    await remote.answered(neverMs)
    const held = ask(at('a'), { type: 'hold' }, neverMs)
    await remote.answered(1)
    t.is(remote.counters.asked, 1)
    const answered = remote.answered(neverMs)
    release()
    await answered
    t.is(remote.counters.asked, 0)
    t.is(await held, 'released')
  })

  test(`${place}: late answers are counted`, async (t) => {
    let elapsedMs = 0
    const subject = await start(t, { answerMsMax: 1_000, elapsedMs: () => elapsedMs })
    const { at, remote } = subject
    const held = failure(t, ask(at('a'), { type: 'hold' }, neverMs))
    elapsedMs = 1_000
    t.is(await ask(at('b'), { type: 'echo', value: 1 }, neverMs), 1)
    t.is((await held).code, 'timeout')
    subject.release()
    await until('the late answer is counted', () => remote.counters.late === 1)
    t.is(remote.counters.asked, 0)
  })
}

function testBounds(place: string, start: StartRemote): void {
  test(`${place}: no more questions are under way than may be`, async (t) => {
    const subject = await start(t, { askedMax: 2 })
    const held = ['a', 'b'].map((key) => ask(subject.at(key), { type: 'hold' }, neverMs))
    const error = await failure(t, ask(subject.at('c'), { type: 'hold' }, neverMs))
    t.deepEqual(
      [error.code, error.message],
      ['overloaded', `register/c: ${subject.name} has 2 questions to answer already`],
    )
    subject.release()
    t.deepEqual(await Promise.all(held), ['released', 'released'])
  })

  test(`${place}: a message that is too long, or not plain, is a fault, not sent`, async (t) => {
    const reports: string[] = []
    const { at, remote, name } = await start(t, {
      report: ({ type, actor }) => reports.push(`${type} ${actor}`),
    })
    const long = await failure(
      t,
      ask(at('a'), { type: 'echo', value: 'x'.repeat(100_000) }, neverMs),
    )
    t.is(long.code, 'fault')
    t.true(long.message.startsWith(`a message to ${name} has 100`), long.message)
    t.regex(long.message, / has 100\d\d\d characters, of 100000 at most$/)
    const odd = await failure(t, ask(at('a'), { type: 'echo', value: 1n }, neverMs))
    t.deepEqual([odd.code, odd.message], ['fault', `a message to ${name} is not plain`])
    t.is(remote.counters.asked, 0)
    t.false(tell(at('a'), { type: 'keep', value: 1n }))
    t.deepEqual(reports, ['dead_letter register/a'])
  })

  test(`${place}: an answer that is too long is a fault of the question`, async (t) => {
    const { at } = await start(t)
    const long = ask(at('a'), { type: 'repeat', characters: 100_000 }, neverMs)
    t.is((await failure(t, long)).code, 'fault')
    t.is(await ask(at('a'), { type: 'echo', value: 1 }, neverMs), 1)
  })

  test(`${place}: a name that is not offered is refused`, async (t) => {
    const { remote } = await start(t)
    const ref = remote.at<RegisterMessage>('ledger', '')
    t.is(ref.name, 'ledger')
    const error = await failure(t, ask(ref, { type: 'list' }, neverMs))
    t.deepEqual([error.code, error.message], ['stopped', 'nothing is offered as ledger'])
  })
}

async function failure(t: ExecutionContext, asked: Promise<unknown>): Promise<ActorError> {
  return t.throwsAsync<ActorError>(asked, { instanceOf: ActorError })
}
