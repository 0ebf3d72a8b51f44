import { createHash } from 'node:crypto'
import test from 'ava'

import { decodeMapLeaf } from '#log/tlog/map/map_leaf.ts'
import { emptyNode, mapKey } from '#log/tlog/map/map_tree.ts'
import { encodeMapValue } from '#log/tlog/map/map_value.ts'
import { readReceipts } from '#src/cli/verify.ts'
import { mapFiles } from '#src/tlog_tools/mirror/map_files.ts'
import {
  cosign,
  testWitness,
  thresholdPolicy,
  unknownVkey,
  witnessLines,
} from '#test/log/_witnesses.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'
import { runArklog, writeFolder } from '#test/src/cli/_command.ts'
import { MappedLog } from '#test/src/client/verify/_mapped_log.ts'
import {
  content,
  createRegistry,
  issueReceipt,
  keyListOf,
  metadata,
} from '#test/src/client/verify/_registry.ts'
import { filesOf, serveLog } from '#test/src/tlog_tools/monitor/_served_log.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

const registry = createRegistry()
const sandbox = { ...createRegistry(3, 4), origin: 'registry.example/sandbox/log' }
const receipt = issueReceipt(registry)
const forged = { ...receipt, version: 2 }
const files = {
  'keys.json': JSON.stringify({ ...keyListOf(registry), sandbox: keyListOf(sandbox) }),
  'receipt.json': JSON.stringify(receipt, undefined, 2),
  'content.txt': content,
  'metadata.json': JSON.stringify(metadata),
  'resolved.json': JSON.stringify({ ark: receipt.ark, metadata }),
  'many.jsonl': [receipt, forged, receipt].map((one) => JSON.stringify(one)).join('\n'),
  'test.json': JSON.stringify(issueReceipt(sandbox)),
  'empty.json': '',
  'policy.txt': thresholdPolicy(1, 1),
  'unknown.txt': `${witnessLines(1)}witness ml ${unknownVkey('ml.example')}\nquorum w1\n`,
  'faulty.txt': 'quorum w1\n',
  'cosigned.json': JSON.stringify({
    ...receipt,
    chain_proof: {
      ...receipt.chain_proof,
      checkpoint: cosign(receipt.chain_proof.checkpoint, [testWitness(1)]),
    },
  }),
}

test('a receipt is proven step by step, with its content and its metadata', async (t) => {
  const at = await writeFolder(t, files)
  const evidence = [at('content.txt'), '--metadata', at('metadata.json')]
  const args = ['verify', at('receipt.json'), '--keys', at('keys.json'), ...evidence]
  const { code, stdout, stderr } = await runArklog(args)
  t.is(code, 0, stderr)
  const [verdict, ...steps] = stdout.trimEnd().split('\n')
  const says = 'ark:/12345/x7wf3kz91 v1 registered 2026-03-04T05:06:07.089Z'
  t.is(verdict, `line 1: proven: ${says} (${receipt.receipt_id}); the time is the registry’s word`)
  t.deepEqual(
    steps.map((line) => line.trim().split(/ {2,}/).slice(0, 2).join(': ')),
    [
      'done: form',
      'done: receipt_key',
      'done: signature',
      'done: entry',
      'done: leaf_hash',
      'done: inclusion',
      'done: tree_head',
      'done: checkpoint',
      'not checked: witnesses',
      'not checked: time',
      'done: content_hash',
      'done: metadata_hash',
      'not checked: fixity_status',
    ],
  )
})

test('a receipt may come from standard input, metadata in a resolve reply', async (t) => {
  const at = await writeFolder(t, files)
  const keys = ['--keys', at('keys.json')]
  const args = ['verify', '-', ...keys, '--metadata', at('resolved.json'), '--json']
  const { code, stdout } = await runArklog(args, files['receipt.json'])
  t.is(code, 0)
  const { line, valid, statement, steps } = JSON.parse(stdout)
  t.deepEqual([line, valid, statement.ark], [1, true, 'ark:/12345/x7wf3kz91'])
  t.like(steps[10], { step: 'content_hash', status: 'not_checked' })
  t.like(steps[11], { step: 'metadata_hash', status: 'done' })
})

test('of many receipts, those that are not proven are shown in full', async (t) => {
  const at = await writeFolder(t, files)
  const { code, stdout, stderr } = await runArklog([
    'verify',
    at('many.jsonl'),
    '--keys',
    at('keys.json'),
  ])
  t.is(code, 1)
  t.regex(stdout, /^line 2: NOT PROVEN: ark:\/12345\/x7wf3kz91 v2 .*$/m)
  t.regex(stdout, /^ {2}FAILED {7}signature {6}the signature is not one of this statement/m)
  t.regex(stdout, /^line 3: proven: .*\n2 of 3 are proven\n$/m)
  t.is(stderr, 'arklog: 1 of 3 are not proven\n')
})

