import test from 'ava'
import { isNodeName } from '#src/cluster/invitation.ts'

for (const name of ['a', 'registry-2', '0', 'a'.repeat(63)]) {
  test(`${name} names a node`, (t) => {
    t.true(isNodeName(name))
  })
}

for (const name of ['', 'A', 'a.b', '*', '>', '-a', 'a-', 'a b', 'ä', 'a\n', 'a'.repeat(64)]) {
  test(`${JSON.stringify(name)} names none`, (t) => {
    t.false(isNodeName(name))
  })
}
