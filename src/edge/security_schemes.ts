import { oauthScopes } from '#src/identity/oauth/oauth_scopes.ts'
import { type Right, scopesOf } from '#src/identity/keys/scope.ts'

const keySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, or the access token of an application, as `Authorization: Bearer`.',
  },
  header: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'An API key.' },
  query: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description:
      'An API key. Every operation takes it, and none lists it: addresses are written to logs.',
  },
} as const

/**
 * The ways to present a credential (OpenAPI 3.1, §4.8.27): those of keys and, where there is an
 * identity provider, those of tokens.
 */
export function securitySchemes(baseUrl: string, issuer: string | undefined) {
  if (issuer === undefined) return keySchemes
  const tokenUrl = `${baseUrl}/api/v1/oauth/token`
  const scopes = oauthScopes.map(({ name, meaning }) => [name, `May ${meaning}.`] as const)
  const authorizationCode = {
    authorizationUrl: `${baseUrl}/api/v1/oauth/authorize`,
    tokenUrl,
    refreshUrl: tokenUrl,
    scopes: Object.fromEntries(scopes),
  }
  return {
    ...keySchemes,
    oauth: {
      type: 'oauth2',
      description: 'An access token that a researcher has permitted; PKCE with S256.',
      flows: { authorizationCode },
    },
    openIdConnect: {
      type: 'openIdConnect',
      openIdConnectUrl: `${issuer}/.well-known/openid-configuration`,
    },
  } as const
}

type Requirement = Readonly<Record<string, readonly string[]>>

/** What a route demands: any one way to present a credential, with the scope that it needs. */
export function securityOf(
  { isPublic, right }: { readonly isPublic: boolean; readonly right: Right | undefined },
  hasTokens: boolean,
): Requirement[] {
  const { key, oauth } = right === undefined ? { key: undefined } : scopesOf(right)
  const ofKeys = key === undefined ? [] : [key]
  // Not `query`: generated clients would put a key wherever it can be, and so into addresses.
  const requirements: Requirement[] = [{ bearer: ofKeys }, { header: ofKeys }]
  if (isPublic) requirements.unshift({})
  if (!hasTokens || (right !== undefined && oauth === undefined)) return requirements
  const ofTokens = oauth === undefined ? [] : [oauth]
  return [...requirements, { oauth: ofTokens }, { openIdConnect: ofTokens }]
}

/** Says which scopes grant a right. */
export function scopesText(right: Right): string {
  const { key, otherKey, oauth, researcher } = scopesOf(right)
  const others = [
    ...(otherKey === undefined ? [] : [`or \`${otherKey}\``]),
    ...(oauth === undefined ? [] : [`a token \`${oauth}\``]),
    ...(researcher === undefined ? [] : [`a researcher's key \`${researcher}\``]),
  ]
  return `A key needs \`${key}\`${others.map((other) => `, ${other}`).join('')}.`
}
