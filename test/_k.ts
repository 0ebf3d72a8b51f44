import { formatBibtex, formatBiblatex } from '#src/discovery/formats/bibtex.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'
import { readFileSync } from 'node:fs'
import { recognizeLanguage } from '#actors/values/language.ts'
import { babelNames } from '#src/discovery/formats/babel_names.ts'
for (const [c, n] of Object.entries(babelNames))
  if (recognizeLanguage(n) !== c) console.log('lang', c, n, recognizeLanguage(n))
for (const f of process.argv.slice(2))
  for (const l of readFileSync(f, 'utf8').trim().split('\n')) {
    const r = checkNewWork(JSON.parse(l))
    if (r.type !== 'ok') {
      console.log(r)
      continue
    }
    console.log(formatBibtex(describedWork(r.metadata)).replace(/\n  (url|language) = .*/g, ''))
    if (/[cd](01|14|08)/.test(f))
      console.log(formatBiblatex(describedWork(r.metadata)).replace(/\n  (url|language) = .*/g, ''))
  }
