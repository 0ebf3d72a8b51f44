/** Tasks under names: those of one name run one after another, in the order in which they came. */
export class NamedTurns {
  readonly #last = new Map<string, Promise<void>>()

  /** Runs a task when all that came before it under this name have ended, however they did. */
  inTurnAt<T>(name: string, task: () => Promise<T>): Promise<T> {
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(task)
    const ended = turn.then(
      () => undefined,
      () => undefined,
    )
    this.#last.set(name, ended)
    void ended.then(() => {
      if (this.#last.get(name) === ended) this.#last.delete(name)
    })
    return turn
  }
}
