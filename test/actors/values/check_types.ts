// Reads the names of types in lists of other vocabularies, a name a line, and says how many are
// read and what the others are told:
//   npm run check:types -- FILES…

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { explainWorkType, foldWorkType } from '#actors/values/work_type.ts'

for (const file of process.argv.slice(2)) {
  const names = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const refused = names.filter((name) => foldWorkType(name) === undefined)
  process.stdout.write(
    `${path.basename(file)}: ${names.length - refused.length} of ${names.length} read\n`,
  )
  for (const name of refused) {
    const [, near = 'nothing is near'] = explainWorkType(name).split('; ')
    process.stdout.write(`  ${name}: ${near}\n`)
  }
}
