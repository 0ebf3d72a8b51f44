import { once } from 'node:events'
import net from 'node:net'
import test from 'ava'
import { loadConfig } from '#config/config.ts'
import { chooseAddress } from '#src/cli/start/address.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

test('port 0 becomes a free port, and the URLs follow from it', async (t) => {
  const address = await chooseAddress(loadConfig({ PORT: '0' }), { listen: true })
  t.true(address.port > 0)
  t.is(address.baseUrl, `http://127.0.0.1:${address.port}`)
  t.is(address.localUrl, address.baseUrl)
})

test('a public base URL loses its slash and leaves the local URL alone', async (t) => {
  const env = { PORT: '0', BASE_URL: 'https://ark.example.org/' }
  const address = await chooseAddress(loadConfig(env), { listen: true })
  t.is(address.baseUrl, 'https://ark.example.org')
  t.is(address.localUrl, `http://127.0.0.1:${address.port}`)
})

test('a server on every interface is reached as localhost', async (t) => {
  const address = await chooseAddress(loadConfig({ PORT: '0', HOST: '0.0.0.0' }), { listen: true })
  t.is(address.baseUrl, `http://localhost:${address.port}`)
})

test('a taken port is refused with what to do', async (t) => {
  const other = net.createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const { port } = other.address() as net.AddressInfo
  await t.throwsAsync(chooseAddress(loadConfig({ PORT: String(port) }), { listen: true }), {
    instanceOf: StartError,
    code: 'port_taken',
    message:
      `Port ${port} of 127.0.0.1 is in use by another program, perhaps another Arklog. ` +
      'Stop it, or set PORT to a free port.',
  })
})

test('a taken port for the metrics is refused by its own key', async (t) => {
  const other = net.createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const { port } = other.address() as net.AddressInfo
  const config = loadConfig({ PORT: '0', ADMIN_PORT: String(port) })
  await t.throwsAsync(chooseAddress(config, { listen: true }), {
    instanceOf: StartError,
    code: 'port_taken',
    message: /or set ADMIN_PORT to a free port\.$/,
  })
})

test('a port that nobody will listen on is not looked at', async (t) => {
  const other = net.createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => other.close())
  const { port } = other.address() as net.AddressInfo
  const address = await chooseAddress(loadConfig({ PORT: String(port) }), { listen: false })
  t.is(address.baseUrl, `http://127.0.0.1:${port}`)
})

test('an address of another machine is refused with what to do', async (t) => {
  // 192.0.2.0/24 is for documentation (RFC 5737): no machine has it.
  await t.throwsAsync(
    chooseAddress(loadConfig({ HOST: '192.0.2.1', PORT: '0' }), { listen: true }),
    {
      instanceOf: StartError,
      code: 'port_refused',
      message:
        'Cannot listen on port 0 of 192.0.2.1 (EADDRNOTAVAIL). ' +
        'Set HOST to an address of this machine and PORT to a port it may use.',
    },
  )
})