test('the wrong file for a receipt is a finding, not an error', async (t) => {
  const at = await writeFolder(t, files)
  const args = ['verify', at('receipt.json'), at('metadata.json'), '--keys', at('keys.json')]
  const { code, stdout, stderr } = await runArklog(args)
  t.is(code, 1)
  t.regex(stdout, /FAILED {7}content_hash {3}the content has sha256:/)
  t.is(stderr, 'arklog: the receipt is not proven\n')
})

test('an error that was saved in place of a receipt is told as one', async (t) => {
  const at = await writeFolder(t, {
    ...files,
    'page.json': '<!DOCTYPE html>\n<html>\n<title>502 Bad Gateway</title>\n</html>\n',
    'reply.json': JSON.stringify({ error: 'not_found', message: 'No such version' }),
  })
  const verify = (name: string) => runArklog(['verify', at(name), '--keys', at('keys.json')])
  const [page, reply] = await Promise.all([verify('page.json'), verify('reply.json')])
  t.is(
    page.stdout,
    'line 1: NOT PROVEN: it is a web page, not a receipt: perhaps the error page of a server\n',
  )
  t.is(
    reply.stdout,
    'line 1: NOT PROVEN: it is the error that a server replied, not a receipt: not_found: ' +
      'No such version\n',
  )
  t.deepEqual([page.code, reply.code], [1, 1])
})

test('a receipt of hashed content ties a file to the work', async (t) => {
  const hashed = { statement: 'content', timestamp: '2026-03-04T06:00:00.000Z' }
  const named = issueReceipt(registry, undefined, hashed)
  const before = issueReceipt(registry, undefined, { content_hash: null })
  const at = await writeFolder(t, {
    ...files,
    'hashed.json': JSON.stringify(named),
    'before.json': JSON.stringify(before),
  })
  const verify = (...args: string[]) => runArklog(['verify', ...args, '--keys', at('keys.json')])
  const [right, wrong, without, early] = await Promise.all([
    verify(at('hashed.json'), at('content.txt')),
    verify(at('hashed.json'), at('metadata.json')),
    verify(at('hashed.json')),
    verify(at('before.json'), at('content.txt')),
  ])
  t.is(right.code, 0)
  t.regex(
    right.stdout,
    /^line 1: proven: .* 2026-03-04, as the registry says, content confirmed 2026-03-04T06:00:00/,
  )
  t.regex(right.stdout, /^ {2}done {9}content_hash {3}the content has sha256:[0-9a-f]{64}, which/m)
  t.regex(right.stdout, /^ {2}not checked {2}metadata_hash {2}no metadata file was given$/m)
  t.is(wrong.code, 1)
  t.regex(wrong.stdout, /^ {2}FAILED {7}content_hash {3}the content has sha256:/m)
  t.is(without.code, 0)
  t.regex(without.stdout, /^ {2}not checked {2}content_hash {3}no content file was given$/m)
  t.is(early.code, 1)
  t.regex(
    early.stdout,
    /^ {2}FAILED {7}content_hash {3}the statement names no content, so nothing/m,
  )
})

test('a sandbox receipt proves nothing unless the sandbox is asked for', async (t) => {
  const at = await writeFolder(t, files)
  const args = ['verify', at('test.json'), '--keys', at('keys.json')]
  t.is((await runArklog(args)).code, 1)
  t.is((await runArklog([...args, '--sandbox'])).code, 0)
})

test('what cannot be checked at all ends with exit code 2 and says why', async (t) => {
  const at = await writeFolder(t, files)
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await runArklog(['verify', ...args])
    t.is(stdout, '')
    t.is(code, 2, stderr)
    return stderr
  }
  const keys = ['--keys', at('keys.json')]
  t.regex(await refused(at('receipt.json'), '--keys', at('none.json')), /^arklog: ENOENT: /)
  t.is(
    await refused(at('receipt.json'), '--keys', at('receipt.json')),
    'arklog: the key file is malformed: live: log must be an object\n',
  )
  t.is(await refused(at('empty.json'), ...keys), 'arklog: there is no receipt in the input\n')
  t.is(
    await refused(at('receipt.json'), ...keys, '--metadata', at('content.txt'), '--json'),
    `{"error":"unusable_input","message":"${at('content.txt')} is not JSON"}\n`,
  )
})

