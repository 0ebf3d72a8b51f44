import { readFile } from 'node:fs/promises'
import path from 'node:path'
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
import { type Static, Type } from 'typebox'
import { Check, Errors } from 'typebox/schema'

import { ConfigError } from '#config/settings.ts'
import type { UpstreamLink } from '#src/identity/accounts/account.ts'
import { isLoopback } from '#src/identity/oauth/application_record.ts'
import { readSecretFile } from '#src/keeping/data_dir/secret_file.ts'

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

const key = 'UPSTREAM_ISSUERS'
const issuersMax = 20

const issuerSchema = Type.Object(
  {
    /** Names it in addresses, for ever: the callback registered there has it in it. */
    id: Type.String({ pattern: '^[a-z0-9-]{1,32}$' }),
    /** What people see it called. */
    name: Type.String({ minLength: 1, maxLength: 60 }),
    issuer: Type.String({ pattern: '^https?://[^?#@\\s]+$', maxLength: 500 }),
    client_id: Type.String({ minLength: 1, maxLength: 500 }),
    client_secret_file: Type.Optional(Type.String({ minLength: 1 })),
    scopes: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 20 })),
    /** Whether `sub` is an ORCID iD, which is then the person's. */
    orcid: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)

const fileSchema = Type.Array(issuerSchema, { maxItems: issuersMax })

/** An OpenID Provider elsewhere that people may sign in with. */
export type UpstreamIssuer = Omit<Static<typeof issuerSchema>, 'client_secret_file' | 'scopes'> & {
  readonly secret: string | undefined
  readonly scopes: readonly string[]
  readonly orcid: boolean
}

/**
 * Reads the list of issuers in a JSON file, and their secrets, each in a file that only its owner
 * may read; paths are from the folder of the list. Errors: ConfigError; StartError of a secret.
 */
export async function readUpstreamIssuers(file: string): Promise<readonly UpstreamIssuer[]> {
  const listed = await readList(file)
  const ids = listed.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) throw wrong(file, `has the id "${twice}" twice`)
  const open = listed.find(({ issuer }) => issuer.startsWith('http:') && !isLoopback(issuer))
  if (open !== undefined) throw wrong(file, `has the issuer ${open.issuer}, which is not https`)
  return Promise.all(
    listed.map(async ({ client_secret_file: secretFile, ...issuer }) => ({
      ...issuer,
      secret: secretFile === undefined ? undefined : await readSecret(file, secretFile),
      scopes: issuer.scopes ?? ['openid'],
      orcid: issuer.orcid ?? false,
    })),
  )
}

async function readList(file: string): Promise<Static<typeof fileSchema>> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw wrong(file, `cannot be read as JSON (${(error as Error).message})`)
  }
  if (Check(fileSchema, value)) return value
  const [, [first]] = Errors(fileSchema, value)
  throw wrong(file, `is not a list of issuers: ${first?.instancePath} ${first?.message}`)
}

async function readSecret(listFile: string, secretFile: string): Promise<string> {
  const secret = await readSecretFile(path.resolve(path.dirname(listFile), secretFile))
  return secret.toString().trim()
}

function wrong(file: string, what: string): ConfigError {
  return new ConfigError([{ key, message: `${key}: the file ${file} ${what}.` }])
}
