import test from 'ava'
import { HostPatience } from '#actors/fixity/host_backoff.ts'

/** What a check learns that begins now. */
function askForRest(patience: HostPatience, host: string): boolean {
  return patience.waitsFor(host, patience.moment)
}

test('a host is waited for twice in a row, and no more until it answers', (t) => {
  const patience = new HostPatience()
  const asks = () => askForRest(patience, 'a')
  t.deepEqual([asks(), asks(), asks(), asks()], [true, true, false, false])
  t.true(askForRest(patience, 'b'), 'other hosts have their own')
  patience.noteAnswer('a')
  t.deepEqual([asks(), asks(), asks()], [true, true, false])
})

test('checks that ran side by side are told of one rest', (t) => {
  const patience = new HostPatience()
  for (const isWaitedFor of [true, true, false]) {
    const begun = patience.moment
    const told = [1, 2, 3].map(() => patience.waitsFor('a', begun))
    t.deepEqual(told, [isWaitedFor, isWaitedFor, isWaitedFor])
  }
})

test('a rest that another host asked for meanwhile is another one', (t) => {
  const patience = new HostPatience()
  for (const isWaitedFor of [true, true, false]) {
    const begun = patience.moment
    t.is(patience.waitsFor('a', begun), isWaitedFor)
    t.is(patience.waitsFor('b', begun), isWaitedFor)
  }
})

test('ten thousand hosts are remembered, those that asked last', (t) => {
  const patience = new HostPatience()
  for (const host of ['early', 'late']) for (const _ of [1, 2]) askForRest(patience, host)
  for (let nth = 0; nth < 9_998; nth += 1) askForRest(patience, `host ${nth}`)
  t.false(askForRest(patience, 'late'))
  askForRest(patience, 'one more')
  t.true(askForRest(patience, 'early'), 'it was forgotten')
  t.false(askForRest(patience, 'late'))
})