test('with a policy its witnesses must have signed', async (t) => {
  const at = await writeFolder(t, files)
  const verify = (receiptFile: string, policy: string) =>
    runArklog(['verify', at(receiptFile), '--keys', at('keys.json'), '--policy', at(policy)])
  const witnessed = await verify('cosigned.json', 'policy.txt')
  t.is(witnessed.code, 0, witnessed.stderr)
  t.regex(
    witnessed.stdout,
    / done +witnesses +the policy demands 1 of \(w1\): signed by w1 at 2026/,
  )
  const unwitnessed = await verify('receipt.json', 'policy.txt')
  t.is(unwitnessed.code, 1)
  t.regex(
    unwitnessed.stdout,
    / FAILED +witnesses +too few .*: the policy demands 1 of \(w1\), but none of its/,
  )
  const unknown = await verify('cosigned.json', 'unknown.txt')
  t.is(unknown.code, 0, unknown.stderr)
  t.is(
    unknown.stderr,
    'arklog: WARNING: witness ml has a key of an unknown type 0x05; it counts as missing\n',
  )
  const faulty = await verify('cosigned.json', 'faulty.txt')
  t.is(faulty.code, 2)
  t.regex(faulty.stderr, /faulty.txt: not a policy of witnesses: line 1: "w1" is no witness/)
})

