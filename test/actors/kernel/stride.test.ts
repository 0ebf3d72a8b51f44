import test from 'ava'

import { hurryStrides, Stride } from '#actors/kernel/stride.ts'

const strideBytes = 65_536

/** Takes a stride; gives how many turns of the loop it took, in each of which `each` is called. */
async function turnsOfStride(each: () => void): Promise<number> {
  let turns = 0
  let isDone = false
  const turn = () => {
    if (isDone) return
    turns += 1
    each()
    setImmediate(turn)
  }
  turn()
  await new Stride().step(strideBytes)
  isDone = true
  return turns
}

test.serial('a stride lets the loop have one turn', async (t) => {
  const turns = await turnsOfStride(() => {})
  t.true(turns <= 3, `${turns} turns`)
})

test.serial('while the loop is hurried a stride waits, and not for ever', async (t) => {
  let hurried = 0
  const inHurry = await turnsOfStride(() => {
    hurried += 1
    if (hurried < 10) hurryStrides()
  })
  t.true(inHurry >= 9 && inHurry <= 13, `${inHurry} turns`)
  const always = await turnsOfStride(hurryStrides)
  t.true(always >= 32 && always <= 36, `${always} turns`)
})

test.serial('work that nobody waits for rests after a stride', async (t) => {
  const done: string[] = []
  const timer = new Promise<void>((resolve) => {
    setTimeout(() => resolve(void done.push('timer')), 1)
  })
  await new Stride({ waitMs: 5 }).step(strideBytes)
  done.push('stride')
  await timer
  t.deepEqual(done, ['timer', 'stride'])
})
