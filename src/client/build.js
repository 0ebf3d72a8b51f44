// Makes what the package ships: JavaScript and declarations of its modules, in the folder given or
// in `dist`. Its sources name each other by folder, as all of the project do; what is shipped names
// them beside each other, so that browsers load it as it is.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const source = import.meta.dirname
const target = path.resolve(process.argv[2] ?? path.join(source, 'dist'))
const compiler = path.join(source, '../../node_modules/.bin/tsc')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'arklog-client-'))
try {
  for (const name of fs.readdirSync(source)) {
    if (!/\.(?:ts|json)$/.test(name)) continue
    const text = fs.readFileSync(path.join(source, name), 'utf8')
    const shipped = text.replaceAll(/'#src\/client\/([a-z_0-9]+)\.ts'/g, "'./$1.js'")
    fs.writeFileSync(path.join(folder, name), shipped)
  }
  fs.rmSync(target, { recursive: true, force: true })
  execFileSync(compiler, ['-p', folder, '--outDir', target], { stdio: 'inherit' })
} finally {
  fs.rmSync(folder, { recursive: true })
}