async function receiptsOf(...chunks: readonly (string | Buffer)[]) {
  async function* stream(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  return Array.fromAsync(readReceipts(stream()))
}

test('JSON lines are one receipt each, by the number of their line', async (t) => {
  t.deepEqual(await receiptsOf('{"a":1}\n\n{"b"', ':2}\n[3]'), [
    { line: 1, value: { a: 1 } },
    { line: 3, value: { b: 2 } },
    { line: 4, value: [3] },
  ])
})

test('a line that is no JSON is told by its number, and the next is read', async (t) => {
  t.deepEqual(await receiptsOf('{"a":1}\n{"b"\n{"c":3}\n'), [
    { line: 1, value: { a: 1 } },
    { line: 2, value: undefined },
    { line: 3, value: { c: 3 } },
  ])
})

test('one receipt may be spread over many lines', async (t) => {
  const value = { ark: 'ark:/12345/x', proof: { hashes: ['a', 'b'] } }
  t.deepEqual(await receiptsOf(JSON.stringify(value, undefined, 2)), [{ line: 1, value }])
  t.deepEqual(await receiptsOf('\n\n', JSON.stringify(value, undefined, 2)), [{ line: 1, value }])
})

test('a text or a number that is spread over two lines is no JSON', async (t) => {
  for (const spread of ['{\n"ark":"ark:/12345/\nx"}', '{\n"tree_size":1\n2}', '{"a":"\n\n"}']) {
    t.deepEqual(await receiptsOf(spread), [{ line: 1, value: undefined }], spread)
  }
})

test('a byte order mark before a receipt is refused, in one line or in many', async (t) => {
  for (const text of ['\ufeff{"a":1}', '\ufeff{\n"a":1\n}']) {
    t.deepEqual(await receiptsOf(text), [{ line: 1, value: undefined }])
  }
})

test('nothing is no receipt, and rubbish is one that cannot be read', async (t) => {
  t.deepEqual(await receiptsOf(), [])
  t.deepEqual(await receiptsOf('\n \n'), [])
  t.deepEqual(await receiptsOf('rubbish\n{"a":1}\n'), [{ line: 1, value: undefined }])
  t.deepEqual(await receiptsOf(Buffer.from([0xff, 0xfe])), [{ line: 1, value: undefined }])
})

test('a receipt without an end is given up after a mebibyte', async (t) => {
  const lines = Array.from({ length: 3_000 }, () => `${' '.repeat(1_000)}"x",`)
  const chunks = ['[\n', ...lines.map((line) => `${line}\n`)]
  t.deepEqual(await receiptsOf(...chunks), [{ line: 1, value: undefined }])
})

test('a line over four mebibytes is a receipt that cannot be read', async (t) => {
  t.deepEqual(await receiptsOf('{}\n', `"${'x'.repeat(4_194_304)}"\n`, '{}\n'), [
    { line: 1, value: {} },
    { line: 2, value: undefined },
    { line: 3, value: {} },
  ])
})

test('a member that stands there twice makes a receipt unreadable', async (t) => {
  t.deepEqual(await receiptsOf('{"ark":1,"ark":2}\n{"ark":3}\n'), [
    { line: 1, value: undefined },
    { line: 2, value: { ark: 3 } },
  ])
})

test('a file alone is told of which version it is, and that the work was retracted', async (t) => {
  const served = await serveRegistry()
  t.teardown(() => served.close())
  const key = await served.key({ scopes: ['works:write'] })
  const at = await writeFolder(t, { 'paper.pdf': 'the first paper', 'other.pdf': 'something else' })
  const hash = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`
  const minted = await mint(served, key, { content_hash: hash('the first paper') })
  const path = `/v1/works/${minted.ark_identifier}`
  const update_notices = [{ kind: 'retraction', direction: 'of_this', date: '2026-03-01' }]
  const body = { content_hash: hash('the second paper'), update_notices }
  t.is((await served.call(path, { method: 'PUT', key, body })).status, 200)
  const asked = ['--registry', `http://127.0.0.1:${served.port}/`]
  const known = await runArklog(['verify', at('paper.pdf'), ...asked])
  t.is(known.code, 0, known.stderr)
  t.true(known.stdout.startsWith(`${minted.ark_identifier}/v1 `), known.stdout)
  t.true(known.stdout.includes(': this is the file of version 1, registered on '), known.stdout)
  t.true(known.stdout.endsWith('; version 2 is the newest; retracted on 2026-03-01\n'))
  const unknown = await runArklog(['verify', at('other.pdf'), ...asked, '--json'])
  t.is(unknown.code, 1, unknown.stderr)
  t.regex(unknown.stderr, /unknown_content.*has no work with this file, sha256:[0-9a-f]{64}/)
  const unused = await runArklog(['verify', at('paper.pdf')])
  t.is(unused.code, 2)
  t.regex(unused.stderr, /--keys is required to check a receipt; a file alone needs --registry/)
})

test('an ARK is proven to be newest by the files of a mirror', async (t) => {
  const log = new MappedLog()
  log.state('ark:/12345/fk4a', 'registered', 1)
  log.addMapLeaf()
  const [table] = log.tables.values()
  const [[ark, value] = []] = table ?? []
  if (ark === undefined || value === undefined) return t.fail()
  const bucket = Buffer.concat([mapKey(ark), encodeMapValue(value)])
  const map = { depth: 0, node: () => emptyNode, bucket: () => bucket }
  const leaf = decodeMapLeaf(log.entries[1] ?? Buffer.of())
  const served = await serveLog(t, [])
  served.files = new Map([
    ...filesOf(log.entries),
    ...[...mapFiles(map, leaf, log.checkpoint())].map(
      ([name, bytes]) => [name, Buffer.from(bytes)] as const,
    ),
  ])
  const at = await writeFolder(t, { 'keys.json': files['keys.json'] })
  const prove = (name: string, url = served.url) =>
    runArklog(['verify', '--newest', name, '--keys', at('keys.json'), '--registry', url])
  const there = await prove(ark)
  t.is(there.code, 0, there.stderr)
  t.regex(there.stdout, /proven: This is the newest version, as the registry says/)
  const absent = await prove('ark:/12345/fk4b')
  t.regex(absent.stdout, /proven: No such ARK was ever registered here/)
  const none = await prove(ark, `${served.url}/elsewhere`)
  t.is(none.code, 2)
  t.regex(none.stderr, /elsewhere\/v1\/map\/ark:12345\/fk4a answers 404/)
})

test('an ARK, or a receipt, is proven to be newest by what a registry answers', async (t) => {
  const log = new MappedLog()
  const [first, second] = [1, 2].map((version) =>
    log.state('ark:/12345/fk4a', 'registered', version),
  )
  log.state('ark:/12345/fk4b', 'tombstoned', 1)
  log.addMapLeaf()
  if (first === undefined || second === undefined) return t.fail()
  const witnesses = [testWitness(1), testWitness(2)]
  const nowSeconds = Math.floor(Date.now() / 1_000)
  const checkpoint = log.checkpoint(log.entries.length, witnesses, nowSeconds - 60)
  const { url } = await serve(t, (request, response) => {
    const ark = (request.url ?? '').replace(/^\/v1\/map\/ark:/, 'ark:/')
    response.end(JSON.stringify({ ark, map_proof: log.prove(ark, checkpoint) }))
  })
  const at = await writeFolder(t, {
    'keys.json': files['keys.json'],
    'policy.txt': thresholdPolicy(2, 3),
    'first.json': JSON.stringify(log.receipt(first)),
    'second.json': JSON.stringify(log.receipt(second)),
  })
  const demands = ['--keys', at('keys.json'), '--policy', at('policy.txt'), '--registry', url]
  const said = async (subject: string, within = '2h') => {
    const args = ['verify', '--newest', subject, ...demands, '--within', within]
    const { code, stdout } = await runArklog(args)
    return `${code} ${stdout.split('\n')[0]?.replace(/as of [^,]+/, 'as of T')}`
  }
  const seen = 'as of T, seen by 2 of 3 witnesses.'
  const newest = `0 ark:/12345/fk4a: proven: This is the newest version, ${seen}`
  t.is(await said('ark:/12345/fk4a'), newest)
  t.is(await said(at('second.json')), newest)
  const older = `1 ark:/12345/fk4a: proven: Version 2 is newer, ${seen}`
  t.is(await said(at('first.json')), older)
  const none = `1 ark:/12345/fk4c: proven: No such ARK was ever registered here, ${seen}`
  t.is(await said('ark:/12345/fk4c'), none)
  const unproven = 'NOT PROVEN: It is not proven which version is the newest.'
  t.is(await said('ark:/12345/fk4a', '30s'), `1 ark:/12345/fk4a: ${unproven}`)
})
