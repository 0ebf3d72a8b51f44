import test from 'ava'
import { countOf } from '#test/long/_full_counts.ts'
import { runRegistry } from '#test/simulation/_registry_run.ts'

const seeds = countOf({ few: 30, full: 1_000 })

test.serial(`a registry keeps its promises through crashes under ${seeds} seeds`, async (t) => {
  t.timeout(30 * 60_000)
  for (let seed = 0; seed < seeds; seed += 1) {
    await t.notThrowsAsync(runRegistry(t, seed))
    if (seed % 100 === 99) t.log(`${seed + 1} seeds`)
  }
})
