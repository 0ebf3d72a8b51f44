import test from 'ava'

import { ed25519Keys } from '#log/tlog/ed25519.ts'
import { formatVkey } from '#log/tlog/note.ts'
import {
  formatPolicy,
  describeQuorum,
  isForLog,
  isVerifiable,
  parsePolicy,
  policyPartsMax,
  policyWarnings,
  reachesQuorum,
} from '#log/tlog/policy.ts'
import { testWitness, unknownVkey, witnessLines } from '#test/log/_witnesses.ts'

const logVkey = formatVkey('log.example', 1, ed25519Keys.fromSeed(Buffer.alloc(32, 7)).publicKey)
const [one, two] = [testWitness(1), testWitness(2)]

test('a policy is read: logs, witnesses with their addresses, groups and the quorum', (t) => {
  const policy = parsePolicy(
    [
      '# Whom we trust.',
      '',
      `log ${logVkey} https://log.example/log/`,
      `  witness one\t${one.vkey}   https://w1.example/witness/  `,
      `witness two ${two.vkey}`,
      'group both all one two',
      'quorum both',
    ].join('\n'),
  )
  t.deepEqual(
    policy.logs.map(({ vkey, url }) => [vkey, url]),
    [[logVkey, 'https://log.example/log']],
  )
  t.deepEqual(
    policy.witnesses.map(({ name, url, key }) => [name, url, key.keyName]),
    [
      ['one', 'https://w1.example/witness', 'w1.example'],
      ['two', undefined, 'w2.example'],
    ],
  )
  t.is(describeQuorum(policy), '2 of (one, two)')
  t.true(isForLog(policy, logVkey))
  t.false(isForLog(policy, logVkey.replace('log.', 'other.')))
})

test('a policy that names no log is for any', (t) => {
  t.true(isForLog(parsePolicy('quorum none\n'), logVkey))
})

const nested = parsePolicy(
  `${witnessLines(5)}group near any w1 w2\ngroup far 2 w3 w4 w5\ngroup g all near far\nquorum g\n`,
)

for (const [signed, isEnough] of [
  [[], false],
  [['w1'], false],
  [['w3', 'w4'], false],
  [['w1', 'w3'], false],
  [['w1', 'w2', 'w3'], false],
  [['w2', 'w3', 'w5'], true],
  [['w1', 'w2', 'w3', 'w4', 'w5'], true],
  [['near', 'far', 'g'], false],
] as const) {
  test(`a quorum of groups: ${signed.join(' ') || 'nobody'}`, (t) => {
    t.is(reachesQuorum(nested, new Set(signed)), isEnough)
  })
}

test('what a policy demands is said in words', (t) => {
  t.is(describeQuorum(nested), '2 of (1 of (w1, w2), 2 of (w3, w4, w5))')
  t.is(describeQuorum(parsePolicy(`${witnessLines(1)}quorum w1\n`)), 'w1')
  t.is(describeQuorum(parsePolicy('quorum none\n')), 'no witness')
})

test('a policy is written for a log, and read again as it is', (t) => {
  const text = formatPolicy(nested, logVkey)
  t.is(
    text,
    `log ${logVkey}\n${witnessLines(5)}` +
      'group near 1 w1 w2\ngroup far 2 w3 w4 w5\ngroup g 2 near far\nquorum g\n',
  )
  t.is(formatPolicy(parsePolicy(text), logVkey), text)
  t.is(formatPolicy(parsePolicy('quorum none'), logVkey), `log ${logVkey}\nquorum none\n`)
})

test('with the quorum none every checkpoint will do', (t) => {
  t.true(reachesQuorum(parsePolicy(`${witnessLines(1)}quorum none\n`), new Set()))
})

const unknown = unknownVkey('ml.example')

