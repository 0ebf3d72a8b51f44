import { randomBytes } from 'node:crypto'
import test from 'ava'

import { formatInvitation, parseInvitation } from '#src/cluster/invitation.ts'

const invitation = {
  id: randomBytes(16),
  secret: randomBytes(32),
  node: 'registry-2',
  expiresMs: 1_795_451_659_285,
}

test('a token says what its invitation says', (t) => {
  const token = formatInvitation(invitation)
  t.regex(token, /^arklog-join-1\.[\w-]+$/)
  t.deepEqual(parseInvitation(` ${token}\n`), invitation)
})

test('a token that is mistyped, cut off or longer is refused', (t) => {
  const token = formatInvitation(invitation)
  const refused = { code: 'invitation_malformed' } as const
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'A' ? 'B' : 'A'
    const mistyped = token.slice(0, at) + other + token.slice(at + 1)
    t.throws(() => parseInvitation(mistyped), refused, mistyped)
    t.throws(() => parseInvitation(token.slice(0, at)), refused)
  }
  t.throws(() => parseInvitation(`${token}A`), refused)
  t.throws(() => parseInvitation(formatInvitation({ ...invitation, node: 'a.b' })), refused)
})
