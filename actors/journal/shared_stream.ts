import { createHash } from 'node:crypto'

/**
 * What became of a message. `fenced`: another node has gone on with the stream, and nothing of the
 * message is in it; `undecided`: it may be in the stream, or come to it.
 */
export type Appended = 'appended' | 'fenced' | 'undecided'

/** A message of a shared stream: `sequence` is its place, from 1, without gaps. */
export type StreamMessage = { readonly sequence: number; readonly message: Uint8Array }

/**
 * A stream that several nodes share, as one of them reaches it. Messages that are in it are in it
 * for good, in one order; the oldest may be gone. Each call tries until it knows, or `signal` ends
 * it: then it rejects with the signal's reason, but for `append` and `follow`.
 */
export type SharedStream = {
  /**
   * Appends a message if the stream ends with the message at `after` (0: it is empty). `fenced`:
   * it ends with another one. `undecided`: the signal came before it was known.
   */
  append(message: Uint8Array, after: number, signal: AbortSignal): Promise<Appended>

  /**
   * The place of the newest message; 0 if there never was one. Where it is before the one that is
   * `known`, it is asked for again until nobody can be found who knows more.
   */
  newest(signal: AbortSignal, known?: number): Promise<number>

  /**
   * The place of the oldest message that is kept; where none is kept, the one after the newest that
   * ever was. A node that has come less far than just before it cannot follow any more.
   */
  oldest(signal: AbortSignal): Promise<number>

  /** The message at a place; undefined if it is gone or still to come. */
  at(sequence: number, signal: AbortSignal): Promise<Uint8Array | undefined>

  /**
   * The messages after a place, in order, and then those that come. It ends with `signal`, and when
   * the connection was lost and is back: the stream may be another one by then. Where the next
   * message is gone, the first one has a later place.
   */
  follow(after: number, signal: AbortSignal): AsyncIterable<StreamMessage>
}

/** The newest message that a node has taken: its place in the stream, and its digest. */
export type StreamPlace = { readonly sequence: number; readonly digest: string }

/** What stands before the first message, which names no other one. */
export const beginning: StreamPlace = { sequence: 0, digest: '' }

/** The digest by which the next message names this one: SHA-256 of its bytes, in hex. */
export function messageDigest(message: Uint8Array): string {
  return createHash('sha256').update(message).digest('hex')
}

/** How the users of a stream say what is wrong with it. */
export type StreamFaults = {
  /** It is shorter than what was taken here, or another one. */
  rolledBack(found: string): Error
  /** The next message is gone, and another one is the next that there is. */
  gap(next: number, sequence: number): Error
}

/** What a node does that lacks messages which are gone. */
export const joinAdvice =
  'move the folder of this node away, make an invitation at a node that runs ("arklog cluster ' +
  'invite"), and let this one join with it and an empty folder ("arklog cluster join")'

/**
 * A shared stream in which each message names the one before it by its digest: so a node that goes
 * along it finds out when messages are missing, or are other ones than it has taken. Where a node
 * has come to is for its user to keep.
 */
export class ChainedStream {
  readonly #stream: SharedStream
  readonly #faults: StreamFaults

  constructor(stream: SharedStream, faults: StreamFaults) {
    this.#stream = stream
    this.#faults = faults
  }

  /** Compares the stream with what was taken from it. Errors: both of `StreamFaults`. */
  async check({ sequence, digest }: StreamPlace, signal: AbortSignal): Promise<void> {
    const newest = await this.#stream.newest(signal, sequence)
    if (newest < sequence) {
      const found = `it ends with message ${newest}, and ${sequence} is carried out here`
      throw this.#faults.rolledBack(found)
    }
    const oldest = await this.#stream.oldest(signal)
    if (oldest > sequence + 1) throw this.#faults.gap(sequence + 1, oldest)
    const message = sequence === 0 ? undefined : await this.#stream.at(sequence, signal)
    if (message !== undefined && messageDigest(message) !== digest) {
      const found = `its message ${sequence} is another one than was carried out here`
      throw this.#faults.rolledBack(found)
    }
  }

  /**
   * What the next message after a place says, and its own place. Errors: both of `StreamFaults`,
   * those of `decode`.
   */
  next<Content extends { readonly previous: string }>(
    after: StreamPlace,
    { sequence, message }: StreamMessage,
    decode: (message: Uint8Array) => Content,
  ): { readonly content: Content; readonly place: StreamPlace } {
    const next = after.sequence + 1
    if (sequence > next) throw this.#faults.gap(next, sequence)
    if (sequence < next) {
      throw this.#faults.rolledBack(`message ${sequence} came after message ${next - 1}`)
    }
    const content = decode(message)
    if (content.previous !== after.digest) {
      const found = `its message ${sequence} does not follow what was carried out here`
      throw this.#faults.rolledBack(found)
    }
    return { content, place: { sequence, digest: messageDigest(message) } }
  }

  /** Appends a message that names the one before it, if the stream ends at a place. */
  async append(
    after: StreamPlace,
    encode: (previous: string) => Uint8Array,
    signal: AbortSignal,
  ): Promise<{
    readonly outcome: Appended
    readonly message: Uint8Array
    /** Its place, where it was appended. */
    readonly place: StreamPlace
  }> {
    const message = encode(after.digest)
    const outcome = await this.#stream.append(message, after.sequence, signal)
    const place = { sequence: after.sequence + 1, digest: messageDigest(message) }
    return { outcome, message, place }
  }
}
