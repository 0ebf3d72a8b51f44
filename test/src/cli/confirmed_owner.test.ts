import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import test from 'ava'

import { confirmOwner } from '#src/cli/restore.ts'
import { UnusableError } from '#src/cli/program.ts'
import { backUp, newTarget, openKept, rowsOf } from '#test/src/keeping/backup/_backed_up.ts'

const vkey = 'registry.example/log+24ebe817+AfyXCszjVwtVRoQDhRCop1lyvnBLF+IiYzMuP1GqS3le'

/** A terminal at which this is typed, and what is shown there. */
function terminalWith(typed: string) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  input.end(typed)
  return { terminal: { input, output }, shown: text(output) }
}

for (const [typed, isConfirmed] of [
  ['yes\n', true],
  [' yes \r\n', true],
  ['yes', false],
  ['y\n', false],
  ['no\n', false],
  ['\nyes\n', false],
  ['', false],
] as const) {
  const verb = isConfirmed ? 'confirms' : 'does not confirm'
  test(`${JSON.stringify(typed)} ${verb} whose backup it is`, async (t) => {
    const { target } = await newTarget(t)
    await backUp(rowsOf(1), { target, treeSize: 12 })
    const { terminal, shown } = terminalWith(typed)
    const confirmed = confirmOwner(await openKept(target), terminal)
    if (isConfirmed) await t.notThrowsAsync(confirmed)
    else
      await t.throwsAsync(confirmed, { instanceOf: UnusableError, message: /nothing was restored/ })
    terminal.output.end()
    const question = await shown
    t.true(question.includes(`key      ${vkey}`), question)
    t.regex(
      question,
      /log {6}registry\.example\/log\n.*\n {2}entries {2}12\n {2}made {5}2023-11-14T/,
    )
  })
}

test('without a terminal the key has to be given, and is told', async (t) => {
  const { target } = await newTarget(t)
  await backUp(rowsOf(1), { target })
  const error = await t.throwsAsync(confirmOwner(await openKept(target), undefined), {
    instanceOf: UnusableError,
    message: /^Nothing proves that backup 20231114T\S+ is of your registry.*--keys.*--vkey/,
  })
  t.true(error?.message.includes(vkey))
})
