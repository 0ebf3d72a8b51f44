// A thread that reads what it is sent as BibTeX, and answers how many characters were looked at for
// it: by regular expressions, searches and copies of texts. A thread of its own, because counting
// makes all others slow.

/* oxlint-disable eslint/no-extend-native -- whatever reads texts in this thread is counted */
import { parentPort } from 'node:worker_threads'

import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'

let looks = 0

const { exec } = RegExp.prototype
RegExp.prototype.exec = function (this: RegExp, text: string) {
  const isMoving = this.global || this.sticky
  const from = isMoving ? this.lastIndex : 0
  const found = exec.call(this, text)
  if (found !== null) looks += found.index + found[0].length - from
  else if (!this.sticky) looks += Math.max(0, text.length - from)
  looks += 1
  return found
}

const { slice, indexOf, lastIndexOf } = String.prototype
String.prototype.slice = function (this: string, ...range: [number?, number?]) {
  const part = slice.apply(this, range)
  looks += part.length + 1
  return part
}
String.prototype.indexOf = function (this: string, sought: string, from = 0) {
  const at = indexOf.call(this, sought, from)
  looks += (at < 0 ? this.length : at) - from + 1
  return at
}
String.prototype.lastIndexOf = function (this: string, sought: string, from = this.length) {
  const at = lastIndexOf.call(this, sought, from)
  looks += from - at + 1
  return at
}

parentPort?.on('message', (text: string) => {
  looks = 0
  readBibtex(splitBibtex(text))
  parentPort?.postMessage(looks)
})
