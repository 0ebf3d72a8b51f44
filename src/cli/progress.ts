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

/** Parts of a long step after which a line is printed. */
const parts = 10

const infoLevels: readonly string[] = ['trace', 'debug', 'info']
const infoLevel = 30

/**
 * What a start is doing, from its first moment on: lines for people on standard output, before the
 * banner, or with `json` lines of the log on standard error. How far a long step is stands in a bar
 * at a terminal, and elsewhere in a line for each tenth.
 */
export class StartLines {
  readonly #name: string
  readonly #json: boolean
  readonly #bar = new CountBar()
  /** The least level of the log, which only its own lines obey. */
  #level = process.env['LOG_LEVEL'] ?? 'info'
  #step = ''
  #part = 0

  /** Says at once that the thing of this name starts. */
  constructor(name: string, json: boolean) {
    this.#name = name
    this.#json = json
    this.step('loading the program')
  }

  /** Has the lines of the log obey the level that the settings say. */
  setLevel(level: string): void {
    this.#level = level
  }

  /** Says that a step begins or, with numbers, how far it is. */
  readonly step = (step: string, done?: number, total?: number): void => {
    if (step !== this.#step) {
      this.#bar.stop()
      this.#part = 0
      this.#print(step)
    }
    this.#step = step
    if (done === undefined || total === undefined || total === 0) return
    if (!this.#json && process.stderr.isTTY) return this.#bar.show(step, done, total)
    const part = Math.floor((parts * done) / total)
    if (part <= this.#part) return
    this.#part = part
    this.#print(`${step}: ${(100 * part) / parts} %, ${done} of ${total}`)
  };

  /** Leaves a bar as it is and the line after it free. */
  [Symbol.dispose](): void {
    this.#bar.stop()
  }

  #print(text: string): void {
    const msg = `${this.#name} starts: ${text}`
    if (!this.#json) process.stdout.write(`${msg}\n`)
    else if (infoLevels.includes(this.#level)) {
      process.stderr.write(`${JSON.stringify({ level: infoLevel, time: Date.now(), msg })}\n`)
    }
  }
}
