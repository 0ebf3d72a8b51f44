import test from 'ava'
import fc from 'fast-check'

import { Mailbox } from '#actors/kernel/kernel.ts'

test('property: messages leave in the order in which they came, none lost', (t) => {
  const step = fc.oneof(fc.constant('take'), fc.nat())
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const mailbox = new Mailbox<number>()
      const expected: number[] = []
      for (const next of steps) {
        if (next === 'take') t.is(mailbox.take(), expected.shift())
        else {
          mailbox.put(next)
          expected.push(next)
        }
        t.is(mailbox.isEmpty, expected.length === 0)
      }
    }),
  )
})
