import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  discovery,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'

import type { UpstreamLink } from '#src/identity/accounts/account.ts'
import type { UpstreamIssuer } from '#src/identity/oauth/upstream_issuers.ts'

/** What the browser must bring back to end a sign-in that it began. */
export type UpstreamFlow = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Who an issuer says has signed in. */
export type UpstreamPerson = {
  readonly link: UpstreamLink
  readonly name: string
  /** Only one that the issuer has verified. */
  readonly email: string | null
  /** The ORCID iD that the person has proved to have. */
  readonly orcid: string | undefined
}

/** How long an answer of an issuer may take, in seconds. */
const timeoutSeconds = 10

const nameCharactersMax = 200

/** Signs people in with an OpenID Provider elsewhere (OpenID Connect Core 1.0, §3.1). */
export class UpstreamLogin {
  readonly issuer: UpstreamIssuer
  readonly #redirectUri: string
  #configuration: Promise<Configuration> | undefined

  /** `redirectUri` is where the issuer sends browsers back to. */
  constructor(issuer: UpstreamIssuer, redirectUri: string) {
    this.issuer = issuer
    this.#redirectUri = redirectUri
  }

  /** Where to send a browser, and what to remember of it. Rejects if the issuer is not reached. */
  async begin(): Promise<{ readonly url: string; readonly flow: UpstreamFlow }> {
    const configuration = await this.#configure()
    const flow = {
      state: randomState(),
      nonce: randomNonce(),
      verifier: randomPKCECodeVerifier(),
    }
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.#redirectUri,
      scope: this.issuer.scopes.join(' '),
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, flow }
  }

  /**
   * Who has signed in, as a browser brings it back with this query. Rejects when the issuer refused
   * or the answer belongs to another flow.
   */
  async finish(query: string, flow: UpstreamFlow): Promise<UpstreamPerson> {
    const configuration = await this.#configure()
    const answer = new URL(this.#redirectUri)
    answer.search = query
    const tokens = await authorizationCodeGrant(configuration, answer, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    })
    const told = tokens.claims()
    if (told === undefined) throw new Error('the issuer has sent no ID token')
    const more =
      configuration.serverMetadata().userinfo_endpoint === undefined
        ? {}
        : await fetchUserInfo(configuration, tokens.access_token, told.sub)
    const claims: Readonly<Record<string, unknown>> = { ...more, ...told }
    return {
      link: { iss: told.iss, sub: told.sub },
      name: nameOf(claims) ?? told.sub,
      email:
        claims['email_verified'] === true && typeof claims['email'] === 'string'
          ? claims['email']
          : null,
      orcid: this.issuer.orcid ? told.sub : undefined,
    }
  }

  /** The issuer's own description, read once; after a failure it is read again. */
  #configure(): Promise<Configuration> {
    this.#configuration ??= this.#discover().catch((error: unknown) => {
      this.#configuration = undefined
      throw error
    })
    return this.#configuration
  }

  #discover(): Promise<Configuration> {
    const { issuer, client_id, secret } = this.issuer
    const server = new URL(issuer)
    // The list allows http on the loopback only.
    // oxlint-disable-next-line typescript/no-deprecated -- it is marked so to stand out.
    const execute = server.protocol === 'http:' ? [allowInsecureRequests] : []
    const options = { execute, timeout: timeoutSeconds }
    return secret === undefined
      ? discovery(server, client_id, undefined, None(), options)
      : discovery(server, client_id, secret, undefined, options)
  }
}

function nameOf({ name, given_name, family_name }: Readonly<Record<string, unknown>>) {
  const parts = typeof name === 'string' ? [name] : [given_name, family_name]
  const text = parts.filter((part) => typeof part === 'string').join(' ')
  return text.trim() === '' ? undefined : text.trim().slice(0, nameCharactersMax)
}
