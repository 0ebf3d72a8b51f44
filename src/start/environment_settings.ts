import { randomBytes } from 'node:crypto'
import path from 'node:path'

import type { EnvironmentName, EnvironmentOptions } from '#actors/registry/environment.ts'
import { sandboxNaan } from '#config/config.ts'
import type { Config } from '#config/schema.ts'
import type { DataFolders } from '#src/keeping/data_dir/data_dir.ts'

/** What an environment is opened with, by the thread that runs it and by those that join it. */
export type EnvironmentSettings = Pick<
  EnvironmentOptions,
  'name' | 'naan' | 'shoulder' | 'dated' | 'baseUrl' | 'origin' | 'storeDir' | 'systemMs' | 'random'
>

/** What the settings of an environment are read from; `origin` is that of its log. */
export type SettingsSources = {
  readonly config: Config
  readonly folders: DataFolders
  readonly baseUrl: string
  readonly origin: string
}

/** The settings of an environment of a configuration. */
export function environmentSettings(
  name: EnvironmentName,
  { config, folders, baseUrl, origin }: SettingsSources,
): EnvironmentSettings {
  return {
    name,
    naan: name === 'live' ? config.ARK_NAAN : sandboxNaan,
    shoulder: config.ARK_SHOULDER,
    dated: config.ARK_DATED,
    baseUrl,
    origin,
    storeDir: path.join(folders.dataDir, name),
    systemMs: Date.now,
    random: randomBytes,
  }
}
