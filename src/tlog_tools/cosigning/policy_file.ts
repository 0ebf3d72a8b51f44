import { readFileSync } from 'node:fs'

import { LogError } from '#log/tlog/errors.ts'
import {
  describeQuorum,
  isForLog,
  isVerifiable,
  parsePolicy,
  type Policy,
  type PolicyWitness,
  reachesQuorum,
} from '#log/tlog/policy.ts'
import { StartError } from '#src/keeping/data_dir/start_error.ts'

/**
 * The policy in the file that WITNESS_POLICY names. Its quorum must be within reach: witnesses
 * without an address cannot be asked. One whose key is of an unknown type does not sign either, and
 * yet refuses no start: `policyWarnings` tells of it. Errors: StartError `witness_policy_unusable`,
 * which says what is wrong and in which line.
 */
export function readPolicyFile(file: string): Policy {
  const policy = parseFile(file)
  const isMute = (witness: PolicyWitness) => isVerifiable(witness) && !hasAddress(witness)
  const names = policy.witnesses.filter((witness) => !isMute(witness)).map(({ name }) => name)
  if (!reachesQuorum(policy, new Set(names))) {
    const mute = policy.witnesses.filter(isMute).map(({ name }) => name)
    throw unusable(
      file,
      `demands ${describeQuorum(policy)}, but no address is given for ${mute.join(', ')}: write ` +
        'it after the key, as https://witness.example',
    )
  }
  return policy
}

/** A witness that has an address at which it can be asked. */
export type ReachableWitness = PolicyWitness & { readonly url: string }

/** Whether a witness has an address. */
export function hasAddress(witness: PolicyWitness): witness is ReachableWitness {
  return witness.url !== undefined
}

/**
 * Which of a registry's logs a policy is for, by their verifier keys: those that it names; the live
 * one if it names none. Errors: StartError, if it names other logs alone.
 */
export function chooseLogs<Name extends string>(
  file: string,
  policy: Policy,
  vkeys: Readonly<Record<Name | 'live', string>>,
): readonly (Name | 'live')[] {
  if (policy.logs.length === 0) return ['live']
  const names = Object.keys(vkeys) as (Name | 'live')[]
  const chosen = names.filter((name) => isForLog(policy, vkeys[name]))
  if (chosen.length > 0) return chosen
  throw unusable(file, `names none of this registry's logs: add the line \`log ${vkeys.live}\``)
}

function parseFile(file: string): Policy {
  try {
    return parsePolicy(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof LogError) throw unusable(file, `is ${error.message}`)
    throw unusable(file, `cannot be read: ${(error as Error).message}`)
  }
}

function unusable(file: string, what: string): StartError {
  return new StartError('witness_policy_unusable', `WITNESS_POLICY names ${file}, which ${what}`)
}
