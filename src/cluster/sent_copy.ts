import { type CopyKeys, encodeIndex, isTagOf, sealChunk } from '#src/cluster/join_keys.ts'

/** How the sending ended: all of it was asked for, nobody asked any more, or it failed. */
export type SentOutcome =
  | { readonly type: 'sent' | 'given_up' }
  | { readonly type: 'failed'; readonly error: unknown }

/** What a copy is sent from. */
export type SentCopyOptions = {
  readonly keys: CopyKeys
  /** What is sent, in pieces of any length; ended by `return` if it is not sent whole. */
  readonly pieces: AsyncGenerator<Uint8Array>
  /** For how long it may take. */
  readonly withinMs: number
  readonly ended: (outcome: SentOutcome) => void
}

/** Bytes of a chunk, but for the last one: far less than a message of NATS may have. */
const chunkBytes = 256 * 1_024

/** Chunks that may be asked for at a time; twice as many are kept, because answers may be lost. */
const keptMax = 8

/** After which nobody is waited for any more who asks for nothing. */
const silentMs = 60_000

/**
 * A copy on its way to the one node that joins: each chunk is made when it is asked for, in their
 * order, so that it goes as fast as that node writes. It owns the source of the pieces.
 */
export class SentCopy {
  readonly #options: SentCopyOptions
  readonly #chunks = new Map<number, Promise<Buffer | undefined>>()
  readonly #deadline: NodeJS.Timeout
  #silence: NodeJS.Timeout | undefined
  #made: Promise<unknown> = Promise.resolve()
  #next = 0
  #rest: Buffer = Buffer.alloc(0)
  #isAllRead = false
  #outcome: SentOutcome | undefined

  constructor(options: SentCopyOptions) {
    this.#options = options
    this.#deadline = setTimeout(() => this.#end({ type: 'given_up' }), options.withinMs).unref()
    this.#listen()
  }

  /** The chunk at a place, sealed, if the tag shows the right to it; undefined: there is none. */
  async chunk(index: number, tag: Uint8Array): Promise<Buffer | undefined> {
    if (!isTagOf(this.#options.keys.ask, [encodeIndex(index)], tag)) return undefined
    this.#listen()
    // The question before this one may have been lost.
    if (index < this.#next + keptMax) while (this.#next <= index) this.#begin()
    return this.#chunks.get(index)
  }

  /** Ends the sending. Resolves when nothing is read any more. */
  async close(): Promise<void> {
    this.#end({ type: 'given_up' })
    await this.#made
    await this.#options.pieces.return(undefined)
  }

  #begin(): void {
    const index = this.#next
    this.#next += 1
    const chunk = this.#made.then(() => this.#make(index))
    this.#made = chunk
    this.#chunks.set(index, chunk)
    this.#chunks.delete(index - 2 * keptMax)
  }

  async #make(index: number): Promise<Buffer | undefined> {
    try {
      if (this.#outcome !== undefined) return undefined
      while (this.#rest.length <= chunkBytes && !this.#isAllRead) await this.#read()
      if (this.#outcome !== undefined) return undefined
      const isLast = this.#isAllRead && this.#rest.length <= chunkBytes
      const bytes = this.#rest.subarray(0, chunkBytes)
      this.#rest = this.#rest.subarray(bytes.length)
      if (isLast) this.#end({ type: 'sent' })
      return sealChunk(this.#options.keys.seal, index, { bytes, isLast })
    } catch (error) {
      this.#end({ type: 'failed', error })
      return undefined
    }
  }

  async #read(): Promise<void> {
    const step = await this.#options.pieces.next()
    if (step.done === true) this.#isAllRead = true
    else this.#rest = Buffer.concat([this.#rest, step.value])
  }

  #listen(): void {
    clearTimeout(this.#silence)
    if (this.#outcome !== undefined) return
    this.#silence = setTimeout(() => this.#end({ type: 'given_up' }), silentMs).unref()
  }

  #end(outcome: SentOutcome): void {
    if (this.#outcome !== undefined) return
    this.#outcome = outcome
    clearTimeout(this.#deadline)
    clearTimeout(this.#silence)
    void this.#options.pieces.return(undefined)
    this.#options.ended(outcome)
  }
}
