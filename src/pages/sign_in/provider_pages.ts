import { html, trustedHtml } from '#src/pages/kit/html.ts'
import type { ProviderPages } from '#src/identity/oauth/provider_configuration.ts'
import { goingOnPage } from '#src/pages/sign_in/consent_page.ts'
import {
  type AccountFrame,
  type AccountPage,
  renderAccountPage,
  writePage,
} from '#src/pages/kit/account_frame.ts'

/** What went wrong, for errors that a person can do something about. */
const advice: Readonly<Record<string, string>> = {
  invalid_client: 'The application is not known here, or was withdrawn.',
  invalid_redirect_uri: 'The application asked to have you sent to an address that is not its own.',
  server_error: 'It is our fault, and was noted.',
  temporarily_unavailable: 'Try again after a moment.',
}

/** The pages that the identity provider itself sends, in the frame of all others. */
export function providerPages(frame: Omit<AccountFrame, 'csrf' | 'reader'>): ProviderPages {
  const whole: AccountFrame = { ...frame, csrf: '', reader: undefined }
  const render = (page: AccountPage) => renderAccountPage(writePage(page), whole).text
  return {
    error(error, description) {
      return render({
        title: 'This did not work',
        lead: advice[error] ?? 'Go back to the application, and begin again there.',
        content: html`<p class="hint">For who runs the application: <code>${error}</code>
${description === undefined ? '' : `: ${description}`}</p>`,
      })
    },
    signOut(form) {
      return render({
        title: 'Sign out?',
        lead: 'An application asks to have you signed out here.',
        content: html`<div class="card">${trustedHtml(form)}
<div class="buttons">
<button class="button" type="submit" form="op.logoutForm" name="logout" value="yes">
Sign out</button>
<button class="button button-quiet" type="submit" form="op.logoutForm">Stay signed in</button>
</div></div>`,
      })
    },
    signedOut() {
      return render({
        title: 'You are signed out',
        lead: 'You can close this page.',
      })
    },
    goOn: (url) => render(goingOnPage(url)),
  }
}
