import fs from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'
import { isLoopback, loadConfig, misspelledVariables, readConfig } from '#config/config.ts'
import { ConfigError } from '#config/settings.ts'
import { configKeys } from '#config/schema.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

/** The faults of a configuration that must not load, as `key: message` lines. */
function faultsOf(env: Record<string, string>, file?: string): string[] {
  try {
    loadConfig(env, file)
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.faults.map(({ key, message }) => `${key}: ${message}`)
    }
    throw error
  }
  return []
}

test('an empty environment gives a complete configuration', (t) => {
  const config = loadConfig({})
  t.is(config.HOST, '127.0.0.1')
  t.is(config.PORT, 3000)
  t.is(config.DATA_DIR, './data')
  t.is(config.ARK_NAAN, '12345')
  t.is(config.BASE_URL, undefined)
  for (const key of configKeys) t.deepEqual(config[key.name], key.default, key.name)
})

test('the environment wins over the file, and the file over the defaults', (t) => {
  const config = loadConfig(
    { PORT: '4000' },
    '{"PORT": 5000, "HOST": "::1", "N2T_REDIRECT": false}',
  )
  t.is(config.PORT, 4000)
  t.is(config.HOST, '::1')
  t.is(config.N2T_REDIRECT, false)
})

test('an empty variable counts as not given', (t) => {
  t.is(loadConfig({ PORT: '' }, '{"PORT": 5000}').PORT, 5000)
})

test('variables become integers, flags, lists and "off"', (t) => {
  const config = loadConfig({
    PORT: '0',
    RATE_LIMITS: 'off',
    ARK_DATED: 'true',
    LIMIT_LOG: 'off',
    LIMIT_RESOLVE: '7',
    TRUST_PROXY: '10.0.0.0/8, ::1, ::ffff:192.168.0.0/112',
  })
  t.is(config.PORT, 0)
  t.is(config.RATE_LIMITS, false)
  t.is(config.ARK_DATED, true)
  t.is(config.LIMIT_LOG, 'off')
  t.is(config.LIMIT_RESOLVE, 7)
  t.deepEqual(config.TRUST_PROXY, ['10.0.0.0/8', '::1', '::ffff:192.168.0.0/112'])
  t.regex(
    faultsOf({ TRUST_PROXY: '::ffff:10.0.0.0/90' }).join(),
    /such as 10\.0\.0\.0\/8 \(of IPv4 in IPv6 with 96 bits or more\)\./,
  )
})

test('every fault is told at once, each with its key and what is right', (t) => {
  const env = {
    PORT: '0x10',
    ARK_NAAN: '99999',
    TRUST_PROXY: 'proxy',
    BASE_URL: 'http://a.example',
  }
  const error = t.throws(() => loadConfig(env, '{"PROT": 1, "RATE_LIMITS": "yes"}'), {
    instanceOf: ConfigError,
    code: 'config_invalid',
  })
  t.is(
    error.message,
    [
      'The configuration is not valid:',
      '- PROT is not a configuration key. Did you mean PORT?',
      '- PORT is "0x10", but must be a whole number from 0 to 65535.',
      '- RATE_LIMITS is "yes", but must be true or false (in the environment also on or off).',
      '- BASE_URL is "http://a.example", but must begin with https:// unless its host is ' +
        'localhost or a loopback address: keys would cross the network unencrypted.',
      '- TRUST_PROXY has "proxy", but must have IP addresses or networks such as 10.0.0.0/8.',
      '- ARK_NAAN is 99999, the NAAN of the sandbox, but must be your own, or absent for the' +
        ' example NAAN 12345.',
    ].join('\n'),
  )
})

for (const value of [' 1', '1 ', '+1', '-1', '1.0', '1e3', '0x1', '01', 'NaN', '65536', '5n']) {
  test(`PORT refuses ${JSON.stringify(value)}`, (t) => {
    const shown = value === '65536' ? value : JSON.stringify(value)
    t.deepEqual(faultsOf({ PORT: value }), [
      `PORT: PORT is ${shown}, but must be a whole number from 0 to 65535.`,
    ])
  })
}

