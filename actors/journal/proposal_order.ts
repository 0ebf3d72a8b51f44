/**
 * Lets changes through in the order in which they were decided. One without statements would
 * otherwise overtake those that are being signed, which the journal then refuses as late: under
 * many such changes, nothing that has to be signed would ever be in time.
 */
export class ProposalOrder {
  #last: Promise<unknown> = Promise.resolve()

  /** What `signing` gives, once all that came before it is signed or has failed. */
  follow<T>(signing: Promise<T>): Promise<T> {
    const turn = Promise.allSettled([this.#last, signing]).then(() => signing)
    this.#last = turn
    return turn
  }
}
