import { freePort } from '#test/_free_port.ts'
import { untilGiven } from '#test/_until.ts'
import type { Server, Settings } from '#test/scenario/_process.ts'

/** What a process says of itself to a debugger (Chrome DevTools Protocol) over a connection. */
type Session = {
  call(method: string, params?: object): Promise<Record<string, unknown>>
  /** Sessions of its threads. */
  readonly threads: readonly Session[]
}

/**
 * Settings with which the live memory of a process can be asked for: `bytesOf` collects its garbage
 * first, in each of its threads, so that it does not depend on when that happens by itself. It
 * gives the bytes of their heaps and of the buffers beside them.
 */
export async function liveMemory(): Promise<{
  readonly settings: Settings
  bytesOf(server: Server): Promise<number>
}> {
  const port = await freePort()
  const settings = { NODE_OPTIONS: `--inspect-port=${port} --inspect-publish-uid=http` }
  return {
    settings,
    async bytesOf({ child }) {
      child.kill('SIGUSR1')
      const socket = new WebSocket(await untilGiven('it can be debugged', () => addressAt(port)))
      await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
      const main = await openSession(socket)
      let bytes = 0
      for (const session of [main, ...main.threads]) {
        await session.call('HeapProfiler.collectGarbage')
        const used = await session.call('Runtime.getHeapUsage')
        bytes += Number(used['usedSize']) + Number(used['backingStorageSize'])
      }
      socket.close()
      return bytes
    },
  }
}

/** What Node writes to stderr about debuggers, and nothing else. */
export const debuggerLines = /^Debugger (?:attached|ending).*\n/gm

async function addressAt(port: number): Promise<string | undefined> {
  const reply = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => undefined)
  if (reply === undefined) return undefined
  const [target] = (await reply.json()) as { readonly webSocketDebuggerUrl: string }[]
  return target?.webSocketDebuggerUrl
}

async function openSession(socket: WebSocket): Promise<Session> {
  const threads: (Session & { hear(message: string): void; readonly id: string })[] = []
  const main = newSession((message) => socket.send(message), threads)
  socket.addEventListener('message', ({ data }) => {
    const { method, params = {} } = JSON.parse(String(data))
    if (method === 'NodeWorker.attachedToWorker') {
      const sessionId = String(params.sessionId)
      const send = (message: string) =>
        void main.call('NodeWorker.sendMessageToWorker', { sessionId, message })
      threads.push({ ...newSession(send, []), id: sessionId })
    }
    if (method === 'NodeWorker.receivedMessageFromWorker') {
      threads.find(({ id }) => id === params.sessionId)?.hear(params.message)
    }
    if (method === undefined) main.hear(String(data))
  })
  await main.call('NodeWorker.enable', { waitForDebuggerOnStart: false })
  return main
}

function newSession(send: (message: string) => void, threads: readonly Session[]) {
  const asked = new Map<number, (result: Record<string, unknown>) => void>()
  let lastId = 0
  return {
    threads,
    call(method: string, params = {}) {
      const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>()
      asked.set((lastId += 1), resolve)
      send(JSON.stringify({ id: lastId, method, params }))
      return promise
    },
    hear(message: string) {
      const { id, result } = JSON.parse(message)
      asked.get(id)?.(result)
    },
  }
}
