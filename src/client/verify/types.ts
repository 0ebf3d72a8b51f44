// The types of the modules beside this one, which are JavaScript because browsers load them.

/** Bytes as Web Crypto takes them. */
export type Bytes = Uint8Array<ArrayBuffer>

/** A tree head: how many entries, and the hash over them. */
export type TreeHead = { readonly treeSize: number; readonly rootHash: Bytes }

/** A tree head of the log that is named. */
export type Checkpoint = TreeHead & { readonly origin: string }

/** Where a leaf is said to be, and the hashes beside its path. */
export type PlaceInTree = {
  readonly leafIndex: number
  readonly treeSize: number
  readonly proof: readonly Bytes[]
}

/** An inclusion claim: the leaf, its place, and the tree it is said to be in. */
export type Inclusion = PlaceInTree & { readonly leafHash: Bytes; readonly rootHash: Bytes }

/** A consistency claim: the tree of `from` leaves is the beginning of the tree of `to`. */
export type Consistency = {
  readonly from: number
  readonly to: number
  readonly fromRoot: Bytes
  readonly toRoot: Bytes
  readonly proof: readonly Bytes[]
}

/** The steps of a verification. */
export type StepName =
  | 'form'
  | 'receipt_key'
  | 'signature'
  | 'entry'
  | 'leaf_hash'
  | 'inclusion'
  | 'tree_head'
  | 'checkpoint'
  | 'witnesses'
  | 'time'
  | 'content_hash'
  | 'metadata_hash'
  | 'fixity_status'

/**
 * The result of one step, with its reason in a sentence, and of one that failed the code of its
 * error, if there is one: that of an EvidenceError, `unknown_key` or `key_not_in_use`.
 */
export type Step = {
  readonly step: StepName
  readonly status: 'done' | 'failed' | 'not_checked'
  readonly reason: string
  readonly code?: string
}

/**
 * The interval in which a statement was made, by the clocks of a quorum of witnesses: times as
 * receipts spell them, null where they prove nothing. `not_after` is the end of the second in which
 * they signed.
 */
export type ProvenTime = {
  readonly not_before: string | null
  readonly not_after: string | null
}

/**
 * The result of a verification. `valid`: every step that the receipt alone allows was done, and no
 * other failed. `statement` is what the receipt says, `registered_on` the day (UTC) on which it
 * says that the version was registered; believe them only if `valid`. `proven_time` says when the
 * statement was made without believing the registry.
 */
export type VerificationReport = {
  readonly valid: boolean
  readonly registered_on: string | undefined
  readonly statement: SignedStatement | undefined
  readonly proven_time: ProvenTime
  readonly steps: readonly Step[]
}

/** The content and metadata to compare a receipt with. */
export type Evidence = {
  /** `sha256:<hex>` of the content; or else why there is none, if the reason is known. */
  readonly contentHash?: string
  readonly noContent?: string
  /** The metadata as JSON. */
  readonly metadata?: unknown
}

/** A report, and what it is about: the receipt if it could be read, and who has cosigned it. */
export type Examination = {
  readonly report: VerificationReport
  readonly receipt?: UnverifiedReceipt
  readonly cosigned?: CosignedCheckpoint
}

/**
 * An evidence file: all that proves one version of a work, but for what a verifier must trust.
 * Nothing of it is verified.
 */
export type EvidenceFile = {
  readonly format: 'arklog-evidence-v1'
  /** How to check it, in plain words: a line each. */
  readonly about: readonly string[]
  readonly environment: EnvironmentName
  readonly receipt: { readonly chain_proof: ChainProof }
  /** The canonical JSON of the metadata as a text, whose SHA-256 the receipt names; or null. */
  readonly metadata: string | null
  readonly keys: {
    readonly log: { readonly origin: string; readonly vkey: string; readonly url: string }
    readonly receipt_keys: readonly unknown[]
  }
  /** Whose cosignatures the checkpoints carry (C2SP tlog-policy), or null. */
  readonly policy: string | null
  /** The newest checkpoint that the witnesses had signed, and that it continues the receipt's. */
  readonly newest: {
    readonly checkpoint: string
    /** 64 lower-case hex digits each. */
    readonly consistency_proof: readonly string[]
    /** What the map of that checkpoint has of the ARK; absent where the log has no map. */
    readonly map?: Omit<MapProof, 'checkpoint'>
  } | null
}

