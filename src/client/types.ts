// Written by `npm run client:types` from the OpenAPI document: change nothing by hand.

/** A change of some members; null removes one that can be absent. */
type Patch<T> = {
  [K in keyof T]?: Partial<Pick<T, K>> extends Pick<T, K> ? T[K] | null : T[K]
}

export type Access = {
  /** Who can read the work. */
  right?: AccessRight | null
  /** From when it is free to read. */
  start_date?: string | null
  /** Until when. */
  end_date?: string | null
}

export type AccessRight = 'open' | 'embargoed' | 'restricted' | 'metadata_only'

/** Everything that is held, by what it is. */
export type AccountExport = {
  exported_at: string
  ppid: string
  [further: string]: unknown
}

export type AdminAuditEntry = {
  /** Names the entry, and where a page goes on. */
  id: string
  at: string
  /** Such as `suspended` or `work_taken_down`. */
  action: string
  /** Who did it; null where nobody did. */
  by: AuditParty | null
  owner: AuditParty
  /** Why, or what else there is to say of it. */
  because: string | null
  /** The network from which it was done. */
  address: string | null
  /** What it was done to, if that is one. */
  ark: string | null
  /** What it was done to, if that is one. */
  organization: string | null
  /** What it was done to, if that is one. */
  ppid: string | null
  /** What it was done to, if that is one. */
  key_id: string | null
  /** What it was done to, if that is one. */
  client_id: string | null
  /** What it was done to, if that is one. */
  invitation_id: string | null
  /** What it was done to, if that is one. */
  bulk_change_id: string | null
  /** What it was done to, if that is one. */
  role: string | null
  /** How many works it was done to. */
  works_count: number | null
  /** Of a permission: all that it permits. */
  scopes: string[] | null
}

