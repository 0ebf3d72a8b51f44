import type { Page, Request } from 'playwright-core'

/**
 * Notes what a page does that none of ours may: errors on the console, breaches of its policy, and
 * requests to any origin but these. What has failed to load counts unless it is the page itself,
 * whose status says what its person reads.
 */
export async function watch(page: Page, origins: readonly string[]): Promise<readonly string[]> {
  const faults: string[] = []
  const note = (fault: string) => void faults.push(`${page.url()}: ${fault}`)
  page.on('console', (message) => {
    const isAboutLoading = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isAboutLoading) note(message.text())
  })
  page.on('pageerror', (error) => note(error.message))
  page.on('request', (request) => {
    const { origin } = new URL(request.url())
    if (!origins.includes(origin)) note(`a request to ${origin}`)
  })
  page.on('requestfailed', (request) => {
    // Who goes on to another page, or to a download, ends what was being loaded.
    const isEnded = request.failure()?.errorText === 'net::ERR_ABORTED'
    if (!isEnded) note(`${request.url()} was not loaded`)
  })
  page.on('response', (response) => {
    const isWrong = response.status() >= 400 && !isPageItself(response.request())
    if (isWrong) note(`${response.url()}: ${response.status()}`)
  })
  await page.exposeFunction('noteBreach', note)
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      globalThis.noteBreach(`${violatedDirective} breached by ${blockedURI}`)
    })
  })
  return faults
}

function isPageItself(request: Request): boolean {
  return request.isNavigationRequest()
}

declare global {
  // What is exposed to the page.
  var noteBreach: (fault: string) => void
}
