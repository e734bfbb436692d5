import { FACTORS } from '#domain/rules/factors.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { checkRequestOrigin, type MatchOptions } from '../request-origin.ts';
import { derivedId } from '#provider/base/security/derived-id.ts';
import { takeForCaller } from '#provider/base/security/limits.ts';
import { checkLinkVerifier } from '../pkce-check.ts';
import type { LoginServices, Services, SessionServices } from '../services.ts';
import type { Caller } from '../sessions/reading/current.ts';
import type { LoginCompletion } from '../sessions/login/log-in.ts';
import { logInByMessage, type VerifiedLogin } from '../sessions/login/message-login.ts';
import { addedId } from '../users/contact-changes.ts';
import { comeIn } from '../users/coming-in.ts';
import { lockUser } from '../users/lock.ts';
import { findLink, redeemLink, type Link } from './store.ts';

interface RedeemLinkInput<R> {
  readonly token: string;
  readonly code_verifier: string | undefined;
  readonly options?: MatchOptions | undefined;
  readonly caller: Caller;
  readonly enter: LoginCompletion<R>;
}

/**
 * Logs in the user of the link. This includes the link of a password reset ('Login without a password'), which is spent and leaves the
 * password unchanged.
 */
export async function openLink<R>(services: LoginServices, opening: RedeemLinkInput<R>): Promise<VerifiedLogin<R>> {
  const { token, code_verifier, options, caller } = opening;
  const link = await findLink(services, token, 'login', 'invite', 'embedded', 'reset_password');
  if (link === undefined) {
    await takeForCaller(services, 'failure', caller, services.limits.failuresPerNetwork);
    throw new Refusal('unable_to_auth_magic_link');
  }
  caller.trail.about = link.user_id;
  checkLinkVerifier(services, link, code_verifier);
  checkRequestOrigin(services, link, caller, options);
  const isEmbedded = link.purpose === 'embedded';
  const done = await (isEmbedded ? openEmbedded(services, link, opening) : openMailed(services, link, opening));
  if (done === undefined) throw new Refusal('unable_to_auth_magic_link');
  return done;
}

async function openMailed<R>(services: SessionServices, link: Link, { caller, enter }: RedeemLinkInput<R>) {
  const { email_id, adds_to, address } = link;
  const added = addedId(services, adds_to ?? '', { kind: 'email', value: address ?? '' });
  return logInByMessage(services, {
    kind: 'email',
    method_id: email_id ?? added,
    message: link,
    spend: (tx) => redeemLink(tx, link),
    factorOf: FACTORS.magicLink,
    caller,
    enter,
  });
}

/** Logs in the user of a link that the app's own server delivered itself. It verifies no address. */
async function openEmbedded<R>(
  services: Pick<Services, 'db' | 'keys' | 'project'>,
  link: Link,
  { caller, enter }: RedeemLinkInput<R>,
): Promise<VerifiedLogin<R> | undefined> {
  const { db, keys } = services;
  return transaction(db, async (tx) => {
    const user = await lockUser(tx, link.user_id ?? '');
    if (user === undefined || !(await redeemLink(tx, link))) return undefined;
    await comeIn(services, tx, user);
    const method_id = derivedId(keys.codeKey, 'embedded-magic-link', user.user_id, link.token_hash);
    const session = await caller.session.findIn(tx);
    const reply = await enter(tx, { user, factor: FACTORS.embedded(method_id), presented: session });
    return { reply, method_id, reset_sessions: false };
  });
}
