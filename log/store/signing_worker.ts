// The thread of a SigningThread: signs each batch it is sent, in order.

import type { KeyObject } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'

import { sign } from '#log/tlog/ed25519.ts'
import { signatureBytes } from '#log/tlog/key_form.ts'
import { assert } from '#log/tlog/errors.ts'
import type { SigningBatch } from '#log/store/signing_thread.ts'

const port = parentPort
assert(port !== null, 'this file runs as a thread')
const key = { privateKey: workerData as KeyObject }

port.on('message', ({ lengths, bytes }: SigningBatch) => {
  const signatures = new Uint8Array(lengths.length * signatureBytes)
  let at = 0
  for (const [index, length] of lengths.entries()) {
    signatures.set(sign(bytes.subarray(at, at + length), key), index * signatureBytes)
    at += length
  }
  port.postMessage(signatures)
})
