import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html } from '#src/pages/kit/html.ts'
import type { AccountContext } from '#src/pages/account/context.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import { emptyForm, field, formCard, type FormState } from '#src/pages/kit/form_field.ts'
import type { MemberVisit } from '#src/pages/kit/pages.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

const path = '/account/delete'
const goodbye = '/account-deleted'

/** Adds the pages on which a person deletes their account. */
export function addDeletionPages(context: AccountContext): void {
  const { fresh, open, prefix } = context.pages
  fresh.get(path, (visit) => deletionPage(context, visit, emptyForm))

  fresh.post(
    path,
    async (visit, body) => {
      const { account } = visit
      await context.pages.countAccount('sign_in_account', visit, account.email ?? account.ppid)
      const fault = await whyNot(context, visit, body)
      if (fault !== undefined) {
        return deletionPage(context, visit, { values: new Map(), faults: [fault] })
      }
      await context.service.accounts.remove(account.ppid)
      await context.pages.signOut(visit)
      return { redirect: goodbye }
    },
    { limit: 'sign_in' },
  )

  open.get(goodbye, () => ({
    title: 'Your account is deleted',
    lead: html`What was personal is erased. Works that you registered stay, and so do their
proofs, without your name on them beyond what their authors say.`,
    content: html`<p><a href="${prefix}/sign-in">Sign in with another account</a></p>`,
  }))
}

/** What keeps an account from being deleted: the password, or without one the identifier. */
async function whyNot(
  { service }: AccountContext,
  { account, from }: MemberVisit,
  body: FormBody,
): Promise<FieldFault | undefined> {
  const { ppid, email, password } = account
  if (password === null || email === null) {
    if (textOf(body, 'ppid').trim() === ppid) return undefined
    return { field: 'ppid', code: 'wrong', message: 'This is not your identifier.' }
  }
  if (await service.accounts.hasPassword(ppid, textOf(body, 'password'), from)) return undefined
  return { field: 'password', code: 'wrong', message: 'This is not your password.' }
}

function deletionPage(context: AccountContext, visit: MemberVisit, state: FormState): AccountPage {
  const { prefix } = context.pages
  const { account, csrf } = visit
  const hasPassword = account.password !== null && account.email !== null
  const proof = hasPassword
    ? field(
        {
          name: 'password',
          label: 'Your password',
          type: 'password',
          required: true,
          autocomplete: 'current-password',
        },
        state,
      )
    : field(
        {
          name: 'ppid',
          label: 'Your identifier',
          hint: `Type ${account.ppid} to show that you mean it.`,
          required: true,
        },
        state,
      )
  const fields = html`<p>It is erased for good, and at once:</p>
<ul><li>your profile, affiliations and education, and who wrote them</li>
<li>your e-mail address, password, keys, and what you permitted to applications</li></ul>
<p>It stays: the works, their ARKs and their proofs, and that somebody without a name had this
identifier. You may want to <a href="${prefix}/account/export">download what is held of you</a>
first.</p>
${proof}`
  return {
    title: 'Delete my account',
    current: '/account/security',
    state,
    content: formCard({
      action: prefix + path,
      csrf,
      fields,
      submit: 'Delete my account for good',
      beside: html`<a href="${prefix}/account/security">Keep it</a>`,
      danger: true,
    }),
  }
}
