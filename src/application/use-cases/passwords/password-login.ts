import { checkArguments } from '#domain/shape.ts';
import { passwords, type BodyFor, type ReplyFor } from '../../api/index.ts';
import type { PasswordStrength } from '#domain/passwords/password-strength.ts';
import type { ProofKeys } from '../../session/proof-keys.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { RiskyCall } from '../../wire/risky-call.ts';
import type { WireClient } from '../../wire/wire-client.ts';
import type { Project } from '../project/project.ts';

type Host<E> = Omit<BodyFor<E>, 'captcha_token' | 'dfp_telemetry_id' | 'code_challenge' | 'code_verifier'>;
type Api = typeof passwords;

/** Login with a password, and setting a new password (specification, section 7). */
export class PasswordLogin {
  constructor(
    private readonly wire: WireClient,
    private readonly risky: RiskyCall,
    private readonly sessions: SessionStore,
    private readonly proofKeys: ProofKeys,
    private readonly project: Project,
  ) {}

  /** Signs up with a password. */
  async create(options: Host<Api['create']>): Promise<ReplyFor<Api['create']>> {
    checkArguments('passwords.create', passwords.create.body, options);
    return this.sessions.update(await this.risky.call(passwords.create, options));
  }

  async authenticate(options: Host<Api['authenticate']>): Promise<ReplyFor<Api['authenticate']>> {
    checkArguments('passwords.authenticate', passwords.authenticate.body, options);
    return this.sessions.update(await this.risky.call(passwords.authenticate, options));
  }

  /** Sends an email with a link to set a new password. When the project requires PKCE, only this browser can use the link. */
  async resetByEmailStart(options: Host<Api['resetByEmailStart']>): Promise<ReplyFor<Api['resetByEmailStart']>> {
    checkArguments('passwords.resetByEmailStart', passwords.resetByEmailStart.body, options);
    const { pkceRequiredForPasswordResets } = await this.project.bootstrap();
    const code_challenge = await this.proofKeys.challengeFor('password_resets', pkceRequiredForPasswordResets);
    return this.risky.call(passwords.resetByEmailStart, { ...options, code_challenge });
  }

  /**
   * The address to which a reset token was sent. Rejects with the server's error when the token was used or has expired.
   */
  async checkReset(token: string): Promise<ReplyFor<Api['resetByEmailCheck']>> {
    return this.wire.call(passwords.resetByEmailCheck, { token });
  }

  /** Sets a new password with the token of a reset link. The used proof key is removed. */
  async resetByEmail(options: Host<Api['resetByEmail']>): Promise<ReplyFor<Api['resetByEmail']>> {
    checkArguments('passwords.resetByEmail', passwords.resetByEmail.body, options);
    return this.proofKeys.redeem(['password_resets'], passwords.resetByEmail, options, async (code_verifier) =>
      this.sessions.update(await this.risky.call(passwords.resetByEmail, { ...options, code_verifier })),
    );
  }

  async resetByExistingPassword(
    options: Host<Api['resetByExistingPassword']>,
  ): Promise<ReplyFor<Api['resetByExistingPassword']>> {
    checkArguments('passwords.resetByExistingPassword', passwords.resetByExistingPassword.body, options);
    return this.sessions.update(await this.risky.call(passwords.resetByExistingPassword, options));
  }

  /** Sets the signed-in user's password. */
  async resetBySession(options: Host<Api['resetBySession']>): Promise<ReplyFor<Api['resetBySession']>> {
    checkArguments('passwords.resetBySession', passwords.resetBySession.body, options);
    return this.sessions.update(await this.risky.call(passwords.resetBySession, options));
  }

  /** Asks the server to rate a password; the password is not stored. Aborting the signal rejects. */
  async strengthCheck(options: BodyFor<Api['strengthCheck']>, signal?: AbortSignal): Promise<PasswordStrength> {
    checkArguments('passwords.strengthCheck', passwords.strengthCheck.body, options);
    return this.wire.call(passwords.strengthCheck, options, { signal });
  }
}