test('a file that is not a JSON object is refused', (t) => {
  for (const file of ['[]', 'null', '"x"', '7']) {
    t.deepEqual(faultsOf({}, file), ['CONFIG_FILE: CONFIG_FILE must contain one JSON object.'])
  }
  t.regex(faultsOf({}, '{"PORT":').join(), /^CONFIG_FILE: CONFIG_FILE is not JSON: SyntaxError/)
})

test('a file value of the wrong JSON type is refused, not coerced', (t) => {
  t.deepEqual(
    faultsOf({}, '{"PORT": "3000", "ARK_DATED": 1, "TRUST_PROXY": "::1", "HOST": null}'),
    [
      'HOST: HOST is null, but must be an IP address or a host name.',
      'PORT: PORT is "3000", but must be a whole number from 0 to 65535.',
      'TRUST_PROXY: TRUST_PROXY is "::1", but must be a list of IP addresses or networks such as ' +
        '10.0.0.0/8.',
      'ARK_DATED: ARK_DATED is 1, but must be true or false (in the environment also on or off).',
    ],
  )
})

test('a file cannot name another file', (t) => {
  t.deepEqual(faultsOf({}, '{"CONFIG_FILE": "other.json"}'), [
    'CONFIG_FILE: CONFIG_FILE cannot be in the file that it names. Set it in the environment.',
  ])
})

test('an unknown key without a near one points to the README', (t) => {
  t.deepEqual(faultsOf({}, '{"FROBNICATE": 1, "__proto__": 1}'), [
    'FROBNICATE: FROBNICATE is not a configuration key. docs/configuration.md lists all keys.',
    '__proto__: __proto__ is not a configuration key. docs/configuration.md lists all keys.',
  ])
})

test('BASE_URL must be https, or http to this machine', (t) => {
  const accepted = [
    'https://ark.example.org',
    'https://ark.example.org:8443/',
    'http://localhost:3000',
    'http://127.0.0.1:3000',
    'http://127.9.9.9',
    'http://[::1]:3000',
  ]
  for (const url of accepted) t.deepEqual(faultsOf({ BASE_URL: url }), [], url)
  const refused = [
    'http://ark.example.org',
    'http://192.168.1.5:3000',
    'http://localhost.example.org',
    'http://[::2]:3000',
    'https://user:secret@ark.example.org',
    'https://ark.example.org/path',
    'https://ark.example.org?q',
    'https://ark.example.org:99999',
    'https://ark.example.org:0',
    'https://',
    'ftp://ark.example.org',
    'ark.example.org',
  ]
  for (const url of refused)
    t.regex(faultsOf({ BASE_URL: url }).join(), /^BASE_URL is|^BASE_URL: /, url)
})

test('a NAAN and a shoulder that leave the check character too weak are refused', (t) => {
  t.deepEqual(faultsOf({ ARK_NAAN: 'bcdfghjkmnpqrstv', ARK_SHOULDER: 'bcd4' }), [
    'ARK_SHOULDER: ARK_NAAN and ARK_SHOULDER have 20 characters together, but can have at most ' +
      '19: the check character protects no longer names.',
  ])
  t.deepEqual(faultsOf({ ARK_NAAN: 'bcdfghjkmnpqrstv', ARK_SHOULDER: 'bc4' }), [])
})

test('the port of the metrics is another one than the public port', (t) => {
  t.deepEqual(faultsOf({ PORT: '9464', ADMIN_PORT: '9464' }), [
    'ADMIN_PORT: ADMIN_PORT and PORT are both 9464, but must differ.',
  ])
  t.deepEqual(faultsOf({ PORT: '9464', ADMIN_PORT: 'off' }), [])
})

test('FETCH_ALLOW holds hosts with ports, written as they are compared', (t) => {
  const hosts = ['files.intranet:8080', '10.0.0.1:80', '[fd00::1]:443']
  t.deepEqual(loadConfig({ FETCH_ALLOW: hosts.join(', ') }).FETCH_ALLOW, hosts)
  for (const host of ['files.intranet', 'Files.intranet:80', '10.1:80', 'http://a.example:80']) {
    t.deepEqual(faultsOf({ FETCH_ALLOW: host }), [
      `FETCH_ALLOW: FETCH_ALLOW has "${host}", but must have hosts in lower case with their ` +
        'ports, such as files.intranet:8080 or [fd00::1]:80.',
    ])
  }
})

