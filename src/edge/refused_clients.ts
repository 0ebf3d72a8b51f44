import { HttpError } from '#src/errors.ts'

/** Clients that are remembered, and the addresses they come from. */
const clientsMax = 4_096

/** What a limit has told a client that it refused: until when it refuses it, on the clock. */
export class RefusedClients {
  readonly #elapsedMs: () => number
  readonly #untilMs = new Map<string, number>()
  readonly #addresses = new Map<string, number>()

  /** `elapsedMs` is a clock that only goes forward. */
  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs
  }

  /** Notes that a limit refuses a client, which came from this address, for so long. */
  note(limit: string, client: string, address: string, ms: number): void {
    // Who is forgotten is refused by its limit again, which costs more and is the same.
    if (this.#untilMs.size >= clientsMax) this.#untilMs.clear()
    if (this.#addresses.size >= clientsMax) this.#addresses.clear()
    const untilMs = this.#elapsedMs() + ms
    this.#untilMs.set(nameOf(limit, client), untilMs)
    const known = this.#addresses.get(address) ?? 0
    this.#addresses.set(address, Math.max(known, untilMs))
  }

  /** Whether any limit refuses any client from this address. */
  isAnyFrom(address: () => string): boolean {
    if (this.#addresses.size === 0) return false
    const from = address()
    return this.#isAhead(this.#addresses, from) > 0
  }

  /** Milliseconds for which a limit refuses a client still; 0 if it does not. */
  msLeft(limit: string, client: string): number {
    return this.#isAhead(this.#untilMs, nameOf(limit, client))
  }

  #isAhead(times: Map<string, number>, name: string): number {
    const untilMs = times.get(name)
    if (untilMs === undefined) return 0
    const ms = untilMs - this.#elapsedMs()
    if (ms > 0) return ms
    times.delete(name)
    return 0
  }
}

function nameOf(limit: string, client: string): string {
  return `${limit} ${client}`
}

/** Seconds after which who was refused for so many milliseconds may try again. */
export function retryAfterOf(waitMs: number): number {
  return Math.max(1, Math.ceil(waitMs / 1_000))
}

/** The refusal of somebody whose window ends in so many milliseconds. */
export function limitExceeded(waitMs: number): HttpError {
  const retry_after = retryAfterOf(waitMs)
  const message = `Retry after ${retry_after} seconds`
  return new HttpError('rate_limit_exceeded', message, { extra: { retry_after } })
}
