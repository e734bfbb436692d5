import { FACTORS } from '../../../../src/domain/rules/factors.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import type { Db } from '../../base/db/database.ts';
import { transaction } from '../../base/db/transaction.ts';
import { checkRequestOrigin, type MatchOptions } from '../request-origin.ts';
import { derivedId } from '../../base/security/derived-id.ts';
import { takeForCaller } from '../../base/security/limits.ts';
import { checkLinkVerifier } from '../pkce-check.ts';
import type { Services } from '../services.ts';
import { holdProvenSession, type Caller, type CurrentSession } from '../sessions/current.ts';
import { logInByEmail, type LoginCompletion, type VerifiedLogin } from '../sessions/log-in.ts';
import { vouchedFor } from '../sessions/additions.ts';
import { lockUser } from '../users/lock.ts';
import { activate, addressOf, attachEmail } from '../users/store.ts';
import { findLink, redeemLink, type Link } from './store.ts';

interface RedeemLinkInput<R> {
  readonly token: string;
  readonly code_verifier: string | undefined;
  readonly options?: MatchOptions | undefined;
  readonly caller: Caller;
  readonly enter: LoginCompletion<R>;
}

interface RedeemedLink<R> extends VerifiedLogin<R> {
  readonly method_id: string;
}

/**
 * Logs in the user of the link. The link of a reset logs in, too, and leaves the password as it is ('Login without a password');
 * it is spent either way.
 */
export async function openLink<R>(services: Services, opening: RedeemLinkInput<R>): Promise<RedeemedLink<R>> {
  const { token, code_verifier, options, caller, enter } = opening;
  const link = await findLink(services, token, 'login', 'invite', 'embedded', 'reset_password');
  if (link === undefined) {
    await takeForCaller(services, 'failure', caller, services.limits.failuresPerNetwork);
    throw new Refusal('unable_to_auth_magic_link');
  }
  caller.trail.about = link.user_id;
  checkLinkVerifier(services, link, code_verifier);
  checkRequestOrigin(services, link, caller, options);
  const current = link.adds_to !== null && link.needs_session ? await caller.session.require() : null;
  const done = await transaction(services.db, (tx) => redeem(services, tx, { link, caller, current, enter }));
  if (done === undefined) throw new Refusal('unable_to_auth_magic_link');
  return done;
}

interface LinkRedemption<R> {
  readonly link: Link;
  readonly caller: Caller;
  /** The session that a link which adds an address must be opened in; null for any other link. */
  readonly current: CurrentSession | null;
  readonly enter: LoginCompletion<R>;
}

/**
 * Spends the link and logs in its user. Undefined when the link was spent or the address removed in the meantime.
 */
async function redeem<R>(
  services: Services,
  tx: Db,
  redeeming: LinkRedemption<R>,
): Promise<RedeemedLink<R> | undefined> {
  const { link, caller, enter } = redeeming;
  const { email_id, adds_to, address, purpose, user_id } = link;
  if (adds_to !== null && address !== null) return add(services, tx, { ...redeeming, adds_to, address });
  if (purpose === 'embedded') {
    const user = await lockUser(tx, user_id ?? '');
    if (user === undefined || !(await redeemLink(tx, link))) return undefined;
    await activate(tx, user.user_id);
    const method_id = derivedId(services.keys.codeKey, 'embedded-magic-link', user.user_id, link.token_hash);
    const presented = await caller.session.findIn(tx);
    const reply = await enter(tx, { user, factor: FACTORS.embedded(method_id), presented });
    return { reply, method_id, reset_sessions: false };
  }
  if (email_id === null) return undefined;
  const spend = () => redeemLink(tx, link);
  const done = await logInByEmail(tx, { email_id, spend, type: 'magic_link', caller, enter });
  return done === undefined ? undefined : { ...done, method_id: email_id };
}

/**
 * Adds the address of the link to its user. The link must be opened in a session of the user who asked, else a stranger who
 * opens it would give away their address; only the app's own server may vouch for the user instead.
 */
async function add<R>(
  services: Services,
  tx: Db,
  {
    link,
    current,
    caller,
    enter,
    adds_to,
    address,
  }: LinkRedemption<R> & { readonly adds_to: string; readonly address: string },
): Promise<RedeemedLink<R> | undefined> {
  const held =
    current === null ? await vouchedFor(tx, adds_to, caller) : await holdProvenSession(services, tx, current);
  if (held?.user.user_id !== adds_to || !(await redeemLink(tx, link))) return undefined;
  const { user, session } = held;
  const recipient = { user_id: adds_to, needs_session: link.needs_session };
  const { method_id: id } = await addressOf(services, tx, recipient, address);
  const { added: email, first } = await attachEmail(services, tx, held, { id, address });
  const factor = FACTORS.email('magic_link', email);
  const reply = await enter(tx, { user, factor, presented: session ?? undefined });
  return { reply, method_id: email.email_id, reset_sessions: first };
}
