import { until } from '#test/_until.ts'

/** What says how many events each index of a search is behind the journal. */
type Indexed = {
  status(): { readonly indexes: readonly { readonly behind: number }[] }
}

/** Resolves when every index of a search knows all that was committed. */
export function caughtUp(search: Indexed): Promise<void> {
  const isBehind = () => search.status().indexes.some(({ behind }) => behind > 0)
  return until('every index knows the journal', () => !isBehind(), { pauseMs: 5 })
}
