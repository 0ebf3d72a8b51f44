import type { BenchOptions } from '#test/bench/_bench.ts'
import type { Figure } from '#test/bench/_figure.ts'
import { askChild, startNode } from '#test/bench/_process.ts'

/** CPU that all which is done with every request costs beside a bare route, at most. */
const addedUsMax = 12

/** What each part of a server does with every request, beside a bare route; without the kernel. */
export async function benchHooks({ roundMs }: BenchOptions): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack()
  const requests = String(roundMs)
  const child = startNode(new URL('./_hooks_process.ts', import.meta.url), [requests])
  cleanup.defer(() => child.stop())
  const spent = (await askChild(child, {})) as Readonly<Record<string, number>>
  const bare = spent['bare'] ?? Number.NaN
  const figures: Figure[] = Object.entries(spent).map(([part, value]) => {
    const name = part === 'bare' ? 'CPU of a bare request' : `CPU of a request with ${part}`
    return { bench: 'hooks', name, value, unit: 'µs' }
  })
  const added = (limits: 'on' | 'off'): Figure => ({
    bench: 'hooks',
    name: `CPU added by all, limits ${limits}`,
    value: (spent[`all, limits ${limits}`] ?? Number.NaN) - bare,
    unit: 'µs',
    goal: { atMost: addedUsMax },
  })
  return [...figures, added('off'), added('on')]
}
