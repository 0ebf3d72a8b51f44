import test from 'ava'
import { HostBackoff } from '#actors/fixity/host_backoff.ts'

/** What a check learns that begins now. */
function askForRest(backoff: HostBackoff, host: string): boolean {
  return backoff.waitsFor(host, backoff.moment)
}

test('a host is waited for twice in a row, and no more until it answers', (t) => {
  const backoff = new HostBackoff()
  const asks = () => askForRest(backoff, 'a')
  t.deepEqual([asks(), asks(), asks(), asks()], [true, true, false, false])
  t.true(askForRest(backoff, 'b'), 'other hosts have their own')
  backoff.noteAnswer('a')
  t.deepEqual([asks(), asks(), asks()], [true, true, false])
})

test('checks that ran side by side are told of one rest', (t) => {
  const backoff = new HostBackoff()
  for (const isWaitedFor of [true, true, false]) {
    const begun = backoff.moment
    const told = [1, 2, 3].map(() => backoff.waitsFor('a', begun))
    t.deepEqual(told, [isWaitedFor, isWaitedFor, isWaitedFor])
  }
})

test('a rest that another host asked for meanwhile is another one', (t) => {
  const backoff = new HostBackoff()
  for (const isWaitedFor of [true, true, false]) {
    const begun = backoff.moment
    t.is(backoff.waitsFor('a', begun), isWaitedFor)
    t.is(backoff.waitsFor('b', begun), isWaitedFor)
  }
})

test('ten thousand hosts are remembered, those that asked last', (t) => {
  const backoff = new HostBackoff()
  for (const host of ['early', 'late']) for (const _ of [1, 2]) askForRest(backoff, host)
  for (let nth = 0; nth < 9_998; nth += 1) askForRest(backoff, `host ${nth}`)
  t.false(askForRest(backoff, 'late'))
  askForRest(backoff, 'one more')
  t.true(askForRest(backoff, 'early'), 'it was forgotten')
  t.false(askForRest(backoff, 'late'))
})
