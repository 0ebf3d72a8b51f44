import { setTimeout } from 'node:timers/promises'

/** Bytes after which others are let run: half a millisecond of decoding, about. */
const strideBytes = 65_536

/** What an item costs beside its bytes, in bytes that take as long. */
const itemBytes = 2_048

/** Turns for which a stride waits at most while the loop is hurried: nobody is shut out. */
const hurriedTurnsMax = 32

let isHurried = false

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/**
 * Says that this turn of the event loop does something of which the loop does one in each turn, as
 * accepting a connection: strides wait, so that the others that are lined up come soon.
 */
export function hurryStrides(): void {
  if (isHurried) return
  isHurried = true
  setImmediate(() => (isHurried = false))
}

/**
 * Cuts long work into strides: after each one, whatever else is to be done in this thread comes
 * first. Counted in bytes and not in time, so that it does the same in every run.
 */
export class Stride {
  readonly #waitMs: number
  #bytes = 0

  /**
   * `waitMs`: how long to wait after each stride, at least. For what nobody waits for, so that it
   * takes a share of this thread and not all that others leave of it.
   */
  constructor({ waitMs = 0 }: { readonly waitMs?: number } = {}) {
    this.#waitMs = waitMs
  }

  /** Counts an item that was done, of so many bytes; resolves when the next one may begin. */
  async step(bytes: number): Promise<void> {
    this.#bytes += bytes + itemBytes
    if (this.#bytes < strideBytes) return
    this.#bytes = 0
    if (this.#waitMs > 0) await setTimeout(this.#waitMs)
    let turns = 0
    do {
      await nextTurn()
      turns += 1
    } while (isHurried && turns < hurriedTurnsMax)
  }
}

/** The rows of a scan in strides, for callers that read more for each of them. */
export async function* inStrides<R extends readonly [string, Uint8Array]>(
  rows: AsyncIterable<R>,
): AsyncGenerator<R> {
  const stride = new Stride()
  for await (const row of rows) {
    yield row
    await stride.step(row[1].length)
  }
}
