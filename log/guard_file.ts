import * as fs from 'node:fs'

import { assert, LogError } from '#log/errors.ts'

// A text is padded with newlines to this size: so the file never grows, and each write replaces the
// same bytes of one disk block.
const guardBytes = 4096

/**
 * A small file beside a store that remembers how far the store had come: an older copy of a store
 * is whole in itself, and so is one that lost its newest writes. Writing does not sync: after a
 * loss of power the file may lag behind the store, never be ahead of it. It owns its file until
 * `close`. Errors: `store_failed`.
 */
export class GuardFile {
  readonly path: string
  readonly #file: number
  #isOpen = true

  /** Opens the file and makes it if it is missing. */
  constructor(path: string) {
    this.path = path
    this.#file = this.#attempt(() =>
      fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600),
    )
  }

  /** The text written last, with one newline at its end; undefined if none ever was. */
  read(): string | undefined {
    const text = this.#attempt(() => fs.readFileSync(this.path, 'utf8'))
    return text === '' ? undefined : `${text.trimEnd()}\n`
  }

  /** Replaces the text, which ends with a newline. Call it once what it tells of is durable. */
  write(text: string): void {
    const bytes = Buffer.alloc(guardBytes, '\n')
    const written = bytes.write(text)
    assert(written === Buffer.byteLength(text), 'the text fits the guard')
    this.#attempt(() => fs.writeSync(this.#file, bytes, 0, guardBytes, 0))
  }

  /** Makes the text durable. */
  sync(): void {
    this.#attempt(() => fs.fsyncSync(this.#file))
  }

  /** Closes the file, once: its number may be another file's by now. */
  close(): void {
    if (this.#isOpen) fs.closeSync(this.#file)
    this.#isOpen = false
  }

  #attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (cause) {
      throw new LogError(
        'store_failed',
        `the guard file ${this.path} cannot be used: ${(cause as Error).message}: check the ` +
          'disk and the permissions, then restart the service',
        { cause },
      )
    }
  }
}
