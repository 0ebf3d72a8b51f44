import assert from 'node:assert/strict'
import type { ContentFetcher, ContentOutcome } from '#actors/works/fixity/client.ts'
import { fetched, unavailable } from '#test/actors/_content.ts'

/** Where works are that may have one address together. */
export const sharedHost = 'https://shared.example/'

/** What addresses serve, and how badly: the seed decides. Until all is calm, nothing is certain. */
export class SimulatedWeb {
  readonly #random: () => number
  readonly #underWay = new Set<string>()
  isCalm = false

  constructor(random: () => number) {
    this.#random = random
  }

  readonly fetch: ContentFetcher = async (url, { signal, onStart }) => {
    onStart?.()
    const isShared = url.startsWith(sharedHost)
    assert(isShared || !this.#underWay.has(url), `${url} is checked twice at one time`)
    this.#underWay.add(url)
    for (let turns = Math.floor(this.#random() * 8); turns > 0; turns -= 1) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#underWay.delete(url)
    return signal.aborted ? { type: 'aborted' } : this.#answer(url)
  }

  #answer(url: string): ContentOutcome {
    const dice = this.isCalm ? 0 : this.#random()
    if (dice < 0.6) return fetched(url)
    if (dice < 0.75) return fetched(`another ${url}`)
    if (dice < 0.9) return unavailable(404)
    return { type: 'postponed', url, retryAfterMs: 1 + Math.floor(this.#random() * 60_000) }
  }
}
