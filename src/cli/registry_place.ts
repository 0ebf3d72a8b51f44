import type { Config } from '#config/schema.ts'
import { dataFolders } from '#src/keeping/data_dir/data_dir.ts'
import { readInstance } from '#src/keeping/data_dir/instance.ts'
import { UnusableError } from '#src/cli/program.ts'

/** Where the registry of a configuration lies. */
export type RegistryPlace = {
  readonly data_dir: string
  /** Origin of its live log; null if the folder holds no registry yet. */
  readonly origin: string | null
}

/** Where the registry of a command lies, without opening it. StartError if it is unreadable. */
export async function registryPlace(config: Config): Promise<RegistryPlace> {
  const { dataDir } = dataFolders(config)
  const instance = await readInstance(dataDir)
  const origin = instance?.kind === 'registry' ? instance.logs['live']?.origin : undefined
  return { data_dir: dataDir, origin: origin ?? null }
}

/** UnusableError if the folder of a configuration holds nothing that a command could be for. */
export async function refuseEmptyFolder(config: Config): Promise<void> {
  const { dataDir } = dataFolders(config)
  if ((await readInstance(dataDir)) !== undefined) return
  throw new UnusableError(
    `${dataDir} holds no registry. Set DATA_DIR to the folder of one, or begin one there with ` +
      '"arklog serve".',
  )
}
