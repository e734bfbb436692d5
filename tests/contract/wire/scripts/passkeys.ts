import { webauthn } from '#application/api/index.ts';
import { at, HOUR, textOf, type Script, type Wire } from '../wire.ts';
import { MINUTE_MS, signIn, withTotp } from './people.ts';

const DOMAIN = 'localhost';

/** Registers a passkey of this browser; answers the session's token and the registration's id. */
async function register(wire: Wire, session: string, extras: object = {}) {
  const body = { domain: DOMAIN, return_passkey_credential_options: true, ...extras };
  const started = await wire.call(webauthn.registerStart, body, { session });
  const options = textOf(started, 'public_key_credential_creation_options');
  const public_key_credential = await wire.tab.webauthn.create(options);
  const made = await wire.call(webauthn.register, { public_key_credential, ...HOUR }, { session });
  const id = textOf(made, 'webauthn_registration_id');
  return { session: textOf(made, 'session_token'), id, public_key_credential };
}

async function assertion(wire: Wire, session?: string): Promise<string> {
  const start = session === undefined ? webauthn.authenticateStartPrimary : webauthn.authenticateStartSecondary;
  const started = await wire.call(start, { domain: DOMAIN }, { session });
  return wire.tab.webauthn.get(textOf(started, 'public_key_credential_request_options'), 'modal');
}

export const PASSKEYS: readonly Script[] = [
  {
    title: 'passkeys are registered, named, used to log in and as another factor',
    run: async (wire) => {
      const { session, id, public_key_credential } = await register(wire, await signIn(wire));
      await wire.call(webauthn.register, { public_key_credential, ...HOUR }, { session });
      const body = { domain: DOMAIN, authenticator_type: 'platform', override_display_name: 'Ada' };
      await wire.call(webauthn.registerStart, body, { session });
      const rename = { session, params: { webauthn_registration_id: id } };
      await wire.call(webauthn.update, { name: ' Ada’s phone ' }, rename);
      await wire.call(webauthn.update, { name: ' ' }, rename);
      await wire.call(webauthn.update, { name: 'x'.repeat(121) }, rename);
      await wire.call(webauthn.update, { name: 'Eve’s' }, { ...rename, session: await signIn(wire, 'eve') });
      const credential = await assertion(wire);
      await wire.call(webauthn.authenticate, { public_key_credential: credential, ...HOUR });
      await wire.call(webauthn.authenticate, { public_key_credential: credential, ...HOUR });
      const secondary = await assertion(wire, session);
      await wire.call(webauthn.authenticate, { public_key_credential: secondary, ...HOUR });
      await wire.call(webauthn.authenticate, { public_key_credential: secondary, ...HOUR }, { session });
    },
  },
  {
    title: 'ceremonies are refused that are of no site here, damaged, late or not begun',
    run: async (wire) => {
      const session = await signIn(wire);
      await wire.call(webauthn.registerStart, { domain: DOMAIN });
      await wire.call(webauthn.registerStart, { domain: 'evil.example' }, { session });
      await wire.call(webauthn.registerStart, { domain: '127.0.0.1' }, { session });
      await wire.call(webauthn.registerStart, { domain: DOMAIN, authenticator_type: 'none' }, { session });
      await wire.call(webauthn.registerStart, { domain: DOMAIN, override_id: 'x'.repeat(65) }, { session });
      await wire.call(webauthn.authenticateStartPrimary, { domain: 'evil.example' });
      await wire.call(webauthn.authenticateStartSecondary, { domain: DOMAIN }, { session });
      await wire.call(webauthn.authenticateStartSecondary, { domain: DOMAIN });
      await wire.call(webauthn.register, { public_key_credential: '{}', ...HOUR }, { session });
      await wire.call(webauthn.register, { public_key_credential: 'nonsense', ...HOUR }, { session });
      await wire.call(webauthn.authenticate, { public_key_credential: '{}', ...HOUR });
      await wire.call(webauthn.authenticate, { public_key_credential: '{}', session_duration_minutes: 1 });
      const { session: both } = await register(wire, session);
      const late = await assertion(wire, both);
      wire.world.passTime(5 * MINUTE_MS);
      await wire.call(webauthn.authenticate, { public_key_credential: late, ...HOUR }, { session: both });
      const me = await wire.call(webauthn.authenticateStartSecondary, { domain: DOMAIN }, { session: both });
      await wire.call(webauthn.authenticate, { public_key_credential: at(me, 'none'), ...HOUR });
    },
  },
  {
    title: 'passkeys are not added without the second factor',
    run: async (wire) => {
      const { session } = await withTotp(wire);
      const weak = await signIn(wire);
      await wire.call(webauthn.registerStart, { domain: DOMAIN }, { session: weak });
      await register(wire, session, { return_passkey_credential_options: false });
    },
  },
];
