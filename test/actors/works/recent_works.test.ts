import test, { type ExecutionContext } from 'ava'
import type { Environment } from '#actors/registry/environment.ts'
import type { RegisterCommand } from '#actors/works/port.ts'
import {
  arkOf,
  demo,
  makeRegistry,
  metadataOf,
  openRegistry,
  other,
  register,
  registration,
} from '#test/actors/_environment.ts'
import { publisherFor } from '#test/actors/_person.ts'

const hourMs = 3_600_000

/** A registry whose time is the test's own. */
async function openTimed(t: ExecutionContext) {
  const time = { nowMs: Date.parse('2026-11-21T12:00:00.000Z') }
  const registry = await makeRegistry(t, { systemMs: () => time.nowMs })
  const environment = await registry.open()
  t.teardown(() => environment.close())
  return { time, registry, environment }
}

/** Sends many at once; gives how many were registered, and what the others were told. */
async function race({ works }: Environment, command: RegisterCommand, count = 50) {
  const answers = await Promise.all(Array.from({ length: count }, () => works.register(command)))
  const registered = answers.filter(({ type }) => type === 'registered')
  return { registered, refused: answers.filter(({ type }) => type !== 'registered') }
}

test('what the same registrant sends again is refused with the work that is there', async (t) => {
  const environment = await openRegistry(t)
  const work = await register(environment, 'On Engines')
  const refusal = { type: 'repeated_work', existingArk: work.ark_identifier }
  const again = registration(metadataOf('ON  ENGINES!', { description: 'in other words' }))
  t.deepEqual(await environment.works.register(again), refusal as never)
  t.deepEqual(await environment.works.register({ ...again, dryRun: true }), refusal as never)
  const onBehalf = publisherFor('p2345', 'demo')
  t.deepEqual(await environment.works.register({ ...again, by: onBehalf }), refusal as never)
  t.is(environment.status().events, 1)
})

test('what differs in its title, address, DOI or registrant is another work', async (t) => {
  const environment = await openRegistry(t)
  await register(environment, 'On Engines')
  const others: readonly [metadata: Record<string, unknown>, by: typeof demo][] = [
    [{ work_title: 'On Looms' }, demo],
    [{ work_url: 'https://example.org/elsewhere' }, demo],
    [{ existing_doi: '10.5555/12345678' }, demo],
    [{}, other],
  ]
  for (const [more, by] of others) {
    const command = registration(metadataOf('On Engines', more), { by })
    t.is((await environment.works.register(command)).type, 'registered', JSON.stringify(more))
  }
})

test('a repeat is registered where it is allowed, and stands in the way as well', async (t) => {
  const environment = await openRegistry(t)
  const command = registration('Twice')
  await register(environment, command.metadata)
  for (const allowed of [{ allowDuplicate: true }, { allowRepeat: true }]) {
    const { type, ...answer } = await environment.works.register({ ...command, ...allowed })
    t.is(type, 'registered')
    const existingArk = 'work' in answer && answer.work.ark_identifier
    t.like(await environment.works.register(command), { type: 'repeated_work', existingArk })
  }
})

test('of many that come at once one is registered, on an empty registry and later', async (t) => {
  const { time, environment } = await openTimed(t)
  const command = registration('Race')
  for (let day = 1; day <= 3; day += 1) {
    const { registered, refused } = await race(environment, command)
    t.is(registered.length, 1, `day ${day}`)
    t.deepEqual(new Set(refused.map(({ type }) => type)), new Set(['repeated_work']))
    t.is(environment.status().treeSize, day)
    time.nowMs += 24 * hourMs
  }
})

test('a work stands in the way for a day, to the millisecond', async (t) => {
  const { time, environment } = await openTimed(t)
  const { created_at } = await register(environment, 'Daily')
  time.nowMs = Date.parse(created_at) + 24 * hourMs - 2
  t.like(await environment.works.register(registration('Daily')), { type: 'repeated_work' })
  time.nowMs += 2
  t.is((await environment.works.register(registration('Daily'))).type, 'registered')
})

test('a work that is withdrawn, or another one by now, no longer stands in the way', async (t) => {
  const environment = await openRegistry(t)
  const ends: readonly [title: string, end: (ark: string) => Promise<unknown>][] = [
    ['withdrawn', (ark) => environment.works.withdraw({ ark, reason: 'test', by: demo })],
    ['renamed', (ark) => update(ark, { work_title: 'Something else' })],
    ['moved', (ark) => update(ark, { work_url: 'https://example.org/moved' })],
    ['published', (ark) => update(ark, { existing_doi: '10.5555/12345678' })],
  ]
  const update = (ark: string, patch: object) => environment.works.update({ ark, patch, by: demo })
  for (const [title, end] of ends) {
    await end(arkOf(await register(environment, title)))
    t.is((await environment.works.register(registration(title))).type, 'registered', title)
  }
})

test('a work that only says more of itself stands in the way as before', async (t) => {
  const environment = await openRegistry(t)
  const ark = arkOf(await register(environment, 'Described'))
  await environment.works.update({ ark, patch: { description: 'at last' }, by: demo })
  await environment.works.update({ ark, patch: { work_title: 'DESCRIBED' }, by: demo })
  t.like(await environment.works.register(registration('Described')), { type: 'repeated_work' })
})

test('the end of an older work does not make way for another like the newest', async (t) => {
  const environment = await openRegistry(t)
  const older = arkOf(await register(environment, 'Two of them'))
  const newer = await register(environment, 'Two of them', { allowRepeat: true })
  await environment.works.withdraw({ ark: older, reason: 'test', by: demo })
  const answer = await environment.works.register(registration('Two of them'))
  t.like(answer, { type: 'repeated_work', existingArk: newer.ark_identifier })
})

test('a registration writes one small row for this, and one with a DOI none', async (t) => {
  const { registry, environment } = await openTimed(t)
  await register(environment, 'A title that nobody must read from the keys of a store')
  await register(environment, metadataOf('With DOI', { existing_doi: '10.5555/12345678' }))
  const rows = [...registry.disk].filter(([key]) => key.startsWith('recent/'))
  t.is(rows.length, 1)
  for (const [key, value] of rows) {
    t.regex(key, /^recent\/[0-9a-f]{32}$/)
    t.true(key.length + value.length <= 110, `${key.length + value.length} bytes`)
  }
})
