import closeWithGrace from 'close-with-grace'
import type { Command } from 'commander'
import { readConfig } from '#config/config.ts'
import { bannerJson, formatBanner } from '#src/start/banner.ts'
import { addCommand, print } from '#src/cli/program.ts'
import type { Service } from '#src/start/registry_service.ts'

type ServeOptions = { readonly json: boolean; readonly logOnly: boolean }

/** How long the actors and stores may take to close once the last request has had its time. */
const closeStoresMs = 5_000

/** Adds `serve`, which runs the registry, or a bare log, until it is told to stop. */
export function defineServe(program: Command): void {
  addCommand(program, 'serve', 'run the registry')
    .option('--log-only', 'run a bare transparency log on a data directory of its own', false)
    .action(serve)
}

async function serve({ json, logOnly }: ServeOptions): Promise<void> {
  const config = readConfig(process.env)
  // Loaded here because no other command needs the server.
  const running: Service = logOnly
    ? await (await import('#src/start/log_service.ts')).openLogService(config)
    : await (await import('#src/start/registry_service.ts')).openService(config, { listen: true })
  // A fault that nothing caught ends the process with code 1, a signal with 0.
  const delay = config.SHUTDOWN_GRACE_MS + closeStoresMs
  closeWithGrace({ delay }, async ({ err }) => {
    if (err !== undefined) process.stderr.write(`${err.stack ?? err.message}\n`)
    await running.close()
  })
  print({ json }, bannerJson(running.facts), formatBanner(running.facts))
}
