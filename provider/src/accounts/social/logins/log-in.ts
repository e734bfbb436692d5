import { TWO_FACTORS } from '#domain/rules/authentication-methods.ts';
import { FACTORS, type NewFactor } from '#domain/rules/factors.ts';
import { isTwofoldAt } from '#server-rules/mfa-policy.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { Attachee } from '#server-rules/social-attach.ts';
import type { Session } from '#domain/sessions/session.ts';
import type { Db } from '#provider/base/db/database.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { takeForNetwork } from '#provider/base/security/limits.ts';
import { checkVerifier } from '../../pkce-check.ts';
import type { LoginServices, Services, SessionServices } from '../../services.ts';
import type { Caller } from '../../sessions/reading/current.ts';
import type { ProofLogin } from '../../sessions/login/entering.ts';
import { mfaRulesOf } from '../../sessions/factors/policy.ts';
import { findOrCreateOwner } from './account-owners.ts';
import { attachingSession, attachRegistration, lockAttachee } from './attaching.ts';
import { findOAuthToken, redeemOAuthToken, type FoundToken } from './oauth-tokens.ts';
import { keepInSession, keepInStep, pendingAccount } from '../../social-accounts/pending.ts';
import { findVerifiedAddress, keepRefreshToken, type SocialIdentity } from '../../social-accounts/registrations.ts';
import type { OAuthRegistrationsTable, ProviderValues } from '../../social-accounts/tables.ts';

interface WithSession {
  readonly session: Pick<Session, 'session_id'> | null;
  readonly intermediate_session_token?: string | undefined;
}

interface OAuthLoginInput<Reply> {
  readonly token: string;
  readonly code_verifier: string | undefined;
  readonly caller: Caller;
  /** Whether a page or the app's own server calls. */
  readonly by: 'page' | 'server';
  readonly enter: ProofLogin<Reply>;
  /** Like `enter`, but only continues the session that the request presents, and never starts one. */
  readonly goOn: ProofLogin<Reply>;
}

/** The result of a social login. */
interface SocialLogin<Reply> {
  readonly reply: Reply;
  readonly registration: OAuthRegistrationsTable;
  readonly provider_values: ProviderValues;
}

/** Logs in the user of a finished social login, or attaches its account to the user who requested that. */
export async function logInByOAuth<Reply extends WithSession>(
  services: LoginServices,
  redeeming: OAuthLoginInput<Reply>,
): Promise<SocialLogin<Reply>> {
  const { token, code_verifier, caller } = redeeming;
  const found = await findOAuthToken(services, token);
  if (found === undefined) {
    await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
    throw new Refusal('oauth_token_not_found');
  }
  checkVerifier(found.code_challenge, code_verifier);
  return found.attachee === null
    ? enterByAccount(services, found, redeeming)
    : attachAccount(services, found, found.attachee, redeeming);
}

async function spend(tx: Db, found: FoundToken): Promise<void> {
  if (!(await redeemOAuthToken(tx, found))) throw new Refusal('oauth_token_not_found');
}

/** The factor names the account's address if the provider verified it and the user has it. */
async function factorOf(tx: Db, registration: OAuthRegistrationsTable, { profile }: SocialIdentity) {
  const contact = await findVerifiedAddress(tx, profile);
  const email_id = contact?.user_id === registration.user_id ? contact.method_id : undefined;
  return FACTORS.oauth({ ...registration, email_id });
}

/** Counts the factor as two, if the project trusts the provider for that and its ID token says so. */
function withAssurance(
  services: Pick<Services, 'project'>,
  factor: NewFactor,
  { provider, assurance }: SocialIdentity,
): NewFactor {
  const rules = mfaRulesOf(services);
  if (rules === undefined || assurance === undefined || !isTwofoldAt(rules, provider, assurance)) return factor;
  return { ...factor, amr: [TWO_FACTORS] };
}

async function enterByAccount<Reply extends WithSession>(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'keys' | 'project'>,
  found: FoundToken,
  { caller, enter }: OAuthLoginInput<Reply>,
): Promise<SocialLogin<Reply>> {
  const { identity, provider_values: values } = found;
  const { session } = caller;
  return transaction(services.db, async (tx) => {
    const entry = { identity, session, spend: () => spend(tx, found) };
    const { user, registration, isStored, isKnown } = await findOrCreateOwner(services, tx, entry);
    const { refresh_token: token } = values;
    const refresh_token = isStored ? await keepRefreshToken(services, tx, registration, token) : token;
    const factor = await factorOf(tx, registration, identity);
    const reply = await enter(tx, user, isKnown ? withAssurance(services, factor, identity) : factor);
    if (!isStored) {
      const account = pendingAccount(services, registration, { ...identity, refresh_token });
      const { session: newSession, intermediate_session_token: step } = reply;
      if (newSession !== null) await keepInSession(tx, newSession.session_id, [account]);
      else if (step !== undefined) await keepInStep(tx, step, account);
    }
    return { reply, registration, provider_values: { ...values, refresh_token } };
  });
}

async function attachAccount<Reply extends WithSession>(
  services: SessionServices,
  found: FoundToken,
  attachee: Attachee,
  { caller, by, goOn }: OAuthLoginInput<Reply>,
): Promise<SocialLogin<Reply>> {
  const { identity, provider_values: values } = found;
  caller.trail.event = 'factor_added';
  const session = await attachingSession(services, attachee, caller, by);
  return transaction(services.db, async (tx) => {
    const user = await lockAttachee(services, tx, attachee, session);
    await spend(tx, found);
    const registration = await attachRegistration(services, tx, user, identity, session);
    const refresh_token = await keepRefreshToken(services, tx, registration, values.refresh_token);
    const reply = await goOn(tx, user, await factorOf(tx, registration, identity));
    // If the session ends at this moment, no other may replace it.
    if (reply.session?.session_id !== session?.session_id) throw new Refusal('unauthorized_credentials');
    return { reply, registration, provider_values: { ...values, refresh_token } };
  });
}
