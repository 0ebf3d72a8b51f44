import test from 'ava'
import { browserName } from '#src/identity/accounts/web_session.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15'

const known = [
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Firefox 145 on Linux',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/142.0.0.0 Safari/537.36`,
    'Chrome 142 on Windows',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0`,
    'Edge 142 on Windows',
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; K) ${webKit} Chrome/142.0.0.0 Mobile Safari/537.36`,
    'Chrome 142 on Android',
  ],
  [`${phone} (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari 18 on iPhone'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['', 'unknown'],
] as const

for (const [userAgent, name] of known) {
  test(`a session is listed as one of ${name}`, (t) => {
    t.is(browserName(userAgent), name)
  })
}
