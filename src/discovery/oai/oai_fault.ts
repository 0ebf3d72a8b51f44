/** The errors of the protocol (OAI-PMH 2.0, section 3.6). */
export type OaiErrorCode =
  | 'badArgument'
  | 'badResumptionToken'
  | 'badVerb'
  | 'cannotDisseminateFormat'
  | 'idDoesNotExist'
  | 'noMetadataFormats'
  | 'noRecordsMatch'
  | 'noSetHierarchy'

/** Why a request is not answered, in words for the person who reads the harvester's log. */
export type OaiFault = { readonly code: OaiErrorCode; readonly text: string }

/** Several may be told at once. */
export type OaiFaults = { readonly type: 'faults'; readonly faults: readonly OaiFault[] }

/** One fault as an answer. */
export function faulty(code: OaiErrorCode, text: string): OaiFaults {
  return { type: 'faults', faults: [{ code, text }] }
}

/** The answer to a token that was not issued for this, was changed, or has expired. */
export function badToken(): OaiFaults {
  const text = 'This token is not valid, or no longer: begin the list anew'
  return faulty('badResumptionToken', text)
}
