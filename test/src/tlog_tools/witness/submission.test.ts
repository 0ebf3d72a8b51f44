import test from 'ava'

import { parseSubmission, submissionBytesMax } from '#src/tlog_tools/witness/submission.ts'
import { submissionOf, WitnessedHistory } from '#test/src/tlog_tools/witness/_witnessed_log.ts'

const log = new WitnessedHistory('log.example/a').branch(0, 20, 'a')
const note = log.checkpoint(20)
const hash = Buffer.alloc(32, 5).toString('base64')

function parse(text: string | Uint8Array) {
  return parseSubmission(Buffer.from(text))
}

test('the parts of a submission are read', (t) => {
  const parsed = parse(log.submission(7, 20))
  if (parsed.type !== 'submission') return t.fail(parsed.message)
  const { oldSize, proof, note: read, unverifiedCheckpoint } = parsed.submission
  t.is(oldSize, 7)
  t.deepEqual(
    proof.map((line) => Buffer.from(line).toString('base64')),
    [...log.proof(7, 20)],
  )
  t.is(read.unverifiedText, log.text(20))
  t.is(unverifiedCheckpoint.treeSize, 20)
})

test('63 lines of proof are read, and 64 are not', (t) => {
  const lines = (count: number) => Array.from({ length: count }, () => hash)
  t.is(parse(submissionOf(1, lines(63), note)).type, 'submission')
  t.deepEqual(parse(submissionOf(1, lines(64), note)), {
    type: 'malformed',
    message: 'The proof has more than 63 lines',
  })
})

const unreadable: Readonly<Record<string, string>> = {
  'an empty body': '',
  'a line feed alone': '\n',
  'two line feeds': '\n\n',
  'no old line': `\n${note}`,
  'a note alone': note,
  'no size': submissionOf('', [], note),
  'a leading zero': submissionOf('02', [], note),
  'two zeros': submissionOf('00', [], note),
  'a sign': submissionOf('+2', [], note),
  'a negative size': submissionOf('-1', [], note),
  'a fraction': submissionOf('2.0', [], note),
  'an exponent': submissionOf('1e3', [], note),
  'a hexadecimal size': submissionOf('0x2', [], note),
  'a size beyond 2^53': submissionOf('9007199254740992', [], note),
  'a size of many digits': submissionOf('9'.repeat(40), [], note),
  'a space before the size': submissionOf(' 2', [], note),
  'a space after the size': submissionOf('2 ', [], note),
  'a carriage return': submissionOf('2\r', [], note),
  'digits that are not ASCII': submissionOf('２', [], note),
  'another word': `new 2\n\n${note}`,
  'a capital letter': `Old 2\n\n${note}`,
  'a tab for the space': `old\t2\n\n${note}`,
  'no empty line': `old 2\n${hash}\n${note.replace('\n\n', '\n')}`,
  'an empty line in the proof': submissionOf(1, [hash, '', hash], note),
  'an empty line more': submissionOf(1, [hash], `\n${note}`),
  'a hash of 31 bytes': submissionOf(1, [Buffer.alloc(31).toString('base64')], note),
  'a hash of 33 bytes': submissionOf(1, [Buffer.alloc(33).toString('base64')], note),
  'a hash without padding': submissionOf(1, [hash.replace('=', '')], note),
  'a hash with stray bits': submissionOf(1, [hash.replace('U=', 'V=')], note),
  'a hash in the alphabet of addresses': submissionOf(1, [`_${hash.slice(1)}`], note),
  'a space after a hash': submissionOf(1, [`${hash} `], note),
  'a carriage return after a hash': submissionOf(1, [`${hash}\r`], note),
  'two hashes in a line': submissionOf(1, [hash + hash], note),
  'no note': submissionOf(1, [], ''),
  'no signature': submissionOf(1, [], log.text(20)),
  'a note that goes on': submissionOf(1, [], `${note}x`),
  'a line after the note': submissionOf(1, [], `${note}x\n`),
  'an empty line after the note': submissionOf(1, [], `${note}\n`),
  'a note without its last line feed': submissionOf(1, [], note.slice(0, -1)),
  'an empty extension line': submissionOf(1, [], note.replace('\n\n', '\n\n\n')),
  'an empty origin': submissionOf(1, [], note.replace('log.example/a\n', '\n')),
  'a size with a zero before it': submissionOf(1, [], note.replace('\n20\n', '\n020\n')),
  'a carriage return in the note': submissionOf(1, [], note.replace('\n20\n', '\r\n20\n')),
  'a NUL': submissionOf(1, [], note.replace('log.example', 'log\0example')),
  'a hyphen for the dash': submissionOf(1, [], note.replace('—', '-')),
}

for (const [what, body] of Object.entries(unreadable)) {
  test(`malformed: ${what}`, (t) => {
    t.is(parse(body).type, 'malformed')
  })
}

test('malformed: bytes that are not UTF-8, anywhere', (t) => {
  const body = Buffer.from(log.submission(7, 20))
  for (let at = 0; at < body.length; at += 1) {
    const bytes = Buffer.from(body)
    bytes[at] = 0xff
    t.is(parse(bytes).type, 'malformed', `byte ${at}`)
  }
})

test('an origin may have spaces, as that of the Go checksum database has', (t) => {
  const { leaves } = log
  const sumdb = new WitnessedHistory('go.sum database tree', { leaves, keyName: 'sum.golang.org' })
  t.is(parse(sumdb.submission(7, 20)).type, 'submission')
})

test('a checkpoint may have extension lines', (t) => {
  const body = submissionOf(1, [], note.replace('\n\n', '\nextension\n\n'))
  t.is(parse(body).type, 'submission')
})

test('the longest proof and a hundred signatures fit', (t) => {
  const lines = Array.from({ length: 63 }, () => hash)
  const line = `— a.example/cosigner ${Buffer.alloc(900, 1).toString('base64')}\n`
  const body = submissionOf(1, lines, note + line.repeat(99))
  t.true(Buffer.byteLength(body) < submissionBytesMax)
  t.is(parse(body).type, 'submission')
})