export type AdminAuditPage = {
  entries: AdminAuditEntry[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: string | null
  links: PageLinks
}

export type Affiliation = {
  organization: string
  role?: string
  department?: string
  start_year?: string
  end_year?: string
  ror?: string
  id: string
  source: Source
  visibility: Visibility
  status: ItemStatus
  contest_reason?: string
  created_at: string
  updated_at: string
}

export type AffiliationList = {
  affiliations: Affiliation[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: string | null
  links: PageLinks
}

/** The fields to change; null removes one. */
export type AffiliationUpdate = {
  /** Name of the organization. */
  organization?: string
  /** What the person is there. */
  role?: string | null
  /** Part of the organization. */
  department?: string | null
  /** Year in which it began. */
  start_year?: string | null
  /** Year in which it ended; left out while it lasts. */
  end_year?: string | null
  /** ROR ID. */
  ror?: string | null
  /** Who may see it; at first as the profile says of new ones. */
  visibility?: Visibility | null
}

export type AgentType = 'organization' | 'person' | 'operator'

export type AlternateIdentifier = {
  /** The identifier, as it is written. */
  identifier: string
  /** What kind of identifier it is, in any words. */
  type: string
}

export type Assertion = {
  /** What it is about, as a word. */
  name: string
  /** The same as people read it. */
  label?: string | null
  /** What it says. */
  value: string
  /** The group that it is shown in. */
  group?: string | null
  /** The name of the group. */
  group_label?: string | null
  /** Its place among the others. */
  order?: number | null
  /** An address for it. */
  uri?: string | null
  /** Where it is explained. */
  explanation_uri?: string | null
}

export type AuditEntry = {
  seq: number
  at: string
  action: string
  [further: string]: unknown
}

export type AuditPage = {
  entries: AuditEntry[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: number | null
  links: PageLinks
}

export type AuditParty = {
  type: string
  id: string
}

/** With the fields that `author_details` gives for the author. */
export type Author = {
  name: string
  claims: AuthorClaim[]
  [further: string]: unknown
}

/** A person who is this author, as far as their profile is public. */
export type AuthorClaim = {
  ppid: string
  orcid?: string
  status: 'verified'
  basis: ClaimBasis
  /** All on whose word it rests. `person`: the person has said so themselves, and not only an application that they permit. Of a work that the person has registered: this alone. */
  confirmed_by: ClaimConfirmation[]
}

export type AuthorDetail = {
  /** The name as the work gives it. Required unless `family` is given. */
  name?: string | null
  /** Given names. */
  given?: string | null
  /** Family name. */
  family?: string | null
  /** What follows the name, such as `Jr.` or `III`. */
  suffix?: string | null
  /** What stands before the name and is no part of it, such as `Dr.`. */
  prefix?: string | null
  /** ORCID iD. */
  orcid?: string | null
  /** Whether its owner has signed in at ORCID to say so. */
  orcid_authenticated?: boolean | null
  /** Where the author worked. Left out, it is the first of `affiliations`. */
  affiliation?: string | null
  /** ROR ID of the affiliation. */
  ror?: string | null
  /** All affiliations, in order, with their identifiers. */
  affiliations?: NameAffiliation[] | null
  /** Further identifiers, such as an ISNI; an ORCID iD is kept in `orcid`. */
  identifiers?: NameIdentifier[] | null
  /** Whether it is the name of a person or of an organization, if that is known. */
  name_type?: NameType | null
  /** In which order the parts of the name are written: `eastern` has the family first. */
  name_style?: NameStyle | null
  /** Language of the name. */
  language?: string | null
  /** What they did, in the roles of CRediT. */
  credit_roles?: CreditRole[] | null
}

export type BulkChange = {
  id: string
  organization: string
  environment: EnvironmentName
  edit: BulkEdit
  chosen: BulkChosen
  state: BulkChangeState
  /** Works that are to be changed. */
  ready: number
  /** How many of them an undo withdraws. */
  withdrawals?: number
  /** How many of them an undo registers again, under a new ARK. */
  registrations?: number
  /** Works that are left out, and listed. */
  left: number
  /** Further works that are as they should be already. */
  left_more: number
  /** Whether more works are chosen than the 10000 of one bulk change. */
  is_cut: boolean
  /** Works that had their turn. */
  done: number
  /** Those of them that were changed. */
  changed: number
  created_at: string
  ended_at?: string
  links: BulkChangeLinks
}

export type BulkChangeLinks = {
  self: string
  works: string
}

export type BulkChangeList = {
  organization: string
  bulk_changes: BulkChange[]
}

export type BulkChangeState = 'draft' | 'running' | 'stopping' | 'done' | 'stopped'

export type BulkChangeWork = {
  ark_identifier: string
  /** What differs. None once the work is another than the preview has seen. */
  changes: BulkFieldChange[]
  /** An undo withdraws it. */
  withdraws?: true
  /** An undo registers it again, under a new ARK. */
  registers?: true
  /** Its new `version`, or the `reason` why it was not changed; null before its turn. */
  outcome: BulkOutcome | null
}

export type BulkChangeWorkPage = {
  bulk_change: string
  works: BulkChangeWork[]
  left_out: BulkLeftWork[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: number | null
  links: PageLinks
}

export type BulkChosen = {
  filter?: BulkFilter
  /** Works of a list, if one was given. */
  listed?: number
}

/** New values, where null removes one; `work_url` replaces the beginning of addresses, and `author` the name of an author. `undo` stands alone. */
export type BulkEdit = {
  license?: string | null
  publisher_name?: string | null
  container_title?: string | null
  language?: string | null
  work_type?: string
  work_url?: BulkReplacement
  author?: BulkReplacement
  reread?: true
  undo?: BulkUndo
}

export type BulkFieldChange = {
  field: MetadataField
  /** The value as it is; null is none. */
  before: unknown
  /** The value as it would be; null is none. */
  after: unknown
}

export type BulkFilter = {
  q?: string
  type?: string
  license?: string
  language?: string
  publisher?: string
  container?: string
  address?: string
  year?: string
  registered_from?: string
  registered_to?: string
}

export type BulkLeftWork = {
  work: string
  reason: BulkRefusal
  message?: string
}

export type BulkOutcome = {
  version?: number
  withdrawn?: true
  new_ark?: string
  reason?: BulkRefusal
  message?: string
}

export type BulkRefusal = 'not_found' | 'not_yours' | 'withdrawn' | 'forbidden' | 'unchanged' | 'invalid' | 'changed_since' | 'changed_by_others' | 'registered_again'

export type BulkReplacement = {
  from: string
  to: string
}

export type BulkReply = {
  results: BulkResult[]
}

/** The body that the reply would have had if the work had been sent alone. */
export type BulkResult = {
  index: number
  status: number
  error?: string
  [further: string]: unknown
}

/** Either `filter`, of which {} chooses all works, or `works`. */
export type BulkSelection = {
  filter?: BulkFilter
  /** ARKs and DOIs, in any spelling. */
  works?: string[]
}

/** Works that it registered since then are withdrawn, with this reason and note; other works get back the metadata that they had before. Works that it withdrew are registered again, under a new ARK, unless their metadata was erased. Works that somebody else changed later are left out. */
export type BulkUndo = {
  /** Who did it: `key:` and its id, `person:` and a ppid, or `application:`. */
  by: string
  /** A day or a time of UTC; what was done at that time is undone too. */
  since: string
  reason: WithdrawalReason
  note?: string
}

export type ChainProof = {
  /** The `tree_size`. */
  block_height: number
  merkle_root: string
  /** From the leaf upwards (RFC 6962). */
  inclusion_proof: string[]
  leaf_index: number
  tree_size: number
  /** The signed tree head, a C2SP checkpoint. A line of `arklog/witnessed-before` carries, after four bytes, the checkpoint that the statement names as `witnessed_checkpoint`: the statement was made after its cosignatures, and before those of this one. */
  checkpoint: string
}

/** Changes of works have `ark`, `version`, `status` and `metadata`, the time of the registration, and receipt and hashes of the version; for `work.fixity_changed` there is a fixity status and its reason too. */
export type Change = {
  seq: number
  type: string
  at: string
  source: Source
  sets: string[]
  ark?: string
  version?: number
  status?: WorkStatus
  fixity_status?: FixityStatus
  /** Why the content is not verified, as a word for programs; null if it is, or is pending. */
  reason?: string | null
  /** The same for people. */
  message?: string | null
  /** The gravest retraction, correction or the like that the version tells of. */
  notice?: NoticeKind
  created_at?: string
  receipt_id?: string
  metadata_hash?: string
  /** SHA-256 of the content, as declared or as first computed; null until there is one. */
  content_hash?: string | null
  /** Place of the content among `files`, if it is one of them. */
  content_file?: number
  /** Media type of what was fetched. */
  content_type?: string | null
  /** Bytes of what was fetched. */
  content_size?: number
  /** Of the version; null once withdrawn. */
  metadata?: unknown
  [further: string]: unknown
}

export type ChangePage = {
  changes: Change[]
  /** What `cursor` takes to go on, also for changes that are still to come: the last `seq` seen. */
  next: number
  /** What `next` is once all is read, oldest first; below `cursor` if the registry went back to an older copy. */
  end: number
  /** Up to `end` there is every change before this time: none is still to come. */
  settled_at: string
  links: PageLinks
}

export type Checkpoint = {
  tree_size: number
  /** A checkpoint as a signed note. */
  checkpoint: string
}

export type CheckpointPage = {
  checkpoints: Checkpoint[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: number | null
  links: PageLinks
}

export type Checksum = {
  /** How it is computed. */
  algorithm: string
  /** The digest. */
  value: string
}

export type CitationFormat = 'csl' | 'bibtex' | 'ris' | 'biblatex' | 'citation' | 'jsonld' | 'turtle' | 'datacite-xml' | 'datacite-json' | 'dc' | 'jats' | 'mods' | 'crossref-xml' | 'crossref-xml-5.5' | 'openaire' | 'csv'

export type CitationStyle = {
  /** What `style` takes, and what CSL calls it. */
  id: string
  title: string
}

export type CitationStylePage = {
  styles: CitationStyle[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: string | null
  links: PageLinks
}

export type Claim = {
  claim_id: string
  ark_identifier: string
  ppid: string
  status: ClaimStatus
  waits_for?: ClaimSide
  /** Who or what verified it: the registrant of the work, an administrator, or an ORCID iD that the work names. */
  basis?: ClaimBasis
  author_position?: number
  message?: string
  /** Why it was contested. */
  reason?: string
  /** The person says that the work is not theirs. */
  blocked?: true
  created_at: string
  updated_at: string
  source: Source
}

/** Who or what verified it: the registrant of the work, an administrator, or an ORCID iD that the person has signed in with. */
export type ClaimBasis = 'registrant' | 'orcid' | 'admin'

export type ClaimChange = {
  step: ClaimStep
  /** Of `contest`: why. */
  reason?: string
  /** Of `confirm`: why a claim is right that does not match its work. */
  confirm_mismatch?: string
}

export type ClaimConfirmation = 'registrant' | 'orcid' | 'admin' | 'person'

export type ClaimLinks = {
  profile: string
}

export type ClaimMismatch = {
  code: 'no_place' | 'no_such_author' | 'name_differs' | 'name_hidden' | 'orcid_differs'
  message: string
}

export type ClaimPage = {
  claims: Claim[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: string | null
  links: PageLinks
}

/** The claim, compared with its work as it is now. */
export type ClaimReview = {
  work_title: string
  /** The first 50. */
  authors: string[]
  authors_count: number
  author_position?: number
  author?: ClaimedAuthor
  claimant: Claimant
  /** What speaks against it: `confirm` then needs `confirm_mismatch`. */
  mismatches: ClaimMismatch[]
}

/** Who has yet to answer while the claim is pending. */
export type ClaimSide = 'researcher' | 'registrant'

export type ClaimStatus = 'pending' | 'verified' | 'rejected' | 'disputed' | 'withdrawn'

export type ClaimStep = 'confirm' | 'reject' | 'contest' | 'withdraw' | 'disclaim'

/** The person who claims it, as far as their profile is public. */
export type Claimant = {
  name?: string
  orcid?: string
}

/** The author at the position that is claimed. */
export type ClaimedAuthor = {
  name: string
  orcid?: string
}

export type ClinicalTrial = {
  /** Its number in the registry. */
  number: string
  /** The registry: its DOI at Crossref, or its name. */
  registry?: string | null
  /** How the work relates to it. */
  kind?: string | null
}

export type ColumnTarget = 'ark' | 'work_title' | 'work_type' | 'authors' | 'description' | 'work_url' | 'existing_doi' | 'keywords' | 'language' | 'license' | 'published_date' | 'publisher_name' | 'container_title' | 'volume' | 'issue' | 'pages' | 'content_hash' | 'external_id' | 'work_title_markup' | 'description_markup' | 'container_short_title' | 'series_title' | 'series_number' | 'article_number' | 'edition' | 'publisher_place' | 'resource_type' | 'resource_version' | 'degree' | 'issn' | 'isbn' | 'editors' | 'translators' | 'orcids' | 'affiliations' | 'rors' | 'first_page' | 'last_page' | 'funder' | 'award'

export type ConsistencyProof = {
  from: number
  to: number
  from_root: string
  to_root: string
  consistency_proof: string[]
}

export type Content = WithdrawnContent & {
  /** Where the content is: the `work_url`, or else the address of the DOI. */
  url: string
}

export type ContentDomain = {
  /** The hosts on which the work is shown. */
  domains: string[]
  /** Whether the mark is shown there alone. */
  restricted?: boolean | null
}

export type ContentProofs = {
  /** Hash of the content, declared or fetched; null if not known yet. */
  sha256: string | null
  /** Another hash of it; null until it was fetched. */
  sha512: string | null
  /** Why the content is not verified, as a word for programs; null if it is, or is pending. */
  reason: string | null
  /** The same for people. */
  message: string | null
  /** The checks of the content, oldest first; of many, the newest. */
  fixity_checks: FixityCheck[]
}

export type Contributor = AuthorDetail & {
  role: ContributorRole
}

/** What they were: the contributor types of DataCite, and the roles of Crossref. */
export type ContributorRole = 'contact_person' | 'data_collector' | 'data_curator' | 'data_manager' | 'distributor' | 'editor' | 'hosting_institution' | 'producer' | 'project_leader' | 'project_manager' | 'project_member' | 'registration_agency' | 'registration_authority' | 'related_person' | 'researcher' | 'research_group' | 'rights_holder' | 'sponsor' | 'supervisor' | 'translator' | 'work_package_leader' | 'chair' | 'reviewer' | 'review_assistant' | 'statistics_reviewer' | 'external_reviewer' | 'reader' | 'corresponding_author' | 'other'

export type CreatedWork = {
  svc_id: string
  ark_identifier: string
  /** Title. Bidirectional marks are removed with a warning; other such controls, which are removed from other texts, are refused in titles and names. */
  work_title: string
  work_type: WorkType
  created_at: string
  version: number
  receipt_id: string
  fixity_status: FixityStatus
  metadata_hash: string
  source: Source
  warnings: FieldFault[]
  links: WorkLinks
}

export type CreditRole = 'conceptualization' | 'data_curation' | 'formal_analysis' | 'funding_acquisition' | 'investigation' | 'methodology' | 'project_administration' | 'resources' | 'software' | 'supervision' | 'validation' | 'visualization' | 'writing_original_draft' | 'writing_review_editing'

/** What happened then. */
export type DateKind = 'accepted' | 'approved' | 'available' | 'collected' | 'copyrighted' | 'coverage' | 'created' | 'issued' | 'online' | 'posted' | 'print' | 'received' | 'submitted' | 'updated' | 'valid' | 'withdrawn' | 'other'

export type Description = {
  /** The text; may have several lines. */
  description: string
  /** The text with its marks and formulas, as `description_markup`. */
  markup?: string | null
  kind: DescriptionKind
  /** Language of the text. */
  language?: string | null
}

/** What it says of the work. */
export type DescriptionKind = 'abstract' | 'methods' | 'series_information' | 'table_of_contents' | 'technical_info' | 'plain_language' | 'other'

export type Education = {
  degree?: string
  institution: string
  year?: string
  ror?: string
  id: string
  source: Source
  visibility: Visibility
  status: ItemStatus
  contest_reason?: string
  created_at: string
  updated_at: string
}

export type EducationList = {
  education: Education[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: string | null
  links: PageLinks
}

/** The fields to change; null removes one. */
export type EducationUpdate = {
  /** Degree or course. */
  degree?: string | null
  /** Name of the institution. */
  institution?: string
  /** Year of the degree. */
  year?: string | null
  /** ROR ID. */
  ror?: string | null
  /** Who may see it; at first as the profile says of new ones. */
  visibility?: Visibility | null
}

export type Embed = {
  version: '1.0'
  type: 'link'
  title: string
  author_name?: string
  provider_name: string
  provider_url: string
  /** Seconds. */
  cache_age: number
}

export type EnvironmentKeys = {
  log: LogKeys
  receipt_keys: ReceiptKey[]
}

export type EnvironmentName = 'live' | 'sandbox'

export type ErasedPerson = {
  ppid: string
  erased: true
}

export type Erasure = {
  reason: ErasureReason
  /** What the owner and the audit list are told in addition; readers never see it. */
  note?: string
}

/** Why the metadata is erased; shown in the history of the work for ever. */
export type ErasureReason = 'court_order' | 'personal_data' | 'legal'

/** Too many requests. */
export type Error = {
  error: string
  message: string
  details?: FieldFault[]
  request_id: string
  [further: string]: unknown
}

export type EvidenceFile = {
  format: 'arklog-evidence-v1'
  /** How to check it, in plain words. */
  about: string[]
  environment: EnvironmentName
  receipt: Receipt
  /** The metadata as one text, whose SHA-256 is `metadata_hash`; null once withdrawn or erased. */
  metadata: string | null
  keys: EvidenceKeys
  /** Whose cosignatures checkpoints carry, as C2SP tlog-policy. */
  policy: string | null
  /** The newest witnessed checkpoint, and that it continues that of the receipt; null without one. */
  newest: NewestCheckpoint | null
}

export type EvidenceKeys = {
  log: EvidenceLog
  receipt_keys: ReceiptKey[]
}

export type EvidenceLog = {
  origin: string
  vkey: string
  url: string
}

export type ExportFormat = 'ris' | 'bibtex' | 'csl' | 'csv' | 'jsonl'

export type FacetValue = {
  /** What the filter of that name takes. */
  value: string
  /** What people call it, if that differs. */
  name?: string
  count: number
}

/** The values that most results have. */
export type Facets = Record<string, FacetValue[]>

export type FieldFault = {
  field: string
  code: string
  message: string
}

export type FileFixity = {
  url: string
  name?: string
  kind?: FileKind
  /** Whether it is the content of the work, whose hash its receipt has. */
  is_content: boolean
  /** SHA-256 of the content, as declared or as first computed; null until there is one. */
  hash: string | null
  /** Whether the registrant declared the hash or the registry computed it; null without one. */
  hash_source: HashSource | null
  /** As the server named it; null until the content was read. */
  media_type: string | null
  /** Bytes; null until the content was read. */
  size: number | null
  /** Null of what is not checked: landing pages, copies for similarity checks, an address that stands there already, and what comes after the first 100 files. */
  fixity_status: FixityStatus | null
  /** Why the content is not verified, as a word for programs; null if it is, or is pending. */
  reason: string | null
  /** The same for people. */
  message: string | null
  /** When the content was last checked; null if it never was. */
  checked_at: string | null
  /** When it is due to be checked; null if it is not checked. */
  next_check_at: string | null
  /** The newest checks, oldest first. */
  checks: FixityCheck[]
}

export type FileFormat = 'bibtex' | 'ris' | 'json' | 'csv' | 'xml'

export type FileKind = 'content' | 'supplement' | 'text_mining' | 'similarity_checking' | 'syndication' | 'landing_page' | 'other'

export type FileOfWorks = {
  /** The whole file, as text. */
  text: string
  /** What columns of a table hold, by their names, where their names do not say it. */
  columns?: Record<string, ColumnTarget | null>
}

export type Finding = 'signature_valid' | 'content_match' | 'chain_verified'

export type FixityCheck = {
  /** When the check ended. */
  timestamp: string
  /** The fixity status after it. */
  status: 'verified' | 'failed' | 'unreachable'
  /** The registry itself read the address. */
  method: 'remote_fetch'
  /** The version that was checked. */
  version: number
  /** The address that answered, after redirects; without a query that may hold a secret. */
  final_url: string | null
  /** Status of the reply; null if no reply came. */
  http_status: number | null
  /** Length of the content; null if none was read to its end. */
  bytes: number | null
  /** As the server names it; null if the server names none. */
  media_type: string | null
  /** Hash of what was read; null if nothing was. */
  sha256: string | null
  /** Another hash of the same. */
  sha512: string | null
  /** Why the content is not verified, as a word for programs; null if it is, or is pending. */
  reason: string | null
  /** The same for people. */
  message: string | null
}

/** Whether the address of the content serves what it should: `pending` until the first check, `verified` if it does, `failed` if it serves something else, `unreachable` if nothing, or nothing that stays the same, could be read. */
export type FixityStatus = 'pending' | 'verified' | 'failed' | 'unreachable'

export type FoundContent = {
  content_hash: string
  /** Where it was found; null if it was not. */
  environment: EnvironmentName | null
  /** In no order that means anything; empty if no version has this content. */
  versions: FoundVersion[]
  /** Whether there are no more versions than these. */
  is_complete: boolean
}

export type FoundPerson = {
  ppid: string
  name?: string
  username?: string
  avatar_url?: string
  orcid?: string
  /** Whether the person has signed in at ORCID with it. */
  orcid_authenticated?: boolean
  email?: string
  email_verified?: boolean
  bio?: string
  urls?: PersonUrl[]
  affiliations: Affiliation[]
  education: Education[]
  /** Works with a verified claim of the person. */
  works_count?: number
  visibility?: VisibilityOfFields
  created_at?: string
  updated_at?: string
  changed_fields?: string[]
  unchanged?: true
  links: PersonLinks
}

export type FoundVersion = {
  ark_identifier: string
  version: number
  latest_version: number
  is_latest: boolean
  status: WorkStatus
  /** Null once the metadata was erased. */
  work_title: string | null
  /** When this version was registered; null once it was erased. */
  registered_at: string | null
  withdrawn_at?: string
  withdrawal_reason?: string
  /** Retractions, corrections and the like of the work, the gravest first: what its newest version tells, in each of its versions. Left out where there is none. */
  notices?: UpdateNotice[]
  links: WorkLinks
}

export type FunderIdentifierType = 'Crossref Funder ID' | 'GRID' | 'ISNI' | 'ROR' | 'Other'

export type Funding = {
  /** Who paid. */
  funder: string
  /** Identifier of the funder; a ROR ID and a DOI of a funder are known as such. */
  identifier?: string | null
  /** The scheme of that. */
  identifier_type?: FunderIdentifierType | null
  /** The address of the scheme. */
  scheme_uri?: string | null
  /** Number of the grant. */
  award?: string | null
  /** Title of the grant. */
  award_title?: string | null
  /** Address of the grant. */
  award_uri?: string | null
}

export type GeoBox = {
  /** Westernmost longitude, in degrees. */
  west: number
  /** Easternmost longitude. Less than `west` for a box across 180 degrees. */
  east: number
  /** Southernmost latitude, in degrees. */
  south: number
  /** Northernmost latitude, in degrees. */
  north: number
}

export type GeoLocation = {
  /** The place in words. */
  place?: string | null
  /** A point. */
  point?: GeoPoint | null
  /** A box between two longitudes and two latitudes. */
  box?: GeoBox | null
  /** Polygons. */
  polygons?: GeoPolygon[] | null
}

export type GeoPoint = {
  /** Degrees east of Greenwich; west of it, negative. */
  longitude: number
  /** Degrees north of the equator; south of it, negative. */
  latitude: number
}

export type GeoPolygon = {
  /** Its corners in order; the last is the first one again. */
  points: GeoPoint[]
  /** A point inside, needed where the polygon is larger than half of the earth. */
  inside?: GeoPoint | null
}

export type GrantType = 'authorization_code' | 'refresh_token'

export type HashSource = 'declared' | 'fetched'

export type HeldMessages = {
  /** The work, person or claim that they are about. */
  subject: string
  /** The changes that they are about. */
  seqs: number[]
  next_try_at: string
}

export type History = {
  ark: string
  events: HistoryEvent[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: number | null
  links: PageLinks
}

export type HistoryAgent = {
  type: AgentType
  name: string
  /** Its slug; null if it was not an organization. */
  organization: string | null
}

export type HistoryEvent = {
  seq: number
  at: string
  type: 'work.registered' | 'work.versioned' | 'work.fixity_changed' | 'work.withdrawn' | 'work.erased' | 'work.metadata_lost'
  version: number
  by: HistoryAgent
  changed_fields: string[]
  receipt_id: string
  fixity_status?: FixityStatus
  /** Why the content is not verified, as a word for programs; null if it is, or is pending. */
  reason?: string | null
  /** The same for people. */
  message?: string | null
}

export type Identifier = {
  type: string
  value: string
}

/** The scheme of the identifier; a DataCite identifier type. */
export type IdentifierScheme = 'ARK' | 'arXiv' | 'bibcode' | 'CSTR' | 'DOI' | 'EAN13' | 'EISSN' | 'Handle' | 'IGSN' | 'ISBN' | 'ISSN' | 'ISTC' | 'LISSN' | 'LSID' | 'PMID' | 'PURL' | 'RAiD' | 'RRID' | 'SWHID' | 'UPC' | 'URL' | 'URN' | 'w3id'

export type InclusionProof = {
  leaf_index: number
  leaf_hash: string
  tree_size: number
  root_hash: string
  inclusion_proof: string[]
  checkpoint: string | null
}

export type Isbn = {
  /** The ISBN, with the right check digit. */
  value: string
  /** Its medium. */
  kind?: IsbnMedium | null
}

export type IsbnMedium = 'print' | 'electronic'

export type Issn = {
  /** The ISSN, with the right check digit. */
  value: string
  /** Its medium; `linking` is the ISSN-L, which is of all media. */
  kind?: IssnMedium | null
}

export type IssnMedium = 'print' | 'electronic' | 'linking'

/** How the person sees an item of theirs. */
export type ItemMark = {
  /** Shown, hidden from all others, or said to be wrong. */
  status?: ItemMarkStatus | null
  /** Why it is contested; its source reads this. */
  reason?: string | null
  /** Who may see it; at first as the profile says of new ones. */
  visibility?: Visibility | null
}

export type ItemMarkStatus = 'active' | 'hidden' | 'contested'

/** Hidden by the person from all others, or said by them to be wrong. */
export type ItemStatus = 'active' | 'hidden' | 'contested' | 'deleted'

export type Language = 'aa' | 'ab' | 'ae' | 'af' | 'ak' | 'am' | 'an' | 'ar' | 'as' | 'av' | 'ay' | 'az' | 'ba' | 'be' | 'bg' | 'bi' | 'bm' | 'bn' | 'bo' | 'br' | 'bs' | 'ca' | 'ce' | 'ch' | 'co' | 'cr' | 'cs' | 'cu' | 'cv' | 'cy' | 'da' | 'de' | 'dv' | 'dz' | 'ee' | 'el' | 'en' | 'eo' | 'es' | 'et' | 'eu' | 'fa' | 'ff' | 'fi' | 'fj' | 'fo' | 'fr' | 'fy' | 'ga' | 'gd' | 'gl' | 'gn' | 'gu' | 'gv' | 'ha' | 'he' | 'hi' | 'ho' | 'hr' | 'ht' | 'hu' | 'hy' | 'hz' | 'ia' | 'id' | 'ie' | 'ig' | 'ii' | 'ik' | 'io' | 'is' | 'it' | 'iu' | 'ja' | 'jv' | 'ka' | 'kg' | 'ki' | 'kj' | 'kk' | 'kl' | 'km' | 'kn' | 'ko' | 'kr' | 'ks' | 'ku' | 'kv' | 'kw' | 'ky' | 'la' | 'lb' | 'lg' | 'li' | 'ln' | 'lo' | 'lt' | 'lu' | 'lv' | 'mg' | 'mh' | 'mi' | 'mk' | 'ml' | 'mn' | 'mr' | 'ms' | 'mt' | 'my' | 'na' | 'nb' | 'nd' | 'ne' | 'ng' | 'nl' | 'nn' | 'no' | 'nr' | 'nv' | 'ny' | 'oc' | 'oj' | 'om' | 'or' | 'os' | 'pa' | 'pi' | 'pl' | 'ps' | 'pt' | 'qu' | 'rm' | 'rn' | 'ro' | 'ru' | 'rw' | 'sa' | 'sc' | 'sd' | 'se' | 'sg' | 'si' | 'sk' | 'sl' | 'sm' | 'sn' | 'so' | 'sq' | 'sr' | 'ss' | 'st' | 'su' | 'sv' | 'sw' | 'ta' | 'te' | 'tg' | 'th' | 'ti' | 'tk' | 'tl' | 'tn' | 'to' | 'tr' | 'ts' | 'tt' | 'tw' | 'ty' | 'ug' | 'uk' | 'ur' | 'uz' | 've' | 'vi' | 'vo' | 'wa' | 'wo' | 'xh' | 'yi' | 'yo' | 'za' | 'zh' | 'zu'

export type LogKeys = {
  origin: string
  vkey: string
  /** The key by which it signs checkpoints with ML-DSA-44, too; null if it does not. */
  mldsa_vkey: string | null
  url: string
  /** Whose cosignatures checkpoints carry, as C2SP tlog-policy; null if none must. */
  witness_policy: string | null
}

export type LogWitness = {
  name: string
  /** Its verifier key (C2SP signed-note). */
  vkey: string
  /** Entries of the newest checkpoint that it has signed. */
  tree_size: number | null
  /** When that was, by its own clock, to the second. */
  signed_at: string | null
}

export type LogWitnesses = {
  /** Who must sign, as C2SP tlog-policy; null if the log has no witnesses. */
  policy: string | null
  /** The same in words, such as `2 of (one, two, three)`. */
  quorum: string | null
  /** Entries of the newest checkpoint. */
  tree_size: number
  /** The newest checkpoint that has its quorum. */
  witnessed: WitnessedCheckpoint | null
  witnesses: LogWitness[]
}

export type MapProof = {
  /** The map leaf of the log, as text. */
  map_leaf: string
  /** The way from the ARK to the root of the map. */
  proof: string
  /** From the map leaf, the last entry of the tree, upwards (RFC 6962). */
  inclusion_proof: string[]
  /** The checkpoint of that tree, with its cosignatures. */
  checkpoint: string
}

export type MapRecord = {
  ark_identifier: string
  /** `contradictory`: the statements do not follow each other. `absent`: no such ARK was ever registered here. */
  state: 'registered' | 'withdrawn' | 'contradictory' | 'absent'
  /** The newest version; null for an ARK that is absent. */
  version: number | null
  /** Statements about the ARK in the log. */
  statements: number
  map_proof: MapProof
}

/** What describes one version of a work; absent fields are left out. */
export type Metadata = {
  /** Title. Bidirectional marks are removed with a warning; other such controls, which are removed from other texts, are refused in titles and names. */
  work_title: string
  work_type: WorkType
  /** Names, separated by semicolons if there is one, else by commas; 20000 at most. */
  authors: string
  /** Abstract; may have several lines. */
  description?: string
  /** Where the work is: http or https. Required unless `existing_doi` is given. */
  work_url?: string
  /** DOI that the work already has, stored in lower case without an address before it. */
  existing_doi?: string
  /** Keywords, separated by semicolons if there is one, else by commas: those with a comma in them, such as `Diabetes Mellitus, Type 2`, have semicolons between them. */
  keywords?: string
  /** Language of the work: ISO 639-1, two letters. `en-US`, `eng` and `English` are folded, with a warning; a language without such a code is refused. A code goes before a name: `Ga` is Irish. */
  language?: Language
  /** SPDX identifier of the license, or its address. Names and addresses of licenses in the list of SPDX, its deprecated identifiers, and `CC-BY` are folded with a warning. */
  license?: string
  /** When the work was published: `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. Other spellings whose meaning is certain, such as `3 May 2019`, are folded, with a warning. */
  published_date?: string
  /** Publisher. */
  publisher_name?: string
  /** Title of the journal, book or proceedings that holds the work. */
  container_title?: string
  /** Volume, without the word for it. */
  volume?: string
  /** Issue, without the word for it. */
  issue?: string
  /** Pages. */
  pages?: string
  /** More about the authors, in the order of `authors`. A change of one of the two has the other follow, which `warnings` tell. */
  author_details?: AuthorDetail[]
  /** Other things that the work relates to. */
  related_identifiers?: RelatedIdentifier[]
  /** Who paid for the work. */
  funding?: Funding[]
  /** SHA-256 of the content, as the registrant declares it. */
  content_hash?: string
  /** The title with its marks, `<i>`, `<b>`, `<sub>`, `<sup>`, and formulas, `<math>` of MathML or `<tex-math>`; `&lt;` and `&amp;` are signs. Its text is that of `work_title`. */
  work_title_markup?: string
  /** The description with its marks and formulas, as `work_title_markup`. */
  description_markup?: string
  /** Language of `work_title` where it is not `language`: a tag of BCP 47. */
  work_title_language?: string
  /** Language of `description` where it is not `language`: a tag of BCP 47. */
  description_language?: string
  /** Further titles: translated, subtitles, short ones. */
  titles?: Title[]
  /** Who had a part in the work besides its authors, each with a role, in order. */
  contributors?: Contributor[]
  /** Further texts about the work: methods, abstracts in other languages. */
  descriptions?: Description[]
  /** Subjects with the scheme that they are of; `keywords` has the plain words. */
  subjects?: Subject[]
  /** What was measured or observed, of which the work has values. */
  variables?: Variable[]
  /** Further dates and ranges of dates, each with what happened then. */
  dates?: WorkDate[]
  /** Kind of work in words of your own, in addition to `work_type`. */
  resource_type?: string
  /** Version of the content as its makers number it; not the version of this record. */
  resource_version?: string
  /** What is new in that version. */
  resource_version_note?: string
  /** How large the work is, in words. */
  sizes?: string[]
  /** Formats of the work: media types where there are some. */
  formats?: string[]
  /** Files of the work besides the one at `work_url`. */
  files?: WorkFile[]
  /** Rights besides `license`: of other stages of the text, in words, or without a license. */
  rights?: Rights[]
  /** Who can read the work, from when and until when. A change replaces it as a whole. */
  access?: Access
  /** What you call the work yourself, such as its number in your system. No two works of one registrant that stand have the same. */
  external_id?: string
  /** Other names of the same work, in any scheme. */
  alternate_identifiers?: AlternateIdentifier[]
  /** Things that the work relates to, described so far that they need no identifier. */
  related_items?: RelatedItem[]
  /** What the work cites, in order: in parts, by DOI, or as text. */
  references?: Reference[]
  /** Places that the work is about, or where its data was gathered. */
  geo_locations?: GeoLocation[]
  /** Identifier of the publisher. A change replaces it as a whole. */
  publisher_id?: PublisherId
  /** Language of the name of the publisher. */
  publisher_language?: string
  /** Where the publisher is. */
  publisher_place?: string
  /** Institutions behind the work: of a thesis, a report, a standard or a server. */
  institutions?: NameAffiliation[]
  /** Degree of a thesis. */
  degree?: string
  /** Conference that the work was made for. A change replaces it as a whole. */
  event?: WorkEvent
  /** Short title of the journal that holds the work. */
  container_short_title?: string
  /** ISSNs of the journal that holds the work. */
  issn?: Issn[]
  /** ISBNs of the work, or of the book that holds it. */
  isbn?: Isbn[]
  /** Edition of the work, or of the book that holds it. */
  edition?: string
  /** Number of the article in the journal, where it has one in the place of pages. */
  article_number?: string
  /** Number of the chapter or part in the book. */
  chapter_number?: string
  /** Title of the issue that holds the work. */
  issue_title?: string
  /** Title of the series that the work or its book is in. */
  series_title?: string
  /** Number in the series. */
  series_number?: string
  /** ISSNs of the series. */
  series_issn?: Issn[]
  /** Group that a preprint is listed in. */
  group_title?: string
  /** What a peer review says of itself. A change replaces it as a whole. */
  review?: Review
  /** Retractions, corrections and the like, of a work that stays; or by this work. */
  update_notices?: UpdateNotice[]
  /** DOI or address of the policy by which the publisher corrects works. */
  update_policy?: string
  /** Where the publisher shows whether the work is up to date. Replaced as a whole. */
  content_domain?: ContentDomain
  /** Archives that keep the work. */
  archives?: string[]
  /** Clinical trials that the work tells of. */
  clinical_trials?: ClinicalTrial[]
  /** What the publisher says of the work in its own words. */
  assertions?: Assertion[]
}

export type MetadataField = 'work_title' | 'work_type' | 'authors' | 'description' | 'work_url' | 'existing_doi' | 'keywords' | 'language' | 'license' | 'published_date' | 'publisher_name' | 'container_title' | 'volume' | 'issue' | 'pages' | 'author_details' | 'related_identifiers' | 'funding' | 'content_hash' | 'work_title_markup' | 'description_markup' | 'work_title_language' | 'description_language' | 'titles' | 'contributors' | 'descriptions' | 'subjects' | 'variables' | 'dates' | 'resource_type' | 'resource_version' | 'resource_version_note' | 'sizes' | 'formats' | 'files' | 'rights' | 'access' | 'external_id' | 'alternate_identifiers' | 'related_items' | 'references' | 'geo_locations' | 'publisher_id' | 'publisher_language' | 'publisher_place' | 'institutions' | 'degree' | 'event' | 'container_short_title' | 'issn' | 'isbn' | 'edition' | 'article_number' | 'chapter_number' | 'issue_title' | 'series_title' | 'series_number' | 'series_issn' | 'group_title' | 'review' | 'update_notices' | 'update_policy' | 'content_domain' | 'archives' | 'clinical_trials' | 'assertions'

export type NameAffiliation = {
  /** Its name. Required unless `identifier` is given. */
  name?: string | null
  /** Its identifier; a ROR ID is known as one without a scheme. */
  identifier?: string | null
  /** The scheme of the identifier, such as `ROR`, `ISNI` or `GRID`. */
  scheme?: string | null
  /** The address of the scheme. */
  scheme_uri?: string | null
  /** The part of it. */
  department?: string | null
  /** Its acronym. */
  acronym?: string | null
  /** Where it is. */
  place?: string | null
}

export type NameIdentifier = {
  /** The identifier. We check the check digits of ORCID iDs, ISNIs and ROR IDs. */
  identifier: string
  /** What kind of identifier it is: `ORCID`, `ISNI`, `ROR`, or another by its name. */
  scheme: string
  /** The address of the scheme. */
  scheme_uri?: string | null
}

export type NameSort = 'relevance' | 'newest' | 'oldest' | 'updated' | 'name'

export type NameStyle = 'western' | 'eastern' | 'icelandic' | 'given_only'

export type NameType = 'person' | 'organization' | 'anonymous'

/** An affiliation. */
export type NewAffiliation = AffiliationUpdate & {
  /** Name of the organization. */
  organization: string
}

export type NewBulkChange = {
  edit: BulkEdit
  selection: BulkSelection
}

/** That a person is an author of a work. */
export type NewClaim = {
  /** The work that is claimed, in any spelling of its ARK. */
  ark_identifier: string
  /** Place among the authors of the work, from 1. */
  author_position?: number | null
  /** What the other side should know; only the two sides read it. */
  message?: string | null
}

/** An education record. */
export type NewEducation = {
  /** Degree or course. */
  degree?: string | null
  /** Name of the institution. */
  institution: string
  /** Year of the degree. */
  year?: string | null
  /** ROR ID. */
  ror?: string | null
  /** Who may see it; at first as the profile says of new ones. */
  visibility?: Visibility | null
}

export type NewPersonUrl = {
  /** What the page is. */
  name?: string | null
  /** Address of the page. */
  url: string
}

export type NewSuspension = {
  type: SuspendableType
  /** The slug of an organization, a ppid, the id of an application, or an ARK. */
  id: string
  /** One line of 500 characters at most. */
  reason: string
}

/** Somebody whom nobody is. */
export type NewTestPerson = {
  /** Name, as the person writes it. */
  name: string
  /** Short name in addresses; nobody else has the same. */
  username?: string | null
  /** An ORCID iD, as though the person had signed in with it. */
  orcid?: string | null
}

/** The fields to change; null removes one. */
export type NewVersion = WorkUpdate & {
  /** What is new in this version; may have several lines. */
  version_note?: string | null
}

export type NewWebhook = {
  /** The `client_id` of an application of the organization, which then hears of what people permit it to read. */
  application?: string
  url: string
  /** All kinds unless told, but for `log.checkpoint`. Only applications hear of `profile.updated` and `permission.revoked`. */
  events?: WebhookEvent[]
  description?: string
}

/** A work to register. `work_url` or `existing_doi` is required. */
export type NewWork = WorkUpdate & {
  /** Title. Bidirectional marks are removed with a warning; other such controls, which are removed from other texts, are refused in titles and names. */
  work_title: string
  work_type: WorkType
  /** Names, separated by semicolons if there is one, else by commas; 20000 at most. */
  authors: string
}

export type NewWorks = {
  /** The works to register. */
  works: NewWork[]
}

export type NewestCheckpoint = {
  checkpoint: string
  /** From the checkpoint of the receipt. */
  consistency_proof: string[]
  map?: NewestMap
}

/** What the map of that checkpoint has of the ARK, if the log has a map. */
export type NewestMap = {
  /** The map leaf of the log, as text. */
  map_leaf: string
  /** The way from the ARK to the root of the map. */
  proof: string
  /** From the map leaf, the last entry of the tree, upwards (RFC 6962). */
  inclusion_proof: string[]
}

/** `of_this` if the notice is about this work, `by_this` if this work is the notice. */
export type NoticeDirection = 'of_this' | 'by_this'

/** What the notice says. */
export type NoticeKind = 'retraction' | 'partial_retraction' | 'removal' | 'withdrawal' | 'expression_of_concern' | 'correction' | 'corrigendum' | 'erratum' | 'addendum' | 'clarification' | 'new_edition' | 'new_version'

export type NumberType = 'article' | 'chapter' | 'report' | 'other'

export type OaiRequest = {
  /** What is asked for. */
  verb: OaiVerb
  /** Of `GetRecord` and `ListMetadataFormats`: the record, `oai:…` or an ARK. */
  identifier?: string
  /** Of `GetRecord`, and of lists but for their further pages: the format. */
  metadataPrefix?: string
  /** Of lists: records changed on this day or at this second of UTC, or later. */
  from?: string
  /** Of lists: records changed on this day or at this second, or earlier; as fine as `from`. */
  until?: string
  /** Of lists: only the records of a set. */
  set?: string
  /** Of lists: the next page. It stands alone beside the verb. */
  resumptionToken?: string
}

export type OaiVerb = 'Identify' | 'ListMetadataFormats' | 'ListSets' | 'ListIdentifiers' | 'ListRecords' | 'GetRecord'

export type OembedFormat = 'json' | 'xml'

export type Order = 'oldest' | 'newest'

export type Organization = {
  slug: string
  name: string
  aliases: string[]
  ror?: string
  country?: string
  url?: string
  /** The organization above it, such as its consortium. */
  parent?: string
  created_at: string
  updated_at: string
  /** Works it has registered that are not withdrawn. */
  works_count: number
  /** People with a verified claim to a work that it has registered. */
  people_count: number
  below?: OrganizationsBelow
  /** Its members, for keys of it, of an organization above it, and of the operator. */
  members_count?: number
  /** Its keys that can be used, for the same keys. */
  keys_count?: number
  /** The set of its works, where records are harvested. */
  set_spec: string
  unchanged?: true
  links: OrganizationLinks
}

export type OrganizationLinks = {
  self: string
  works: string
  page: string
}

export type OrganizationPage = {
  organizations: Organization[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: string | null
  links: PageLinks
}

export type OrganizationSearchPage = {
  /** The text that was looked for, as it was typed. */
  query: string
  /** Records that were found, as far as they were counted. */
  total: number
  /** Whether there are no more than `total`. */
  total_is_exact: boolean
  /** The order of the results. If there are more than can be ranked, they come newest first, no matter which order was asked for. */
  sort: string
  results: Organization[]
  facets: Facets
  /** How many results, the newest ones, the facets were counted over. */
  facets_of: number
  /** Words of another form or a similar spelling that were searched for too, because nothing had all words. */
  also_searched_for: string[]
  /** What was typed like a command of other searches, such as `AND` or `journal:`, and was looked for as words. */
  not_understood: string[]
  /** What `cursor` takes for the next page; null at the end. */
  next_cursor: string | null
  took_ms: number
  engine: SearchEngine
  /** Whether the embedded index answered in place of the search server. */
  fallback: boolean
  links: PageLinks
}

/** The fields to change; null removes one. The slug never changes. */
export type OrganizationUpdate = {
  /** Name. */
  name?: string
  /** Other names, such as short ones and those in other languages. */
  aliases?: string[] | null
  /** ROR ID. */
  ror?: string | null
  /** Country: ISO 3166-1, two letters. */
  country?: string | null
  /** Home page. */
  url?: string | null
}

export type OrganizationWork = {
  ark_identifier: string
  /** Null once the metadata was erased. */
  work_title: string | null
  version: number
  status: WorkStatus
  fixity_status: FixityStatus
  created_at: string
  updated_at: string
  links: WorkLinks
}

export type OrganizationWorkPage = {
  organization: string
  works: OrganizationWork[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: number | null
  links: PageLinks
}

export type OrganizationsBelow = {
  /** Organizations below it, at all levels. */
  organizations_count: number
  /** Works of it and of all of these. */
  works_count: number
}

export type OwnReceipt = {
  ark_identifier: string
  version: number
  receipt_id: string
  metadata_hash: string
  /** SHA-256 of the content, as declared or as first computed; null until there is one. */
  content_hash: string | null
  fixity_status: FixityStatus
  links: WorkLinks
}

export type OwnReceiptPage = {
  receipts: OwnReceipt[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: string | null
  links: PageLinks
}

export type OwnWork = {
  ark_identifier: string
  /** Null once the metadata has been erased. */
  work_title: string | null
  version: number
  status: WorkStatus
  fixity_status: FixityStatus
  created_at: string
  updated_at: string
  claim: Claim
  links: WorkLinks
}

export type OwnWorkPage = {
  works: OwnWork[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: string | null
  links: PageLinks
}

export type PageLinks = {
  self: string
  /** The page that follows, as it was asked for this one; null if none does. */
  next: string | null
}

export type Person = FoundPerson & {
  /** The newest 100. */
  claims: Claim[]
}

export type PersonLinks = {
  self: string
  page: string
}

export type PersonSearchPage = {
  /** The text that was looked for, as it was typed. */
  query: string
  /** Records that were found, as far as they were counted. */
  total: number
  /** Whether there are no more than `total`. */
  total_is_exact: boolean
  /** The order of the results. If there are more than can be ranked, they come newest first, no matter which order was asked for. */
  sort: string
  results: FoundPerson[]
  facets: Facets
  /** How many results, the newest ones, the facets were counted over. */
  facets_of: number
  /** Words of another form or a similar spelling that were searched for too, because nothing had all words. */
  also_searched_for: string[]
  /** What was typed like a command of other searches, such as `AND` or `journal:`, and was looked for as words. */
  not_understood: string[]
  /** What `cursor` takes for the next page; null at the end. */
  next_cursor: string | null
  took_ms: number
  engine: SearchEngine
  /** Whether the embedded index answered in place of the search server. */
  fallback: boolean
  links: PageLinks
}

/** The fields to change; null removes one. */
export type PersonUpdate = {
  /** Name, as the person writes it. */
  name?: string
  /** Short name in addresses; nobody else has the same. */
  username?: string | null
  /** Address of a picture. */
  avatar_url?: string | null
  /** A few words; may have several lines. */
  bio?: string | null
  /** Pages elsewhere. */
  urls?: NewPersonUrl[] | null
  /** Who may see which field: public, trusted or private. */
  visibility?: ProfileVisibility | null
}

export type PersonUrl = {
  name?: string
  url: string
}

export type ProfileVisibility = {
  /** Who may see name; at first public. */
  name?: Visibility | null
  /** Who may see username; at first public. */
  username?: Visibility | null
  /** Who may see avatar_url; at first public. */
  avatar_url?: Visibility | null
  /** Who may see orcid; at first public. */
  orcid?: Visibility | null
  /** Who may see email; at first private. */
  email?: Visibility | null
  /** Who may see bio; at first public. */
  bio?: Visibility | null
  /** Who may see urls; at first public. */
  urls?: Visibility | null
  /** Who may see claims; at first public. */
  claims?: Visibility | null
  /** Who may see affiliations; at first public. */
  affiliations?: Visibility | null
  /** Who may see education; at first public. */
  education?: Visibility | null
}

export type Proofs = {
  ark: string
  version: number
  latest_version: number
  content_proofs: ContentProofs
  /** All versions of the work, those after this one too, oldest first; of very many, the newest. */
  provenance_chain: Version[]
  /** All statements about the version, oldest first. */
  signatures: SignedStatement[]
  /** The newest statement’s proof, as C2SP tlog-proof. */
  tlog_proof: string
  map_proof?: MapProof
}

export type PublishedKeys = {
  log: LogKeys
  receipt_keys: ReceiptKey[]
  sandbox: EnvironmentKeys
}

export type PublisherId = {
  /** The identifier. We check the check digits of ROR IDs and ISNIs. */
  identifier: string
  /** What kind of identifier it is: `ROR`, `ISNI`, or another by its name. */
  scheme: string
  /** The address of the scheme. */
  scheme_uri?: string | null
}

export type ReadColumn = {
  name: string
  /** Null: nothing of it is read. */
  holds: ColumnTarget | null
}

export type ReadEntry = {
  /** Where it begins in the file. */
  line: number
  key: string
  /** The work that it changes, as the file has it. */
  ark?: string
  /** What `POST /v1/works` takes, or `PUT` of the work at `ark`, if there are no faults; null if the entry cannot be read. */
  work: ReadWork | null
  faults: FieldFault[]
  notes: ReadNote[]
}

export type ReadFile = {
  format: FileFormat
  entries: ReadEntry[]
  /** How many notes there are of each kind. */
  note_counts: Record<string, number>
  columns?: ReadColumn[]
}

export type ReadNote = {
  kind: ReadNoteKind
  /** Its name in the file; empty if it is about the entry. */
  field: string
  line: number
  message: string
  /** Whether the file says something that the work does not. */
  is_loss: boolean
}

export type ReadNoteKind = 'left_out' | 'not_read' | 'repeated' | 'taken_as'

export type ReadWork = Record<string, unknown>

/** What is signed is `svc-receipt-v1`, a line feed, and all members but `signature`, `fixity_status` and `chain_proof` as canonical JSON (RFC 8785). With `signature` they are the log entry. Nothing signs `fixity_status`. */
export type Receipt = {
  statement: StatementKind
  ark: string
  version: number
  receipt_id: string
  timestamp: string
  /** SHA-256 of the content, as declared or as first computed; null until there is one. */
  content_hash: string | null
  metadata_hash: string
  /** Of a tombstone: why the work was withdrawn. */
  reason?: string
  /** Of a tombstone: the operator of the registry withdrew it, not its owner. */
  by?: 'operator'
  /** SHA-256 of the newest checkpoint that witnesses had signed, cosignatures included. Absent without witnesses. */
  witnessed_checkpoint?: string
  signature: Signature
  fixity_status: FixityStatus
  chain_proof: ChainProof
}

export type ReceiptKey = {
  key_id: string
  public_key: string
  valid_from: string
  /** When the next key took over; null while it is in use. */
  valid_until: string | null
  /** The logged statement that announces the key; null for the first one. */
  rotation: unknown
}

export type ReceiptVerification = {
  receipt_id: string
  content_hash: string
}

export type Reference = {
  /** What the reference is called in the work. */
  key?: string | null
  /** DOI of what is cited. */
  doi?: string | null
  /** Its address. */
  url?: string | null
  /** The reference as it is printed. */
  text?: string | null
  /** What it is. */
  type?: string | null
  /** Its authors, or the first of them. */
  author?: string | null
  /** Its title. */
  title?: string | null
  /** Title of the journal or the book that holds it. */
  container_title?: string | null
  /** Title of its volume. */
  volume_title?: string | null
  /** Title of the series that it is in. */
  series_title?: string | null
  /** Year, as printed: `1850a`. */
  year?: string | null
  /** Volume. */
  volume?: string | null
  /** Issue. */
  issue?: string | null
  /** First page. */
  first_page?: string | null
  /** Last page. */
  last_page?: string | null
  /** Edition. */
  edition?: string | null
  /** Its part that is cited. */
  component?: string | null
  /** ISSN, as printed. */
  issn?: string | null
  /** ISBN, as printed. */
  isbn?: string | null
  /** Number of a standard. */
  standard_designator?: string | null
  /** Who keeps that standard. */
  standards_body?: string | null
}

export type RelatedIdentifier = {
  relation: Relation
  /** The identifier of the other thing. */
  identifier: string
  scheme: IdentifierScheme
  /** What kind of thing it is. */
  resource_type?: WorkType | null
  /** What else there is to say of the relation, such as what `Other` means. */
  note?: string | null
  /** For `HasMetadata` and `IsMetadataFor`: the scheme of the metadata. */
  metadata_scheme?: string | null
  /** The address of that scheme. */
  scheme_uri?: string | null
  /** The kind of that scheme, such as `XSD`. */
  scheme_type?: string | null
}

export type RelatedItem = {
  /** How this work relates to it; a DataCite relation type. */
  relation: Relation
  /** What kind of thing it is. */
  type?: WorkType | null
  /** What else there is to say of the relation. */
  note?: string | null
  /** Its identifier, if it has one. */
  identifier?: string | null
  /** The scheme of that: those of `related_identifiers` are checked, others are taken. */
  identifier_type?: string | null
  /** For `HasMetadata` and `IsMetadataFor`: the scheme of the metadata. */
  metadata_scheme?: string | null
  /** The address of that scheme. */
  scheme_uri?: string | null
  /** The kind of that scheme. */
  scheme_type?: string | null
  /** Its titles. */
  titles?: Title[] | null
  /** Its authors. */
  authors?: AuthorDetail[] | null
  /** Who else had a part in it. */
  contributors?: Contributor[] | null
  /** When it was published. */
  year?: string | null
  /** Its volume. */
  volume?: string | null
  /** Its issue. */
  issue?: string | null
  /** Its number, or that of the work in it. */
  number?: string | null
  /** What that number is of. */
  number_type?: NumberType | null
  /** First page of the work in it. */
  first_page?: string | null
  /** Last page of the work in it. */
  last_page?: string | null
  /** Its publisher. */
  publisher?: string | null
  /** Its edition. */
  edition?: string | null
  /** Its ISSN. */
  issn?: string | null
  /** Its ISBN. */
  isbn?: string | null
}

/** Of a retraction, a correction or the like: `of_this` is about this work. */
export type RelatedNotice = {
  kind: NoticeKind
  direction: NoticeDirection
}

export type RelatedPage = {
  ark: string
  /** What the work says of others, and what works of this registry say of it (`in`). With `in`, `relation` is what the other one says. */
  related: RelatedWork[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: string | null
  links: PageLinks
}

export type RelatedWork = {
  /** The other one, if it is a work of this registry. */
  ark_identifier?: string
  direction: RelationSide
  relation: Relation
  /** The relation as the other one would say it; null if it has no name. */
  inverse: Relation | null
  stated_in: RelationField
  /** As the record of the work has it, of `out`. */
  identifier?: string
  scheme?: string
  note?: string
  notice?: RelatedNotice
  /** Null where none is known, or once it was erased. */
  title: string | null
  /** Its kind; null as above. */
  type: WorkType | null
  /** Null of what is no work of this registry. */
  status: WorkStatus | null
  version?: number
  withdrawn_at?: string
  links?: WorkLinks
}

/** How this work relates to the other thing; a DataCite relation type. */
export type Relation = 'IsCitedBy' | 'Cites' | 'IsSupplementTo' | 'IsSupplementedBy' | 'IsContinuedBy' | 'Continues' | 'IsDescribedBy' | 'Describes' | 'HasMetadata' | 'IsMetadataFor' | 'HasVersion' | 'IsVersionOf' | 'IsNewVersionOf' | 'IsPreviousVersionOf' | 'IsPartOf' | 'HasPart' | 'IsPublishedIn' | 'IsReferencedBy' | 'References' | 'IsDocumentedBy' | 'Documents' | 'IsCompiledBy' | 'Compiles' | 'IsVariantFormOf' | 'IsOriginalFormOf' | 'IsIdenticalTo' | 'IsReviewedBy' | 'Reviews' | 'IsDerivedFrom' | 'IsSourceOf' | 'IsRequiredBy' | 'Requires' | 'IsObsoletedBy' | 'Obsoletes' | 'IsCollectedBy' | 'Collects' | 'IsTranslationOf' | 'HasTranslation' | 'Other'

export type RelationField = 'related_identifiers' | 'related_items' | 'update_notices' | 'existing_doi'

export type RelationSide = 'out' | 'in'

export type RemovedWebhook = {
  id: string
  removed: true
}

export type Resolution = {
  ark: string
  /** The ARK as it was asked for. */
  requested: string
  status: 'registered'
  version: number
  latest_version: number
  is_latest: boolean
  created_at: string
  updated_at: string
  /** When this version was registered. The receipt has the time of its newest statement, which may be about the content and days younger. */
  registered_at: string
  metadata: Metadata
  content: Content
  receipt: Receipt
  map_proof?: MapProof
  identifiers: Identifier[]
  authors: Author[]
  /** People who are verified to be authors of the work, where nothing says which of them. */
  unplaced_claims?: UnplacedClaim[]
  source: Source
  links: WorkLinks
  /** Retractions, corrections and the like of the work, the gravest first: what its newest version tells, in each of its versions. Left out where there is none. */
  notices?: UpdateNotice[]
}

export type Review = {
  /** What kind of review it is. */
  type?: string | null
  /** Whether it was before or after the publication. */
  stage?: string | null
  /** What it recommends. */
  recommendation?: string | null
  /** Round of the revision. */
  revision_round?: string | null
  /** Its number in the round. */
  running_number?: string | null
  /** What interests the reviewer declares. */
  competing_interests?: string | null
  /** Language of the review. */
  language?: string | null
}

export type Rights = {
  /** SPDX identifier of a license, or its address, as in `license` of the work. */
  license?: string | null
  /** The rights in words. */
  text?: string | null
  /** The address of the rights. */
  uri?: string | null
  /** A short name of the rights in a scheme other than SPDX. */
  identifier?: string | null
  /** The scheme of that name. */
  scheme?: string | null
  /** The address of the scheme. */
  scheme_uri?: string | null
  /** The stage of the text or the use that they apply to. Left out if that is not told. */
  applies_to?: RightsUse | null
  /** From when they apply. */
  start_date?: string | null
  /** Language of the words. */
  language?: string | null
}

export type RightsUse = 'version_of_record' | 'accepted_manuscript' | 'submitted_manuscript' | 'text_mining' | 'article_sharing' | 'other'

export type SearchEngine = 'embedded' | 'meilisearch'

export type Signature = {
  algorithm: 'Ed25519'
  public_key: string
  signature: string
}

export type SignedStatement = {
  statement: StatementKind
  receipt_id: string
  timestamp: string
  algorithm: 'Ed25519'
  public_key: string
  key_id: string
  signature: string
  chain_proof: ChainProof
}

export type Source = {
  type: AgentType
  id: string
  name: string
  via: 'oauth' | 'api_key' | 'ui' | 'cli' | 'service'
  client_id?: string
}

/** What is stated: `registered` when the version was made, `content` when its content was first hashed, `tombstoned` when the work was withdrawn. */
export type StatementKind = 'registered' | 'content' | 'tombstoned'

/** By the name of each group, the values that most works have, with their numbers. */
export type StatisticsGroups = Record<string, FacetValue[]>

export type Subject = {
  /** The subject in words; a comma in it is a part of it. */
  subject: string
  /** The scheme that it is of. */
  scheme?: string | null
  /** The address of the scheme. */
  scheme_uri?: string | null
  /** The address of the subject. */
  uri?: string | null
  /** Its code in the scheme. */
  code?: string | null
  /** Language of the words. */
  language?: string | null
}

export type SuspendableType = 'organization' | 'account' | 'application' | 'work'

export type Suspension = {
  type: SuspendableType
  /** The slug of an organization, a ppid, the id of an application, or an ARK. */
  id: string
  /** What those are told whom it stops. */
  reason: string
  since: string
  by: AuditParty
}

export type SuspensionPage = {
  suspensions: Suspension[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: string | null
  links: PageLinks
}

export type Takedown = {
  /** An ARK in any spelling, the address of a work’s page, or a DOI. */
  work: string
  /** One of court_order, rights_of_others, personal_data, legal, fraud, other. */
  reason: string
  /** What else readers should know. */
  note?: string
}

export type TestKey = {
  key: string
  scopes: string[]
  expires_at: string
}

export type TestPerson = {
  ppid: string
  sign_in: TestSignIn
  /** Their own keys: of the whole account, and as a researcher has it. */
  keys: TestKey[]
  links: PersonLinks
}

/** With what they sign in on the pages of the sandbox. */
export type TestSignIn = {
  url: string
  email: string
  password: string
}

export type Title = {
  /** The title. */
  title: string
  /** The title with its marks and formulas, as `work_title_markup`. */
  markup?: string | null
  /** What it is. Left out for another main title. */
  kind?: TitleKind | null
  /** Language of the title. */
  language?: string | null
}

export type TitleKind = 'subtitle' | 'translated' | 'alternative' | 'original' | 'original_subtitle' | 'short' | 'other'

export type Token = {
  /** Send it as `Authorization: Bearer`. */
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  /** The scopes that were permitted, separated by spaces. */
  scope: string
  /** Good once, for 180 days. */
  refresh_token?: string
  /** Says who the person is, if `openid` was permitted. */
  id_token?: string
  [further: string]: unknown
}

export type TokenRequest = {
  grant_type: GrantType
  /** The id of the application, unless it is in an Authorization header (Basic). */
  client_id: string
  /** Its secret, if it has one. */
  client_secret?: string
  /** The code that the browser came back with. */
  code?: string
  /** The same as in the authorization request. */
  redirect_uri?: string
  /** What `code_challenge` was made from. */
  code_verifier?: string
  /** A refresh token, which can be used once. */
  refresh_token?: string
  /** Fewer scopes than were permitted, if fewer are enough. */
  scope?: string
}

export type Tombstone = {
  error: 'gone'
  message: string
  request_id: string
  ark: string
  status: 'withdrawn'
  /** Why it was withdrawn; `data_lost` if the registry has lost what was registered. */
  reason: string
  /** What was said of it; null if nothing was. */
  note?: string | null
  /** The work to use instead, if there is one. */
  replaced_by?: string | null
  created_at: string
  updated_at?: string
  registered_at?: string
  withdrawn_at: string
  map_proof?: MapProof
  version: number
  latest_version?: number
  is_latest?: boolean
  receipt_id: string
  metadata_hash?: string
  title?: string
  work_title?: string
  work_type?: WorkType
  authors?: Author[]
  unplaced_claims?: UnplacedClaim[]
  identifiers?: Identifier[]
  content?: WithdrawnContent
  /** Retractions, corrections and the like of the work, the gravest first: what its newest version tells, in each of its versions. Left out where there is none. */
  notices?: UpdateNotice[]
  metadata?: Metadata
  metadata_erased?: true
  erased_at?: string
  metadata_lost?: true
  lost_at?: string
  /** Who withdrew it. */
  source?: Source
  links: WorkLinks
}

export type UndoneWrite = {
  position: number
  undone: true
  /** It was undone before. */
  unchanged?: true
}

export type UnplacedClaim = {
  ppid: string
  orcid?: string
  status: 'verified'
  basis: ClaimBasis
  /** All on whose word it rests. `person`: the person has said so themselves, and not only an application that they permit. Of a work that the person has registered: this alone. */
  confirmed_by: ClaimConfirmation[]
  /** What the person is called, if they show it. */
  name?: string
}

export type UpdateNotice = {
  kind: NoticeKind
  direction: NoticeDirection
  /** DOI of the notice; with `by_this`, of the work that it is about. */
  doi?: string | null
  /** ARK of the same. */
  ark?: string | null
  /** When it was published. */
  date?: string | null
  /** Who published it. */
  by?: string | null
  /** Why, in words. */
  reason?: string | null
  /** Who tells of it, such as the publisher and Retraction Watch. */
  sources?: string[] | null
  /** Its number in the database of such a source. */
  record_id?: string | null
}

export type Usage = {
  granularity: UsageGranularity
  /** The first period. */
  from: string
  /** The last period. */
  to: string
  total: UsageCounts
  periods: UsagePeriod[]
}

export type UsageCounts = {
  /** Its ARK was resolved, but to its own page. */
  resolutions: number
  /** Its page here was read. */
  landings: number
  /** A receipt of it was verified. */
  verifications: number
  /** Its record was harvested. */
  harvests: number
}

export type UsageFormat = 'json' | 'csv'

export type UsageGranularity = 'day' | 'month' | 'year'

export type UsageInclude = 'below'

export type UsagePeriod = {
  period: string
  /** Its ARK was resolved, but to its own page. */
  resolutions: number
  /** Its page here was read. */
  landings: number
  /** A receipt of it was verified. */
  verifications: number
  /** Its record was harvested. */
  harvests: number
}

export type ValidWork = {
  valid: true
  warnings: FieldFault[]
}

export type Variable = {
  /** What was measured, in words. */
  name: string
  /** What it means, and how it was measured. */
  description?: string | null
  /** The unit of its values. */
  unit?: string | null
  /** The address of the term in a vocabulary of variables. */
  uri?: string | null
}

export type VerificationError = 'signature_invalid' | 'content_mismatch' | 'chain_invalid' | 'not_checked'

export type VerificationResult = {
  /** Whether the three findings are all true. */
  valid: boolean
  verified_at: string
  /** Whether a published receipt key signed exactly this statement. */
  signature_valid: boolean
  /** Whether the content has the hash that the statement names. */
  content_match: boolean
  /** Whether the statement is proven to be in the log that its checkpoint signs. */
  chain_verified: boolean
  /** Whether the checkpoint of the receipt carries the cosignatures that the published policy demands; null if the log has no witnesses. A receipt is valid without them too. */
  witnessed: boolean | null
  /** Findings that are false because they could not be checked. */
  not_checked: Finding[]
  /** What a receipt that is not valid comes down to: something was changed or is not ours, or nothing speaks against it but it could not be checked to the end (`not_checked`). */
  error: VerificationError | null
  /** Why the receipt is not valid; null if it is. */
  reason: string | null
}

export type Version = OwnReceipt & {
  kind: 'registered' | 'updated' | 'versioned'
  created_at: string
  changed_fields: string[]
  version_note?: string
  source: Source
}

export type VersionPage = {
  ark: string
  total: number
  versions: Version[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: number | null
  links: PageLinks
}

export type VersionVerification = {
  content_hash?: string
}

/** Who sees it: everybody, applications with the permission of the person, or only the person. */
export type Visibility = 'public' | 'trusted' | 'private'

/** Shown only to the person. */
export type VisibilityOfFields = Record<string, Visibility>

export type WaitingClaim = Claim & {
  /** Null once the metadata of the work has been erased. */
  review: ClaimReview | null
  links: ClaimLinks
}

export type WaitingClaimPage = {
  claims: WaitingClaim[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: number | null
  links: PageLinks
}

export type Webhook = {
  id: string
  organization: string
  /** The application for which it hears; null for the organization itself. */
  application: string | null
  url: string
  /** Null if none was given. */
  description: string | null
  events: WebhookEvent[]
  status: WebhookStatus
  /** Why it is `failed`; null unless it is. */
  failure: WebhookFailure | null
  /** `whpk_…`, with which `v1a` signatures are verified. */
  public_key: string
  created_at: string
  updated_at: string
  /** Everything up to the change of this `seq` was delivered, is held, or passed over. */
  delivered_to: number
  /** Tries in a row that have failed. */
  failures: number
  /** Messages that wait for one of the same subject that was refused. */
  held: HeldMessages[]
  /** Before then nothing is sent; null while the webhook takes messages. */
  next_try_at: string | null
}

export type WebhookAnswer = {
  status: number
  /** Its beginning. */
  text: string
}

export type WebhookDelivery = {
  /** Its place among the deliveries of the webhook. */
  number: number
  /** The `webhook-id`. */
  message: string
  type: WebhookMessageType
  /** The change that it is about; null if it is about none. */
  seq: number | null
  at: string
  duration_ms: number
  delivered: boolean
  /** What was sent. */
  body: string
  /** Null where there was none. */
  answer: WebhookAnswer | null
  /** Why there was no answer; null where there was one. */
  problem: string | null
}

export type WebhookDeliveryList = {
  webhook: string
  deliveries: WebhookDelivery[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: number | null
  links: PageLinks
}

export type WebhookEvent = 'work.created' | 'work.updated' | 'work.version_added' | 'work.withdrawn' | 'work.fixity_changed' | 'affiliation.added' | 'profile.updated' | 'claim.requested' | 'claim.verified' | 'permission.revoked' | 'log.checkpoint'

export type WebhookFailure = {
  at: string
  reason: string
}

export type WebhookList = {
  organization: string
  webhooks: Webhook[]
}

export type WebhookMessageType = 'work.created' | 'work.updated' | 'work.version_added' | 'work.withdrawn' | 'work.fixity_changed' | 'affiliation.added' | 'profile.updated' | 'claim.requested' | 'claim.verified' | 'permission.revoked' | 'log.checkpoint' | 'ping'

export type WebhookReplay = {
  /** Everything after the change of this `seq` is sent again, in its order. */
  after: number
  /** Up to the change of this `seq`, beside what is new; all that follows unless told. */
  until?: number
}

export type WebhookStatus = 'active' | 'paused' | 'failed'

export type WebhookUpdate = {
  url?: string
  /** All kinds unless told, but for `log.checkpoint`. Only applications hear of `profile.updated` and `permission.revoked`. */
  events?: WebhookEvent[]
  description?: string
}

export type WebhookWithSecret = Webhook & {
  /** `whsec_…`, shown this once. */
  secret: string
}

export type Withdrawal = {
  reason: WithdrawalReason
  /** What else readers should know; may have several lines. */
  note?: string | null
  /** ARK of the work to use instead. */
  replaced_by?: string | null
  /** Erases the metadata of all versions for ever, hashes stay: for administrators, without a note or a replacement. The reason is one of court_order, personal_data, legal. */
  erase_metadata?: boolean | null
}

/** Why the work is withdrawn; shown on its tombstone for ever. */
export type WithdrawalReason = 'author_request' | 'retraction' | 'duplicate' | 'copyright' | 'fraud' | 'court_order' | 'rights_of_others' | 'personal_data' | 'legal' | 'test' | 'other'

/** What is known of the content; nothing leads to it any more. */
export type WithdrawnContent = {
  /** SHA-256 of the content, as declared or as first computed; null until there is one. */
  hash: string | null
  /** Whether the registrant declared the hash or the registry computed it; null without one. */
  hash_source: HashSource | null
  /** As the server named it; null until the content was read. */
  media_type: string | null
  /** Bytes; null until the content was read. */
  size: number | null
  fixity_status: FixityStatus
  /** Why the content is not verified, as a word for programs; null if it is, or is pending. */
  reason: string | null
  /** The same for people. */
  message: string | null
  /** When the content was last checked; null if it never was. */
  checked_at: string | null
}

export type WitnessedCheckpoint = {
  tree_size: number
  checkpoint: string
}

export type Work = Metadata & {
  svc_id: string
  ark_identifier: string
  created_at: string
  version: number
  updated_at: string
  status: WorkStatus
  /** Of a withdrawn work that was found. */
  withdrawn_at?: string
  /** Why it was withdrawn. */
  withdrawal_reason?: string
  fixity_status: FixityStatus
  receipt_id: string
  metadata_hash: string
  source: Source
  links: WorkLinks
}

export type WorkChange = OwnReceipt & {
  kind: 'registered' | 'updated' | 'versioned' | 'withdrawn' | 'erased'
  created_at: string
  changed_fields: string[]
  unchanged?: true
  warnings?: FieldFault[]
  source: Source
}

export type WorkDate = {
  /** The date, or a range: EDTF (ISO 8601-2) of level 0 or 1, such as `2026-02-28`, `2024/..`, `201X`, `2004~`, `-0054/2004`, `2026-21`, or an instant. Other spellings whose meaning is certain are folded, with a warning. */
  date: string
  kind: DateKind
  /** What else there is to say of it. */
  note?: string | null
}

export type WorkEvent = {
  /** Its name. */
  name: string
  /** Its acronym. */
  acronym?: string | null
  /** Its number. */
  number?: string | null
  /** Where it was. */
  place?: string | null
  /** Its theme. */
  theme?: string | null
  /** When it began. */
  start_date?: string | null
  /** When it ended. */
  end_date?: string | null
  /** Who sponsored it. */
  sponsors?: string[] | null
}

export type WorkFile = {
  /** Where it is: http or https. */
  url: string
  /** What it is called. */
  name?: string | null
  /** What it is: `content` is the work itself, whose hash is in the receipt. */
  kind?: FileKind | null
  /** The stage of the text that it has. */
  content_version?: RightsUse | null
  /** Media type. */
  media_type?: string | null
  /** Bytes. */
  size?: number | null
  /** SHA-256 of its bytes. */
  sha256?: string | null
  /** Digests by other methods. */
  checksums?: Checksum[] | null
}

export type WorkFiles = {
  ark: string
  version: number
  /** First the content of the newest version, then `files` of its record in their order. A work that was withdrawn has none. */
  files: FileFixity[]
}

export type WorkLinks = {
  self: string
  resolve: string
  versions: string
  history: string
  receipt: string
  proofs: string
  ark: string
}

export type WorkRegistrant = {
  type: AgentType
  id: string
}

export type WorkSearchPage = {
  /** The text that was looked for, as it was typed. */
  query: string
  /** Records that were found, as far as they were counted. */
  total: number
  /** Whether there are no more than `total`. */
  total_is_exact: boolean
  /** The order of the results. If there are more than can be ranked, they come newest first, no matter which order was asked for. */
  sort: string
  results: Work[]
  facets: Facets
  /** How many results, the newest ones, the facets were counted over. */
  facets_of: number
  /** Words of another form or a similar spelling that were searched for too, because nothing had all words. */
  also_searched_for: string[]
  /** What was typed like a command of other searches, such as `AND` or `journal:`, and was looked for as words. */
  not_understood: string[]
  /** What `cursor` takes for the next page; null at the end. */
  next_cursor: string | null
  took_ms: number
  engine: SearchEngine
  /** Whether the embedded index answered in place of the search server. */
  fallback: boolean
  links: PageLinks
}

export type WorkSort = 'relevance' | 'newest' | 'oldest' | 'updated' | 'published' | 'title'

export type WorkStatistics = {
  /** Works that the search finds. */
  works: number
  groups: StatisticsGroups
}

export type WorkStatus = 'registered' | 'withdrawn'

/** Kind of work. Names of DataCite, Crossref, CSL, COAR, schema.org, BibTeX and RIS are folded, such as `journal-article`, with a warning. */
export type WorkType = 'article' | 'preprint' | 'review_article' | 'editorial' | 'letter' | 'data_paper' | 'book' | 'book_chapter' | 'conference_paper' | 'proceedings' | 'poster' | 'presentation' | 'thesis' | 'report' | 'working_paper' | 'dataset' | 'software' | 'workflow' | 'peer_review' | 'patent' | 'standard' | 'image' | 'video' | 'audio' | 'data_management_plan' | 'lecture' | 'award' | 'collection' | 'computational_notebook' | 'event' | 'instrument' | 'interactive_resource' | 'journal' | 'model' | 'physical_object' | 'project' | 'service' | 'study_registration' | 'text' | 'other'

export type WorkTypeList = {
  work_types: WorkTypeNames[]
}

export type WorkTypeNames = {
  work_type: string
  /** Below http://purl.org/coar/resource_type/; or empty. */
  coar: string
  datacite: string
  crossref: string
  csl: string
  schema_org: string
  bibtex: string
  ris: string
  eu_repo: string
}

/** The fields to change; null removes one. */
export type WorkUpdate = Patch<Metadata>

export type WorkWithDoi = {
  ark_identifier: string
  version: number
  status: WorkStatus
  created_at: string
  updated_at: string
  registrant: WorkRegistrant
  links: WorkLinks
}

export type WorksWithDoi = {
  existing_doi: string
  /** The newest first, 100 at most; those that were withdrawn last. */
  works: WorkWithDoi[]
}

export type Write = {
  /** The number of the write, by which it can be undone. */
  position: number
  at: string
  by: Source
  /** The key of the person that wrote it. */
  key_id?: string
  type: string
  item?: WrittenItem
  ark_identifier?: string
  version?: number
  /** What it changed; null is what was not there. */
  diff: WriteDifference[]
  /** Whether it can be undone, unless something has been changed since. */
  undoable: boolean
  undone_at?: string
}

export type WriteDifference = {
  field: string
  before: unknown
  after: unknown
}

export type WritePage = {
  writes: Write[]
  /** What `cursor` takes for the page that follows; null if none does. */
  next: number | null
  links: PageLinks
}

export type WrittenItem = {
  id: string
  kind: string
  status: ItemStatus
}
