// Clocks of a registry and of its witnesses that are apart: what honest parties make is proven, or
// not witnessed yet, and no receipt of theirs stays unproven for good. No verifier reads a clock.

import test, { type ExecutionContext } from 'ava'

import type { Environment } from '#actors/registry/environment.ts'
import { verifyReceipt } from '#src/client/verify/receipt.js'
import { withPolicy } from '#src/client/verify/trusted_keys.js'
import { trustedKeys } from '#src/use_cases/published_keys.ts'
import { until } from '#test/_until.ts'
import type { ReceiptJson } from '#test/src/client/verify/_registry.ts'
import { provenByLog } from '#test/src/client/verify/_second_opinion.ts'
import { arkOf, bodyOf, register } from '#test/actors/_environment.ts'
import { strangeWitness } from '#test/src/tlog_tools/cosigning/_strange_witness.ts'
import {
  makeWitnessed,
  policyOf,
  witnessed,
} from '#test/src/tlog_tools/cosigning/_witnessed_registry.ts'

/** The members of a chain proof, in releases that knew of no earlier checkpoint too. */
const members = 'block_height merkle_root inclusion_proof leaf_index tree_size checkpoint'

/** Seconds by which the clocks of a registry and of its two witnesses are ahead. */
type Skew = { readonly registry: number; readonly witnesses: readonly [number, number] }

/** A registry with two witnesses, of which both must sign, at times of these clocks. */
async function open(t: ExecutionContext, { registry: ahead, witnesses: skews }: Skew) {
  const clocks = [...skews]
  const registry = await makeWitnessed(t, () => Date.now() + ahead * 1_000)
  const witnesses = await Promise.all(
    clocks.map((_, index) => {
      return strangeWitness(t, index + 1, ({ text }, { line }) => {
        return line(text, Math.floor(Date.now() / 1_000 + (clocks[index] ?? 0)))
      })
    }),
  )
  const policies = [policyOf('all', witnesses), ...witnesses.map((one) => policyOf('all', [one]))]
  const { environment, collector } = await registry.start(policies[0] ?? '')
  return { environment, collector, policies, clocks, registry }
}

/** What is said of a receipt by the policy of the registry, and by each witness alone. */
async function verdicts(
  t: ExecutionContext,
  environment: Environment,
  ark: string,
  policies: readonly string[],
) {
  const both = { live: environment, sandbox: environment }
  const keys = await trustedKeys(both, 'live', 'https://registry.example', '')
  const receipt = bodyOf(await environment.catalogue.receipt(ark, 1)) as ReceiptJson
  t.deepEqual(Object.keys(receipt.chain_proof), members.split(' '))
  t.true(provenByLog(receipt, keys))
  const reports = policies.map(async (policy) => {
    return verifyReceipt(receipt, await withPolicy(keys, policy))
  })
  return Promise.all(reports)
}

for (const [name, skew] of [
  ['none', { registry: 0, witnesses: [0, 0] }],
  ['a registry that is a second behind', { registry: -1, witnesses: [0, 0] }],
  ['a registry that is four minutes behind', { registry: -240, witnesses: [0, 0] }],
  ['a registry that is half a second ahead', { registry: 0.5, witnesses: [0, 0] }],
  ['a registry that is two seconds ahead', { registry: 2, witnesses: [0, 0] }],
  ['a witness that is a second ahead', { registry: 0, witnesses: [1, 0] }],
  ['a witness that is three minutes ahead', { registry: 0, witnesses: [0, 180] }],
  ['a witness that is a second behind', { registry: 0, witnesses: [-1, 0] }],
  ['one ahead, one behind', { registry: 0, witnesses: [60, -2] }],
] as const) {
  test(`what is made with apart clocks is proven: ${name}`, async (t) => {
    const { environment, policies } = await open(t, skew)
    const arks: string[] = []
    for (const [index, title] of ['One', 'Two', 'Three'].entries()) {
      arks.push(arkOf(await register(environment, title)))
      await witnessed(environment, index + 1)
    }
    for (const ark of arks) {
      const reports = await verdicts(t, environment, ark, policies)
      for (const { valid, statement, proven_time: time, steps } of reports) {
        t.true(valid, JSON.stringify(steps))
        const at = statement?.timestamp ?? ''
        t.true(time.not_after !== null && at < time.not_after, at)
        t.true(time.not_before === null || time.not_before <= at, at)
        const names = statement?.witnessed_checkpoint !== undefined
        t.is(time.not_before !== null, names, JSON.stringify(steps))
      }
    }
  })
}

test('what a registry a minute ahead made is proven once its witnesses caught up', async (t) => {
  const { environment, collector, policies, clocks, registry } = await open(t, {
    registry: 60,
    witnesses: [0, 0],
  })
  const ark = arkOf(await register(environment, 'One'))
  await until('both were refused', () =>
    collector.links.every(({ facts }) => facts.problem !== undefined),
  )
  t.regex(
    collector.links[0]?.facts.problem ?? '',
    /^the time of its cosignature is (?:59|60|61) s behind/,
  )
  t.is(environment.log.cosigned().count, 0)
  t.true((await verdicts(t, environment, ark, policies)).every(({ valid }) => !valid))
  clocks.fill(60)
  registry.time.skippedMs += 3_600_000
  await witnessed(environment, 1)
  t.true((await verdicts(t, environment, ark, policies)).every(({ valid }) => valid))
})

for (const [name, skew, problem] of [
  ['an hour ahead', { registry: 3_600, witnesses: [0, 0] }, /^the time of its .* behind what/],
  ['an hour behind', { registry: -3_600, witnesses: [0, 0] }, /^its cosignature is of .* and here/],
] as const) {
  test(`nothing counts as witnessed while a registry is ${name}`, async (t) => {
    const { environment, collector, policies } = await open(t, skew)
    const ark = arkOf(await register(environment, 'One'))
    await until('both were refused', () =>
      collector.links.every(({ facts }) => facts.problem !== undefined),
    )
    t.true(collector.links.every(({ facts }) => problem.test(facts.problem ?? '')))
    t.is(environment.log.cosigned().count, 0)
    const found = await verdicts(t, environment, ark, policies)
    t.true(found.every(({ valid, proven_time: { not_after } }) => !valid && not_after === null))
  })
}
