/** The right to change a stream before others do, which is given back when it is changed. */
export type Turn = { end(): void }

/** What turns are bounded by. */
export type StreamTurnsOptions = {
  /** For how long one may be held. */
  readonly turnMsMax: number
  /** For how long a stream that several have changed at one time is remembered. */
  readonly quietMs: number
  /** Streams that are remembered at most; whoever changes one above that does so without a turn. */
  readonly streamsMax: number
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
}

/** A stream that several want to change, whose turn it is, and who waits. */
type Contended = {
  holder: number | undefined
  late?: NodeJS.Timeout
  readonly waiting: ((number: number) => void)[]
  seenMs: number
}

/** The number of a turn that nobody else waits for. */
const unheld = 0

/**
 * The order in which several change one stream, where otherwise each would find that another one
 * was faster, time after time: whoever is next to the sequencer would always win. A turn is a
 * courtesy and decides nothing, because a change is judged by what it follows: whoever keeps one
 * for too long, or has died with it, costs the others `turnMsMax` and no more.
 */
export class StreamTurns {
  readonly #options: StreamTurnsOptions
  readonly #streams = new Map<string, Contended>()
  #newest = unheld

  constructor(options: StreamTurnsOptions) {
    this.#options = options
  }

  /** Remembers that somebody else has changed a stream at the same time. */
  note(stream: string): void {
    const seenMs = this.#options.elapsedMs()
    const known = this.#streams.get(stream)
    if (known !== undefined) known.seenMs = seenMs
    else if (this.#hasRoom()) {
      this.#streams.set(stream, { holder: undefined, waiting: [], seenMs })
    }
  }

  /** Whether several have lately changed a stream at one time. */
  isContended(stream: string): boolean {
    const known = this.#streams.get(stream)
    if (known === undefined) return false
    if (!this.#isQuiet(known)) return true
    this.#streams.delete(stream)
    return false
  }

  /** Resolves when it is the turn of who asks, behind those who came before, with its number. */
  take(stream: string): Promise<number> {
    this.note(stream)
    const known = this.#streams.get(stream)
    if (known === undefined) return Promise.resolve(unheld)
    return new Promise((resolve) => {
      known.waiting.push(resolve)
      if (known.holder === undefined) this.#giveNext(known)
    })
  }

  /** Ends a turn, so that the next one has it. A turn that is over is not ended again. */
  end(stream: string, number: number): void {
    const known = this.#streams.get(stream)
    if (known?.holder === number) this.#giveNext(known)
  }

  #giveNext(known: Contended): void {
    const give = known.waiting.shift()
    known.seenMs = this.#options.elapsedMs()
    known.holder = undefined
    clearTimeout(known.late)
    if (give === undefined) return
    this.#newest += 1
    const number = this.#newest
    known.holder = number
    known.late = setTimeout(() => this.#giveNext(known), this.#options.turnMsMax)
    give(number)
  }

  #isQuiet({ holder, seenMs }: Contended): boolean {
    return holder === undefined && this.#options.elapsedMs() - seenMs >= this.#options.quietMs
  }

  #hasRoom(): boolean {
    const { streamsMax } = this.#options
    if (this.#streams.size < streamsMax) return true
    for (const [stream, known] of this.#streams) {
      if (this.#isQuiet(known)) this.#streams.delete(stream)
    }
    return this.#streams.size < streamsMax
  }
}
