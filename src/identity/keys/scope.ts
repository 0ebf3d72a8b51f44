/** Scopes that a key can be given, in the order in which they are listed. */
export const keyScopes = [
  'works:read',
  'works:write',
  'works:delete',
  'receipts:read',
  'receipts:verify',
  'people:read',
  'people:write',
  'search:read',
  'webhooks:manage',
  'admin:*',
] as const

/** Rights of a researcher's key for write-back: `mint` adds, `update` changes own items. */
export const researcherScopes = ['mint', 'update'] as const

/** Scopes that a researcher's key for write-back can have beside its rights: those that read. */
export const readingScopes = [
  'works:read',
  'receipts:read',
  'receipts:verify',
  'people:read',
  'search:read',
] as const

/** Scopes that only keys of the operator may have. */
export const operatorScopes: readonly string[] = ['admin:*']

/** What the paths of routes begin with: each route answers below both. */
export const pathPrefixes = ['/v1', '/api/v1'] as const

/** One of them: a refusal names the scope as the prefix that was called spells it. */
export type PathPrefix = (typeof pathPrefixes)[number]

/** What a route demands: any one of the scopes grants it. */
export type Right = keyof typeof rightScopes

export type RightScopes = {
  /** The scope of keys that a refusal names. */
  readonly key: string
  /** Another one that grants the right too. */
  readonly otherKey?: string
  readonly oauth?: string
  readonly researcher?: string
}

const rightScopes = {
  'read works': { key: 'works:read', oauth: 'svc:works:read' },
  'mint works': { key: 'works:write', oauth: 'svc:works:write', researcher: 'mint' },
  'update works': { key: 'works:write', oauth: 'svc:works:write', researcher: 'update' },
  'withdraw works': { key: 'works:write', otherKey: 'works:delete', oauth: 'svc:works:delete' },
  'erase works': { key: 'admin:*' },
  'manage organizations': { key: 'admin:*' },
  administer: { key: 'admin:*' },
  'read receipts': { key: 'receipts:read', oauth: 'svc:receipts:read' },
  'verify receipts': { key: 'receipts:verify' },
  'read people': { key: 'people:read', oauth: 'profile' },
  'write people': { key: 'people:write', oauth: 'svc:author:write' },
  'read claims': { key: 'people:read', oauth: 'svc:author:read' },
  'write claims': { key: 'people:write', oauth: 'svc:author:write' },
  'read affiliations': { key: 'people:read', oauth: 'svc:affiliations:read' },
  'add affiliations': {
    key: 'people:write',
    oauth: 'svc:affiliations:write',
    researcher: 'mint',
  },
  'update affiliations': {
    key: 'people:write',
    oauth: 'svc:affiliations:write',
    researcher: 'update',
  },
  'manage webhooks': { key: 'webhooks:manage' },
  'search records': { key: 'search:read' },
  // For the person alone: no application is given all of it.
  'read own account': { key: 'people:read' },
  'write own account': { key: 'people:write' },
} as const satisfies Record<string, RightScopes>

/**
 * Whether scopes grant a right. Scopes are a set: none implies another, and `admin:*` grants
 * nothing by itself: what asks for it asks for a call that a one-time code confirms as well.
 */
export function grants(scopes: ReadonlySet<string>, right: Right): boolean {
  return Object.values(rightScopes[right]).some((scope) => scopes.has(scope))
}

/** The scopes that grant a right: of keys, of tokens, and the right of a researcher's key. */
export function scopesOf(right: Right): RightScopes {
  return rightScopes[right]
}

/** The scope that a refusal asks for: the OAuth name under `/api/v1`, where there is one. */
export function scopeFor(right: Right, prefix: PathPrefix): string {
  const { key, oauth }: RightScopes = rightScopes[right]
  return prefix === '/api/v1' ? (oauth ?? key) : key
}
