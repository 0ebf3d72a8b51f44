import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'

import type { Server } from '#test/scenario/_process.ts'

/** Somebody who goes on resolving one ARK while others do their worst. */
export type Bystander = {
  /** Answers until now. All of them were 200. */
  readonly answers: number
  /** Ends it, and fails the test if any answer was none. */
  leave(): Promise<void>
}

/** Lets a bystander resolve an ARK, one request after the other, with so many ms in between. */
export function standBy(
  t: ExecutionContext,
  server: Server,
  { ark, waitMs }: { readonly ark: string; readonly waitMs: number },
): Bystander {
  let answers = 0
  let isHere = true
  const statuses = new Set<number>()
  const resolving = (async () => {
    while (isHere) {
      const response = await fetch(`${server.started.local_url}/v1/resolve/${ark}`)
      await response.arrayBuffer()
      statuses.add(response.status)
      answers += 1
      if (waitMs > 0) await sleep(waitMs)
    }
  })()
  return {
    get answers() {
      return answers
    },
    async leave() {
      isHere = false
      await resolving
      t.deepEqual([...statuses], [200])
    },
  }
}
