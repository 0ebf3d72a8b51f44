import type { CallCounter } from '#test/walks/_call_counter.ts'
import { shapesOf } from '#test/walks/_shapes.ts'
import { walkAll } from '#test/walks/_walks.ts'

/** The way of one request: files and shapes from the root, and how many functions ran. */
export type WalkCount = {
  readonly files: readonly string[]
  readonly functions: number
  readonly shapes: readonly string[]
}

/**
 * Counts walks for each number of edge threads, each as it was carried out: all of them, or those
 * of which `isWanted` is true.
 */
export async function* countWalks(
  counter: CallCounter,
  threadings: readonly number[],
  isWanted: (name: string) => boolean,
): AsyncGenerator<readonly [name: string, count: WalkCount]> {
  for (const edgeThreads of threadings) {
    const where = edgeThreads === 0 ? 'in one thread' : 'with an edge thread'
    const nameOf = (walk: string) => `${walk}, ${where}`
    const walks = walkAll(counter, edgeThreads, (walk) => isWanted(nameOf(walk)))
    for await (const [walk, calls] of walks) {
      const called = [...calls.values()]
      const files = [...new Set(called.map(({ file }) => file))].toSorted()
      yield [nameOf(walk), { files, functions: called.length, shapes: shapesOf(called) }]
    }
  }
}
