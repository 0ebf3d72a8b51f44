import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

import type { Config } from '#config/schema.ts'
import type { Edge, EdgeDependencies } from '#src/edge/edge.ts'
import { buildEdge } from '#src/edge/server.ts'
import { registerArkRoutes } from '#src/http/arks/ark_routes.ts'
import { registerCitationRoutes } from '#src/http/arks/citation_routes.ts'
import { registerResolveRoutes } from '#src/http/arks/resolve_routes.ts'
import { registerChangeRoutes, registerDataRoutes } from '#src/http/discovery/change_routes.ts'
import {
  registerHealthRoutes,
  registerWellKnownRoutes,
} from '#src/http/discovery/well_known_routes.ts'
import { registerFeedRoutes, registerSitemapRoutes } from '#src/http/discovery/feed_routes.ts'
import { registerHarvestRoutes } from '#src/http/discovery/oai_routes.ts'
import { registerSearchRoutes } from '#src/http/discovery/search_routes.ts'
import { registerUsageRoutes } from '#src/http/discovery/usage_routes.ts'
import { registerLogRoutes } from '#src/http/log/log_routes.ts'
import { registerBulkChangeRoutes } from '#src/http/organizations/bulk_change_routes.ts'
import { registerOrganizationRoutes } from '#src/http/organizations/organization_routes.ts'
import { registerClaimRoutes } from '#src/http/people/claim_routes.ts'
import { registerItemRoutes } from '#src/http/people/item_routes.ts'
import {
  registerOwnAccountRoutes,
  registerOwnDataRoutes,
  registerOwnWorkRoutes,
} from '#src/http/people/own_account_routes.ts'
import { registerPeopleRoutes, registerTestPersonRoutes } from '#src/http/people/people_routes.ts'
import { createWriteNotices } from '#src/http/people/write_notices.ts'
import { registerReceiptRoutes } from '#src/http/receipts/receipt_routes.ts'
import { registerVerificationRoutes } from '#src/http/receipts/verification_routes.ts'
import {
  createCallAudit,
  registerAuditRoutes,
  registerSuspensionRoutes,
} from '#src/http/organizations/audit_routes.ts'
import type { LastStep } from '#src/edge/step.ts'
import {
  registerTakedownRoutes,
  registerWorkChangeRoutes,
} from '#src/http/works/work_change_routes.ts'
import { registerWebhookRoutes } from '#src/http/organizations/webhook_routes.ts'
import {
  registerDoiRoutes,
  registerFileRoutes,
  registerReadRoutes,
  registerRelatedRoutes,
} from '#src/http/works/read_routes.ts'
import { registerWorkRoutes, registerWorkTypeRoutes } from '#src/http/works/work_routes.ts'
import { registerDocsRoutes } from '#src/pages/docs/docs_routes.ts'
import { registerAssets, registerIcons } from '#src/pages/kit/assets.ts'
import { readBranding } from '#src/pages/kit/branding.ts'
import { publicErrorPages, showsErrorPage } from '#src/pages/kit/error_page.ts'
import { registerLanguageRoute } from '#src/pages/kit/language_route.ts'
import { personalizePages } from '#src/pages/kit/public_page.ts'
import { registerHomePageRoutes } from '#src/pages/public/home_page.ts'
import { registerIndexPageRoutes } from '#src/pages/public/index_page.ts'
import { registerRelatedPageRoutes } from '#src/pages/public/landing/related_works.ts'
import { registerLogPageRoutes } from '#src/pages/public/log/log_page_routes.ts'
import {
  registerOperatorPageRoutes,
  registerPolicyRoute,
  sendNaanPage,
} from '#src/pages/public/operator_pages.ts'
import { registerReportPageRoutes } from '#src/pages/public/report_page.ts'
import { registerProfilePageRoute } from '#src/pages/public/profile_page.ts'
import { registerPublisherPageRoute } from '#src/pages/public/publisher_page.ts'
import { registerSearchPageRoute } from '#src/pages/public/search_page.ts'
import { registerVerifyPageRoutes } from '#src/pages/public/verify_page.ts'
import { registerVersionComparisonRoute } from '#src/pages/public/version_comparison.ts'
import { backlogMax } from '#src/cli/start/address.ts'
import type { Listeners } from '#src/cli/start/listeners.ts'
import { listenOnSecondPort } from '#src/cli/start/ports.ts'
import { type JobRenderer, openRenderer } from '#src/cli/start/rendering/renderer.ts'
import { readersOf, registerSite } from '#src/cli/start/site.ts'
import { OwnUsage, type Usage } from '#src/operations/usage/usage.ts'
import { createLimitMemory, type LimitMemory } from '#src/edge/limits/limits.ts'
import { operatorAddress } from '#src/use_cases/operator_address.ts'
import type { RegistryEdge, RegistryParts } from '#src/use_cases/registry_edge.ts'
import { WorkExporter } from '#src/use_cases/work_export.ts'

