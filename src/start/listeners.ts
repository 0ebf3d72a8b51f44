/**
 * The servers at which requests reach a process. They are closed at one time, so that requests have
 * their grace once and not one after another, at whichever of them they came.
 */
export class Listeners {
  readonly #stacks: AsyncDisposableStack[] = []

  /** What is given to it is disposed when the listeners are closed, beside that of all others. */
  open(): AsyncDisposableStack {
    const stack = new AsyncDisposableStack()
    this.#stacks.push(stack)
    return stack
  }

  /** Closes all; throws the first error when all are closed. */
  async close(): Promise<void> {
    const closed = await Promise.allSettled(this.#stacks.map((stack) => stack.disposeAsync()))
    const failed = closed.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }
}
