// Three readers of evidence that share no code: the client's, one in Python and one in Go. They say
// the same of sound evidence, of hundreds of spoiled files, and of all vectors.

import { execFile, execFileSync } from 'node:child_process'
import fs from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'

import { verifyEvidence } from '#src/client/verify/evidence.js'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { makeEvidence, spoiledOnes } from '#test/src/verify/_evidence.ts'

const run = promisify(execFile)
const readers = path.join(import.meta.dirname, '../../../src/verify')

function has(command: string, ...args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore', cwd: path.join(readers, 'go') })
    return true
  } catch {
    return false
  }
}

const hasPython = has('python3', '-c', 'import sys; assert sys.version_info >= (3, 9)')
// Its packages must be there, too, or be fetched by it.
const hasGo = has('go', 'vet', '-mod=readonly', './...')

type Reader = {
  readonly name: string
  /** Reads all vectors, and says what it reads otherwise than they want. */
  vectors(): Promise<string[]>
  readonly isThere: boolean
  /** What it says of each file, in their order. */
  read(t: ExecutionContext, files: readonly string[], args: readonly string[]): Promise<string[]>
}

async function said(command: string, args: readonly string[]): Promise<string[]> {
  const options = { maxBuffer: 2 ** 26 }
  const { stdout } = await run(command, args, options).catch(
    (error: unknown) => error as { readonly stdout: string },
  )
  return stdout.trim().split('\n')
}

const python: Reader = {
  name: 'Python',
  vectors: () => said('python3', ['-B', path.join(import.meta.dirname, '_vectors.py')]),
  isThere: hasPython,
  read: (_t, files, args) => {
    return said('python3', ['-B', path.join(readers, 'python/verify.py'), ...args, ...files])
  },
}

const go: Reader = {
  name: 'Go',
  vectors: () => said('go', ['-C', path.join(readers, 'go'), 'test', '-count=1', './...']),
  isThere: hasGo,
  read: async (t, files, args) => {
    const program = path.join(await makeTempDir(t), 'verify')
    await run('go', ['build', '-o', program, '.'], { cwd: path.join(readers, 'go') })
    return said(program, [...args, ...files])
  },
}

for (const { name, isThere, read, vectors } of [python, go]) {
  const reading = isThere ? test : test.skip
  const why = isThere ? '' : ` (skipped: ${name} or a package of it is not installed)`
  reading(`the reader in ${name} reads all vectors as they want${why}`, async (t) => {
    t.timeout(600_000)
    const [only, ...more] = await vectors()
    t.regex(only ?? '', /^(?:\d{3} vectors|ok .*)$/)
    t.deepEqual(more, [])
  })
  reading(`the reader in ${name} says what the client says of evidence${why}`, async (t) => {
    t.timeout(600_000)
    const { early, first, evidence, again, keys, keysNow } = await makeEvidence(t)
    t.deepEqual(again, evidence)
    const folder = await makeTempDir(t)
    const write = async (file: string, value: unknown) => {
      await fs.writeFile(path.join(folder, file), JSON.stringify(value))
      return path.join(folder, file)
    }
    const pinned = await write('keys', keys)
    const spoiled = spoiledOnes(evidence)
    t.true(spoiled.length >= 300, `${spoiled.length} are spoiled`)
    const names = await Promise.all(
      [first, evidence, ...spoiled.map(({ value }) => value)].map((value, index) =>
        write(`${index}.json`, value),
      ),
    )
    const [ofFirst, ofEvidence, ...ofSpoiled] = await read(t, names, ['--keys', pinned])
    t.regex(ofFirst ?? '', /: proven: ark:/)
    t.regex(ofEvidence ?? '', /: proven: ark:/)
    const [own] = await read(t, names.slice(1, 2), [])
    t.regex(own ?? '', /: consistent: ark:/)
    t.like(await verifyEvidence(evidence), { valid: true, isTrusted: false })
    // Keys that were saved after a rotation, for evidence from before it.
    const later = ['--keys', await write('keys-now', keysNow)]
    const old = await read(t, [await write('early.json', early), ...names.slice(0, 2)], later)
    t.true(
      old.every((line) => / proven: ark:/.test(line)),
      old.join('\n'),
    )
    for (const value of [early, first, evidence]) {
      t.like(await verifyEvidence(value, { keys: keysNow }), { valid: true, isTrusted: true })
    }
    const stepIn = (line = '') => /: refused: (\w+): /.exec(line)?.[1] ?? line
    const ofClient = await Promise.all(
      spoiled.map(async ({ value }) => {
        const { valid, steps } = await verifyEvidence(value, { keys })
        return valid ? 'valid' : steps.find(({ status }) => status === 'failed')?.step
      }),
    )
    const expected = spoiled.map(({ name: way, step }) => `${way}: ${step}`)
    t.deepEqual(
      spoiled.map(({ name: way }, index) => `${way}: ${ofClient[index]}`),
      expected,
    )
    t.deepEqual(
      spoiled.map(({ name: way }, index) => `${way}: ${stepIn(ofSpoiled[index])}`),
      expected,
    )
    const times = /\[(\d+), (\d+)\]/.exec(ofEvidence ?? '')?.slice(1)
    const { proven_time } = await verifyEvidence(evidence, { keys })
    t.deepEqual(
      times?.map((seconds) => new Date(Number(seconds) * 1_000).toISOString()),
      [proven_time.not_before, proven_time.not_after],
    )
  })
}
