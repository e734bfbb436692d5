import type { ProviderResponse, Fields, Provider } from '../kit/harness.ts';
import { browser, CHALLENGE, VERIFIER } from '../kit/oauth-harness.ts';
import { fromServer, MINUTES, uniqueEmail } from './attacker.ts';

/** Somebody who is signed in. */
export interface SignedInPerson {
  readonly email: string;
  readonly user_id: string;
  /** The token of the session. */
  readonly session: string;
  readonly session_id: string;
}

/** The type of a refusal, or 200. */
export const typeOf = ({ body }: Pick<ProviderResponse, 'body'>): unknown =>
  body['error_type'] ?? body['status_code'] ?? 200;

/** Steps with which a social account is attached, using only the HTTP interface, and what the database holds then. */
export function attachSteps(provider: Provider) {
  const { db } = provider.services;
  return {
    async person(name: string): Promise<SignedInPerson> {
      const email = uniqueEmail(name);
      const { user_id, session_token, session } = await provider.signIn(email);
      return {
        email,
        user_id: String(user_id),
        session: String(session_token),
        session_id: String(session.session_id),
      };
    },

    /** The token with which a page begins to attach an account in its session. */
    begin: async (session: string, name = 'google') =>
      String((await provider.post('/oauth/attach', { provider: name }, { session })).data['oauth_attach_token']),

    /** The same where the app's own server vouches for the user. */
    vouch: async (user_id: string) =>
      String((await fromServer(provider, '/oauth/attach', { provider: 'google', user_id })).body['oauth_attach_token']),

    /** Logs in at the provider: the token at the end of that. */
    goThere: async (oauth_attach_token: string, account = uniqueEmail('account')) =>
      browser(provider).token(
        'google',
        { email: account, verified: 'yes' },
        { oauth_attach_token, code_challenge: CHALLENGE },
      ),

    finish: async (
      token: string,
      session?: string,
      fields: Fields = { code_verifier: VERIFIER },
    ): Promise<ProviderResponse> =>
      provider.post('/oauth/authenticate', { token, ...MINUTES, ...fields }, session === undefined ? {} : { session }),

    /** How many social accounts the user has. */
    accountsOf: async (user_id: string) =>
      (await db.selectFrom('oauth_registrations').select('provider_subject').where('user_id', '=', user_id).execute())
        .length,

    sessionsOf: async (user_id: string) =>
      (await db.selectFrom('sessions').select('session_id').where('user_id', '=', user_id).execute()).length,
  };
}