/** What the server of a registry is given. */
export type RegistryServerDependencies = EdgeDependencies &
  RegistryParts & {
    readonly config: Config
    /** Renders long pages; by default in a thread of its own. The server closes it. */
    readonly renderer?: JobRenderer
  }

/** Builds the server of a registry. It does not listen yet; `close()` ends it within its grace. */
export function buildRegistryServer(
  dependencies: RegistryServerDependencies,
): Promise<FastifyInstance> {
  const { branding, assets } = readBranding(dependencies.config)
  const site = { ...dependencies, branding, random: randomBytes }
  const answerError = publicErrorPages(site)
  const issuer = dependencies.accounts.authUrl
  const usage = dependencies.usage ?? usageInMemory(dependencies)
  const rewriteBodies = (server: FastifyInstance) => personalizePages(server, readersOf(site))
  // The memory of the limits is large: notices are counted in the same.
  const { limitMemory = createLimitMemory(dependencies.config) } = dependencies
  const given = { ...dependencies, limitMemory }
  const noticeWrite = lastStepsOf(given)
  const own = { issuer, answerError, showsErrorPage, usage, rewriteBodies, noticeWrite }
  const parts = { ...given, ...own, countUses: usage.count }
  return buildEdge(parts, async (server, served) => {
    if (dependencies.usage === undefined) server.addHook('onClose', () => usage.close())
    const edge = { ...routesEdge(server, served), branding }
    registerAssets(server, assets)
    registerIcons(server)
    registerLanguageRoute(server, { count: edge.count, origin: new URL(edge.baseUrl).origin })
    const { live, sandbox } = edge.environments
    registerWorkRoutes(server, edge)
    registerCitationRoutes(server, edge)
    registerReadRoutes(server, edge)
    registerWorkChangeRoutes(server, edge)
    registerDoiRoutes(server, edge)
    registerRelatedRoutes(server, edge)
    registerFileRoutes(server, edge)
    registerWorkTypeRoutes(server, edge)
    registerResolveRoutes(server, edge)
    registerReceiptRoutes(server, edge)
    registerVerificationRoutes(server, edge)
    registerArkRoutes(server, { ...edge, sendNaanPage: sendNaanPage(edge) })
    registerOrganizationRoutes(server, edge)
    registerBulkChangeRoutes(server, edge)
    registerWebhookRoutes(server, edge)
    registerAdministration(server, edge)
    registerPeopleRoutes(server, edge)
    registerTestPersonRoutes(server, { ...edge, random: randomBytes })
    registerItemRoutes(server, edge)
    registerClaimRoutes(server, edge)
    registerOwnAccountRoutes(server, edge)
    registerOwnWorkRoutes(server, edge)
    registerOwnDataRoutes(server, edge)
    registerProfilePageRoute(server, edge)
    registerPublisherPageRoute(server, edge)
    registerChangeRoutes(server, edge)
    registerHarvestRoutes(server, edge)
    registerSearchRoutes(server, edge)
    registerSearchPageRoute(server, edge)
    registerReaderPages(server, edge)
    registerWellKnownRoutes(server, edge)
    registerUsageRoutes(server, { ...edge, usage })
    registerVersionComparisonRoute(server, edge)
    registerRelatedPageRoutes(server, edge)
    registerPolicyRoute(server, edge)
    registerDocsRoutes(server, { ...edge, config: served.config })
    registerFeedRoutes(server, edge)
    registerDataRoutes(server, edge)
    registerSitemapRoutes(server, edge)
    registerHealthRoutes(server, edge)
    registerLogRoutes(server, edge, { prefix: '', reader: live.log, vkey: live.vkey })
    const { log: reader, vkey } = sandbox
    registerLogRoutes(server, edge, { prefix: '/sandbox', reader, vkey })
    registerLogPageRoutes(server, edge)
    await registerSite(server, { ...edge, ownAssets: assets, random: randomBytes })
  })
}

