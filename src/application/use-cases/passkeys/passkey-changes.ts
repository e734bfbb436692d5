/** Changes of existing passkeys. Their code is loaded with the first change, because no login needs it. */
import { checkArguments, isRecord } from '#domain/shape.ts';
import { checkId } from '#domain/check-id.ts';
import { splitUser } from '../../api/authenticated.ts';
import { webauthn, type ReplyFor } from '../../api/index.ts';
import type { BrowserPort, WebauthnPort } from '../../ports/index.ts';
import type { SessionStore } from '../../session/session-store.ts';
import type { WireClient } from '../../wire/wire-client.ts';
import { reportAccepted } from './passkey-reports.ts';

interface RenameServices {
  readonly wire: WireClient;
  readonly sessions: Pick<SessionStore, 'state' | 'updateUser'>;
}

interface ReportServices {
  readonly wire: WireClient;
  readonly authenticator: WebauthnPort;
  readonly browser: Pick<BrowserPort, 'userAgent'>;
}

/** Renames a registration, and updates the signed-in user. */
export async function rename(
  { wire, sessions }: RenameServices,
  options: { readonly webauthn_registration_id: string; readonly name: string },
): Promise<ReplyFor<typeof webauthn.update>> {
  checkArguments('webauthn.update', { webauthn_registration_id: 'string', ...webauthn.update.body }, options);
  const { webauthn_registration_id, name } = options;
  checkId('webauthn.update', 'webauthn_registration_id', webauthn_registration_id);
  const [whole, reply] = splitUser(
    await wire.call(webauthn.update, { name }, { params: { webauthn_registration_id } }),
  );
  if (whole) sessions.updateUser(whole);
  const { user } = sessions.state();
  if (user !== null) {
    const registration: unknown = reply.webauthn_registration;
    const changed = isRecord(registration) ? registration : {};
    const webauthn_registrations = (user.webauthn_registrations ?? []).map((each) =>
      each.webauthn_registration_id === webauthn_registration_id ? { ...each, name, ...changed } : each,
    );
    sessions.updateUser({ ...user, webauthn_registrations });
  }
  return reply;
}

/** Reports the signed-in user's valid passkeys for a domain. Rejects without a response of the server. */
export async function tellAccepted({ wire, authenticator, browser }: ReportServices, domain: string): Promise<void> {
  const { public_key_credential_creation_options: options } = await wire.call(webauthn.registerStart, {
    domain,
    return_passkey_credential_options: true,
    user_agent: browser.userAgent,
  });
  await reportAccepted(authenticator, options);
}
