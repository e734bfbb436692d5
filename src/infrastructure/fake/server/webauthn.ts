import { webauthn } from '../../../application/api/index.ts';
import { base64url } from '../../../domain/encoding.ts';
import { parseJson } from '../../../domain/json.ts';
import { isRecord } from '../../../domain/shape.ts';
import type { WebauthnRegistration } from '../../../domain/user.ts';
import type { Answers, Caller } from './answers.ts';
import { change, readUser } from './people.ts';
import { Refused } from './refused.ts';
import { checkDuration, logIn, requireSession } from './sign-in.ts';
import type { ServerState } from './state.ts';
import type { Ceremony, Passkey } from './tables.ts';

const MINUTES = 5;
const DEFAULT_SESSION_MINUTES = 30;
const ES256 = { type: 'public-key', alg: -7 };

/** A credential as far as the fake looks: no signature is checked, the authenticator in memory makes good ones. */
interface Presented {
  readonly id: string;
  readonly challenge: string;
}

function presented(state: ServerState, json: string, domain: (challenge: string) => string | undefined): Presented {
  const credential = parseJson(json);
  const response = isRecord(credential) ? credential['response'] : undefined;
  const data = isRecord(response) ? response['clientDataJSON'] : undefined;
  if (!isRecord(credential) || typeof credential['id'] !== 'string' || typeof data !== 'string') {
    throw new Refused('invalid_public_key_credential');
  }
  const client = parseJson(textOf(data));
  const { challenge, origin } = isRecord(client) ? client : {};
  if (typeof challenge !== 'string' || typeof origin !== 'string') throw new Refused('invalid_public_key_credential');
  const host = new URL(origin).hostname;
  const rp = domain(challenge);
  const { origins } = state.settings;
  const mayUse = rp === undefined || host === rp || host.endsWith(`.${rp}`);
  if (!mayUse || (origins !== null && !origins.includes(origin))) throw new Refused('webauthn_verification_failed');
  return { id: credential['id'], challenge };
}

function textOf(data: string): string {
  return atob(data.replaceAll('-', '+').replaceAll('_', '/'));
}

