import { OAUTH_TOKEN_MINUTES } from '#domain/rules/lifetimes.ts';
import type { Attachee } from '#server-rules/social-attach.ts';
import type { Db } from '#provider/base/db/database.ts';
import { MINUTE_MS } from '#provider/base/platform.ts';
import { seal, unseal } from '#provider/base/security/seal.ts';
import { newToken, tokenHash } from '#provider/base/security/secrets.ts';
import type { Services } from '../../services.ts';
import { likelyOwner, type SocialIdentity } from '../../social-accounts/registrations.ts';
import type { OAuthTokensTable, ProviderValues } from '../../social-accounts/tables.ts';

const TOKEN_MS = OAUTH_TOKEN_MINUTES * MINUTE_MS;

interface TokenGrounds {
  readonly identity: SocialIdentity;
  readonly values: ProviderValues;
  readonly code_challenge: string | null;
  /** Null for a login. */
  readonly attachee: Attachee | null;
}

export interface IssuedToken {
  readonly token: string;
  /** True for a first login. */
  readonly isNew: boolean;
}

/** The context to which the identity is sealed, different from that of the provider's values. */
const identityOwner = (token_hash: string): string => `${token_hash} identity`;

/**
 * A token that one call can redeem, within five minutes and with the verifier of its challenge. It contains the account at the provider. No
 * user is created or changed before it is redeemed. If a lookup finds the account's user, the token ends with all access of that user.
 */
export async function issueOAuthToken(
  { random, keys, clock }: Pick<Services, 'clock' | 'random' | 'keys'>,
  tx: Db,
  { identity, values, code_challenge, attachee }: TokenGrounds,
): Promise<IssuedToken> {
  const token = newToken(random);
  const token_hash = tokenHash(token);
  const attaching = attachee && { user_id: attachee.user_id, oauth_user_registration_id: null, isNew: false };
  const { user_id, oauth_user_registration_id, isNew } = attaching ?? (await likelyOwner(tx, identity));
  await tx
    .insertInto('oauth_tokens')
    .values({
      token_hash,
      oauth_user_registration_id,
      user_id,
      attaches: attachee !== null,
      session_id: attachee?.session_id ?? null,
      code_challenge,
      identity: seal(random, keys.codeKey, identityOwner(token_hash), JSON.stringify(identity)),
      provider_values: seal(random, keys.codeKey, token_hash, JSON.stringify(values)),
      expires_at: new Date(clock.now() + TOKEN_MS),
    })
    .execute();
  return { token, isNew };
}

export interface FoundToken extends Pick<OAuthTokensTable, 'token_hash' | 'code_challenge'> {
  readonly identity: SocialIdentity;
  readonly provider_values: ProviderValues;
  /** Null for a login. */
  readonly attachee: Attachee | null;
}

/** The live token. Does not spend it. */
export async function findOAuthToken(
  { db, clock, keys }: Pick<Services, 'db' | 'clock' | 'keys'>,
  token: string,
): Promise<FoundToken | undefined> {
  const found = await db
    .selectFrom('oauth_tokens as tokens')
    .leftJoin(
      'oauth_registrations as registrations',
      'registrations.oauth_user_registration_id',
      'tokens.oauth_user_registration_id',
    )
    .selectAll('tokens')
    .select([
      'registrations.provider_type',
      'registrations.provider_subject',
      'registrations.profile_picture_url',
      'registrations.locale',
    ])
    .where('token_hash', '=', tokenHash(token))
    .where('expires_at', '>', new Date(clock.now()))
    .executeTakeFirst();
  if (found === undefined) return undefined;
  const { token_hash, code_challenge, user_id, session_id } = found;
  // Versions before 0023 also stored an address id.
  const sealed = JSON.parse(unseal(keys.codeKey, token_hash, found.provider_values)) as ProviderValues & {
    readonly email_id?: string;
  };
  const { email_id: _, ...provider_values } = sealed;
  const attachee = found.attaches && user_id !== null ? { user_id, session_id } : null;
  if (found.identity !== null) {
    const opened = unseal(keys.codeKey, identityOwner(token_hash), found.identity);
    return { token_hash, code_challenge, attachee, provider_values, identity: JSON.parse(opened) as SocialIdentity };
  }
  // A token from before version 0023: its account is registered.
  const { provider_type, provider_subject, profile_picture_url, locale } = found;
  if (provider_type === null || provider_subject === null) return undefined;
  const nobody = { email: '', email_verified: false, name: '', given_name: '', family_name: '' };
  const profile = { ...nobody, sub: provider_subject, picture: profile_picture_url ?? '', locale: locale ?? '' };
  return { token_hash, code_challenge, attachee, provider_values, identity: { provider: provider_type, profile } };
}

/** Spends the token. True for one caller only. */
export async function redeemOAuthToken(tx: Db, { token_hash }: Pick<OAuthTokensTable, 'token_hash'>): Promise<boolean> {
  const row = await tx
    .deleteFrom('oauth_tokens')
    .where('token_hash', '=', token_hash)
    .returning('token_hash')
    .executeTakeFirst();
  return row !== undefined;
}