test('EGRESS_PROXY is an address without a path, and its password is not repeated', (t) => {
  for (const proxy of ['http://proxy.intranet:4750', 'https://10.0.0.1/', 'http://[fd00::1]:1']) {
    t.is(loadConfig({ EGRESS_PROXY: proxy }).EGRESS_PROXY, proxy)
  }
  for (const proxy of ['proxy:4750', 'socks5://proxy', 'http://proxy/path', 'http://proxy:x']) {
    t.deepEqual(faultsOf({ EGRESS_PROXY: proxy }), [
      `EGRESS_PROXY: EGRESS_PROXY is "${proxy}", but must be http://host:port or ` +
        'https://host:port, without a path.',
    ])
  }
  for (const proxy of ['http://me:hunter2@proxy:4750', 'me:hunter2@proxy', 'ftp://hunter2@x/y']) {
    t.deepEqual(faultsOf({ EGRESS_PROXY: proxy }), [
      'EGRESS_PROXY: EGRESS_PROXY has a user name or password, but must not: let the ' +
        'proxy recognize this machine by its address.',
    ])
  }
})

test('loopback is told from the rest', (t) => {
  for (const host of [
    'localhost',
    'a.localhost',
    '127.0.0.1',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
  ]) {
    t.true(isLoopback(host), host)
  }
  for (const host of ['example.org', '0.0.0.0', '10.0.0.1', '::', 'localhost.example.org']) {
    t.false(isLoopback(host), host)
  }
})

test('a misspelt variable is pointed out, other programs’ variables are not', (t) => {
  t.deepEqual(
    misspelledVariables({ ARK_NANN: '1', PATH: '/bin', HOME: '/', POST: '1', EDITOR: 'vi' }),
    ['The environment has ARK_NANN, which is not a key. Did you mean ARK_NAAN?'],
  )
  t.deepEqual(misspelledVariables({ ARK_NANN: '1', ARK_NAAN: '1' }), [])
})

test('CONFIG_FILE is read, and its absence is told', async (t) => {
  const dir = await makeTempDir(t)
  const file = path.join(dir, 'config.json')
  await fs.writeFile(file, '{"ARK_NAAN": "98765"}')
  t.is(readConfig({ CONFIG_FILE: file }).ARK_NAAN, '98765')
  t.throws(() => readConfig({ CONFIG_FILE: `${file}x` }), {
    instanceOf: ConfigError,
    code: 'config_invalid',
    message: /CONFIG_FILE names .*config\.jsonx, which cannot be read: Error: ENOENT/,
  })
})

test('the example file loads', async (t) => {
  const file = await fs.readFile(new URL('../../config/example.json', import.meta.url), 'utf8')
  const config = loadConfig({}, file)
  t.is(config.BASE_URL, 'https://ark.example.org')
})

test('AUTH_URL may have a path, and is https unless it stays on this machine', (t) => {
  t.is(loadConfig({ AUTH_URL: 'https://id.example' }).AUTH_URL, 'https://id.example')
  t.is(loadConfig({ AUTH_URL: 'http://localhost:3000/a/b' }).AUTH_URL, 'http://localhost:3000/a/b')
  for (const url of ['https://id.example/', 'https://id.example/a/../b', 'https://id.example?x']) {
    t.regex(faultsOf({ AUTH_URL: url }).join(), /^AUTH_URL: AUTH_URL is .* must be https:\/\/host/)
  }
  t.regex(faultsOf({ AUTH_URL: 'http://id.example/auth' }).join(), /must begin with https:\/\//)
})

test('the three ports differ', (t) => {
  t.deepEqual(faultsOf({ PORT: '3000', ADMIN_PORT: '3001', AUTH_PORT: '3001' }), [
    'AUTH_PORT: AUTH_PORT and ADMIN_PORT are both 3001, but must differ.',
  ])
})

test('a mail server needs a sender, and no message repeats its password', (t) => {
  t.deepEqual(faultsOf({ SMTP_URL: 'smtps://ada:secret@mail.example:465' }), [
    'MAIL_FROM: MAIL_FROM is required with SMTP_URL: mail needs a sender.',
  ])
  t.deepEqual(faultsOf({ SMTP_URL: 'https://ada:secret@mail.example', MAIL_FROM: 'a@b.example' }), [
    'SMTP_URL: SMTP_URL must be smtp://host:port or smtps://user:password@host:port.',
  ])
})
