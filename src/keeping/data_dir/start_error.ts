import { CodedError } from '#log/tlog/errors.ts'

/** Every way in which the program refuses to start or a command refuses to run. */
export type StartErrorCode =
  | 'data_dir_unusable'
  | 'data_dir_held'
  | 'backup_held'
  | 'data_dir_exposed'
  | 'instance_missing'
  | 'instance_malformed'
  | 'instance_kind'
  | 'instance_origin'
  | 'copy_unfinished'
  | 'copy_folder_taken'
  | 'clock_wrong'
  | 'cluster_left'
  | 'witness_unnamed'
  | 'secret_missing'
  | 'secret_exposed'
  | 'secret_malformed'
  | 'key_file_malformed'
  | 'key_file_changed'
  | 'key_file_contested'
  | 'port_taken'
  | 'port_refused'
  | 'search_key_unreadable'
  | 'witness_policy_unusable'
  | 'organization_unknown'

/** The program cannot start as it is set up. `message` says what was found and what to do. */
export class StartError extends CodedError<StartErrorCode> {
  override readonly name: string = 'StartError'
}
