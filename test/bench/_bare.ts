import { askChild, type Child, startNode } from '#test/bench/_process.ts'

/** A bare Fastify server in a process of its own; see `_bare_server.ts` for the arguments. */
export async function startBare(
  kind: 'mint' | 'get',
  reply: string,
): Promise<{ readonly child: Child; readonly port: number }> {
  const child = startNode(new URL('./_bare_server.ts', import.meta.url), [kind, reply])
  const { port } = (await askChild(child, {})) as { port: number }
  return { child, port }
}
