import {
  type Appended,
  beginning,
  ChainedStream,
  joinAdvice,
  messageDigest,
  type SharedStream,
  type StreamMessage,
  type StreamPlace,
} from '#actors/journal/shared_stream.ts'
import { IdentityError } from '#src/identity/store/identity_error.ts'
import { cutRows, type WrittenRow } from '#src/identity/store/identity_rows.ts'
import { openText, sealText } from '#src/identity/store/sealed_rows.ts'

export type SharedChangesOptions = Pick<
  SharedIdentity,
  'stream' | 'elapsedMs' | 'patienceMs' | 'stopped'
> & {
  readonly rows: LocalRows
  /** 32 bytes that all nodes have, under which messages are sealed. */
  readonly sealKey: Uint8Array
}

/** Rows that are written together, or not at all. */
export type Change = {
  readonly rows: readonly WrittenRow[]
  readonly purged: readonly string[]
  /** Of a change that was judged: how many such changes there were then. */
  readonly judgedAfter?: number
}

/** A change that waits to become part of the stream. */
type Waiting = {
  readonly change: Change
  readonly bytes: number
  readonly untilMs: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** The newest message of the stream that is carried out on a node, told to all its threads. */
export type Progress = BigInt64Array

/** Changes that wait, at most, and bytes of their rows that go into one message, about. */
const waitingMax = 4_096
const pooledBytesMax = 512 * 1_024

/** For how long the next part of a change is waited for, after which the change is void. */
const partMsMax = 2_000

/**
 * One node's part in a stream of changes that several nodes share: the order of the stream is the
 * order of the changes, and each node carries out all of them on its own rows. A change that was
 * judged on rows counts only if no other such change came before it, so that what is good for one
 * use has one, and a name one holder, on whatever nodes they are asked for. Messages are appended
 * after a place: so each node knows what stood before its own. It owns the place of its rows.
 */
export class SharedChanges {
  /** How far this node has come. */
  readonly progress: Progress = new BigInt64Array(
    new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT),
  )
  readonly #options: SharedChangesOptions
  readonly #chain: ChainedStream
  readonly #closing = new AbortController()
  #place: ChangePlace
  /** The newest message that was read: after the place, if a change is not whole yet. */
  #read: StreamPlace
  #parts: ChangeMessage[] = []
  #partMs = 0
  readonly #waiting: Waiting[] = []
  #appending: Promise<void> | undefined
  #following: Promise<void> = Promise.resolve()
  #checking: Promise<void> | undefined
  #lastStep: Promise<unknown> = Promise.resolve()
  #nextRead = Promise.withResolvers<void>()
  #failure: unknown

  constructor(options: SharedChangesOptions, place: ChangePlace) {
    this.#options = options
    this.#chain = new ChainedStream(options.stream, { rolledBack, gap })
    this.#place = place
    this.#read = place
    this.#tellProgress()
  }

  /** Takes part from now on, and resolves when these rows are as the stream has them now. */
  async start(): Promise<void> {
    try {
      await this.#check()
      this.#following = this.#follow()
      await this.caughtUp()
    } catch (error) {
      await this.close()
      throw this.#failure ?? error
    }
  }

  /** How many changes that were judged are carried out here. */
  get judged(): number {
    return this.#place.judged
  }

  /** How far these rows have come. */
  get place(): ChangePlace {
    return this.#place
  }

  /**
   * Makes a change part of the stream, and resolves when it is carried out here. Nothing is written
   * when it rejects with `identity_outrun` or `identity_contended`; it may be after
   * `identity_undecided`.
   */
  write(change: Change): Promise<void> {
    if (this.#closing.signal.aborted) return Promise.reject(this.#ended())
    if (this.#waiting.length >= waitingMax) return Promise.reject(contended())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const bytes = change.rows.reduce((sum, row) => sum + rowBytes(row), 0)
    const untilMs = this.#options.elapsedMs() + this.#options.patienceMs
    this.#waiting.push({ change, bytes, untilMs, resolve, reject })
    this.#appending ??= this.#appendAll()
    return promise
  }

  /**
   * Resolves when all is carried out here that was acknowledged to anybody before. IdentityError
   * `identity_stale` if it is not known in time what that is.
   */
  async caughtUp(patienceMs = this.#options.patienceMs): Promise<void> {
    const untilMs = this.#options.elapsedMs() + patienceMs
    const { sequence: known } = this.#read
    const newest = await this.#within(patienceMs, (signal) => this.#options.stream.newest(signal))
    if (newest < known) {
      this.#checking ??= this.#checkAgain()
      throw stale()
    }
    await this.#untilReached(newest, untilMs - this.#options.elapsedMs())
  }

  /** A server that knows less than this node may be behind itself, or the stream is another one. */
  async #checkAgain(): Promise<void> {
    try {
      await this.#check()
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#stop(error)
    } finally {
      this.#checking = undefined
    }
  }

  /** Resolves when a message of the stream is carried out here. Errors: as `caughtUp`. */
  async #untilReached(sequence: number, patienceMs: number): Promise<void> {
    const endMs = this.#options.elapsedMs() + patienceMs
    while (this.#read.sequence < sequence) {
      const leftMs = endMs - this.#options.elapsedMs()
      if (this.#closing.signal.aborted) throw this.#ended()
      if (leftMs <= 0) throw stale()
      await this.#untilRead(leftMs)
    }
  }

  /** Ends this node's part, once the changes that wait have had their outcome. */
  async close(): Promise<void> {
    while (this.#appending !== undefined) await this.#appending
    this.#closing.abort(this.#ended())
    this.#nextRead.resolve()
    await this.#following
    await this.#checking
    await this.#lastStep
  }

  async #follow(): Promise<void> {
    const { signal } = this.#closing
    try {
      while (!signal.aborted) {
        for await (const message of this.#options.stream.follow(this.#read.sequence, signal)) {
          await this.#take(message)
        }
        if (!signal.aborted) await this.#check()
      }
    } catch (error) {
      if (!signal.aborted) this.#stop(error)
    }
  }

  /** Compares the stream with what is here. Errors: `identity_rolled_back`, `identity_gap`. */
  #check(): Promise<void> {
    return this.#chain.check(this.#read, this.#closing.signal)
  }

  /** Takes the next message; one that was appended here comes twice. */
  #take(message: StreamMessage): Promise<void> {
    const step = this.#lastStep.then(() => this.#takeNext(message))
    this.#lastStep = step.catch(() => undefined)
    return step
  }

  async #takeNext(message: StreamMessage): Promise<void> {
    const { sequence } = message
    if (sequence <= this.#read.sequence) return
    const decode = (bytes: Uint8Array) => decodeChange(this.#options.sealKey, bytes)
    const { content: change, place: read } = this.#chain.next(this.#read, message, decode)
    // A first part begins anew: the node that wrote the ones before it has not gone on.
    if (change.part === 1) this.#parts = []
    if (change.part !== this.#parts.length + 1) throw unexpectedPart(sequence)
    this.#parts.push(change)
    this.#partMs = this.#options.elapsedMs()
    if (change.part === change.parts) await this.#carryOut(this.#parts, read)
    this.#read = read
    this.#nextRead.resolve()
    this.#nextRead = Promise.withResolvers()
  }

  async #carryOut(parts: readonly ChangeMessage[], read: StreamPlace): Promise<void> {
    const { rows } = this.#options
    const judged = this.#place.judged + parts.reduce((sum, part) => sum + part.judged, 0)
    const place = { ...read, judged }
    // What is to be purged was put or deleted by a change before this one. A node that ends between
    // the two purges it again.
    const purged = parts.flatMap((part) => part.purged)
    if (purged.length > 0) await rows.purge(purged)
    await rows.write(
      parts.flatMap((part) => part.rows),
      place,
    )
    this.#place = place
    this.#parts = []
    this.#tellProgress()
  }

  #tellProgress(): void {
    Atomics.store(this.progress, 0, BigInt(this.#place.sequence))
  }

  async #appendAll(): Promise<void> {
    // What is asked for in one turn of the event loop goes together.
    await Promise.resolve()
    try {
      while (this.#waiting.length > 0) await this.#appendNext()
    } catch (error) {
      this.#stop(error)
    } finally {
      this.#appending = undefined
    }
  }

  async #appendNext(): Promise<void> {
    await this.#untilWhole()
    const { sequence: after } = this.#read
    const taken = this.#pool()
    if (taken.length === 0) return
    const outcome = await this.#append(taken).catch((error: unknown) => {
      for (const { reject } of taken) reject(error)
      throw error
    })
    if (outcome === 'fenced') {
      this.#waiting.unshift(...taken)
      const { untilMs = 0 } = taken[0] ?? {}
      const leftMs = untilMs - this.#options.elapsedMs()
      return this.#untilReached(after + 1, leftMs).catch(() => undefined)
    }
    for (const { resolve, reject } of taken) {
      if (outcome === 'appended') resolve()
      else reject(undecided())
    }
  }

  /** What goes into the next message of what waits; what is over by now is refused. */
  #pool(): readonly Waiting[] {
    const taken: Waiting[] = []
    const nowMs = this.#options.elapsedMs()
    let bytes = 0
    let { judged } = this.#place
    for (;;) {
      const next = this.#waiting[0]
      if (next === undefined) return taken
      const { judgedAfter } = next.change
      const isFull = taken.length > 0 && bytes + next.bytes > pooledBytesMax
      if (isFull) return taken
      this.#waiting.shift()
      if (this.#closing.signal.aborted) next.reject(this.#ended())
      else if (judgedAfter !== undefined && judgedAfter !== judged) next.reject(superseded())
      else if (nowMs >= next.untilMs) next.reject(contended())
      else {
        taken.push(next)
        bytes += next.bytes
        if (judgedAfter !== undefined) judged += 1
      }
    }
  }

  async #append(taken: readonly Waiting[]): Promise<Appended> {
    const { sealKey, patienceMs } = this.#options
    const changes = taken.map(({ change }) => change)
    const purged = changes.flatMap((change) => change.purged)
    const judged = changes.filter(({ judgedAfter }) => judgedAfter !== undefined).length
    const parts = cutRows(
      changes.flatMap(({ rows }) => rows),
      { max: rowBytesMax, sizeOf: rowBytes },
    )
    let after = this.#read
    for (const [index, rows] of parts.entries()) {
      const isLast = index === parts.length - 1
      const whole = isLast ? { purged, judged } : { purged: [], judged: 0 }
      const part = { part: index + 1, parts: parts.length, rows, ...whole }
      const encode = (previous: string) => encodeChange(sealKey, { previous, ...part })
      const { outcome, message, place } = await this.#within(patienceMs, (signal) => {
        return this.#chain.append(after, encode, signal)
      })
      if (outcome !== 'appended') return outcome
      after = place
      await this.#take({ sequence: place.sequence, message })
    }
    return 'appended'
  }

  /** Until no change lacks its other parts; a node that has not gone on for a while never will. */
  async #untilWhole(): Promise<void> {
    while (this.#parts.length > 0 && !this.#closing.signal.aborted) {
      const leftMs = this.#partMs + partMsMax - this.#options.elapsedMs()
      if (leftMs <= 0) return
      await this.#untilRead(leftMs)
    }
  }

  /** Until another message was read, or so many milliseconds are over. */
  #untilRead(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    void this.#nextRead.promise.then(resolve)
    return promise.finally(() => clearTimeout(timer))
  }

  /** Does what a signal can end, which comes after so many milliseconds, or when this part ends. */
  async #within<Done>(ms: number, act: (signal: AbortSignal) => Promise<Done>): Promise<Done> {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(stale()), ms)
    try {
      return await act(AbortSignal.any([late.signal, this.#closing.signal]))
    } finally {
      clearTimeout(timer)
    }
  }

  #stop(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    this.#closing.abort(this.#ended())
    this.#nextRead.resolve()
    for (const { reject } of this.#waiting.splice(0)) reject(this.#ended())
    this.#options.stopped(error)
  }

  #ended(): IdentityError {
    return new IdentityError(
      'keys_unwritable',
      'this node takes no part in the identity stream any more: its log says why',
      { cause: this.#failure },
    )
  }
}

/** How far a store has come in the stream: what it has carried out. */
export type ChangePlace = StreamPlace & {
  /** How many changes were there until then that were judged on what was there before. */
  readonly judged: number
}

/** The rows of this node, as its part in the stream has them. */
export type LocalRows = {
  /** How far they have come; undefined: they never were part of a stream. */
  place(): ChangePlace | undefined
  /** Makes rows durable with a place, in one write, and tells those who follow them. */
  write(rows: readonly WrittenRow[], place: ChangePlace): Promise<void>
  /** Leaves nothing in any file of what rows held before their last change. */
  purge(keys: readonly string[]): Promise<void>
  /** A digest of all rows, which equal rows have on all nodes. */
  digest(): Promise<string>
}

const stopAdvice =
  'stop all nodes, keep their folders, and find out what happened to the NATS servers: keys that ' +
  'were revoked since would work again'

/** The stream is shorter than what is here, or another one. */
function rolledBack(found: string): IdentityError {
  const message = `the identity stream was rolled back or made anew: ${found}; ${stopAdvice}`
  return new IdentityError('identity_rolled_back', message)
}

/** The next message is gone. */
function gap(next: number, sequence: number): IdentityError {
  const found = `change ${next} of the identity stream is gone, and ${sequence} is the next one`
  return new IdentityError('identity_gap', `${found}; ${joinAdvice}`)
}

/** A part of a change that does not follow the part before it, which no node writes. */
function unexpectedPart(sequence: number): IdentityError {
  const found = `message ${sequence} of the identity stream is a part of no change`
  return new IdentityError('identity_forked', `${found}; ${stopAdvice}`)
}

/** Rows that never were part of the stream, and are not those that it began with. */
function foreignRows(): IdentityError {
  const found = 'the identity stream was begun with other accounts and keys than are in this folder'
  return new IdentityError('identity_forked', `${found}; ${joinAdvice}`)
}

/** Rows that were changed while their node was in no cluster. */
export function changedOutside(): IdentityError {
  const found = 'accounts or keys were changed here while CLUSTER_URL was not set'
  return new IdentityError('identity_forked', `${found}; ${joinAdvice}`)
}

/** Another node has changed something since this change was judged. */
function superseded(): IdentityError {
  return new IdentityError('identity_outrun', 'another node has changed something first')
}

/** Nothing was written. */
export function contended(): IdentityError {
  return new IdentityError('identity_contended', 'too many changes of accounts and keys at a time')
}

/** It may have been written. */
function undecided(): IdentityError {
  const message = 'the NATS servers did not tell in time what became of a change'
  return new IdentityError('identity_undecided', message)
}

/** What was revoked elsewhere is not known here. */
export function stale(): IdentityError {
  const message = 'this node has lost contact, and does not know what others have revoked since'
  return new IdentityError('identity_stale', message)
}

/**
 * A part of what nodes write to their identity stores at once, or all of it: it counts when its
 * last part is there.
 */
export type ChangeMessage = {
  /** The digest of the message before it. */
  readonly previous: string
  /** Which part it is, from 1, and of how many. */
  readonly part: number
  readonly parts: number
  readonly rows: readonly WrittenRow[]
  /** Keys of rows of whose earlier values nothing stays in any file. */
  readonly purged: readonly string[]
  /** How many of the changes in it were judged on what was there before. */
  readonly judged: number
  /** Of the first message only: the digest of the rows with which all nodes begin. */
  readonly begins?: string
}

/** Number of the format of messages: what carries another one is refused. */
const format = 1

/**
 * JSON bytes of the rows of one message, at most, unless one row is longer: sealed and in Base64 it
 * stays within a mebibyte.
 */
const rowBytesMax = 700_000

/** What a message is sealed for: it opens in the place of nothing else. */
const sealedFor = 'identity stream'

/** Spells a message, sealed under a key of 32 bytes: who reads the stream learns nothing of it. */
function encodeChange(key: Uint8Array, message: ChangeMessage): Uint8Array {
  return Buffer.from(sealText(key, sealedFor, JSON.stringify({ format, ...message })), 'latin1')
}

/**
 * Reads a message. Errors: `secret_mismatch` for one that was sealed with another pepper,
 * `identity_forked` for one of another format.
 */
function decodeChange(key: Uint8Array, message: Uint8Array): ChangeMessage {
  const sealed = Buffer.from(message.buffer, message.byteOffset, message.length).toString('latin1')
  const text = openText(key, sealedFor, sealed)
  if (text === undefined) {
    throw new IdentityError(
      'secret_mismatch',
      'a change of the identity stream was not sealed with the pepper of this node: all nodes ' +
        'need the same one, which is among the keys that were copied when they joined',
    )
  }
  const { format: found, ...change } = JSON.parse(text) as ChangeMessage & { format: number }
  if (found === format) return change
  throw new IdentityError(
    'identity_forked',
    `a change of the identity stream has format ${found}, and this node reads ${format}: all ` +
      'nodes must run versions of Arklog that know each other’s messages',
  )
}

/** The bytes that a row takes up in a message. */
function rowBytes(row: WrittenRow): number {
  return Buffer.byteLength(JSON.stringify(row))
}

/** What the nodes of a cluster have in common of their identity stores, as one reaches it. */
export type SharedIdentity = {
  /** The stream that orders the changes of all nodes. */
  readonly stream: SharedStream
  /** Milliseconds of a clock that only goes forward, and is the same on all threads. */
  readonly elapsedMs: () => number
  /** For how long a change is tried, and what others have written is waited for. */
  readonly patienceMs: number
  /** Without contact for longer, credentials are refused: what was revoked is not known. */
  readonly contactMs: number
  /** Whether most of the servers are in contact with this node, as it has last heard. */
  readonly isConnected: () => boolean
  /** Called once, when the stream and this store are not of one history: the node must stop. */
  readonly stopped: (error: unknown) => void
}

/** A node's part in what several of them share: it is watched whether it is in contact. */
export type SharedPart = {
  readonly changes: SharedChanges
  readonly contact: Contact
  readonly elapsedMs: () => number
}

/**
 * Takes part with the rows of a node, which are then as the stream has them now. The first node
 * makes its rows what all begin with; another one has to bring the very same, or rows that have a
 * place. `sealKey` as in `SharedChangesOptions`. IdentityErrors as for `stopped`, and
 * `identity_undecided`, `identity_stale`.
 */
export async function takePart(
  shared: SharedIdentity,
  rows: LocalRows,
  sealKey: Uint8Array,
): Promise<SharedPart> {
  const { elapsedMs, contactMs: boundMs, isConnected } = shared
  const options = { ...shared, rows, sealKey }
  const changes = new SharedChanges(options, rows.place() ?? (await enter(options)))
  await changes.start()
  const catchUp = (patienceMs: number) => changes.caughtUp(patienceMs)
  const contact = new Contact({ boundMs, elapsedMs, isConnected, catchUp })
  await contact.start()
  return { changes, contact, elapsedMs }
}

async function enter(options: SharedChangesOptions): Promise<ChangePlace> {
  const { stream, rows, sealKey, patienceMs } = options
  const begins = await rows.digest()
  const none = { part: 1, parts: 1, rows: [], purged: [], judged: 0 }
  const own = encodeChange(sealKey, { previous: beginning.digest, ...none, begins })
  const signal = AbortSignal.timeout(patienceMs)
  const outcome = await stream.append(own, beginning.sequence, signal)
  if (outcome === 'undecided') throw undecided()
  const first = outcome === 'appended' ? own : await stream.at(1, signal)
  if (first === undefined) throw gap(1, 2)
  if (decodeChange(sealKey, first).begins !== begins) throw foreignRows()
  const place = { sequence: 1, digest: messageDigest(first), judged: 0 }
  await rows.write([], place)
  return place
}

export type ContactOptions = {
  /** How long ago this node may last have known all that others have changed, in milliseconds. */
  readonly boundMs: number
  /** Milliseconds of a clock that only goes forward, and is the same on all threads. */
  readonly elapsedMs: () => number
  /** Resolves when all is here that was acknowledged to anybody before; rejects after so long. */
  readonly catchUp: (patienceMs: number) => Promise<void>
  /** Whether most of the servers are in contact with this node, as it has last heard. */
  readonly isConnected: () => boolean
}

/** Until when, on the clock of all threads, this node knows enough: one number. */
export type KnownUntil = BigInt64Array

/** How often in the time of its bound a node asks, and which part of it an answer may take. */
const asksPerBound = 4
const answerShare = 1 / 2

/**
 * Whether a node knows what others have revoked, but for what came within its bound. Contact is
 * counted from before the question to which there was an answer, so a node that is cut off, or
 * stood still, is out of contact by its own clock.
 */
export class Contact {
  readonly knownUntil: KnownUntil = new BigInt64Array(
    new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT),
  )
  readonly #options: ContactOptions
  #next: NodeJS.Timeout | undefined
  #isOpen = true

  constructor(options: ContactOptions) {
    this.#options = options
  }

  /** Asks once, and from then on by itself, until it is closed. */
  async start(): Promise<void> {
    await this.#ask()
    if (!this.#isOpen) return
    const waitMs = this.#options.boundMs / asksPerBound
    this.#next = setTimeout(() => void this.start(), waitMs).unref()
  }

  close(): void {
    this.#isOpen = false
    clearTimeout(this.#next)
  }

  async #ask(): Promise<void> {
    const { boundMs, elapsedMs, catchUp, isConnected } = this.#options
    const askedMs = elapsedMs()
    try {
      await catchUp(boundMs * answerShare)
      // A server that has lost the others answers for a while as though it had not.
      if (!isConnected()) return
      Atomics.store(this.knownUntil, 0, BigInt(Math.floor(askedMs + boundMs)))
    } catch {
      // That there was no answer shows once the bound is over.
    }
  }
}

/** Whether a node knows enough at this moment. */
export function isWithin(knownUntil: KnownUntil, elapsedMs: () => number): boolean {
  return elapsedMs() <= Number(Atomics.load(knownUntil, 0))
}
