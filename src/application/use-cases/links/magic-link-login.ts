import { checkArguments } from '#domain/shape.ts';
import { DURATION, type Duration } from '../../api/authenticated.ts';
import { magicLinks, type BodyFor, type Endpoint, type ReplyFor } from '../../api/index.ts';
import type { ProofKeys } from '../../session/proof-keys.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { RiskyCall } from '../../wire/risky-call.ts';
import type { WireClient } from '../../wire/wire-client.ts';
import type { Project } from '../project/project.ts';

type ClientField = 'email' | 'code_challenge' | 'captcha_token' | 'dfp_telemetry_id';

/** The host's options of a magic link. */
export type MagicLinkOptions = Omit<BodyFor<typeof magicLinks.loginOrCreate>, ClientField>;
/** Options of `magicLinks.email.send`. */
export type MagicLinkSendOptions = Omit<BodyFor<typeof magicLinks.sendPrimary>, ClientField>;

type Reply = ReplyFor<typeof magicLinks.authenticate>;

/** Login with a link in an email (specification, sections 4 and 7). */
export class MagicLinkLogin {
  constructor(
    private readonly wire: WireClient,
    private readonly risky: RiskyCall,
    private readonly sessions: SessionStore,
    private readonly proofKeys: ProofKeys,
    private readonly project: Project,
  ) {}

  /**
   * Sends a link that logs in the user with this address, or signs up a new user. When the project requires PKCE, only this browser
   * can use the link.
   */
  async loginOrCreate(email: string, options?: MagicLinkOptions): Promise<ReplyFor<typeof magicLinks.loginOrCreate>> {
    this.check('magicLinks.email.loginOrCreate', magicLinks.loginOrCreate, email, options);
    return this.risky.call(magicLinks.loginOrCreate, { ...options, email, code_challenge: await this.challenge() });
  }

  /** Sends a link to an existing user's address. With a session, the link adds the address to the signed-in user. */
  async send(email: string, options?: MagicLinkSendOptions): Promise<ReplyFor<typeof magicLinks.sendPrimary>> {
    const endpoint = this.sessions.mayBeSignedIn() ? magicLinks.sendSecondary : magicLinks.sendPrimary;
    this.check('magicLinks.email.send', endpoint, email, options);
    return this.risky.call(endpoint, { ...options, email, code_challenge: await this.challenge() });
  }

  /**
   * Exchanges the token of a link for a session. The link may also come from a password reset's email, so the proof key of that flow
   * is tried first, then that of the emailed links when the server rejects it.
   */
  async authenticate(token: string, options: Duration): Promise<Reply> {
    checkArguments('magicLinks.authenticate', { token: 'string' }, { token });
    checkArguments('magicLinks.authenticate', DURATION, options);
    const { session_duration_minutes } = options;
    const flows = ['password_resets', 'magic_links'] as const;
    return this.proofKeys.redeem(flows, magicLinks.authenticate, { token }, async (code_verifier) => {
      const body = { token, code_verifier, session_duration_minutes };
      return this.sessions.update(await this.wire.call(magicLinks.authenticate, body));
    });
  }

  private check(method: string, { body }: Endpoint, email: string, options: object | undefined): void {
    // JavaScript callers may pass null.
    checkArguments(method, { email: 'string', options: 'object?' }, { email, options });
    checkArguments(method, body, { ...options, email });
  }

  private async challenge(): Promise<string | undefined> {
    const { pkceRequiredForEmailMagicLinks } = await this.project.bootstrap();
    return this.proofKeys.challengeFor('magic_links', pkceRequiredForEmailMagicLinks);
  }
}
