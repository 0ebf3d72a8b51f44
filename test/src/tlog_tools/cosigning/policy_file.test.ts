import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { ed25519Keys } from '#log/tlog/ed25519.ts'
import { formatVkey } from '#log/tlog/note.ts'
import { parsePolicy } from '#log/tlog/policy.ts'
import { chooseLogs, readPolicyFile } from '#src/tlog_tools/cosigning/policy_file.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { testWitness, thresholdPolicy, unknownVkey } from '#test/log/_witnesses.ts'

const vkeyOf = (name: string, seed: number) =>
  formatVkey(name, 1, ed25519Keys.fromSeed(Buffer.alloc(32, seed)).publicKey)
const vkeys = { live: vkeyOf('live.example/log', 1), sandbox: vkeyOf('sandbox.example/log', 2) }

async function fileOf(t: ExecutionContext, text: string): Promise<string> {
  const file = path.join(await makeTempDir(t), 'policy')
  await writeFile(file, text)
  return file
}

test('a policy is for the live log, or for those that it names', (t) => {
  const chosen = (...logs: readonly string[]) => {
    const lines = logs.map((vkey) => `log ${vkey}\n`).join('')
    return chooseLogs('policy', parsePolicy(`${lines}quorum none\n`), vkeys)
  }
  t.deepEqual(chosen(), ['live'])
  t.deepEqual(chosen(vkeys.sandbox), ['sandbox'])
  t.deepEqual(chosen(vkeys.sandbox, vkeyOf('other.example/log', 3), vkeys.live), [
    'live',
    'sandbox',
  ])
  t.throws(() => chosen(vkeyOf('other.example/log', 3)), {
    code: 'witness_policy_unusable',
    message:
      `WITNESS_POLICY names policy, which names none of this registry's logs: add the line ` +
      `\`log ${vkeys.live}\``,
  })
})

test('a policy that cannot be read, or has a fault, says so with its file and line', async (t) => {
  const missing = path.join(await makeTempDir(t), 'none')
  const error = t.throws(() => readPolicyFile(missing), { code: 'witness_policy_unusable' })
  t.true(error?.message.startsWith(`WITNESS_POLICY names ${missing}, which cannot be read: `))
  const faulty = await fileOf(t, '\nquorum one')
  t.throws(() => readPolicyFile(faulty), {
    message:
      `WITNESS_POLICY names ${faulty}, which is not a policy of witnesses: line 2: "one" is no ` +
      'witness or group of a line before',
  })
})

test('a quorum that needs a witness without an address is refused', async (t) => {
  const [one, two] = [testWitness(1), testWitness(2)]
  const text = `witness w1 ${one.vkey} http://127.0.0.1\nwitness w2 ${two.vkey}\n`
  const enough = await fileOf(t, `${text}group g any w1 w2\nquorum g\n`)
  t.is(readPolicyFile(enough).witnesses.length, 2)
  const file = await fileOf(t, `${text}group g all w1 w2\nquorum g\n`)
  t.throws(() => readPolicyFile(file), {
    message:
      `WITNESS_POLICY names ${file}, which demands 2 of (w1, w2), but no address is given for ` +
      'w2: write it after the key, as https://witness.example',
  })
  // A key of an unknown type is no fault of the policy, whatever it makes of the quorum.
  const ml = `witness ml ${unknownVkey('ml.example')} http://127.0.0.1\n`
  const unreached = await fileOf(t, `${text}${ml}group g all w1 ml\nquorum g\n`)
  t.is(readPolicyFile(unreached).witnesses.length, 3)
  const both = await fileOf(t, `${text}${ml}group g all w1 w2 ml\nquorum g\n`)
  t.throws(() => readPolicyFile(both), { message: /no address is given for w2: write it/ })
  const none = await fileOf(t, thresholdPolicy(1, 1))
  t.throws(() => readPolicyFile(none), { code: 'witness_policy_unusable' })
})