/** Passkeys: registration, logging in by one, as a second factor, and their names. */
export function answerWebauthn(answers: Answers, state: ServerState): void {
  const checkDomain = (domain: string): void => {
    const { origins } = state.settings;
    if (origins !== null && !origins.some((origin) => new URL(origin).hostname === domain)) {
      throw new Refused('invalid_domain');
    }
  };
  const challenge = (kind: Ceremony['kind'], domain: string, user_id: string | null): string => {
    const made = base64url(new TextEncoder().encode(`webauthn-challenge-${state.next()}`.padEnd(32, '.')));
    state.ceremonies.set(made, { kind, domain, user_id, expiresAt: state.in(MINUTES) });
    return made;
  };
  /** The ceremony that the challenge began; spends nothing. */
  const begun = (kind: Ceremony['kind'], made: string): Ceremony => {
    const ceremony = state.ceremonies.get(made);
    if (ceremony?.kind !== kind || ceremony.expiresAt <= state.now()) throw new Refused('webauthn_challenge_not_found');
    return ceremony;
  };
  const domainOf = (made: string): string | undefined => state.ceremonies.get(made)?.domain;
  const ofUser = (userId: string, domain: string): readonly { type: 'public-key'; id: string }[] =>
    [...state.passkeys.values()]
      .filter((passkey) => passkey.user_id === userId && passkey.domain === domain)
      .map(({ credential_id }) => ({ type: 'public-key', id: credential_id }));
  const requestOptions = (domain: string, userId: string | null, passkey?: boolean): object => {
    checkDomain(domain);
    const allowCredentials = userId === null ? [] : ofUser(userId, domain);
    if (userId !== null && allowCredentials.length === 0) throw new Refused('webauthn_registration_not_found');
    const made = challenge('authenticate', domain, userId);
    const options = {
      challenge: made,
      rpId: domain,
      timeout: 300_000,
      userVerification: userId === null || passkey === true ? 'required' : 'preferred',
      allowCredentials,
    };
    return { public_key_credential_request_options: JSON.stringify(options) };
  };
  const factor = ({ webauthn_registration_id, domain }: Passkey, caller: Caller) => ({
    type: 'webauthn',
    delivery_method: 'webauthn_registration',
    webauthn_factor: { webauthn_registration_id, domain, user_agent: caller.userAgent },
  });

  answers
    .to(webauthn.registerStart, (body, caller) => {
      const { user_id } = requireSession(state, caller).session;
      checkDomain(body.domain);
      const [email] = readUser(state, user_id).emails;
      const name = body.override_name ?? email?.email ?? user_id;
      const options = {
        rp: { id: body.domain, name: String(state.project['project_name']) },
        user: {
          id: base64url(new TextEncoder().encode(body.override_id ?? user_id)),
          name,
          displayName: body.override_display_name ?? name,
        },
        challenge: challenge('register', body.domain, user_id),
        pubKeyCredParams: [ES256],
        timeout: 300_000,
        attestation: 'none',
        excludeCredentials: ofUser(user_id, body.domain),
      };
      return { public_key_credential_creation_options: JSON.stringify(options) };
    })
    .to(webauthn.register, ({ public_key_credential, session_duration_minutes }, caller) => {
      const minutes = session_duration_minutes ?? DEFAULT_SESSION_MINUTES;
      checkDuration(minutes);
      const { user_id } = requireSession(state, caller).session;
      const { id, challenge: made } = presented(state, public_key_credential, domainOf);
      const { user_id: asked, domain } = begun('register', made);
      if (asked !== user_id) throw new Refused('webauthn_challenge_not_found');
      if (state.passkeys.has(id)) throw new Refused('duplicate_webauthn_registration');
      state.ceremonies.delete(made);
      const webauthn_registration_id = state.id('webauthn-registration');
      const passkey = { credential_id: id, user_id, webauthn_registration_id, domain };
      state.passkeys.set(id, passkey);
      const registration: WebauthnRegistration = {
        webauthn_registration_id,
        domain,
        user_agent: caller.userAgent,
        authenticator_type: 'platform',
        verified: true,
        name: 'Passkey',
      };
      const { webauthn_registrations: before } = readUser(state, user_id);
      change(state, user_id, { webauthn_registrations: [...before, registration] });
      const signedIn = logIn(state, { user_id, factor: factor(passkey, caller), minutes, caller });
      return { ...signedIn, webauthn_registration_id };
    })
    .to(webauthn.authenticateStartPrimary, ({ domain }) => requestOptions(domain, null))
    .to(webauthn.authenticateStartSecondary, ({ domain, return_passkey_credential_options: passkey }, caller) =>
      requestOptions(domain, requireSession(state, caller).session.user_id, passkey),
    )
    .to(webauthn.authenticate, ({ public_key_credential, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      const { id, challenge: made } = presented(state, public_key_credential, domainOf);
      const { user_id: asked, domain } = begun('authenticate', made);
      if (asked !== null && requireSession(state, caller).session.user_id !== asked) {
        throw new Refused('webauthn_challenge_not_found');
      }
      const passkey = state.passkeys.get(id);
      if (passkey?.domain !== domain || (asked !== null && asked !== passkey.user_id)) {
        throw new Refused('webauthn_registration_not_found');
      }
      state.ceremonies.delete(made);
      const { user_id, webauthn_registration_id } = passkey;
      const signedIn = logIn(state, { user_id, factor: factor(passkey, caller), minutes, caller });
      return { ...signedIn, webauthn_registration_id };
    })
    .to(webauthn.update, ({ name: given }, caller, { webauthn_registration_id: id }) => {
      const { user_id } = requireSession(state, caller).session;
      const name = given.trim();
      if (name === '' || name.length > 120) throw new Refused('invalid_webauthn_name');
      const { webauthn_registrations: before } = readUser(state, user_id);
      const known = before.find((each) => each.webauthn_registration_id === id);
      if (known === undefined) throw new Refused('webauthn_registration_not_found');
      const renamed = { ...known, name };
      change(state, user_id, { webauthn_registrations: before.map((each) => (each === known ? renamed : each)) });
      return { webauthn_registration: renamed };
    });
}
