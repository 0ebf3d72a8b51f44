// Closes a reader of the index in this folder while its answer lies unread, and says so: nothing
// else keeps this process alive.

import { SearchReader } from '#src/discovery/search/embedded/search_reader.ts'

const [, , dir = ''] = process.argv
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** For how long nothing is read: the answer has come by then, or comes after the end. */
const deafMs = 700

const reader = new SearchReader({ dir, queryMsMax: 60_000 })
await reader.prepare('works')
void reader.prepare('works').catch(() => undefined)
await turn()
Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, deafMs)
await reader.close()
process.stdout.write('closed')
