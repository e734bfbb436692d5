import { magicLinks, type BodyFor, type ReplyFor } from '../api/index.ts';
import type { ProofKeys } from '../session/proof-keys.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { WireClient } from '../wire/wire-client.ts';
import type { Project } from './project.ts';

type LoginOrCreateBody = BodyFor<typeof magicLinks.loginOrCreate>;

/** What a host may say about a magic link. */
export type MagicLinkOptions = Omit<
  LoginOrCreateBody,
  'email' | 'code_challenge' | 'captcha_token' | 'dfp_telemetry_id'
>;

/** Logging in by a link in an email (specification, sections 4 and 7). */
export class MagicLinkLogin {
  constructor(
    private readonly wire: WireClient,
    private readonly sessions: SessionStore,
    private readonly proofKeys: ProofKeys,
    private readonly project: Project,
  ) {}

  /** Mails a link. When the project requires it, only this browser will be able to use it. */
  async loginOrCreate(
    email: string,
    options: MagicLinkOptions = {},
  ): Promise<ReplyFor<typeof magicLinks.loginOrCreate>> {
    const { pkceRequiredForEmailMagicLinks } = await this.project.bootstrap();
    const code_challenge = pkceRequiredForEmailMagicLinks ? await this.proofKeys.start('magic_links') : undefined;
    return this.wire.call(magicLinks.loginOrCreate, { ...options, email, code_challenge });
  }

  /** Exchanges the token of a link for a session. The proof key, if there is one, is gone once it has been used. */
  async authenticate(
    token: string,
    session_duration_minutes: number,
  ): Promise<ReplyFor<typeof magicLinks.authenticate>> {
    const code_verifier = this.proofKeys.current('magic_links')?.code_verifier;
    const reply = await this.wire.call(magicLinks.authenticate, { token, code_verifier, session_duration_minutes });
    this.sessions.update(reply);
    this.proofKeys.clear('magic_links');
    return reply;
  }
}