/** A step of the verification of an evidence file. */
export type EvidenceStep = Omit<Step, 'step'> & {
  readonly step: StepName | 'keys' | 'policy' | 'newest' | 'map_proof'
}

/** What a verifier of evidence has of their own. */
export type EvidenceTrust = {
  /** A `/.well-known/svc-keys.json` that was saved earlier, as JSON or as its text. */
  readonly keys?: unknown
  /** A policy of witnesses as text; otherwise that of the file is taken. */
  readonly policy?: string
}

/**
 * The result of a verification of evidence. `isTrusted`: the keys were the verifier's own, so that
 * what is `valid` is proven, and does not only fit together. `origin` is the log that it is of.
 * `standing` says how the version stood as of the newest checkpoint, if its map is proven.
 */
export type EvidenceReport = Omit<VerificationReport, 'steps'> & {
  readonly steps: readonly EvidenceStep[]
  readonly isTrusted: boolean
  readonly origin: string | undefined
  readonly policy_source: PolicySource
  /** That of the file; undefined if it could not be read. */
  readonly environment: EnvironmentName | undefined
  readonly standing?: Standing | undefined
  readonly receipt?: UnverifiedReceipt
}

/**
 * Who says which witnesses must have signed: the verifier by a policy or by their key file, or the
 * maker of the evidence alone, who can invent witnesses; or no policy demands any.
 */
export type PolicySource = 'given' | 'key_file' | 'file' | 'none'

/** The members of a receipt that are signed: the statement, in the order it was received. */
export type SignedStatement = Readonly<Record<string, unknown>> & {
  readonly statement: 'registered' | 'content' | 'tombstoned'
  readonly ark: string
  readonly version: number
  readonly receipt_id: string
  readonly timestamp: string
  readonly content_hash: string | null
  readonly metadata_hash: string
  /** `sha256:<hex>` of a checkpoint with its cosignatures, after which the statement was made. */
  readonly witnessed_checkpoint?: string
}

/** The signature of a receipt: an Ed25519 key and a signature by it, in lower-case hex. */
export type StatementSignature = {
  readonly algorithm: 'Ed25519'
  readonly public_key: string
  readonly signature: string
}

/** A statement and its signature, as an entry of the log. */
export type SignedEntry = {
  readonly statement: object
  readonly signature: StatementSignature
}

/** How a statement is proven to be in the log: hashes in lower-case hex, the checkpoint a note. */
export type ChainProof = {
  readonly block_height: number
  readonly merkle_root: string
  readonly inclusion_proof: readonly string[]
  readonly leaf_index: number
  readonly tree_size: number
  readonly checkpoint: string
}

/** A receipt of the right form. Nothing of it has been verified. */
export type UnverifiedReceipt = {
  readonly statement: SignedStatement
  readonly signature: StatementSignature
  readonly chainProof: ChainProof
}

/** A rotation of receipt keys with its proof, of the right form. Nothing of it is verified. */
export type UnverifiedRotation = Omit<UnverifiedReceipt, 'statement'> & {
  readonly statement: {
    readonly statement: 'key_rotated'
    readonly old_key_id: string
    readonly new_key_id: string
    /** 64 lower-case hex digits. */
    readonly new_public_key: string
    readonly timestamp: string
  }
}

/** The rotation as read, or every reason why it is not one. */
export type RotationForm =
  | { readonly type: 'rotation'; readonly rotation: UnverifiedRotation }
  | { readonly type: 'malformed'; readonly reasons: readonly string[] }

/** The receipt as read, or every reason why it is not one. */
export type ReceiptForm =
  | { readonly type: 'receipt'; readonly receipt: UnverifiedReceipt }
  | { readonly type: 'malformed'; readonly reasons: readonly string[] }

/** The form of a member: `right` completes the sentence "… must be". */
export type Rule = { readonly test: (value: unknown) => boolean; readonly right: string }

export type Rules = Readonly<Record<string, Rule>>

/** A verifier key of notes (C2SP signed-note); nothing is verified by one of another type. */
export type NoteKey = {
  readonly name: string
  /** 8 lower-case hex digits. */
  readonly keyId: string
  readonly type: number
  readonly publicKey: Bytes
}

