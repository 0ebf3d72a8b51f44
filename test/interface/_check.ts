import { readFile } from 'node:fs/promises'
import path from 'node:path'

import { anchorsOf, documentPath, type Outcome, trySection } from '#test/interface/_outcome.ts'
import { startRegistry } from '#test/interface/_registry.ts'
import { sections } from '#test/interface/_sections.ts'
import { type Place, World } from '#test/interface/_world.ts'
import type { Owner } from '#test/src/delivery/fetch/_servers.ts'

/** What is to be tried, and where. */
export type Check = {
  /** A registry that runs; without one, one is started and ended. */
  readonly place?: (owner: Owner) => Promise<Place>
  /** Numbers of sections; all unless told. */
  readonly only?: readonly number[]
  /** Is told what came of each section. */
  readonly onSection?: (outcomes: readonly Outcome[]) => void
}

/** Tries every row of the interface; what was started for that has ended when this has. */
export async function checkInterface({
  place = startRegistry,
  only,
  onSection,
}: Check = {}): Promise<Outcome[]> {
  const teardowns: (() => unknown)[] = []
  const owner: Owner = { teardown: (end: () => unknown) => void teardowns.unshift(end) }
  try {
    const document = await readFile(path.join(import.meta.dirname, '../..', documentPath), 'utf8')
    const anchors = anchorsOf(document)
    const world = new World(await place(owner), owner)
    const outcomes: Outcome[] = []
    for (const [index, section] of sections.entries()) {
      const number = index + 1
      if (only !== undefined && !only.includes(number)) continue
      const own = await trySection(world, section, number, anchors)
      onSection?.(own)
      outcomes.push(...own)
    }
    return outcomes
  } finally {
    for (const end of teardowns) await end()
  }
}
