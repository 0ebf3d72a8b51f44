import type { LoadResult } from '#test/bench/_load.ts'
import type { LoadPlan } from '#test/bench/_load_process.ts'
import { askChild, type Child, startNode } from '#test/bench/_process.ts'

/** The load, in a process of its own: runs one plan after the other. */
export type LoadClient = { run(plan: LoadPlan): Promise<LoadResult>; stop(): Promise<void> }

/** Starts the process of the load. */
export function startLoad(): LoadClient {
  const child: Child = startNode(new URL('./_load_process.ts', import.meta.url), [])
  return {
    run: async (plan) => (await askChild(child, plan)) as LoadResult,
    stop: () => child.stop(),
  }
}

/** A bare Fastify server in a process of its own; see `_bare_server.ts` for the arguments. */
export async function startBare(
  kind: 'mint' | 'get',
  reply: string,
): Promise<{ readonly child: Child; readonly port: number }> {
  const child = startNode(new URL('./_bare_server.ts', import.meta.url), [kind, reply])
  const { port } = (await askChild(child, {})) as { port: number }
  return { child, port }
}
