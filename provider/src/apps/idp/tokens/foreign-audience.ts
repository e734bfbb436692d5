import type { Services } from '#provider/accounts/services.ts';
import type { FailureDetail } from '../protocol/oauth-error.ts';
import { readAccessToken } from './read-tokens.ts';

/** The detail of a refusal if the token is live but for another API, the most common mistake; empty for all other tokens. */
export async function foreignAudience(
  services: Pick<Services, 'db' | 'clock' | 'keys' | 'project'>,
  token: string,
): Promise<FailureDetail> {
  const live = await readAccessToken(services, token, 'any');
  if (live === null) return {};
  const aud = [live.claims.aud ?? []].flat().join(' ');
  return {
    rule: 'audience',
    reason: 'The token is for another API, and opens that one alone.',
    sent: { 'client_id of the token': live.client_id, 'aud of the token': aud },
  };
}
