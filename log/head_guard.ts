import * as fs from 'node:fs'

import { type Checkpoint, openCheckpoint } from '#log/checkpoint.ts'
import { assert, LogError } from '#log/errors.ts'
import type { LogReader } from '#log/log_reader.ts'
import type { Verifier } from '#log/note.ts'

// The note is padded with newlines to this size: so the file never grows, and each write replaces
// the same bytes of one disk block.
const guardBytes = 4096

/**
 * A small file outside the store that remembers the newest signed checkpoint. An older copy of the
 * store, or one whose last writes LevelDB has dropped, is whole in itself; only the guard tells
 * that the log was longer. It is not synced: after a loss of power it may be some commits old,
 * never ahead of the store. It owns its file until `close`.
 */
export class HeadGuard {
  readonly #path: string
  readonly #verifier: Verifier
  readonly #file: number

  /** Opens the guard's file and makes it if it is missing. Errors: `store_failed`. */
  constructor(path: string, verifier: Verifier) {
    this.#path = path
    this.#verifier = verifier
    this.#file = this.#attempt(() =>
      fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600),
    )
  }

  /**
   * Compares the log that was opened with what is remembered, then remembers its head, synced.
   * A log that is shorter is `log_rolled_back`; one with another root for the remembered size, or a
   * guard that the log's key did not sign, is `log_inconsistent`.
   */
  check(log: LogReader): void {
    const remembered = this.#read()
    if (remembered !== undefined) this.#compare(remembered, log)
    this.remember(log.head().checkpoint)
    this.#attempt(() => fs.fsyncSync(this.#file))
  }

  /** Remembers a signed checkpoint, after its commit has returned. Errors: `store_failed`. */
  remember(checkpoint: string): void {
    const bytes = Buffer.alloc(guardBytes, '\n')
    const written = bytes.write(checkpoint)
    assert(written === Buffer.byteLength(checkpoint), 'a checkpoint fits the guard')
    this.#attempt(() => fs.writeSync(this.#file, bytes, 0, guardBytes, 0))
  }

  /** Closes the file. */
  close(): void {
    fs.closeSync(this.#file)
  }

  #read(): Checkpoint | undefined {
    const text = this.#attempt(() => fs.readFileSync(this.#path, 'utf8'))
    if (text === '') return undefined
    try {
      return openCheckpoint(`${text.trimEnd()}\n`, this.#verifier.keyName, [this.#verifier])
    } catch (cause) {
      throw new LogError(
        'log_inconsistent',
        `${this.#path} is not a checkpoint that this log's key has signed: put back the file or ` +
          'the key that belongs to this log; remove the file only if it is known to be damaged ' +
          'and the store to be the newest',
        { cause },
      )
    }
  }

  #compare(remembered: Checkpoint, log: LogReader): void {
    const { treeSize } = log.head()
    if (treeSize < remembered.treeSize) {
      throw new LogError(
        'log_rolled_back',
        `the store holds ${treeSize} entries, but a checkpoint of ${remembered.treeSize} was ` +
          `signed (${this.#path}): it is an older copy, or has lost writes. Restore the newest ` +
          'copy of the store; going on from here would sign a second history of the same log. If ' +
          'there is no newer copy, begin a new log with a new key and origin',
      )
    }
    if (Buffer.compare(log.rootAt(remembered.treeSize), remembered.rootHash) !== 0) {
      throw new LogError(
        'log_inconsistent',
        `the store has another root for ${remembered.treeSize} entries than the checkpoint ` +
          `signed for them (${this.#path}): it holds another history of this log; restore the ` +
          'store that belongs to the file',
      )
    }
  }

  #attempt<T>(work: () => T): T {
    try {
      return work()
    } catch (cause) {
      throw new LogError(
        'store_failed',
        `the head guard ${this.#path} cannot be used: ${(cause as Error).message}: check the ` +
          'disk and the permissions, then restart the service',
        { cause },
      )
    }
  }
}
