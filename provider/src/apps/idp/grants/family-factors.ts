import { isLasting } from '#server-rules/authorization.ts';
import type { AuthenticationFactor } from '#domain/sessions/session.ts';
import type { Services } from '#provider/accounts/services.ts';
import { lackOf } from '#provider/accounts/sessions/factors/policy.ts';
import { lacksSecondFactor } from '#provider/accounts/sessions/factors/second-factor.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { TokenFamily } from './grants.ts';
import { OAuthError } from '../protocol/oauth-error.ts';

/** The factors that the user had proved when they authorized the app. */
export const factorsOf = ({ factors }: Pick<TokenFamily, 'factors'>): readonly AuthenticationFactor[] => factors ?? [];

/**
 * Refuses tokens to an app if the policy now requires more factors than the user proved when they authorized it. The app then sends the
 * user to the authorization endpoint again (OpenID Connect Core 1.0 Unmet Authentication Requirements, section 2).
 */
export async function checkFactors(
  services: Pick<Services, 'project' | 'clock'>,
  db: Db,
  family: Pick<TokenFamily, 'user_id' | 'factors'>,
): Promise<void> {
  const lack = await lackOf(services, db, { user_id: family.user_id, authentication_factors: factorsOf(family) });
  if (lack !== null) throw lacking();
}

/** The same for a code that gives lasting access. It must meet the account's current requirements for such a code. */
export async function checkLasting(
  services: Pick<Services, 'project' | 'clock'>,
  tx: Db,
  { user_id, scopes, factors }: Pick<TokenFamily, 'user_id' | 'scopes'> & { factors: readonly AuthenticationFactor[] },
): Promise<void> {
  if (!isLasting(scopes)) return;
  if (await lacksSecondFactor(services, tx, user_id, { user_id, authentication_factors: factors })) throw lacking();
}

const lacking = (): OAuthError =>
  new OAuthError('invalid_grant', 'This needs the second factor of the user: mfa_required. Authorize the app again.');
