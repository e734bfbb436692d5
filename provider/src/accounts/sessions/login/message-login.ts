import { isPhoneMethod } from '#domain/contacts/phone-method.ts';
import type { Contact, ContactKind } from '#server-rules/contacts.ts';
import type { NewFactor } from '#domain/rules/factors.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { Services } from '../../services.ts';
import { attachContact, confirmContact } from '../../users/contact-changes.ts';
import { lockContact } from '../../users/contacts.ts';
import { checkWelcome } from '../../users/newcomers.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { vouchedFor } from './additions.ts';
import { holdOwner, holdSession, requireFor, type StepOwner } from '../reading/admission.ts';
import type { Caller } from '../reading/current.ts';
import type { LoginCompletion } from './log-in.ts';
import type { PresentedStep } from '../reading/step.ts';

/** An opened link or an entered passcode. */
export interface MessageLogin<R> {
  readonly kind: ContactKind;
  /** The id of the contact that it was sent to, or the id that the contact gets when it is added. */
  readonly method_id: string;
  readonly message: {
    /** The user who gets the contact; null if it logs in the contact's user. */
    readonly adds_to: string | null;
    /** The contact that is added. */
    readonly address: string | null;
    /** Whether an addition must be completed in a session of the user. */
    readonly needs_session: boolean;
  };
  /** Spends it. False if it was spent meanwhile. */
  readonly spend: (tx: Db) => Promise<boolean>;
  readonly factorOf: (contact: Contact) => NewFactor;
  readonly caller: Caller;
  readonly enter: LoginCompletion<R>;
}

/** The result of a flow that verified a contact. */
export interface VerifiedLogin<R> {
  readonly reply: R;
  /** The id of the contact. */
  readonly method_id: string;
  /** Whether this was the first verification, which ended the other sessions of the user. */
  readonly reset_sessions: boolean;
}

/**
 * Spends a link or passcode, and logs in the user of its contact or adds the contact to its user. Undefined if meanwhile it was spent, or
 * the contact or user was removed.
 */
export async function logInByMessage<R>(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'project'>,
  login: MessageLogin<R>,
): Promise<VerifiedLogin<R> | undefined> {
  const { adds_to, address, needs_session } = login.message;
  if (adds_to === null || address === null)
    return transaction(services.db, (tx) => logInToContact(services, tx, login));
  const owner = needs_session ? await requireFor(services, 'adds', login.caller) : null;
  const addition = { adds_to, value: address, owner };
  return transaction(services.db, (tx) => addToUser(services, tx, login, addition));
}

async function logInToContact<R>(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  { kind, method_id, spend, factorOf, caller, enter }: MessageLogin<R>,
): Promise<VerifiedLogin<R> | undefined> {
  const found = await lockContact(tx, kind, method_id);
  if (found === undefined) return undefined;
  // Before it is spent: an invitation counts while its link waits.
  await checkWelcome(services, tx, found.contact);
  if (!(await spend(tx))) return undefined;
  const session = await caller.session.findIn(tx);
  // A login, even if the browser has a session: somebody else may have left theirs there.
  const contact = await confirmContact(services, tx, found);
  const reply = await enter(tx, { user: found.user, factor: factorOf(contact), presented: session });
  return { reply, method_id, reset_sessions: !found.contact.verified };
}

interface ContactAddition {
  readonly adds_to: string;
  readonly value: string;
  /** The session, or the login that lacks a factor, that must complete it; null if the app's own server vouches. */
  readonly owner: StepOwner | null;
}

/**
 * Adds the contact to its user. The link must be opened, or the code entered, in a session of the user who requested it. Otherwise a person
 * could be tricked into giving away their contact. Only the app's own server may vouch for the user instead.
 */
async function addToUser<R>(
  services: Pick<Services, 'clock' | 'random' | 'project'>,
  tx: Db,
  { kind, method_id, spend, factorOf, caller, enter }: MessageLogin<R>,
  { adds_to, value, owner }: ContactAddition,
): Promise<VerifiedLogin<R> | undefined> {
  const target =
    owner === null
      ? await vouchedFor(tx, adds_to, caller)
      : owner.step === undefined
        ? await holdSession(services, tx, owner.session)
        : await holdEnrolment(services, tx, kind, owner);
  if (target?.user.user_id !== adds_to || !(await spend(tx))) return undefined;
  const { contact, first } = await attachContact(services, tx, target, { kind, value, method_id });
  const { user, session } = target;
  const current = session !== null && 'generation' in session ? session : undefined;
  const reply = await enter(tx, { user, factor: factorOf(contact), presented: current });
  return { reply, method_id: contact.method_id, reset_sessions: first };
}

/** The login that a new number completes. The number belongs to the session that begins then. */
async function holdEnrolment(
  services: Pick<Services, 'clock' | 'project'>,
  tx: Db,
  kind: ContactKind,
  owner: Extract<StepOwner, { readonly step: PresentedStep }>,
) {
  const { row, mfa } = owner.step;
  const isListed = mfa.enrol.some(isPhoneMethod);
  if (kind !== 'phone' || !isListed) throw new Refusal('mfa_factor_not_allowed');
  const { user } = await holdOwner(services, tx, owner);
  const { user_id, factors: authentication_factors } = row;
  const session = {
    session_id: row.session_id ?? row.new_session_id,
    user_id,
    authentication_factors,
    family_id: null,
  };
  return { user, session };
}