test('a key of an unknown type is kept, and its witness counts as missing', (t) => {
  // The ID of an ECDSA key (0x02) is not made as others are; of 0xff nothing is known at all.
  const vkeys = [unknown, 'ec.example+00000001+AjBZ', 'own.example+0a1b2c3d+/wE=']
  const text =
    `log ${unknownVkey('other.example')}\nlog ${logVkey}\nwitness w1 ${one.vkey}\n` +
    vkeys.map((vkey, at) => `witness u${at} ${vkey}\n`).join('') +
    'group g 2 w1 u0 u1 u2\nquorum g\n'
  const policy = parsePolicy(text)
  t.deepEqual(policy.witnesses.map(isVerifiable), [true, false, false, false])
  t.true(isForLog(policy, logVkey))
  const short = text.replace(/^log other.*\n/, '')
  t.is(formatPolicy(parsePolicy(short), logVkey), short)
  t.deepEqual(policyWarnings(policy), [
    'witness u0 has a key of an unknown type 0x05; it counts as missing',
    'witness u1 has a key of an unknown type 0x02; it counts as missing',
    'witness u2 has a key of an unknown type 0xff; it counts as missing',
    'the quorum, 2 of (w1, u0, u1, u2), cannot be reached because of that: no checkpoint will ' +
      'count as witnessed',
  ])
  t.is(policyWarnings(parsePolicy(text.replace('group g 2', 'group g any'))).length, 3)
  t.deepEqual(policyWarnings(nested), [])
})

test('a policy may have as many witnesses with the longest keys as it may have at all', (t) => {
  const lines = Array.from({ length: policyPartsMax }, (_, at) => {
    const key = Buffer.alloc(2_592, at)
    return `witness w${at} ${formatVkey(`w${at}.example`, 0x07, key)}\n`
  })
  t.is(parsePolicy(`${lines.join('')}quorum none\n`).witnesses.length, policyPartsMax)
})

for (const [name, control, digits] of [
  ['NUL', '\u0000', '0000'],
  ['backspace', '\b', '0008'],
  ['VT', '\v', '000B'],
  ['FF', '\f', '000C'],
  ['escape', '\u001b', '001B'],
  ['a carriage return within', '\r', '000D'],
  ['unit separator', '\u001f', '001F'],
  ['DEL', '\u007f', '007F'],
] as const) {
  test(`no policy: a control character, ${name}`, (t) => {
    for (const line of [`# a${control}b`, `wi${control}ness`, `witness a${control}b ${one.vkey}`]) {
      const message =
        `not a policy of witnesses: line 2: character ${line.indexOf(control) + 1} is the ` +
        `control character U+${digits}; of these only tabs may stand here`
      const policy = `${witnessLines(1)}${line}\nquorum w1\n`
      t.throws(() => parsePolicy(policy), { code: 'malformed_policy', message })
    }
  })
}

test('what is above ASCII is opaque: it may be in names and comments', (t) => {
  const policy = `# \u0085\u009f é\nwitness b\u0080\u212a ${one.vkey}\nquorum b\u0080\u212a\n`
  t.is(describeQuorum(parsePolicy(policy)), 'b\u0080\u212a')
})

