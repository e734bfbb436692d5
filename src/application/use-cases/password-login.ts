import { passwords, type BodyFor, type ReplyFor } from '../api/index.ts';
import type { PasswordStrength } from '../../domain/password-strength.ts';
import type { ProofKeys } from '../session/proof-keys.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { RiskyCall } from '../wire/risky-call.ts';
import type { Project } from './project.ts';

type Host<E> = Omit<BodyFor<E>, 'captcha_token' | 'dfp_telemetry_id' | 'code_challenge' | 'code_verifier'>;
type Api = typeof passwords;

/** Logging in by password, and setting a new one (specification, section 7). */
export class PasswordLogin {
  constructor(
    private readonly risky: RiskyCall,
    private readonly sessions: SessionStore,
    private readonly proofKeys: ProofKeys,
    private readonly project: Project,
  ) {}

  create(body: Host<Api['create']>): Promise<ReplyFor<Api['create']>> {
    return this.signIn(this.risky.call(passwords.create, body));
  }

  authenticate(body: Host<Api['authenticate']>): Promise<ReplyFor<Api['authenticate']>> {
    return this.signIn(this.risky.call(passwords.authenticate, body));
  }

  /** Mails a link to set a new password. When the project requires it, only this browser will be able to use it. */
  async resetByEmailStart(body: Host<Api['resetByEmailStart']>): Promise<ReplyFor<Api['resetByEmailStart']>> {
    const { pkceRequiredForPasswordResets } = await this.project.bootstrap();
    const code_challenge = await this.proofKeys.challengeFor('password_resets', pkceRequiredForPasswordResets);
    return this.risky.call(passwords.resetByEmailStart, { ...body, code_challenge });
  }

  /**
   * Whose reset mail the token is of. Rejects when it is good for nothing any more; a server that cannot tell rejects
   * otherwise.
   */
  async checkReset(token: string): Promise<ReplyFor<Api['resetByEmailCheck']>> {
    return this.risky.wire.call(passwords.resetByEmailCheck, { token });
  }

  /** Sets the password that a mailed link allows to set. The proof key, if there is one, is gone once it was used. */
  resetByEmail(body: Host<Api['resetByEmail']>): Promise<ReplyFor<Api['resetByEmail']>> {
    return this.proofKeys.redeem(['password_resets'], (code_verifier) =>
      this.signIn(this.risky.call(passwords.resetByEmail, { ...body, code_verifier })),
    );
  }

  resetByExistingPassword(
    body: Host<Api['resetByExistingPassword']>,
  ): Promise<ReplyFor<Api['resetByExistingPassword']>> {
    return this.signIn(this.risky.call(passwords.resetByExistingPassword, body));
  }

  resetBySession(body: Host<Api['resetBySession']>): Promise<ReplyFor<Api['resetBySession']>> {
    return this.signIn(this.risky.call(passwords.resetBySession, body));
  }

  /** What the server says of a password; nothing is stored. Aborting the signal rejects. */
  strengthCheck(body: BodyFor<Api['strengthCheck']>, signal?: AbortSignal): Promise<PasswordStrength> {
    return this.risky.wire.call(passwords.strengthCheck, body, { signal });
  }

  private async signIn<Reply extends ReplyFor<Api['authenticate']>>(call: Promise<Reply>): Promise<Reply> {
    return this.sessions.update(await call);
  }
}
