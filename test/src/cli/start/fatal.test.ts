import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'

const run = promisify(execFile)

const words =
  'arklog: the disk is gone\narklog: the process ends, because only a new start can find ' +
  'out whether the write was stored. Nothing that was acknowledged is lost.\n'

/** Runs a module that ends its process, and gives how it did. */
async function endOf(body: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const module = `import { exitOnUncertainWrite } from '#src/cli/start/fatal.ts'\n${body}`
  try {
    const args = ['--input-type=module', '--eval', module]
    return { code: 0, ...(await run(process.execPath, args)) }
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string }
  }
}

test('the process says why it ends, closes, and ends with code 1', async (t) => {
  const { code, stdout, stderr } = await endOf(`
    const close = async () => console.log('closed')
    exitOnUncertainWrite(close)(new Error('the disk is gone'))
    setInterval(() => {}, 1_000)
  `)
  t.is(code, 1)
  t.is(stdout, 'closed\n')
  t.is(stderr, words)
})

test('a part that cannot close does not hold it up', async (t) => {
  const { code, stderr } = await endOf(`
    exitOnUncertainWrite(() => new Promise(() => {}))(new Error('the disk is gone'))
    setInterval(() => {}, 1_000)
  `)
  t.is(code, 1)
  t.is(stderr, words)
})

test('a start that is not over ends at once, and says no more than why', async (t) => {
  const { code, stderr } = await endOf(`
    exitOnUncertainWrite(() => closing.close())(new Error('the disk is gone'))
    setInterval(() => {}, 1_000)
    await new Promise(() => {})
    const closing = { close: async () => {} }
  `)
  t.is(code, 1)
  t.is(stderr, words)
})
