import { SingleBar } from 'cli-progress'

import type { ImportProgress } from '#src/cli/import_progress.ts'

/** The part of a file that has been read, as the file system counts. */
type Source = { readonly bytesRead: number }

/**
 * The progress of an import on standard error: the part of the file that has been read, and the
 * works registered. Nothing is drawn where standard error is no terminal.
 */
export class ImportBar {
  readonly #source: Source
  readonly #startMs = performance.now()
  readonly #registeredBefore: number
  readonly #bar = new SingleBar({
    format: '{bar} {percentage}% | {works} works | {rate}/s | {failed} failed',
    stream: process.stderr,
    etaBuffer: 1,
    hideCursor: true,
  })

  constructor(source: Source, fileBytes: number, { registered, failed }: ImportProgress) {
    this.#source = source
    this.#registeredBefore = registered
    this.#bar.start(fileBytes, 0, { works: registered, rate: 0, failed })
  }

  /** Draws where the import stands. */
  show({ registered, failed }: ImportProgress): void {
    const seconds = (performance.now() - this.#startMs) / 1_000
    const rate = Math.round((registered - this.#registeredBefore) / seconds)
    this.#bar.update(this.#source.bytesRead, { works: registered, rate, failed })
  }

  /** Leaves the bar as it is and the line after it free. */
  stop(): void {
    this.#bar.stop()
  }
}

/** Progress by counts on standard error; nothing is drawn where that is no terminal. */
export class CountBar {
  #bar: SingleBar | undefined
  #part = ''

  /** Draws how far a part of the work is; a new part begins a new bar. */
  show(part: string, done: number, total: number): void {
    if (part !== this.#part) this.stop()
    if (this.#bar === undefined) {
      const format = `${part} {bar} {percentage}% | {value} of {total}`
      this.#bar = new SingleBar({ format, stream: process.stderr, hideCursor: true })
      this.#bar.start(total, done)
    }
    this.#part = part
    this.#bar.setTotal(total)
    this.#bar.update(done)
  }

  /** Leaves the bar as it is and the line after it free. */
  stop(): void {
    this.#bar?.stop()
    this.#bar = undefined
  }
}
