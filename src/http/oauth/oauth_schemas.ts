import { type TSchema, Type } from 'typebox'

import { component, wordOf } from '#src/edge/reply_schemas.ts'
import type { Parameters } from '#src/edge/query_string.ts'

const text = (description: string): TSchema => Type.String({ description })

function parameter(description: string) {
  return { read: (value: string) => value, accepts: 'a text', schema: text(description) }
}

/** The query of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3), for its description. */
export const authorizeParameters: Parameters = {
  response_type: parameter('`code`.'),
  client_id: parameter('The id of the application.'),
  redirect_uri: parameter('One of the addresses of the application, exactly.'),
  scope: parameter('The scopes that are asked for, separated by spaces.'),
  state: parameter('Comes back as it was sent.'),
  code_challenge: parameter('The SHA-256 of `code_verifier`, in base64url.'),
  code_challenge_method: parameter('`S256`.'),
}

/** What is exchanged for tokens (RFC 6749 §4.1.3, §6). */
export const tokenBodySchema = component('TokenRequest', {
  grant_type: wordOf('GrantType', ['authorization_code', 'refresh_token']),
  client_id: text('The id of the application, unless it is in an Authorization header (Basic).'),
  client_secret: Type.Optional(text('Its secret, if it has one.')),
  code: Type.Optional(text('The code that the browser came back with.')),
  redirect_uri: Type.Optional(text('The same as in the authorization request.')),
  code_verifier: Type.Optional(text('What `code_challenge` was made from.')),
  refresh_token: Type.Optional(text('A refresh token, which can be used once.')),
  scope: Type.Optional(text('Fewer scopes than were permitted, if fewer are enough.')),
})

/** Tokens (RFC 6749 §5.1). */
export const tokenReplySchema = component(
  'Token',
  {
    access_token: text('Send it as `Authorization: Bearer`.'),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ description: 'Seconds.' }),
    scope: text('The scopes that were permitted, separated by spaces.'),
    refresh_token: Type.Optional(text('Good once, for 180 days.')),
    id_token: Type.Optional(text('Says who the person is, if `openid` was permitted.')),
  },
  { additionalProperties: true },
)
