// An OpenID Provider elsewhere, at which whoever comes is signed in at once.

import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPairSync } from 'node:crypto'
import { Provider } from 'oidc-provider'

export type Upstream = {
  readonly issuer: string
  /** Who is signed in there next, and what is told of them. */
  as(sub: string, claims: Readonly<Record<string, unknown>>): void
  close(): Promise<void>
}

export const upstreamClient = { client_id: 'registry', client_secret: 'a secret of the upstream' }

/** Starts a provider that knows this registry, whose people come back to `redirectUri`. */
export async function openUpstream(redirectUri: string): Promise<Upstream> {
  let person: { sub: string; [claim: string]: unknown } = { sub: 'nobody' }
  let handle: http.RequestListener = (_request, response) => void response.end()
  const server = http.createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const provider = new Provider(issuer, {
    clients: [{ ...upstreamClient, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['a key'] },
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => person }),
    interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: upstreamClient.client_id,
        accountId: person.sub,
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  handle = (request, response) => {
    if (request.url?.startsWith('/sign-in/') !== true) return void answer(request, response)
    const login = { accountId: person.sub, remember: false }
    void provider.interactionFinished(request, response, { login })
  }
  return {
    issuer,
    as(sub, claims) {
      person = { ...claims, sub }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
