/** What a person lets an application do, in the words of the consent page. */
export type OAuthScope = {
  readonly name: string
  readonly access: 'read' | 'write'
  /** Completes "The application may …". */
  readonly meaning: string
  /** Claims of the person that `userinfo` then tells (OpenID Connect Core 1.0, §5.4). */
  readonly claims: readonly string[]
}

/** Every scope that an application can ask for, in the order in which they are shown. */
export const oauthScopes: readonly OAuthScope[] = [
  read('openid', 'know which person you are here, by your identifier', ['sub']),
  read('profile', 'see your name, username, picture and ORCID iD', [
    'name',
    'preferred_username',
    'picture',
    'orcid',
    'orcid_authenticated',
    'updated_at',
  ]),
  read('email', 'see your e-mail address and whether it is verified', ['email', 'email_verified']),
  read('svc:works:read', 'list and view your registered works'),
  read('svc:author:read', 'see which works you claim, and whether the claims are verified'),
  read('svc:affiliations:read', 'see your affiliations and education'),
  read('svc:receipts:read', 'see the receipts of your works'),
  read('offline_access', 'go on doing this while you are away'),
  write('svc:works:write', 'add works to your profile and change those it has added'),
  write('svc:works:delete', 'withdraw works that it has added to your profile, for good'),
  write('svc:affiliations:write', 'add affiliations and education, and change what it has added'),
  write('svc:author:write', 'change your profile, and claim works as yours'),
]

/** The names of all scopes. */
export const oauthScopeNames: readonly string[] = oauthScopes.map(({ name }) => name)

const byName = new Map(oauthScopes.map((scope) => [scope.name, scope]))

/** The scope of a name, if there is one. */
export function findOAuthScope(name: string): OAuthScope | undefined {
  return byName.get(name)
}

/** Whether a scope lets an application write. */
export function isWriteScope(name: string): boolean {
  return byName.get(name)?.access === 'write'
}

/** Whether an application that asks for a scope must prove possession of the code (RFC 7636). */
export function needsPkce(name: string): boolean {
  return isWriteScope(name) && name !== 'svc:author:write'
}

function read(name: string, meaning: string, claims: readonly string[] = []): OAuthScope {
  return { name, access: 'read', meaning, claims }
}

function write(name: string, meaning: string): OAuthScope {
  return { name, access: 'write', meaning, claims: [] }
}
