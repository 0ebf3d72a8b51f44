import type { Config } from '#config/schema.ts'
import { dataFolders } from '#src/data_dir/data_dir.ts'
import { readInstance } from '#src/data_dir/instance.ts'

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
