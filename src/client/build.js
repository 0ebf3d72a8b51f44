// Makes what the package ships: JavaScript and declarations of its modules, in the folder given or
// in `dist`. Its sources name each other by folder, as all of the project do; what is shipped names
// them by where they lie from each other, so that browsers load it as it is.

import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const source = import.meta.dirname
const target = path.resolve(process.argv[2] ?? path.join(source, 'dist'))
const compiler = path.join(source, '../../node_modules/.bin/tsc')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'arklog-client-'))
/** @param {string} below */
function sourcesIn(below) {
  const names = fs.readdirSync(path.join(source, below)).map((name) => below + name)
  return names.filter((name) => /\.(?:[jt]s|json)$/.test(name) && name !== 'build.js')
}

try {
  fs.mkdirSync(path.join(folder, 'verify'))
  for (const name of sourcesIn('').concat(sourcesIn('verify/'))) {
    const text = fs.readFileSync(path.join(source, name), 'utf8')
    const shipped = text.replaceAll(/'#src\/client\/([a-z_0-9/]+)\.[jt]s'/g, (_all, imported) => {
      const file = path.posix.relative(path.dirname(name), `${imported}.js`)
      return file.startsWith('.') ? `'${file}'` : `'./${file}'`
    })
    fs.writeFileSync(path.join(folder, name), shipped)
  }
  fs.rmSync(target, { recursive: true, force: true })
  execFileSync(compiler, ['-p', folder, '--outDir', target], { stdio: 'inherit' })
} finally {
  fs.rmSync(folder, { recursive: true })
}
