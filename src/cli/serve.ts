import type { Command } from 'commander'
import { closeAtEnd } from '#src/cli/closing.ts'
import { addCommand, print } from '#src/cli/program.ts'
import { StartLines } from '#src/cli/start_lines.ts'
import { bannerJson, formatBanner, formatLogBanner, logBannerJson } from '#src/start/banner.ts'

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
    const { openLogService } = await import('#src/start/log_service.ts')
    const log = await openLogService(config, onStep)
    closeAtEnd(config.SHUTDOWN_GRACE_MS, () => log.close())
    print({ json }, logBannerJson(log.facts), formatLogBanner(log.facts))
  } else {
    const { openService } = await import('#src/start/registry_service.ts')
    const registry = await openService(config, { listen: true, onStep })
    closeAtEnd(config.SHUTDOWN_GRACE_MS, () => registry.close())
    print({ json }, bannerJson(registry.facts), formatBanner(registry.facts))
  }
}
