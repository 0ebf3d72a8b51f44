/** How often in a row a host is waited for that asks for it, before that is what was found. */
const waitsMax = 2

/** Hosts that are remembered; the one that asked for its rest first is forgotten first. */
const hostsMax = 10_000

/** `asked` in a row, the last time at a moment. */
type Rests = { readonly asked: number; readonly moment: number }

/**
 * Remembers which hosts asked for a rest and have answered nothing else since. What the check of
 * one work learned counts for all works of the host: they do not each wait for it.
 */
export class HostBackoff {
  readonly #rests = new Map<string, Rests>()
  #moment = 0

  /** Now, by which `waitsFor` tells what a check could know when it began. */
  get moment(): number {
    return this.#moment
  }

  /**
   * Notes that a host asked for a rest in a check that began at a moment; says whether to wait for
   * it once more. Checks that ran side by side are told of the same rest, which counts once.
   */
  waitsFor(host: string, begun: number): boolean {
    const before = this.#rests.get(host)
    if (before !== undefined && before.moment > begun) return before.asked <= waitsMax
    const asked = (before?.asked ?? 0) + 1
    this.#moment += 1
    this.#rests.delete(host)
    this.#rests.set(host, { asked, moment: this.#moment })
    if (this.#rests.size > hostsMax) {
      const [oldest = ''] = this.#rests.keys()
      this.#rests.delete(oldest)
    }
    return asked <= waitsMax
  }

  /** Notes that a host has answered a request. */
  noteAnswer(host: string): void {
    this.#rests.delete(host)
  }
}
