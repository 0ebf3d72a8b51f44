import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { lockDataDir } from '#src/keeping/data_dir/lock.ts'
import { until } from '#test/_until.ts'
import { newDataDir, runArklog, startNpm, startServer } from '#test/scenario/_process.ts'
import { share } from '#test/scenario/_shared_server.ts'

// Each start takes up what the one before has left: one that did not end in order would refuse it.
const dataDir = share(newDataDir)

// The shell of most systems, which stays between npm and the program, and one that becomes it.
for (const shell of ['sh', 'bash']) {
  for (const signal of ['SIGTERM', 'SIGKILL', 'SIGHUP'] as const) {
    test.serial(`${signal} to npm, with ${shell}, ends the registry in order`, async (t) => {
      const settings = { DATA_DIR: dataDir(), npm_config_script_shell: shell }
      const npm = await startNpm(t, ['-s', 'start', '--', '--json'], settings)
      npm.child.kill(signal)
      await t.notThrowsAsync(endsInOrder(settings.DATA_DIR))
    })
  }

  // The terminal tells every process, and npm passes on what it hears as well.
  test.serial(`Ctrl-C, with ${shell}, ends the registry in order`, async (t) => {
    const settings = { DATA_DIR: dataDir(), npm_config_script_shell: shell }
    const npm = await startNpm(t, ['-s', 'start', '--', '--json'], settings)
    process.kill(-(npm.child.pid ?? 0), 'SIGINT')
    await endsInOrder(settings.DATA_DIR)
    const { stderr } = await npm.ended
    t.notRegex(stderr, /second SIGINT/)
  })
}

test.serial('further signals do not cut the end short', async (t) => {
  const server = await startServer(t, { DATA_DIR: dataDir() })
  server.child.kill('SIGINT')
  const again = setInterval(() => server.child.kill('SIGINT'), 5)
  const { code, stderr } = await server.ended
  clearInterval(again)
  t.is(code, 0, stderr)
})

test.serial('a monitor ends with npm too', async (t) => {
  const server = await startServer(t, { DATA_DIR: dataDir() })
  const state = await newDataDir(t)
  const { local_url: url, vkey } = server.started
  const args = ['run', '-s', 'arklog', '--', 'monitor', url, '--vkey', vkey, '--state', state]
  const npm = await startNpm(t, [...args, '--listen', '127.0.0.1:0'], {})
  npm.child.kill('SIGKILL')
  // Its state has one owner, so another one begins once it has ended.
  const once = ['monitor', url, '--vkey', vkey, '--state', state, '--once', '--json']
  await until('the state is free again', async () => (await runArklog(t, once, {})).code === 0)
  t.pass()
})

/** Waits until a registry has ended; only one that has closed all removes its socket. */
async function endsInOrder(folder: string): Promise<void> {
  const socket = path.join(folder, 'admin.sock')
  await until('the registry has closed', async () => {
    return fs.access(socket).then(
      () => false,
      () => true,
    )
  })
  await until('the registry has ended', () => {
    try {
      lockDataDir(folder).release()
      return true
    } catch {
      return false
    }
  })
}
