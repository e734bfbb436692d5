import type { SessionExchange } from '../use-cases/session-exchange.ts';
import { checkArguments } from '../arguments.ts';

/** `client.impersonation`. */
export class ImpersonationClient {
  constructor(private readonly exchange: SessionExchange) {}

  /** Signs in as another user, as a token that an administrator made allows. */
  async authenticate(options: { readonly impersonation_token: string }) {
    checkArguments('impersonation.authenticate', { impersonation_token: 'string' }, options);
    return this.exchange.impersonate(options.impersonation_token);
  }
}
