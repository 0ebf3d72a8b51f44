// The checker of histories of works finds what it is there to find.

import test, { type ExecutionContext } from 'ava'

import { checkHistory, whyNoChecker } from '#test/long/_linearizability.ts'
import type { History, Operation } from '#test/long/_register_history.ts'

/** Three writes, the second without an answer, and what is read between and after them. */
const operations: readonly Operation[] = [
  operation('write', { value: 'one', version: 2, call_us: 1, return_us: 5 }),
  operation('read', { value: 'one', version: 2, call_us: 5, return_us: 9 }),
  operation('write', { value: 'two', version: 0, call_us: 6 }),
  operation('read', { value: 'one', version: 2, call_us: 10, return_us: 12 }),
  operation('write', { value: 'three', version: 4, call_us: 13, return_us: 20 }),
  operation('read', { value: 'two', version: 3, call_us: 13, return_us: 19 }),
  operation('read', { value: 'three', version: 4, call_us: 20, return_us: 25 }),
]

type Observed = Pick<Operation, 'value' | 'version' | 'call_us' | 'return_us'>

function operation(kind: 'write' | 'read', observed: Observed): Operation {
  return { client: 1, register: 'work', write: kind === 'write', ...observed }
}

function historyOf(changed: readonly Operation[]): History {
  return { first: { work: 'first' }, operations: [...changed] }
}

function findsFaults(t: ExecutionContext): void {
  const isRight = (changed: readonly Operation[]) =>
    checkHistory(historyOf(changed)).linearizable === 1
  t.true(isRight(operations))
  t.true(isRight(operations.filter(({ value }) => value === 'one')))
  const stale = operation('read', { value: 'two', version: 3, call_us: 21, return_us: 26 })
  t.false(isRight([...operations, stale]), 'a stale read')
  const lost = operation('read', { value: 'first', version: 1, call_us: 6, return_us: 9 })
  t.false(isRight([...operations, lost]), 'a lost write')
  const twice = operation('write', { value: 'four', version: 4, call_us: 21, return_us: 26 })
  t.false(isRight([...operations, twice]), 'a version that is two writes')
  const undone = operations.filter(({ value, write }) => value !== 'two' || !write)
  t.false(isRight(undone), 'a value that nobody has written')
}

const name = 'porcupine finds a stale read, a lost write and a fork in a history of a work'
if (whyNoChecker === undefined) test.serial(name, findsFaults)
else test.skip(`${name} (skipped: ${whyNoChecker})`, findsFaults)
