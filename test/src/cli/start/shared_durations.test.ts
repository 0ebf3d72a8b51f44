import test from 'ava'

import { RequestDurations } from '#src/edge/request_durations.ts'
import { includeDurations, offerDurations } from '#src/cli/start/thread_services.ts'
import { connect } from '#test/actors/kernel/_connected.ts'

async function requestsOf(durations: RequestDurations): Promise<number | undefined> {
  const { values } = await durations.get()
  return values.find(({ metricName = '' }) => metricName.endsWith('_count'))?.value
}

test('the other side of a connection is added, and stays so when it has ended', async (t) => {
  const { toJoined, toOwner } = connect(t, {})
  const [sum, joined] = [new RequestDurations(), new RequestDurations()]
  offerDurations(toOwner, joined)
  includeDurations(toJoined, sum)
  t.is(await requestsOf(sum), undefined)
  joined.count('GET', '/', 200, 0.5)
  t.is(await requestsOf(sum), 1)
  sum.count('GET', '/', 200, 0.5)
  joined.count('GET', '/', 200, 0.5)
  t.is(await requestsOf(sum), 3)
  toOwner.close()
  await toJoined.ended
  t.is(await requestsOf(sum), 3)
})
