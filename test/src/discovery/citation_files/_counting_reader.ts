// A thread that reads what it is sent in the form that it was started with, and answers how many
// characters were looked at for it: by regular expressions, searches and copies of texts. A thread
// of its own, because counting makes all others slow.

/* oxlint-disable eslint/no-extend-native -- whatever reads texts in this thread is counted */
import { parentPort, workerData } from 'node:worker_threads'

import { readBibtex } from '#src/discovery/citation_files/bibtex_file.ts'
import { splitBibtex } from '#src/discovery/citation_files/bibtex_syntax.ts'
import { readLatex, readVerbatim } from '#src/discovery/citation_files/latex.ts'
import { plainText } from '#src/discovery/citation_files/markup.ts'
import { readNameList } from '#src/discovery/citation_files/names.ts'

const readers = {
  BibTeX: (text: string) => readBibtex(splitBibtex(text)),
  LaTeX: (text: string) => readLatex(text),
  verbatim: (text: string) => readVerbatim(text),
  names: (text: string) => readNameList(text),
  markup: (text: string) => plainText(text, 'paragraphs'),
}

/** What texts are read as. */
export type CountedReader = keyof typeof readers

const read = readers[workerData as CountedReader]

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

const { slice, indexOf, lastIndexOf, charAt } = String.prototype
String.prototype.charAt = function (this: string, at: number) {
  looks += 1
  return charAt.call(this, at)
}
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
  read(text)
  parentPort?.postMessage(looks)
})
