import { CallCounter } from '#test/walks/_call_counter.ts'
import { shapesOf } from '#test/walks/_shapes.ts'
import { walkAll } from '#test/walks/_walks.ts'

/** The way of one request: files and shapes from the root, and how many functions ran. */
export type WalkCount = {
  readonly files: readonly string[]
  readonly functions: number
  readonly shapes: readonly string[]
}

/** Counts every walk for each number of edge threads. */
export async function countWalks(
  threadings: readonly number[],
): Promise<ReadonlyMap<string, WalkCount>> {
  const counter = new CallCounter()
  await counter.open()
  const counts = new Map<string, WalkCount>()
  for (const edgeThreads of threadings) {
    const where = edgeThreads === 0 ? 'in one thread' : 'with an edge thread'
    for (const [name, calls] of await walkAll(counter, edgeThreads)) {
      const called = [...calls.values()]
      const files = [...new Set(called.map(({ file }) => file))].toSorted()
      counts.set(`${name}, ${where}`, {
        files,
        functions: called.length,
        shapes: shapesOf(called),
      })
    }
  }
  return counts
}
