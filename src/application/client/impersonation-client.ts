import type { SessionLifecycle } from '../use-cases/session-lifecycle.ts';
import { checkArguments } from './arguments.ts';

/** `client.impersonation`. */
export class ImpersonationClient {
  constructor(private readonly lifecycle: SessionLifecycle) {}

  /** Signs in as another user, as a token that an administrator made allows. */
  async authenticate(options: { readonly impersonation_token: string }) {
    checkArguments('impersonation.authenticate', { impersonation_token: 'string' }, options);
    return this.lifecycle.impersonate(options.impersonation_token);
  }
}
