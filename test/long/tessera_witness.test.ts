import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import test, { type ExecutionContext } from 'ava'

import { cosignatureVerifier } from '#log/tlog/cosignature.ts'
import { noteVerifier } from '#log/tlog/ed25519.ts'
import { parseCheckpoint } from '#log/tlog/checkpoint.ts'
import { openNote } from '#log/tlog/note.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { serveWitness } from '#test/src/tlog_tools/witness/_served_witness.ts'

const goDir = path.join(import.meta.dirname, '../foreign/tessera_log')
const hasGo = spawnSync('go', ['-C', goDir, 'mod', 'download'], { stdio: 'ignore' }).status === 0

// The test key that Tessera's own documents publish.
const origin = 'example.com/log/testdata'
const vkey = `${origin}+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx`
const skey = `PRIVATE+KEY+${origin}+33d7b496+AeymY/SZAX0jZcJ8enZ5FY1Dz+wTML2yWSkK+9DSF3eg`

const entries = 40

type Added = { readonly index: number; readonly checkpoint: string }

const name = 'a Tessera log publishes what our witness has cosigned, over restarts of both'
if (hasGo) test.serial(name, runTessera)
else test.skip(`${name}: skipped: go, or a proxy of its modules, is not installed`, runTessera)

async function runTessera(t: ExecutionContext): Promise<void> {
  const folder = await makeTempDir(t)
  const program = path.join(folder, 'tessera_log')
  execFileSync('go', ['-C', goDir, 'build', '-o', program, '.'])
  const settings = { DATA_DIR: path.join(folder, 'witness') }
  let size = 0
  for (let life = 0; life < 3; life += 1) {
    const witness = await serveWitness(t, settings)
    if (life === 0) await witness.admin.call('/logs/add', { vkey })
    const policy = path.join(folder, 'policy')
    const { url, vkey: witnessVkey } = witness.client
    await writeFile(policy, `witness w1 ${witnessVkey} ${url}\ngroup g all w1\nquorum g\n`)
    const args = ['-dir', path.join(folder, 'log'), '-key', skey, '-policy', policy]
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
    t.teardown(() => child.kill())
    const ended = once(child, 'exit')
    for (let at = 0; at < entries; at += 1) child.stdin.write(`life ${life}, entry ${at}\n`)
    let count = 0
    for await (const line of createInterface(child.stdout)) {
      const { index, checkpoint } = JSON.parse(line) as Added
      const verifiers = [noteVerifier(vkey), cosignatureVerifier(witnessVkey)]
      const { verified, text } = openNote(checkpoint, verifiers)
      t.is(verified.length, 2, 'the log and the witness have signed')
      const { treeSize } = parseCheckpoint(text)
      t.true(treeSize > index && treeSize >= size)
      size = treeSize
      count += 1
      if (count === entries) child.stdin.end()
    }
    t.deepEqual(await ended, [0, null])
    t.is(count, entries)
    t.is((await witness.client.latest(origin))?.treeSize, size)
    await witness.close()
  }
  t.is(size, 3 * entries)
}
