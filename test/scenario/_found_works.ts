import { until } from '#test/_until.ts'
import type { Server } from '#test/scenario/_process.ts'
import { request } from '#test/scenario/_request.ts'

/** Waits until a search for a word finds so many works, at least; `key` may search. */
export function untilFound(
  server: Server,
  { key, word, count }: { readonly key: string; readonly word: string; readonly count: number },
): Promise<void> {
  const target = `/v1/search/works?q=${word}`
  const isFound = async () => {
    const { status, body } = await request<{ readonly total: number }>(server, target, { key })
    return status === 200 && body.total >= count
  }
  return until(`${count} works are found by ${word}`, isFound, { pauseMs: 20 })
}
