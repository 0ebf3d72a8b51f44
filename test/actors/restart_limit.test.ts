import test from 'ava'
import fc from 'fast-check'
import { RestartLimit } from '#actors/restart_limit.ts'

test('no 60 seconds hold more than ten restarts, and an eleventh is all that is refused', (t) => {
  const pausesMs = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(pausesMs, (pauses) => {
      const limit = new RestartLimit()
      const allowed: number[] = []
      let nowMs = 0
      for (const pauseMs of pauses) {
        nowMs += pauseMs
        const recent = allowed.filter((time) => nowMs - time < 60_000).length
        t.is(limit.allow(nowMs), recent < 10)
        if (recent < 10) allowed.push(nowMs)
      }
    }),
  )
})
