import type { ProviderResponse, Fields, Provider } from '../kit/harness.ts';
import { consent, redeemCode } from './attacker.ts';

export const tokenOf = (reply: Fields): string => String(reply['session_token']);
export const refusal = ({ status, body }: ProviderResponse): unknown[] => [status, body['error_type']];

/** What the tests of a provider do. */
export function stepsOf(provider: () => Provider) {
  return {
    others: (session: string) => provider().post('/users/sessions/revoke_others', {}, { session }),
    extend: (session: string, minutes: number) =>
      provider().post('/sessions/authenticate', { session_duration_minutes: minutes }, { session }),
    async tokensIn(session: string, scopes?: readonly string[]) {
      return redeemCode(provider(), (await consent(provider(), session, scopes)).data['authorization_code']);
    },
    exchangeFor: (access_token: unknown, session_duration_minutes: number) =>
      provider().post('/sessions/exchange_access_token', { access_token, session_duration_minutes }),
    endOf: ({ data }: ProviderResponse): number => Date.parse(data['session']['expires_at'] as string),
  };
}
