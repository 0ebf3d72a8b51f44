import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'
import {
  call,
  firstKey,
  newDataDir,
  newWork,
  runArklog,
  startServer,
} from '#test/scenario/_process.ts'

test('the program and its commands say how they are used', async (t) => {
  for (const args of [[], ['serve'], ['key', 'accept-older']]) {
    const { code, stdout } = await runArklog(t, [...args, '--help'], {})
    t.is(code, 0, args.join(' '))
    t.true(stdout.startsWith(`Usage: ${['arklog', ...args].join(' ')} [options]`), stdout)
  }
})

test('an unknown command or option exits with 2 and points to the help', async (t) => {
  for (const args of [['frobnicate'], ['serve', '--frobnicate'], ['key', 'create']]) {
    const { code, stdout, stderr } = await runArklog(t, args, {})
    t.is(code, 2, args.join(' '))
    t.is(stdout, '')
    t.regex(stderr, /^error: .*\n[^]*Run it with --help/)
  }
})

test('works that name an author in two ways are listed', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t) }
  const server = await startServer(t, settings)
  const body = { ...newWork('Named'), authors: 'Ada Byron;', author_details: [{ name: 'Bo Pen' }] }
  const key = firstKey(server)
  const minted = await call<{ ark_identifier: string }>(server, '/v1/works', { key, body })
  const listed = await runArklog(t, ['work', 'conflicts'], settings)
  t.is(
    listed.stdout,
    `${minted.body.ark_identifier} v1\n` +
      '  author 1: authors has “Ada Byron”, shown is “Bo Pen”\n' +
      '1 of 1 works name authors in two ways.\n',
  )
  const sandbox = await runArklog(t, ['work', 'conflicts', '--sandbox', '--json'], settings)
  t.deepEqual(JSON.parse(sandbox.stdout), { works: [], looked_at: 0 })
  await server.end('SIGTERM')
})

test('a wrong configuration is told whole, as text or as JSON', async (t) => {
  const settings = { PORT: 'http', ARK_NAAN: '99999' }
  const asText = await runArklog(t, ['serve'], settings)
  t.is(asText.code, 1)
  t.is(asText.stdout, 'Arklog starts: loading the program\n')
  t.is(
    asText.stderr,
    'arklog: The configuration is not valid:\n' +
      '- PORT is "http", but must be a whole number from 0 to 65535.\n' +
      '- ARK_NAAN is 99999, the NAAN of the sandbox, but must be your own, or absent for the ' +
      'example NAAN 12345.\n',
  )
  const asJson = await runArklog(t, ['key', 'list', '--json'], settings)
  t.is(asJson.code, 1)
  t.is((JSON.parse(asJson.stderr) as { error: string }).error, 'config_invalid')
})

test('a file to import that is not there is told by its name', async (t) => {
  const file = path.join(await newDataDir(t), 'works.jsonl')
  const { code, stderr } = await runArklog(t, ['import', file], {})
  t.is(code, 1)
  t.is(stderr, `arklog: ENOENT: no such file or directory, stat '${file}'\n`)
})

test('a configuration file is read by every command', async (t) => {
  const dataDir = await newDataDir(t)
  await fs.mkdir(dataDir)
  const file = path.join(dataDir, 'config.json')
  await fs.writeFile(file, '{"HOTS": "::1"}')
  const { code, stderr } = await runArklog(t, ['key', 'list'], { CONFIG_FILE: file })
  t.is(code, 1)
  t.regex(stderr, /- HOTS is not a configuration key\. Did you mean HOST\?/)
})

test('only a command that makes something begins a registry, and says so', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t) }
  for (const args of [
    ['organization', 'list'],
    ['key', 'list'],
    ['fixity', 'status'],
  ]) {
    const { code, stdout, stderr } = await runArklog(t, args, settings)
    t.is(code, 1, args.join(' '))
    t.is(stdout, '')
    t.is(
      stderr,
      `arklog: ${settings.DATA_DIR} has no registry. Set DATA_DIR to the folder of one, or ` +
        'create one there with "arklog serve".\n',
    )
    await t.throwsAsync(fs.stat(settings.DATA_DIR), { code: 'ENOENT' })
  }
  const made = await runArklog(t, ['organization', 'create', 'one', '--name', 'One'], settings)
  t.is(made.code, 0)
  t.regex(made.stderr, / had no registry\. A new one, .*, was created there\.\n$/)
  t.regex((await runArklog(t, ['organization', 'list'], settings)).stdout, /^org:one /m)
})
