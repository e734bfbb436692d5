import { transaction } from '#provider/base/db/statements/transaction.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import type { Services } from '#provider/accounts/services.ts';
import { required, type Form } from '../protocol/form.ts';
import { revokeAccessToken, revokeFamily } from '../grants/grants.ts';
import type { EmptyReply } from '../protocol/oauth-calls.ts';
import { OAuthError } from '../protocol/oauth-error.ts';
import { readAccessToken } from './read-tokens.ts';
import { findRefreshToken } from '../grants/refresh-tokens.ts';

/**
 * Ends a token of the client (RFC 7009). A refresh token ends with all tokens of its authorization. An access token ends alone, with the
 * sessions made from its family. An unknown token counts as revoked. `token_type_hint` is ignored: both kinds are searched. The answer is
 * empty JSON, because some clients refuse any other reply.
 */
export async function revokeToken(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'project'>,
  client: ConnectedAppSettings,
  form: Form,
): Promise<EmptyReply> {
  const token = required(form, 'token');
  const refresh = await findRefreshToken(services.db, token);
  if (refresh !== undefined) {
    checkOwner(client, refresh.family);
    await revokeFamily(services.db, refresh.family.family_id);
    return {};
  }
  const access = await readAccessToken(services, token, 'any');
  if (access === null) return {};
  checkOwner(client, access);
  await transaction(services.db, (tx) => revokeAccessToken(tx, access));
  return {};
}

function checkOwner({ client_id }: ConnectedAppSettings, token: { readonly client_id: string }): void {
  if (token.client_id !== client_id) throw new OAuthError('invalid_grant', 'The token was issued to another client.');
}
