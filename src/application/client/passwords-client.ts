import type { PasswordLogin } from '../use-cases/password-login.ts';
import { checkArguments, DURATION } from '../arguments.ts';

type Body<Method extends keyof PasswordLogin> = PasswordLogin[Method] extends (body: infer B) => unknown ? B : never;

/** `client.passwords`. */
export class PasswordsClient {
  constructor(private readonly passwords: PasswordLogin) {}

  /** Signs up with a password. */
  async create(options: Body<'create'>) {
    checkArguments('passwords.create', { email: 'string', password: 'string', ...DURATION }, options);
    return this.passwords.create(options);
  }

  async authenticate(options: Body<'authenticate'>) {
    checkArguments('passwords.authenticate', { email: 'string', password: 'string', ...DURATION }, options);
    return this.passwords.authenticate(options);
  }

  /** Mails a link to set a new password. */
  async resetByEmailStart(options: Body<'resetByEmailStart'>) {
    checkArguments('passwords.resetByEmailStart', { email: 'string' }, options);
    return this.passwords.resetByEmailStart(options);
  }

  /** Sets the password that such a link allows to set. */
  async resetByEmail(options: Body<'resetByEmail'>) {
    checkArguments('passwords.resetByEmail', { token: 'string', password: 'string', ...DURATION }, options);
    return this.passwords.resetByEmail(options);
  }

  async resetByExistingPassword(options: Body<'resetByExistingPassword'>) {
    const shape = { email: 'string', existing_password: 'string', new_password: 'string', ...DURATION } as const;
    checkArguments('passwords.resetByExistingPassword', shape, options);
    return this.passwords.resetByExistingPassword(options);
  }

  /** Sets the signed-in user's password. */
  async resetBySession(options: Body<'resetBySession'>) {
    const shape = { password: 'string', session_duration_minutes: 'number?' } as const;
    checkArguments('passwords.resetBySession', shape, options);
    return this.passwords.resetBySession(options);
  }

  /** What the server says of a password; nothing is stored. */
  async strengthCheck(options: Body<'strengthCheck'>) {
    checkArguments('passwords.strengthCheck', { password: 'string', email: 'string?' }, options);
    return this.passwords.strengthCheck(options);
  }
}
