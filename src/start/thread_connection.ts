import type { MessagePort } from 'node:worker_threads'

import { Remote, type RemoteOptions, threadTransport } from '#actors/kernel/remote.ts'
import { elapsedMs } from '#src/start/elapsed.ts'

const limits = {
  // As many as the mailbox of a kind of entity may hold.
  askedMax: 16_384,
  // The longest work that a request can bring, in JSON within JSON.
  messageCharactersMax: 8 * 1_048_576,
  answerMsMax: 600_000,
}

/**
 * A connection between the thread that runs a registry and one that has joined it, over its port.
 * `name` is what the other side is called; `report` hears of messages that are lost.
 */
export function connectThread(
  name: string,
  port: MessagePort,
  report: RemoteOptions['report'],
): Remote {
  return new Remote({ ...limits, name, transport: threadTransport(port), elapsedMs, report })
}
