import * as fs from 'node:fs'

import { type Checkpoint, checkpointIn, openCheckpoint } from '#log/tlog/checkpoint.ts'
import { assert, LogError } from '#log/tlog/errors.ts'
import type { LogReader } from '#log/store/log_reader.ts'
import type { Verifier } from '#log/tlog/note.ts'

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

/** Remembers the newest signed checkpoint in a `GuardFile`: it tells that a log was longer. */
export class HeadGuard {
  readonly #file: GuardFile
  readonly #verifier: Verifier

  /** Opens the guard's file and makes it if it is missing. Errors: `store_failed`. */
  constructor(path: string, verifier: Verifier) {
    this.#file = new GuardFile(path)
    this.#verifier = verifier
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
    this.#file.sync()
  }

  /** Remembers a signed checkpoint, after its commit has returned. Errors: `store_failed`. */
  remember(checkpoint: string): void {
    this.#file.write(checkpoint)
  }

  close(): void {
    this.#file.close()
  }

  #read(): Checkpoint | undefined {
    const text = this.#file.read()
    if (text === undefined) return undefined
    try {
      return openCheckpoint(text, this.#verifier.keyName, [this.#verifier])
    } catch (cause) {
      throw new LogError(
        'log_inconsistent',
        `${this.#file.path} is not a checkpoint that this log's key has signed: put back the ` +
          'file or the key that belongs to this log; remove the file only if it is known to be ' +
          'damaged and the store to be the newest',
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
          `signed (${this.#file.path}): it is an older copy, or has lost writes. Restore the ` +
          'newest copy of the store; going on from here would sign a second history of the same ' +
          'log. If there is no newer copy, begin a new log with a new key and origin',
      )
    }
    if (Buffer.compare(log.rootAt(remembered.treeSize), remembered.rootHash) !== 0) {
      throw new LogError(
        'log_inconsistent',
        `the store has another root for ${remembered.treeSize} entries than the checkpoint ` +
          `signed for them (${this.#file.path}): it holds another history of this log; ` +
          'restore the store that belongs to the file',
      )
    }
  }
}

/**
 * Compares the log that was opened with the newest checkpoint that witnesses have signed, as its
 * own store keeps it: they are one history for ever. Errors: `log_rolled_back` if the log is
 * shorter, `log_inconsistent` if it has another root for that size.
 */
export function checkWitnessed(log: LogReader): void {
  const { witnessed } = log.cosigned()
  if (witnessed === undefined) return
  const { treeSize } = log.head()
  if (treeSize < witnessed.treeSize) {
    throw new LogError(
      'log_rolled_back',
      `the store holds ${treeSize} entries, but witnesses have signed a checkpoint of ` +
        `${witnessed.treeSize}, which it holds as well: it has lost writes; restore the newest ` +
        'copy of the store',
    )
  }
  const { rootHash } = checkpointIn(witnessed.checkpoint)
  if (Buffer.compare(log.rootAt(witnessed.treeSize), rootHash) !== 0) {
    throw new LogError(
      'log_inconsistent',
      `the store has another root for ${witnessed.treeSize} entries than the checkpoint that ` +
        'witnesses have signed: it holds another history of this log; restore the newest copy of ' +
        'the store',
    )
  }
}
