import type { Command } from 'commander'

import { closeAtEnd } from '#src/cli/closing.ts'
import { addCommand, print } from '#src/cli/program.ts'
import { CountBar, StartLines } from '#src/cli/progress.ts'
import {
  adapterBannerJson,
  bannerJson,
  formatAdapterBanner,
  formatBanner,
  formatLogBanner,
  logBannerJson,
} from '#src/cli/start/banner.ts'

type ServeOptions = { readonly json: boolean; readonly logOnly: boolean }

/** Adds `serve`, which runs the registry, or a bare log, until it is told to stop. */
export function defineServe(program: Command): void {
  addCommand(program, 'serve', 'run the registry')
    .option('--log-only', 'run a bare transparency log on a data directory of its own', false)
    .action(serve)
}

async function serve({ json, logOnly }: ServeOptions): Promise<void> {
  using lines = new StartLines(logOnly ? "Arklog's bare log" : 'Arklog', json)
  const { step: onStep } = lines
  // Whatever takes long to load is loaded after the first line.
  const { readConfig } = await import('#config/config.ts')
  const config = readConfig(process.env)
  lines.setLevel(config.LOG_LEVEL)
  if (logOnly) {
    const { openLogService } = await import('#src/cli/start/log_service.ts')
    const log = await openLogService(config, onStep)
    closeAtEnd(config.SHUTDOWN_GRACE_MS, () => log.close())
    print({ json }, logBannerJson(log.facts), formatLogBanner(log.facts))
  } else {
    const { openService } = await import('#src/cli/start/registry_service.ts')
    const registry = await openService(config, { listen: true, onStep })
    closeAtEnd(config.SHUTDOWN_GRACE_MS, () => registry.close())
    print({ json }, bannerJson(registry.facts), formatBanner(registry.facts))
  }
}

const notes = `
Set it up in the environment, or in the JSON file that CONFIG_FILE names. SVC_URL, SVC_API_KEY,
REPOSITORY_NAME, ADMIN_EMAIL and BASE_URL are required. docs/harvesting.md lists all settings.`

/** Adds `oai`, which runs the OAI-PMH adapter of a registry until it is told to stop. */
export function defineOai(program: Command): void {
  addCommand(program, 'oai', 'run the OAI-PMH adapter of a registry, here or elsewhere')
    .addHelpText('after', notes)
    .action(serveHarvesters)
}

async function serveHarvesters({ json }: { readonly json: boolean }): Promise<void> {
  using lines = new StartLines('The adapter', json)
  // Whatever takes long to load is loaded after the first line.
  const { readAdapterConfig } = await import('#config/oai_adapter.ts')
  const config = readAdapterConfig(process.env)
  lines.setLevel(config.LOG_LEVEL)
  const { openAdapter } = await import('#src/cli/start/adapter_service.ts')
  const bar = new CountBar()
  let isCopying = true
  const onProgress = (next: number, end: number) => {
    if (isCopying) bar.show('changes', next, end)
    if (next < end || !isCopying) return
    isCopying = false
    bar.stop()
  }
  const adapter = await openAdapter(config, { onStep: lines.step, onProgress })
  closeAtEnd(config.SHUTDOWN_GRACE_MS, async () => {
    bar.stop()
    await adapter.close()
  })
  print({ json }, adapterBannerJson(adapter.facts), formatAdapterBanner(adapter.facts))
}
