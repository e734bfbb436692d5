import type { SessionExchange } from '../use-cases/session-exchange.ts';
import { checkArguments, DURATION, type Duration } from '../arguments.ts';

/** What `attest` takes. */
export type Attestation = Parameters<SessionExchange['attest']>[0];

/** The part of `client.session` that obtains a session from something else. */
export class SessionExchangeClient {
  constructor(private readonly exchange: SessionExchange) {}

  /** Exchanges an access token that this project issued to an app for a session. */
  async exchangeAccessToken(options: Duration & { readonly access_token: string }) {
    checkArguments('session.exchangeAccessToken', { access_token: 'string', ...DURATION }, options);
    return this.exchange.exchangeAccessToken(options);
  }

  /** Exchanges a token of a trusted issuer, as a trusted-auth-token profile describes it, for a session. */
  async attest(options: Attestation) {
    const shape = {
      profile_id: 'string',
      token: 'string',
      session_duration_minutes: 'number?',
      session_token: 'string?',
      session_jwt: 'string?',
    } as const;
    checkArguments('session.attest', shape, options);
    return this.exchange.attest(options);
  }
}
