import { CodedError } from '#log/tlog/errors.ts'

/** Every way in which a cluster refuses to be set up, or fails. */
export type ClusterErrorCode =
  | 'cluster_url_malformed'
  | 'cluster_credentials_malformed'
  | 'engine_unreachable'
  | 'engine_refused'
  | 'engine_unsafe'
  | 'engine_failed'
  | 'node_name_taken'
  | 'node_not_running'
  | 'node_unconnected'
  | 'node_last'
  | 'cluster_begun'
  | 'invitation_malformed'
  | 'invitation_expired'
  | 'invitation_used'
  | 'invitation_unknown'
  | 'invitation_unanswered'
  | 'invitations_exhausted'
  | 'snapshot_malformed'
  | 'snapshot_foreign'
  | 'snapshot_failed'

/** A fault of the cluster or its engine. `message` says what was found and what to do. */
export class ClusterError extends CodedError<ClusterErrorCode> {
  override readonly name: string = 'ClusterError'
}
