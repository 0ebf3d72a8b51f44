import { readFile } from 'node:fs/promises'

import { KeyListError, parseKeyList, type TrustedKeys } from '#src/verify/key_list.ts'

/**
 * The live keys of a saved key file, or those of its sandbox. Throws KeyListError, and system
 * errors if the file cannot be read.
 */
export async function readKeyFile(file: string, sandbox: boolean): Promise<TrustedKeys> {
  const { live, sandbox: sandboxKeys } = parseKeyList(await readFile(file, 'utf8'))
  if (!sandbox) return live
  if (sandboxKeys !== undefined) return sandboxKeys
  throw new KeyListError('it has no keys of a sandbox')
}
