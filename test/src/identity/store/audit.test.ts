import test, { type ExecutionContext } from 'ava'

import { AuditLog } from '#src/identity/store/audit.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

const owner = { type: 'person', id: 'pada' } as const
const act = { owner, action: 'work_taken_down', ark: '12345/k2', because: 'Made up.' } as const

async function open(t: ExecutionContext) {
  const { clock, ...fixture } = await identityFixture(t)
  const audit = new AuditLog(await fixture.open())
  const take = (id: string, make: () => Promise<boolean>) => {
    const by = { type: 'person', id, name: id } as const
    return audit.noteChange(act, { by, nowMs: clock.nowMs() }, { make, isMade: (made) => made })
  }
  const told = async () => (await audit.read(owner, { limit: 10 })).map(({ by }) => by?.id)
  return { audit, clock, take, told }
}

test('a change that failed and was made when it was repeated is told once', async (t) => {
  const { audit, clock, take, told } = await open(t)
  const full = () => Promise.reject(new Error('the disk is full'))
  await t.throwsAsync(take('pfirst', full), { message: 'the disk is full' })
  clock.forward(5_000)
  t.true(await take('psecond', () => Promise.resolve(true)))
  clock.forward(3_600_000)
  await audit.settle(() => true, clock.nowMs())
  t.deepEqual(await told(), ['psecond'])
})

test('of two who make one change at once, the entry names who made it', async (t) => {
  const { take, told } = await open(t)
  const { promise: others, resolve: go } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const first = take('pfirst', () => {
    begin()
    return others.then(() => true)
  })
  await begun
  t.false(await take('psecond', () => Promise.resolve(false)))
  go()
  t.true(await first)
  t.deepEqual(await told(), ['pfirst'])
})
