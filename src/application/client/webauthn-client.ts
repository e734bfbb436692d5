import type {
  PasskeyCeremonies,
  WebauthnAuthenticateOptions,
  WebauthnRegisterOptions,
} from '../use-cases/passkey-ceremonies.ts';
import { checkArguments, checkId, DURATION } from '../arguments.ts';

const REGISTER = {
  domain: 'string?',
  authenticator_type: 'string?',
  is_passkey: 'boolean?',
  override_id: 'string?',
  override_name: 'string?',
  override_display_name: 'string?',
  use_base64_url_encoding: 'boolean?',
  session_duration_minutes: 'number?',
} as const;

/** `client.webauthn`. Ceremonies reject as the browser does when they come to nothing. */
export class WebauthnClient {
  constructor(private readonly passkeys: PasskeyCeremonies) {}

  /** Registers a passkey or security key for the signed-in user. */
  async register(options: WebauthnRegisterOptions = {}) {
    checkArguments('webauthn.register', REGISTER, options);
    return this.passkeys.register(options);
  }

  /** Logs in by one. Null when it was to happen while a form is filled in and that cannot be. */
  async authenticate(options: WebauthnAuthenticateOptions) {
    const shape = {
      ...DURATION,
      domain: 'string?',
      is_passkey: 'boolean?',
      conditional_mediation: 'boolean?',
    } as const;
    checkArguments('webauthn.authenticate', shape, options);
    return this.passkeys.authenticate(options);
  }

  /** Renames a registration. */
  async update(options: { readonly webauthn_registration_id: string; readonly name: string }) {
    checkArguments('webauthn.update', { webauthn_registration_id: 'string', name: 'string' }, options);
    checkId('webauthn.update', 'webauthn_registration_id', options.webauthn_registration_id);
    return this.passkeys.update(options.webauthn_registration_id, options.name);
  }

  async browserSupportsAutofill(): Promise<boolean> {
    return this.passkeys.supportsAutofill();
  }
}
