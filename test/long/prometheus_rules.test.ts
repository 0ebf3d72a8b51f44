// The alerts of config/prometheus are rules that Prometheus takes, go off when they should, and say
// what to do.

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import test from 'ava'

const { REQUIRE_PROMTOOL } = process.env

const dir = path.join(import.meta.dirname, '../../config/prometheus')

const isInstalled = spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0
const missing = 'the alerts are not checked: promtool is not installed'
if (!isInstalled && REQUIRE_PROMTOOL === '1') test(missing, (t) => t.fail())
else if (!isInstalled) test.skip(missing, () => undefined)
else {
  for (const [step, file] of [
    ['check', 'arklog.rules.yml'],
    ['test', 'arklog.test.yml'],
  ] as const) {
    test(`promtool ${step} rules passes`, (t) => {
      t.notThrows(() => execFileSync('promtool', [step, 'rules', path.join(dir, file)]))
    })
  }
}

test('every alert says what to do', (t) => {
  const rules = readFileSync(path.join(dir, 'arklog.rules.yml'), 'utf8')
  const count = (word: string) => rules.split(word).length - 1
  t.true(count('- alert:') > 10)
  t.is(count('action:'), count('- alert:'))
  t.is(count('summary:'), count('- alert:'))
})