/** One signature line: whose it says to be, and the bytes after the key ID. */
export type NoteSignature = {
  readonly name: string
  readonly keyId: string
  readonly bytes: Bytes
}

/** A note as it was read: nobody has checked its signatures. */
export type UnverifiedNote = {
  /** The signed text, its final line feed included. */
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** Which registry: that of keys `svc_test_…` is the sandbox. */
export type EnvironmentName = 'live' | 'sandbox'

/** A receipt key and the time it was valid: `[validFromMs, validUntilMs)`, milliseconds of 1970. */
export type ReceiptKey = {
  readonly keyId: string
  /** 64 lower-case hex digits, as receipts spell it. */
  readonly publicKey: string
  readonly validFromMs: number
  /** Infinity while the key is in use. */
  readonly validUntilMs: number
  /** Rotations by which it follows from the key file; 0 for a key that stands in it. */
  readonly rotations: number
}

/** The keys of one environment that a verifier trusts: of its log, and of its receipts. */
export type TrustedKeys = {
  readonly environment: EnvironmentName
  readonly origin: string
  readonly vkey: string
  readonly log: NoteKey
  /** Where the log is served, for monitors. */
  readonly url: string
  readonly receiptKeys: readonly ReceiptKey[]
  /** The policy that the key file names, as text. Nothing is demanded by it. */
  readonly namedPolicy?: string
  /** The witnesses that must have signed a checkpoint; undefined if none need. */
  readonly witnesses?: WitnessPolicy
}

/** The keys of a registry, as its `/.well-known/svc-keys.json` gives them. */
export type KeyList = { readonly live: TrustedKeys; readonly sandbox: TrustedKeys | undefined }

export type Witness = { readonly name: string; readonly key: NoteKey }

/** A group of witnesses and groups, by their names: so many of them must have signed. */
export type Group = {
  readonly name: string
  readonly threshold: number
  readonly members: readonly string[]
}

/** The witnesses that must have signed a checkpoint (C2SP tlog-policy). */
export type WitnessPolicy = {
  /** The keys of the logs that it is for; none if it is for any. */
  readonly logs: Draft['logs']
  readonly witnesses: readonly Witness[]
  /** Each after those that it names. */
  readonly groups: readonly Group[]
  /** The name of a witness or group; undefined if nobody must have signed. */
  readonly quorum: string | undefined
}

/** A witness, by its name in the policy, and when it signed, in seconds of 1970. */
export type SeenByWitness = { readonly name: string; readonly seconds: number }

/** A checkpoint that its log has signed, and which witnesses of a policy have. */
export type CosignedCheckpoint = {
  readonly checkpoint: Checkpoint
  readonly signed: readonly SeenByWitness[]
  /** The witnesses of the policy that have not. */
  readonly missing: readonly string[]
  /** Whether they are as many as the policy demands. */
  readonly isWitnessed: boolean
}

/** A policy as far as it was read. */
export type Draft = {
  readonly logs: (NoteKey & { readonly vkey: string })[]
  readonly witnesses: Witness[]
  readonly groups: Group[]
  /** Names that are members of a group already. */
  readonly members: Set<string>
  readonly quorums: string[]
}

/** The words of a line after its keyword; false if they are not as they must be. */
export type ReadLine = (words: readonly string[], draft: Draft) => boolean | Promise<boolean>

/** A notice on a work, as far as it is told in a line. */
export type FoundNotice = { readonly kind: string; readonly date?: string | undefined }

/** A version whose content has a hash, as `GET /api/v1/content/{sha256}` tells of it. */
export type FoundVersion = {
  readonly ark_identifier: string
  readonly version: number
  readonly latest_version: number
  readonly status: 'registered' | 'withdrawn'
  readonly work_title: string | null
  /** `YYYY-MM-DDThh:mm:ss.sssZ`; null once the metadata was erased. */
  readonly registered_at: string | null
  readonly withdrawn_at?: string
  readonly withdrawal_reason?: string
  /** The gravest first. */
  readonly notices?: readonly FoundNotice[]
}

/** What the map has of an ARK: `contradictory` if its statements do not follow each other. */
export type MapState = 'registered' | 'tombstoned' | 'contradictory'

/** What the map has of an ARK (docs/map.md). */
export type MapValue = {
  readonly state: MapState
  /** The newest version. */
  readonly version: number
  /** The leaf index of the entry that registered it. */
  readonly versionLeaf: number
  /** The leaf index of the newest statement about the ARK. */
  readonly newestLeaf: number
  /** How many statements there are about it. */
  readonly statements: number
  /** A hash over all of them, in their order. */
  readonly history: Bytes
}

/** The entry by which a log commits to its map; `covers` is its own leaf index. */
export type MapLeaf = {
  readonly origin: string
  /** How many entries, from the first on, the map is made of. */
  readonly covers: number
  /** How many ARKs it has. */
  readonly keys: number
  readonly rootHash: Bytes
}

/**
 * What proves the state of one ARK: a checkpoint, the map leaf that ends its tree, that it does,
 * and the way from the ARK to the root that it names. Nothing of it is verified.
 */
export type MapProof = {
  /** The entry as text. */
  readonly map_leaf: string
  /** Base64. */
  readonly proof: string
  /** 64 lower-case hex digits each. */
  readonly inclusion_proof: readonly string[]
  readonly checkpoint: string
}

/** A step of the verification of a map proof. */
export type NewestStep = Omit<Step, 'step'> & {
  readonly step:
    | 'form'
    | 'checkpoint'
    | 'witnesses'
    | 'map_leaf'
    | 'inclusion'
    | 'map_proof'
    | 'freshness'
    | 'receipt'
}

/** What a verifier knows and demands beside a map proof. */
export type NewestDemand = {
  /** The ARK that was asked for, in its canonical spelling. */
  readonly ark: string
  /** The time of the verifier, in milliseconds of 1970. */
  readonly nowMs: number
  /** How old the cosignatures of the quorum may be; Infinity if it does not matter. */
  readonly withinMs?: number
  /** A verified receipt of the ARK, whose place among the statements is told. */
  readonly receipt?: UnverifiedReceipt
  /** The size of the largest tree of the log that was seen before. */
  readonly treeSizeSeen?: number
}

/**
 * How an ARK, or the receipt that was given, stands: `not_yet` if the receipt is younger than the
 * map. Without a receipt an ARK that is registered is `newest`.
 */
export type Standing =
  | 'newest'
  | 'superseded'
  | 'withdrawn'
  | 'absent'
  | 'not_yet'
  | 'contradictory'

/**
 * The result of the verification of a map proof. Believe the rest only if `valid`. `as_of` is the
 * oldest time of the cosignatures that the quorum needs, null if no witnesses were demanded.
 */
export type NewestReport = {
  readonly valid: boolean
  readonly ark: string
  readonly standing: Standing | undefined
  /** The newest version; null for an ARK that there is none of. */
  readonly version: number | null
  readonly as_of: string | null
  /** How many witnesses of the policy have signed, and how many there are: not their keys. */
  readonly seen_by: { readonly signed: number; readonly of: number }
  /** The size of the tree whose map it is. */
  readonly tree_size: number | null
  readonly value: MapValue | undefined
  readonly steps: readonly NewestStep[]
}

/** What an entry states about a work, as the function of the map takes it. */
export type MapFact = {
  readonly ark: string
  readonly kind: 'registered' | 'content' | 'tombstoned'
  readonly version: number
  readonly leafIndex: number
}

/** An entry as text, and the hashes from it to the root of a tree: 32 bytes each, in base64. */
export type ProvenEntry = {
  readonly leaf_index: number
  readonly text: string
  readonly proof: string
}

/** A file that proves that a log has signed a wrong map. Nothing of it is verified. */
export type MapFraud = {
  readonly format: 'arklog-map-fraud-v1'
  readonly ark: string
  readonly checkpoint: string
  readonly map_leaf: ProvenEntry
  /** Base64; null if the map leaf alone is wrong. */
  readonly map_proof: string | null
  /** The entry that contradicts the map. */
  readonly entry: ProvenEntry | null
}

/** Whether a fraud proof proves a lie, and which, or why not. */
export type FraudVerdict = { readonly proven: boolean; readonly reason: string }