/** Pages of the registry as a whole, and of what readers may do without an account. */
function registerReaderPages(server: FastifyInstance, edge: RegistryEdge): void {
  registerHomePageRoutes(server, edge)
  registerVerifyPageRoutes(server, edge)
  registerIndexPageRoutes(server, edge)
  registerOperatorPageRoutes(server, edge)
  registerReportPageRoutes(server, edge)
}

/** The routes that take the one-time code of an administrator. */
function registerAdministration(
  server: FastifyInstance,
  edge: Parameters<typeof registerSuspensionRoutes>[1] &
    Parameters<typeof registerTakedownRoutes>[1] &
    Parameters<typeof registerAuditRoutes>[1],
): void {
  registerSuspensionRoutes(server, edge)
  registerTakedownRoutes(server, edge)
  registerAuditRoutes(server, edge)
}

/** Tells people and the audit list of writes that are theirs to know. */
function lastStepsOf(
  dependencies: RegistryServerDependencies & { readonly limitMemory: LimitMemory },
): LastStep {
  const steps = [createWriteNotices(dependencies), createCallAudit(dependencies)]
  return (request, reply) => {
    for (const step of steps) step(request, reply)
  }
}

function usageInMemory({ nowMs, logger }: RegistryServerDependencies): Usage {
  const report = (err: unknown) => logger.error({ err }, 'uses could not be counted')
  return new OwnUsage(undefined, { nowMs, report })
}

/** What the routes are given beside what the server has: what writes works, records and pages. */
function routesEdge(
  server: FastifyInstance,
  served: Edge<RegistryServerDependencies>,
): Omit<RegistryEdge, 'branding'> {
  const renderer = openRenderer(served.renderer)
  server.addHook('onClose', () => renderer.close())
  const { baseUrl, config, environments, nowMs } = served
  const operator = { name: config.REPOSITORY_NAME, email: operatorAddress(config, baseUrl) }
  return {
    ...served,
    writeWork: (task) => renderer.render({ type: 'work', ...task, operator }),
    writeRecords: (task) => renderer.render({ type: 'records', ...task }),
    exporter: new WorkExporter({ environment: environments.live, baseUrl, nowMs }),
  }
}

/** Where a server listens: `isShared` if several threads of the process listen there. */
export type EdgePlace = {
  readonly host: string
  readonly port: number
  readonly isShared: boolean
}

/** Serves a registry at PORT, and at AUTH_PORT if there is one, until `listeners` are closed. */
export async function serveEdge(
  dependencies: RegistryServerDependencies,
  { host, port, isShared: reusePort }: EdgePlace,
  listeners: Listeners,
): Promise<void> {
  const { config, logger } = dependencies
  const server = await buildRegistryServer(dependencies)
  listeners.open().defer(() => server.close())
  await server.listen({ host, port, backlog: backlogMax, ...(reusePort && { reusePort }) })
  const { AUTH_PORT, SHUTDOWN_GRACE_MS: graceMs } = config
  if (AUTH_PORT === 'off') return
  const second = { host, port: AUTH_PORT, reusePort, graceMs, logger }
  await listenOnSecondPort(server, second, listeners.open())
}
