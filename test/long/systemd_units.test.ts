// The units of docs/deploy.md are known to systemd, and leave the services little to harm.

import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import test from 'ava'

const { REQUIRE_FRONT_SERVERS } = process.env

const dir = path.join(import.meta.dirname, '../../config/systemd')

/** Exposure at most, in tenths: 2.0 of 10. */
const exposureMax = 20

const isInstalled = spawnSync('systemd-analyze', ['--version'], { stdio: 'ignore' }).status === 0

/** Directives of a unit that systemd would ignore, by its own words. */
function ignoredLines(file: string): readonly string[] {
  const { stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
  return stderr.split('\n').filter((line) => /unknown|ignoring|invalid|failed to parse/i.test(line))
}

const missing = 'the units of systemd are not checked: systemd-analyze is not installed'
if (!isInstalled && REQUIRE_FRONT_SERVERS === '1') test(missing, (t) => t.fail())
else if (!isInstalled) test.skip(missing, () => undefined)
else {
  for (const unit of readdirSync(dir)) {
    const file = path.join(dir, unit)
    test(`systemd understands all of ${unit}`, (t) => {
      t.deepEqual(ignoredLines(file), [])
    })
    if (!unit.endsWith('.service') || unit.includes('@')) continue
    test(`${unit} is hardened`, (t) => {
      const args = ['security', '--offline=true', `--threshold=${exposureMax}`, file]
      t.notThrows(() => execFileSync('systemd-analyze', args))
    })
  }
}
