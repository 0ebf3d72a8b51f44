import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { destination, type Logger } from 'pino'

import type { Remote } from '#actors/kernel/remote.ts'
import type { Config } from '#config/schema.ts'
import { assert } from '#log/base/errors.ts'
import { createLogger } from '#src/edge/logger.ts'
import { connectThread } from '#src/start/thread_connection.ts'

/** What every thread beside the one that runs the registry is started with. */
export type ThreadStart = {
  readonly config: Config
  /** Its end of the connection. */
  readonly port: MessagePort
}

/** What such a thread has at once: the way to the one that runs the registry, and a log. */
export type ThreadParts = { readonly remote: Remote; readonly logger: Logger }

/**
 * Runs this thread: opens what it is for with `open`, which owns what it puts on `opened`, says
 * `ready` to the thread that has started it, and ends when that one sends anything.
 */
export async function runThread<Start extends ThreadStart>(
  ready: string,
  open: (start: Start, parts: ThreadParts, opened: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  assert(parentPort !== null, 'a thread of a registry is started by another one')
  const owner = parentPort
  const start = workerData as Start
  const opened = new AsyncDisposableStack()
  const logger = createLogger(start.config.LOG_LEVEL, destination(2))
  const remote = connectThread('the registry', start.port, (report) => {
    logger.warn(report, 'a message was lost')
  })
  opened.defer(() => remote.close())
  await open(start, { remote, logger }, opened)
  owner.once('message', () => {
    // Connections have had their grace; the port is all that keeps the thread alive.
    void opened.disposeAsync().finally(() => owner.close())
  })
  owner.postMessage(ready)
}
