// A thread that shares the replies of the one which has started it: it finishes one write, and has
// another under way.

import { type MessagePort, parentPort, workerData } from 'node:worker_threads'

import { Remote, threadTransport } from '#actors/kernel/remote.ts'
import { remoteKeptReplies } from '#src/cli/start/thread_services.ts'
import { remoteLimits } from '#test/actors/kernel/_remote_limits.ts'

/** What the thread is started with. */
export type RepliesThreadData = { readonly port: MessagePort }

const { port } = workerData as RepliesThreadData
const transport = threadTransport(port)
const remote = new Remote({ ...remoteLimits, name: 'the owner', transport })
const replies = remoteKeptReplies(remote)
const finished = { key: 'finished', body_hash: 'a' }
await replies.begin(finished)
await replies.finish(finished, { status: 201, headers: {}, body: 'made' })
await replies.begin({ key: 'begun', body_hash: 'a' })
parentPort?.postMessage('begun')
