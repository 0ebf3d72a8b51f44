/** The parameter by which `/api/v1/oauth/authorize` says that the request must use PKCE. */
export const pkceParameter = 'svc_pkce'

/** Paths of the provider below its issuer. */
export const providerRoutes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  userinfo: '/oauth/userinfo',
  jwks: '/oauth/jwks',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  end_session: '/oauth/logout',
} as const
