import { contended } from '#src/identity/store/shared_changes_fault.ts'

/** How a change is judged where other nodes change the same rows. */
export type Judging = {
  /**
   * Whether what was judged stands: it was written, or nobody has changed anything since. If it
   * does not, what was changed is here by now.
   */
  readonly stands: () => Promise<boolean>
  /** Milliseconds of a clock that only goes forward. */
  readonly elapsedMs: () => number
}

/** For how long a change is judged again that others are always faster than. */
const judgedMsMax = 15_000

/**
 * Runs a change until it was judged on rows that nobody had changed meanwhile: a refusal stands no
 * more than a success on what was so before. IdentityError `identity_contended` if that never is.
 */
export async function judge<T>(
  change: () => Promise<T>,
  { stands, elapsedMs }: Judging,
): Promise<T> {
  const endMs = elapsedMs() + judgedMsMax
  for (;;) {
    const outcome = await outcomeOf(change)
    if (await stands()) {
      if ('error' in outcome) throw outcome.error
      return outcome.answer
    }
    if (elapsedMs() >= endMs) throw contended()
  }
}

async function outcomeOf<T>(
  change: () => Promise<T>,
): Promise<{ readonly answer: T } | { readonly error: unknown }> {
  try {
    return { answer: await change() }
  } catch (error) {
    return { error }
  }
}
