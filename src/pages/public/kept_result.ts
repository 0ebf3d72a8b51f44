/** How long what many visitors see is kept, so that all of them are one search. */
const keptMs = 2_000

/** What `make` gives, made anew when it is older than two seconds. */
export function keptFor<T>(elapsedMs: () => number, make: () => Promise<T>): () => Promise<T> {
  let kept: { readonly at: number; readonly made: Promise<T> } | undefined
  return () => {
    if (kept === undefined || elapsedMs() - kept.at >= keptMs) {
      kept = { at: elapsedMs(), made: make() }
    }
    return kept.made
  }
}