const faults: Readonly<Record<string, readonly [policy: string, message: RegExp]>> = {
  'no quorum': [witnessLines(1), /: no line says `quorum`/],
  'two quorums': [`${witnessLines(1)}quorum w1\nquorum w1`, /line 3: there is a quorum already$/],
  'a quorum of nobody known': [
    'quorum w1',
    /line 1: "w1" is no witness or group of a line before$/,
  ],
  'a quorum that comes too early': [`quorum w1\n${witnessLines(1)}`, /line 1: "w1" is no witness/],
  'a quorum of two': [`${witnessLines(2)}quorum w1 w2`, /line 3: write `quorum <name>\|none`$/],
  'an unknown keyword': [
    '\nwitnesses a b',
    /line 2: it must begin with log, witness, group, quorum/,
  ],
  'a keyword of every object': ['constructor a', /line 1: it must begin with/],
  'a keyword in capitals': ['Quorum none', /line 1: it must begin with/],
  'carriage returns': ['quorum none\r\n', /line 1: it ends with a carriage return/],
  'a non-breaking space': ['quorum\u00a0none', /line 1: it must begin with/],
  'a witness without a key': ['witness w1', /line 1: write `witness <name> <vkey> \[<url>\]`$/],
  'a witness with more': [`witness a ${one.vkey} http://a b`, /line 1: write `witness/],
  'a witness with the key of a log': [`witness a ${logVkey}`, /line 1: its key is not .* 04/],
  'a log with the key of a witness': [
    `log ${one.vkey}`,
    /line 1: its key is not .* the type 01 or 06$/,
  ],
  'a key of another length': [
    `witness a ${one.vkey.replace(/\+[^+]*$/, '+BAAA')}`,
    /line 1: its key is not the verifier key/,
  ],
  'an unknown type without a key': ['witness a a+0a1b2c3d+Bg==', /line 1: its key is not the/],
  'an unknown key twice': [
    `witness a ${unknown}\nwitness b ${unknown}`,
    /line 2: .* ml.example al/,
  ],
  'a key with another id': [`witness a ${one.vkey.replace(/\+.{8}\+/, '+00000000+')}`, /its key/],
  'a name twice': [
    `witness a ${one.vkey}\nwitness a ${two.vkey}`,
    /line 2: "a" is defined already$/,
  ],
  'a group of the name of a witness': [
    `${witnessLines(1)}group w1 any w1`,
    /line 2: "w1" is defined/,
  ],
  'the name none': [`witness none ${one.vkey}`, /line 1: "none" is what a quorum of nobody/],
  'a key twice': [`witness a ${one.vkey}\nwitness b ${one.vkey}`, /line 2: .* w1.example already$/],
  'a key under two names of keys': [
    `witness a ${one.vkey}\nwitness b ${formatVkey('b.example', 4, one.key.publicKey)}`,
    /line 2: its public key stands in the line of w1.example already$/,
  ],
  'a witness with the public key of the log': [
    `log ${formatVkey('log.example', 1, one.key.publicKey)}\nwitness a ${one.vkey}`,
    /line 2: its public key stands in the line of log.example already$/,
  ],
  'an address that is none': [
    `witness a ${one.vkey} witness.example`,
    /line 1: its address must be/,
  ],
  'an address with a query': [`witness a ${one.vkey} https://a/?b`, /line 1: its address must be/],
  'an address with a user': [`witness a ${one.vkey} https://u@a/`, /line 1: its address must be/],
  'a group without members': ['group g any', /line 1: write `group <name> all\|any\|<number>/],
  'a group of a later witness': [
    `group g any w1\n${witnessLines(1)}`,
    /line 1: "w1" is no witness/,
  ],
  'a group of itself': [`${witnessLines(1)}group g any g`, /line 2: "g" is no witness/],
  'a group of more than it has': [
    `${witnessLines(2)}group g 3 w1 w2`,
    /line 3: "3" must be all, any or a number from 1 to 2, its members$/,
  ],
  'a group of 0': [`${witnessLines(2)}group g 0 w1 w2`, /line 3: "0" must be all, any/],
  'a group of 01': [`${witnessLines(2)}group g 01 w1 w2`, /line 3: "01" must be all, any/],
  'a member twice': [`${witnessLines(1)}group g any w1 w1`, /line 2: "w1" is a member of a group/],
  'a member of two groups': [
    `${witnessLines(1)}group g any w1\ngroup h any w1`,
    /line 3: "w1" is a member of a group already$/,
  ],
  'too long': [`#${' '.repeat(500_000)}`, /: it has more than 500000 characters$/],
}

for (const [name, [policy, message]] of Object.entries(faults)) {
  test(`no policy: ${name}`, (t) => {
    const error = t.throws(() => parsePolicy(policy), { code: 'malformed_policy' })
    t.regex(error?.message ?? '', /^not a policy of witnesses: /)
    t.regex(error?.message ?? '', message)
  })
}

test('a policy has as many witnesses and groups as it may have, and no more', (t) => {
  const most = witnessLines(policyPartsMax)
  const groups = Array.from({ length: policyPartsMax }, (_, i) => `group g${i} any w${i + 1}\n`)
  const policy = parsePolicy(`${most}${groups.join('')}quorum g0\n`)
  t.is(policy.witnesses.length, policyPartsMax)
  const more = `witness more ${testWitness(policyPartsMax + 1).vkey}\n`
  const message = `not a policy of witnesses: line 65: there are more than 64 witnesses`
  t.throws(() => parsePolicy(`${most}${more}quorum none`), { message })
  const group = { message: 'not a policy of witnesses: line 129: there are more than 64 groups' }
  t.throws(() => parsePolicy(`${most}${groups.join('')}group h any g0\nquorum h`), group)
})
