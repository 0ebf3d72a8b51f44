import test from 'ava'

import { encodeBase64 } from '#log/tlog/encoding.ts'
import {
  newDataDir,
  runArklog,
  runJson,
  type Server,
  startArklog,
  startServer,
} from '#test/scenario/_process.ts'
import { WitnessClient } from '#test/src/tlog_tools/witness/_witness_client.ts'
import { submissionOf } from '#test/src/tlog_tools/witness/_witnessed_log.ts'

type Listed = {
  readonly logs: readonly {
    readonly origin: string
    readonly rate: number | null
    readonly last: { readonly tree_size: number } | null
  }[]
}

/** The newest checkpoint of a log, and its size. */
async function newest(log: Server): Promise<{ readonly note: string; readonly size: number }> {
  const note = await (await fetch(`${log.started.local_url}/log/checkpoint`)).text()
  return { note, size: Number(note.split('\n')[1]) }
}

/** The same submitted by somebody who knows the log by its public addresses alone. */
async function submission(log: Server, from: number): Promise<string> {
  const { note, size } = await newest(log)
  if (from === 0) return submissionOf(0, [], note)
  const url = `${log.started.local_url}/v1/log/consistency?from=${from}&to=${size}`
  const { consistency_proof: proof } = (await (await fetch(url)).json()) as {
    readonly consistency_proof: readonly string[]
  }
  const lines = proof.map((hash) => encodeBase64(Buffer.from(hash, 'hex')))
  return submissionOf(from, lines, note)
}

async function add(log: Server, count: number): Promise<void> {
  const url = `${log.started.local_url}/log/add`
  for (let at = 0; at < count; at += 1) await fetch(url, { method: 'POST', body: `entry ${at}` })
}

test.serial(
  'a witness follows our own log, told of it before its start and while it runs',
  async (t) => {
    const log = await startServer(t, { DATA_DIR: await newDataDir(t) }, ['--log-only'])
    const { vkey, origin } = log.started
    const settings = { DATA_DIR: await newDataDir(t), WITNESS_NAME: 'witness.example/w1' }

    // Without a process the commands open the store themselves.
    const key = await runArklog(t, ['witness', 'key'], settings)
    t.is(key.code, 0, key.stderr)
    await runJson(t, ['witness', 'add-log', vkey], settings)

    const running = await startArklog(t, ['witness', '--json'], settings)
    const facts = JSON.parse(running.line) as {
      readonly local_url: string
      readonly vkeys: readonly [string, string]
    }
    t.is(`${facts.vkeys.join('\n')}\n`, key.stdout)
    const client = new WitnessClient(facts.local_url, facts.vkeys)
    let last = 0
    for (const count of [0, 1, 6, 300]) {
      await add(log, count)
      const reply = await client.submit(await submission(log, last))
      t.is(reply.status, 200, reply.body)
      const { note, size } = await newest(log)
      client.holdCosigned(note.slice(0, note.indexOf('\n\n') + 1), reply.body)
      last = size
    }
    t.is(last, 307)

    await runJson(t, ['witness', 'add-log', vkey, '--rate', '60'], settings)
    const { logs } = await runJson<Listed>(t, ['witness', 'list'], settings)
    t.like(logs, [{ origin, rate: 60, last: { tree_size: 307 } }])
    const list = await runArklog(t, ['witness', 'list'], settings)
    t.regex(
      list.stdout,
      /cosigned {2}size 307 at 20.*Z\n.*\n {2}rate {6}60 new checkpoints a minute/,
    )
    await runJson(t, ['witness', 'remove-log', origin], settings)
    t.is((await client.submit(await submission(log, last))).status, 404)
    const unknown = await runArklog(t, ['witness', 'remove-log', origin], settings)
    t.is(unknown.code, 1)
    t.is(unknown.stderr, `arklog: The witness knows no log ${origin}\n`)

    const { code, stderr } = await running.end('SIGTERM')
    t.is(code, 0, stderr)
    const left = await runJson<Listed>(t, ['witness', 'list'], settings)
    t.deepEqual(left, { logs: [] })
  },
)

test.serial('what cannot be done is told, and what to do', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t) }
  const unnamed = await runArklog(t, ['witness'], settings)
  t.is(unnamed.code, 1)
  t.regex(unnamed.stderr, /^arklog: There is no witness in .* yet\. Set WITNESS_NAME to/)
  const named = { ...settings, WITNESS_NAME: 'witness.example/w1' }
  const wrong = await runArklog(t, ['witness', 'add-log', 'a+b'], named)
  t.is(wrong.code, 1)
  t.regex(
    wrong.stderr,
    /^arklog: The key cannot be used: not a verifier key.*A log is known by .* or ML-DSA-44 key\n$/,
  )
  for (const args of [['add-log'], ['add-log', 'a', '--rate', '0'], ['frobnicate']]) {
    t.is((await runArklog(t, ['witness', ...args], named)).code, 2, args.join(' '))
  }
  const registry = await runArklog(t, ['serve'], settings)
  t.regex(
    registry.stderr,
    /^arklog: .* holds a witness\. Set DATA_DIR to another folder: a witness/,
  )
})
