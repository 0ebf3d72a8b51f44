import { Worker } from 'node:worker_threads'

import type { Ed25519Key } from '#log/tlog/ed25519.ts'
import { signatureBytes } from '#log/tlog/key_form.ts'
import { assert } from '#log/tlog/errors.ts'

/** What the thread is sent: the lengths of messages, and their bytes one after the other. */
export type SigningBatch = { readonly lengths: readonly number[]; readonly bytes: Uint8Array }

type Waiting = {
  readonly message: Uint8Array
  readonly resolve: (signature: Uint8Array) => void
  readonly reject: (error: unknown) => void
}

/** Messages signed in one visit to the thread, at most: what comes later must not wait for ever. */
const batchMessagesMax = 1_024

// What the thread makes is garbage at once: left alone, it gathers 32 MiB of it.
const youngMegabytesMax = 2

/**
 * Signs with one key in a thread of its own. A signature takes longer than all else about a small
 * write, and a visit to another thread costs half as much again; so what is asked for while the
 * thread is at work goes to it together. The thread starts at the first signature and keeps no
 * process alive.
 */
export class SigningThread {
  readonly #key: Ed25519Key
  #worker: Worker | undefined
  #failure: Error | undefined
  #waiting: Waiting[] = []
  #signing: readonly Waiting[] = []

  constructor(key: Ed25519Key) {
    this.#key = key
  }

  /** The Ed25519 signature of a message (RFC 8032): 64 bytes. Rejects if the thread has died. */
  sign(message: Uint8Array): Promise<Uint8Array> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, resolve, reject })
      // What is asked for in the same turn of the event loop goes along.
      if (this.#signing.length === 0 && this.#waiting.length === 1) {
        setImmediate(() => this.#send())
      }
    })
  }

  #send(): void {
    if (this.#signing.length > 0 || this.#waiting.length === 0) return
    this.#signing = this.#waiting.splice(0, batchMessagesMax)
    const messages = this.#signing.map(({ message }) => message)
    const batch: SigningBatch = {
      lengths: messages.map(({ length }) => length),
      bytes: Buffer.concat(messages),
    }
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage(batch)
  }

  #start(): Worker {
    const worker = new Worker(new URL('./signing_worker.ts', import.meta.url), {
      name: 'signing',
      workerData: this.#key.privateKey,
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytesMax },
    })
    worker.on('message', (signatures: Uint8Array) => this.#answer(signatures))
    worker.on('error', (error) => this.#fail(error))
    worker.on('exit', (code) => this.#fail(`it ended with code ${code}`))
    return worker
  }

  #answer(signatures: Uint8Array): void {
    const signed = this.#signing
    assert(signatures.length === signed.length * signatureBytes, 'each message has a signature')
    this.#signing = []
    signed.forEach(({ resolve }, index) => {
      resolve(signatures.subarray(index * signatureBytes, (index + 1) * signatureBytes))
    })
    if (this.#waiting.length > 0) this.#send()
    else this.#worker?.unref()
  }

  // The first failure is the cause; the end of the thread only follows it.
  #fail(cause: unknown): void {
    this.#failure ??= new Error('the thread that signs has failed', { cause })
    for (const { reject } of [...this.#signing, ...this.#waiting]) reject(this.#failure)
    this.#signing = []
    this.#waiting = []
  }
}
