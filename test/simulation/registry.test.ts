import test from 'ava'
import { runRegistry } from '#test/simulation/_registry_run.ts'

// The long suite runs a thousand seeds; these show with every change that the run still works.
const seeds = 30

test.serial(
  `a registry keeps its promises through crashes (seeds 0 to ${seeds - 1})`,
  async (t) => {
    for (let seed = 0; seed < seeds; seed += 1) {
      await t.notThrowsAsync(runRegistry(t, seed))
    }
  },
)
