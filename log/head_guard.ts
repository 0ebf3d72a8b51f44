import { type Checkpoint, openCheckpoint } from '#log/checkpoint.ts'
import { LogError } from '#log/errors.ts'
import { GuardFile } from '#log/guard_file.ts'
import type { LogReader } from '#log/log_reader.ts'
import type { Verifier } from '#log/note.ts'

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

  /** Closes the file. */
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
