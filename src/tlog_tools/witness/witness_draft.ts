import type { CosignedCheckpoint } from '#src/tlog_tools/witness/cosigned_checkpoint.ts'
import type { Changes, WitnessStore } from '#src/tlog_tools/witness/witness_store.ts'
import type { KnownLog } from '#src/tlog_tools/witness/witnessed_log.ts'

/** What a group of changes makes of the rows of a witness, before they are written. */
export class WitnessDraft implements Changes {
  readonly logs = new Map<string, KnownLog | undefined>()
  readonly checkpoints = new Map<string, CosignedCheckpoint>()
  readonly #stored: Pick<WitnessStore, 'logs' | 'checkpoints'>
  #logCount: number

  constructor(stored: Pick<WitnessStore, 'logs' | 'checkpoints'>) {
    this.#stored = stored
    this.#logCount = stored.logs.size
  }

  get logCount(): number {
    return this.#logCount
  }

  /** The log with this id, unless it is removed. */
  log(id: string): KnownLog | undefined {
    return this.logs.has(id) ? this.logs.get(id) : this.#stored.logs.get(id)
  }

  /** What was last cosigned of the log with this id. */
  checkpoint(id: string): CosignedCheckpoint | undefined {
    return this.checkpoints.get(id) ?? this.#stored.checkpoints.get(id)
  }

  setLog(id: string, log: KnownLog | undefined): void {
    const before = this.log(id) === undefined ? 0 : 1
    this.#logCount += (log === undefined ? 0 : 1) - before
    this.logs.set(id, log)
  }

  setCheckpoint(id: string, checkpoint: CosignedCheckpoint): void {
    this.checkpoints.set(id, checkpoint)
  }
}
