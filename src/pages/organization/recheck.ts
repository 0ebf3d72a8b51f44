import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Agent } from '#actors/values/agent.ts'

/** Writes that are under way at a time. */
const rechecksAtOnce = 20

/** Has the content of works, `naan/name`, read again as soon as their hosts allow. */
export async function recheckAll(
  fixity: ServedEnvironment['fixity'],
  arks: readonly string[],
  by: Agent,
): Promise<void> {
  for (let first = 0; first < arks.length; first += rechecksAtOnce) {
    const some = arks.slice(first, first + rechecksAtOnce)
    await Promise.all(some.map((ark) => fixity.recheck(ark, by)))
  }
}
