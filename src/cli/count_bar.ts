import { SingleBar } from 'cli-progress'

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
