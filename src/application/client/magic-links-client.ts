import type { MagicLinkLogin, MagicLinkOptions, MagicLinkSendOptions } from '../use-cases/magic-link-login.ts';
import { checkArguments, DURATION, type Duration } from '../arguments.ts';

const SHAPE = { email: 'string', options: 'object' } as const;

/** What stands behind `client.magicLinks`. */
export class MagicLinksClient {
  constructor(private readonly magicLinks: MagicLinkLogin) {}

  /** Mails a link that signs an unknown address up and logs a known one in. */
  async emailLoginOrCreate(email: string, options: MagicLinkOptions = {}) {
    checkArguments('magicLinks.email.loginOrCreate', SHAPE, { email, options });
    return this.magicLinks.loginOrCreate(email, options);
  }

  /** Mails a link to a known address; while somebody is signed in, one that adds the address to that user. */
  async emailSend(email: string, options: MagicLinkSendOptions = {}) {
    checkArguments('magicLinks.email.send', SHAPE, { email, options });
    return this.magicLinks.send(email, options);
  }

  /** Exchanges the `token` of a link's query for a session. */
  async authenticate(token: string, options: Duration) {
    checkArguments('magicLinks.authenticate', { token: 'string' }, { token });
    checkArguments('magicLinks.authenticate', DURATION, options);
    return this.magicLinks.authenticate(token, options.session_duration_minutes);
  }
}
