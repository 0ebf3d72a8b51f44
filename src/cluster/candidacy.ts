import type { ClusterNode } from '#src/cluster/node.ts'

/** What a candidacy needs. */
export type CandidacyOptions = {
  readonly node: Pick<ClusterNode, 'stand' | 'handOver' | 'impediments'>
  /** For how long nothing may have kept the node from leading before it stands again. */
  readonly soundMs: number
  readonly elapsedMs: () => number
  /** Hears what keeps the node from leading, whenever that has changed; nothing: it may lead. */
  readonly report: (impediments: readonly string[]) => void
}

/** How often it is looked whether the node may lead. */
const lookMs = 500

/**
 * Has a node stand for the lead for as long as nothing keeps it from leading (`impediments`).
 * Otherwise it hands over, and stands again once all has been well for a while, so that the lead
 * does not go to and fro.
 */
export class Candidacy {
  readonly #options: CandidacyOptions
  readonly #looking: NodeJS.Timeout
  #isStanding = false
  /** Since when nothing has kept the node from leading. */
  #soundSinceMs = Number.NEGATIVE_INFINITY
  #told = ''
  #leaving: Promise<void> = Promise.resolve()

  constructor(options: CandidacyOptions) {
    this.#options = options
    this.#look()
    this.#looking = setInterval(() => this.#look(), lookMs).unref()
  }

  /** Ends it; whether the node stands or not, it stays so. */
  async close(): Promise<void> {
    clearInterval(this.#looking)
    await this.#leaving
  }

  #look(): void {
    const { node, soundMs, elapsedMs } = this.#options
    const { impediments } = node
    this.#tell(impediments)
    const nowMs = elapsedMs()
    if (impediments.length > 0) {
      this.#soundSinceMs = Number.POSITIVE_INFINITY
      if (this.#isStanding) this.#leave()
      return
    }
    this.#soundSinceMs = Math.min(this.#soundSinceMs, nowMs)
    if (!this.#isStanding && nowMs - this.#soundSinceMs >= soundMs) this.#stand()
  }

  #tell(impediments: readonly string[]): void {
    const text = impediments.join('\n')
    if (text === this.#told) return
    this.#told = text
    this.#options.report(impediments)
  }

  #stand(): void {
    this.#isStanding = true
    void this.#leaving.then(() => {
      if (this.#isStanding) this.#options.node.stand()
    })
  }

  #leave(): void {
    this.#isStanding = false
    this.#leaving = this.#leaving.then(() => this.#options.node.handOver())
  }
}
