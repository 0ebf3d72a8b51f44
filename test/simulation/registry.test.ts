import test from 'ava'
import { type RunRecord, runRegistry } from '#test/simulation/_registry_run.ts'

// The long suite runs many more seeds; these show with every change that the run still works.
const repeatedSeeds = 3
const seedsEnd = 7

test.serial(
  `a registry keeps its promises through crashes (seeds ${repeatedSeeds} to ${seedsEnd - 1})`,
  async (t) => {
    for (let seed = repeatedSeeds; seed < seedsEnd; seed += 1) {
      await t.notThrowsAsync(runRegistry(t, seed))
    }
  },
)

/** The rows in the order of their keys, and the answers: all bytes of a run as one text. */
function textOf({ rows, answers }: RunRecord): string {
  const lines = [...rows].map(([key, value]) => `${key} ${Buffer.from(value).toString('hex')}`)
  return [...lines.sort(), ...answers].join('\n')
}

test.serial('two runs of a seed are alike in every byte, two seeds are not', async (t) => {
  const texts = new Set<string>()
  for (let seed = 0; seed < repeatedSeeds; seed += 1) {
    const text = textOf(await runRegistry(t, seed))
    t.true(textOf(await runRegistry(t, seed)) === text, `seed ${seed}`)
    texts.add(text)
  }
  t.is(texts.size, repeatedSeeds)
})
