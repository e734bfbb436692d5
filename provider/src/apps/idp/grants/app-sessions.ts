import type { Db } from '#provider/base/db/database.ts';
import type { ConnectedAppSettings } from '#provider/project/settings/access.ts';
import type { TokenFamily } from './grants.ts';

/** Records that the app must be notified when the session ends, if it wants that. Call it while the session cannot end. */
export async function rememberApp(
  tx: Db,
  { backchannel_logout_uri: uri }: Pick<ConnectedAppSettings, 'backchannel_logout_uri'>,
  { session_id, client_id, user_id, scopes }: TokenFamily,
  issuer: string,
): Promise<void> {
  if ((uri ?? null) === null || session_id === null || !scopes.includes('openid')) return;
  await tx
    .insertInto('app_sessions')
    .values({ session_id, client_id, user_id, issuer })
    .onConflict((conflict) => conflict.columns(['session_id', 'client_id']).doUpdateSet({ issuer }))
    .execute();
}
