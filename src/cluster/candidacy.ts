import type { ClusterNode } from '#src/cluster/node.ts'

export type CandidacyOptions = {
  readonly node: Pick<ClusterNode, 'campaign' | 'handOver' | 'blockers'>
  /** For how long nothing may have blocked the node from leading before it campaigns again. */
  readonly soundMs: number
  readonly elapsedMs: () => number
  /** Hears what blocks the node from leading, whenever that has changed; nothing: it may lead. */
  readonly report: (blockers: readonly string[]) => void
}

/** How often it is looked whether the node may lead. */
const lookMs = 500

/**
 * Has a node campaign for the lead for as long as nothing blocks it (`blockers`). Otherwise it
 * hands over, and campaigns again once all has been well for a while, so that the lead does not go
 * to and fro.
 */
export class Candidacy {
  readonly #options: CandidacyOptions
  readonly #looking: NodeJS.Timeout
  #isCampaigning = false
  /** Since when nothing has blocked the node from leading. */
  #soundSinceMs = Number.NEGATIVE_INFINITY
  #told = ''
  #leaving: Promise<void> = Promise.resolve()

  constructor(options: CandidacyOptions) {
    this.#options = options
    this.#look()
    this.#looking = setInterval(() => this.#look(), lookMs).unref()
  }

  /** Ends it; whether the node campaigns or not, it stays so. */
  async close(): Promise<void> {
    clearInterval(this.#looking)
    await this.#leaving
  }

  #look(): void {
    const { node, soundMs, elapsedMs } = this.#options
    const { blockers } = node
    this.#tell(blockers)
    const nowMs = elapsedMs()
    if (blockers.length > 0) {
      this.#soundSinceMs = Number.POSITIVE_INFINITY
      if (this.#isCampaigning) this.#leave()
      return
    }
    this.#soundSinceMs = Math.min(this.#soundSinceMs, nowMs)
    if (!this.#isCampaigning && nowMs - this.#soundSinceMs >= soundMs) this.#campaign()
  }

  #tell(blockers: readonly string[]): void {
    const text = blockers.join('\n')
    if (text === this.#told) return
    this.#told = text
    this.#options.report(blockers)
  }

  #campaign(): void {
    this.#isCampaigning = true
    void this.#leaving.then(() => {
      if (this.#isCampaigning) this.#options.node.campaign()
    })
  }

  #leave(): void {
    this.#isCampaigning = false
    this.#leaving = this.#leaving.then(() => this.#options.node.handOver())
  }
}
