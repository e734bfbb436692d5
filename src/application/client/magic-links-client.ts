import type { MagicLinkOptions, MagicLinkLogin } from '../use-cases/magic-link-login.ts';
import { checkArguments } from './arguments.ts';

/** `client.magicLinks`. */
export class MagicLinksClient {
  constructor(private readonly magicLinks: MagicLinkLogin) {}

  readonly email = {
    /** Mails a link that signs an unknown address up and logs a known one in. */
    loginOrCreate: async (email: string, options: MagicLinkOptions = {}) => {
      checkArguments('magicLinks.email.loginOrCreate', { email: 'string', options: 'object' }, { email, options });
      return this.magicLinks.loginOrCreate(email, options);
    },
  };

  /**
   * Exchanges the `token` of a link's query for a session.
   *
   * @param options `session_duration_minutes`: how long the session lasts
   */
  async authenticate(token: string, options: { readonly session_duration_minutes: number }) {
    const { session_duration_minutes } = options ?? {};
    checkArguments(
      'magicLinks.authenticate',
      { token: 'string', session_duration_minutes: 'number' },
      { token, session_duration_minutes },
    );
    return this.magicLinks.authenticate(token, session_duration_minutes);
  }
}
