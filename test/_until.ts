/** How long something is waited for that does not come about: a test fails then, and says what. */
const patienceMs = 120_000

/**
 * In how many turns of the event loop something is looked at before there are pauses: what takes
 * longer waits for others, which a test that never rests takes the processor from.
 */
const turnsMax = 200

/** How long the pauses are unless a look costs others more. */
const shortPauseMs = 2

/**
 * Waits until something is so. `what` says it in the words of the failure. It is looked at once in
 * each turn of the event loop and then with short pauses, or always with pauses of `pauseMs` where
 * a look costs others something.
 */
export async function until(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  { pauseMs = 0 }: { readonly pauseMs?: number } = {},
): Promise<void> {
  await untilGiven(what, async () => ((await isSo()) ? true : undefined), { pauseMs })
}

/** Waits as `until` does for something to be given that is not undefined, and gives it. */
export async function untilGiven<Given>(
  what: string,
  give: () => Promise<Given | undefined>,
  { pauseMs = 0 }: { readonly pauseMs?: number } = {},
): Promise<Given> {
  const endMs = performance.now() + patienceMs
  for (let turn = 0; ; turn += 1) {
    const given = await give()
    if (given !== undefined) return given
    if (performance.now() > endMs) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => {
      if (pauseMs === 0 && turn < turnsMax) setImmediate(resolve)
      else setTimeout(resolve, Math.max(pauseMs, shortPauseMs))
    })
  }
}

/** Waits until so many have come; its patience begins anew whenever there are more of them. */
export async function untilCame(
  what: string,
  expected: number,
  came: () => number,
  pause: { readonly pauseMs?: number } = {},
): Promise<void> {
  for (let before = -1; came() < expected && came() > before; ) {
    before = came()
    await until(what, () => came() > before, pause)
  }
}
