import { type Agent, isPerson, type Owner } from '#actors/values/agent.ts'
import { type Action, may } from '#actors/values/authority.ts'
import { HttpError } from '#src/errors.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import { endSecondStep, resetUrl } from '#src/use_cases/account_service.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'

/** One thing that an administrator can do to the account of somebody else. */
export type AccountStep = {
  /** The last part of its address, and the word by which the next page says that it is done. */
  readonly word: string
  /** What its button says. */
  readonly name: string
  /** What will happen, as it is told before. */
  readonly effect: string
  /** What has happened, as it is told afterwards. */
  readonly done: string
  readonly danger?: boolean
  /** Whether the identifier is typed again, because nothing brings the account back. */
  readonly demandsPpid?: boolean
  /** Whether the step can be done to the account as it stands, by somebody who may. */
  isOpen(context: OrganizationContext, by: Agent, account: Account): boolean
  /** What it gives is shown once, to be handed on. */
  carryOut(context: OrganizationContext, account: Account, by: Agent): Promise<string | void>
}

/**
 * All of them. None is open to one's own account: a slip would shut out who could mend it, and so
 * the last administrator cannot go.
 */
export const accountSteps: readonly AccountStep[] = [
  {
    word: 'end-sessions',
    name: 'Sign them out everywhere',
    effect: 'Every browser of theirs is signed out. Keys and permissions go on working.',
    done: 'They are signed out everywhere.',
    isOpen: ({ service }, by, account) =>
      mayDo(by, 'administer', account) && service.sessions.list(account.ppid).length > 0,
    carryOut: ({ service }, { ppid }, by) => service.accounts.endSessions(ppid, ownerOf(by)),
  },
  {
    word: 'end-second-step',
    name: 'End their second step',
    effect:
      'For somebody who has lost devices and recovery codes: their app and passkeys end, their ' +
      'password alone signs them in, ' +
      'every browser of theirs is signed out, and they are told by mail. Make sure that it is ' +
      'they who ask.',
    done: 'The second step has ended, and they are told.',
    danger: true,
    isOpen: ({ service }, by, account) =>
      mayDo(by, 'administer', account) && service.secondFactors.find(account.ppid) !== undefined,
    async carryOut({ service }, account, by) {
      await endSecondStep(service, account, ownerOf(by))
    },
  },
  {
    word: 'mail-reset-link',
    name: 'Send them a reset link',
    effect:
      'They are sent a link by mail, to the address of the account, with which they choose a new ' +
      'password within an hour.',
    done: 'The link is on its way to them.',
    isOpen: ({ service }, by, account) =>
      service.mail.isOn && account.email !== null && mayDo(by, 'administer', account),
    carryOut({ service }, account) {
      service.mail.sendReset(account)
      return Promise.resolve()
    },
  },
  {
    word: 'reset-link',
    name: 'Make a reset link',
    effect:
      'You are shown a link, once, with which they choose a new password within an hour. Whoever ' +
      'has it signs in as they do: make sure that it is they who ask, and hand it to nobody else.',
    done: 'The link is made: it is shown only now.',
    danger: true,
    isOpen: (_context, by, account) => mayDo(by, 'administer', account),
    async carryOut({ service }, { ppid }, by) {
      return (await resetUrl(service, ppid, ownerOf(by))).url
    },
  },
  {
    word: 'make-administrator',
    name: 'Make them an administrator',
    effect: 'They may do what you may, to every account and organization.',
    done: 'They are an administrator.',
    isOpen: (_context, by, account) =>
      mayDo(by, 'administer', account) && !account.roles.includes('admin'),
    async carryOut({ service }, { ppid }, by) {
      await service.accounts.setAdmin(ppid, true, ownerOf(by))
    },
  },
  {
    word: 'end-administrator',
    name: 'Take their rights as administrator',
    effect: 'They keep their account, and are no administrator any more, at once.',
    done: 'They are no administrator any more.',
    danger: true,
    isOpen: (_context, by, account) =>
      mayDo(by, 'administer', account) && account.roles.includes('admin'),
    async carryOut({ service }, { ppid }, by) {
      await service.accounts.setAdmin(ppid, false, ownerOf(by))
    },
  },
  {
    word: 'remove',
    name: 'Delete their account for good',
    effect:
      'The account and all that is personal is erased, at once and for good: profile, items, ' +
      'keys, permissions. Works that they have registered stay, with their proofs.',
    done: 'The account is deleted, and the person is erased.',
    danger: true,
    demandsPpid: true,
    isOpen: (_context, by, account) => mayDo(by, 'erase', account),
    carryOut: ({ service }, { ppid }) => service.accounts.remove(ppid),
  },
]

/**
 * The step that a word names. HttpError `not_found` if there is none, `conflict` if the account
 * does not stand so that it can be done.
 */
export function demandStep(
  context: OrganizationContext,
  by: Agent,
  account: Account,
  word: string | undefined,
): AccountStep {
  const step = accountSteps.find((each) => each.word === word)
  if (step === undefined) throw new HttpError('not_found', 'There is no such page')
  if (step.isOpen(context, by, account)) return step
  throw new HttpError('conflict', 'This cannot be done to the account as it is now')
}

function mayDo(by: Agent, action: Action<'person'>, { ppid }: Account): boolean {
  return !isPerson(by, ppid) && may(by, 'person', action, { ppid })
}

/** The administrator as audit lists name them. */
export function ownerOf({ type, id, name }: Agent): Owner {
  return { type, id, name }
}
