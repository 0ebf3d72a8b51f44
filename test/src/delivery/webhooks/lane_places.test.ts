import test, { type ExecutionContext } from 'ava'

import { LanePlaces } from '#src/delivery/webhooks/lane_places.ts'

/** Lanes to hosts, each of which runs until `release`; `begun` are those that have run, or do. */
function openPlaces(t: ExecutionContext) {
  const places = new LanePlaces({ report: (error) => t.fail(String(error)), waitMs: 1 })
  const begun: string[] = []
  const running: (() => void)[] = []
  const wake = (host: string, isFailing = false) => {
    const lane = { host, isFailing }
    places.wake(lane, async () => {
      begun.push(host)
      await new Promise<void>((resolve) => running.push(resolve))
      return undefined
    })
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const release = async (count: number) => {
    for (const resolve of running.splice(0, count)) resolve()
    await settle()
  }
  t.teardown(async () => {
    const closed = places.close()
    for (const resolve of running) resolve()
    await closed
  })
  return { places, begun, running, wake, release, settle }
}

test('lanes to one host take a bounded number of places, and each has its turn', async (t) => {
  const { places, begun, wake, release, settle } = openPlaces(t)
  for (let count = 0; count < 1_500; count += 1) wake('many.example')
  wake('few.example')
  await settle()
  t.is(places.underWay, 51)
  t.is(begun.filter((host) => host === 'many.example').length, 50)
  t.true(begun.includes('few.example'))
  await release(10)
  t.is(begun.length, 61, 'what waited takes the places that are left')
  for (let rounds = 0; begun.length < 1_501 && rounds < 100; rounds += 1) await release(50)
  t.is(begun.length, 1_501)
  await release(50)
  t.is(places.underWay, 0)
})

test('lanes that fail take no place of those that do not', async (t) => {
  const { places, begun, running, wake, settle } = openPlaces(t)
  for (let count = 0; count < 300; count += 1) wake(`ill-${count}.example`, true)
  await settle()
  t.is(places.underWay, 200)
  for (let count = 0; count < 1_100; count += 1) wake(`well-${count}.example`)
  await settle()
  t.is(places.underWay, 1_200)
  t.is(begun.filter((host) => host.startsWith('well')).length, 1_000)
  t.is(running.length, 1_200)
})
