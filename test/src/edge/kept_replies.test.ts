import test from 'ava'

import { RepliesInMemory } from '#src/edge/kept_replies.ts'
import { testKeptReplies } from '#test/contracts/kept_replies.ts'

testKeptReplies(test, async () => {
  let nowMs = 1
  const replies = new RepliesInMemory(() => nowMs)
  return { pair: [replies, replies], forward: (ms) => void (nowMs += ms) }
})
