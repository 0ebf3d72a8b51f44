/**
 * What a check has found: `bad` is to be mended now, a `warning` before it becomes that, `unused`
 * is not set up and need not be.
 */
export type FindingState = 'good' | 'warning' | 'bad' | 'unused'

/** One thing that was looked at. `message` says what was found and, if not good, what to do. */
export type Finding = {
  readonly check: string
  readonly state: FindingState
  readonly message: string
}

/** Something that is looked at: it gives one finding or several, or fails with what is bad. */
export type Check = {
  readonly name: string
  readonly look: () => Promise<Verdict | readonly Verdict[]>
}

/** A finding whose check is known. */
export type Verdict = Omit<Finding, 'check'>

export const good = (message: string): Verdict => ({ state: 'good', message })
export const warning = (message: string): Verdict => ({ state: 'warning', message })
export const bad = (message: string): Verdict => ({ state: 'bad', message })
export const unused = (message: string): Verdict => ({ state: 'unused', message })

/** Does all checks at once, and gives their findings in the order of the checks. */
export async function runChecks(checks: readonly Check[]): Promise<readonly Finding[]> {
  const found = await Promise.all(checks.map(runCheck))
  return found.flat()
}

async function runCheck({ name: check, look }: Check): Promise<readonly Finding[]> {
  try {
    const verdicts = await look()
    return [verdicts].flat().map((verdict) => ({ check, ...verdict }))
  } catch (error) {
    return [{ check, ...bad((error as Error).message) }]
  }
}
