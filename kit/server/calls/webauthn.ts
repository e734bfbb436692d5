import { webauthn } from '#application/api/index.ts';
import { base64url } from '#domain/base64url.ts';
import { checkEmail, checkRoom } from '#server-rules/accounts.ts';
import { isDelegated } from '#domain/rules/delegates.ts';
import { mayAddSilently } from '#server-rules/mfa-policy.ts';
import { checkDuration, PASSKEY_CHALLENGE_MINUTES, MINUTE_MS } from '#domain/rules/lifetimes.ts';
import {
  ALGORITHMS,
  checkAttachment,
  checkDomain,
  defaultName,
  handleOf,
  mayUse,
  nameFrom,
  passkeyFactor,
} from '#server-rules/passkeys.ts';
import { namesOf } from '#domain/passkeys/user-names.ts';
import { checkArrival, type Visitor } from '#server-rules/sign-ups.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { SESSION_DURATION_MINUTES } from '#domain/sessions/session.ts';
import type { WebauthnRegistration } from '#domain/users/user.ts';
import { requireOwner, requireSession } from '../state/admission.ts';
import type { Answers, Caller } from '../state/answers.ts';
import { parseCredential, type PresentedCredential } from './presented-credential.ts';
import { change, newMember, readUser } from '../state/user-rows.ts';
import { requireListed } from '../state/second-factor.ts';
import { keep, logIn, sessionIdOf } from '../state/sign-in.ts';
import type { ServerState } from '../state/state.ts';
import type { Ceremony, LiveSession, Passkey } from '../state/tables.ts';

/** A person who has proven no address. */
const UNPROVEN: Visitor = { email: null };

const TIMEOUT = PASSKEY_CHALLENGE_MINUTES * MINUTE_MS;

/** The differences between the options of two ceremonies, in the order of the provider’s reply. */
interface CreationInput {
  readonly challenge: string;
  readonly rp: object;
  readonly user: object;
  readonly excludeCredentials: readonly object[];
  readonly authenticatorSelection: object;
}

/** Passkeys: registration, login, use as a second factor, and renaming. */
export function answerWebauthn(answers: Answers, state: ServerState): void {
  const issueChallenge = (ceremony: Omit<Ceremony, 'expiresAt'>): string => {
    const challenge = base64url(new TextEncoder().encode(`webauthn-challenge-${state.next()}`.padEnd(32, '.')));
    state.ceremonies.set(challenge, { ...ceremony, expiresAt: state.in(PASSKEY_CHALLENGE_MINUTES) });
    return challenge;
  };
  /** The ceremony with this challenge. The challenge is not used up. */
  const findCeremony = (kind: Ceremony['kind'], challenge: string): Ceremony => {
    const ceremony = state.live(state.ceremonies, challenge);
    if (ceremony?.kind !== kind) throw new Refusal('webauthn_challenge_not_found');
    return ceremony;
  };
  const verify = ({ origin }: PresentedCredential, domain: string): void => {
    if (!mayUse(state.rules(origin), domain, origin)) throw new Refusal('webauthn_verification_failed');
  };
  const descriptorsOf = (userId: string, domain: string): readonly object[] =>
    [...state.passkeys.values()]
      .filter((passkey) => passkey.user_id === userId && passkey.domain === domain)
      .map(({ credential_id: id, transports }) => ({ id, transports, type: 'public-key' }));
  const requestOptions = (domain: string, userId: string | null, wantsPasskey: boolean | undefined, caller: Caller) => {
    const allowCredentials = userId === null ? [] : descriptorsOf(userId, domain);
    if (userId !== null && allowCredentials.length === 0) throw new Refusal('webauthn_registration_not_found');
    const options = {
      rpId: domain,
      challenge: issueChallenge({ kind: 'authenticate', domain, user_id: userId, user_agent: caller.userAgent }),
      allowCredentials,
      timeout: TIMEOUT,
      userVerification: userId === null || wantsPasskey === true ? 'required' : 'preferred',
    };
    return { public_key_credential_request_options: JSON.stringify(options) };
  };
  const checkRelyingParty = (domain: string): void => checkDomain(state.rules(`https://${domain}`), domain);
  /** Refuses a second-factor challenge unless the session is the user's own, not that of an app or impersonator. */
  const checkOwn = ({ user_id }: Ceremony, session: LiveSession | undefined): void => {
    if (session?.user_id !== user_id || isDelegated(session)) throw new Refusal('webauthn_challenge_not_found');
  };

  const checkOwner = (ceremony: Ceremony, caller: Caller): void => {
    const { user_id, login, session } = requireOwner(state, caller, 'proves');
    if (login === undefined) checkOwn(ceremony, session);
    else if (user_id !== ceremony.user_id) throw new Refusal('webauthn_challenge_not_found');
  };
  const checkSilent = ({ authentication_factors: factors }: Pick<LiveSession, 'authentication_factors'>): void => {
    if (!mayAddSilently(state.settings.mfa, factors)) throw new Refusal('mfa_required');
  };
  const enroller = (caller: Caller) => {
    const { login, session } = requireOwner(state, caller);
    requireListed(state, login, 'enrol', 'webauthn');
    return login ?? session;
  };
  const factorOf = (passkey: Passkey, { isVerified }: PresentedCredential) =>
    passkeyFactor(state.settings.mfa, passkey, isVerified);
  const checkSignUps = (): void => {
    if (!state.settings.passkeySignUp) throw new Refusal('route_not_found');
    checkArrival(state.settings.signUp, UNPROVEN);
  };
  /** The other options of a new passkey, which are always the same. */
  const creationOptions = ({ excludeCredentials, authenticatorSelection, ...own }: CreationInput) => ({
    public_key_credential_creation_options: JSON.stringify({
      ...own,
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
      timeout: TIMEOUT,
      attestation: 'none',
      excludeCredentials,
      authenticatorSelection,
      extensions: { credProps: true },
      hints: [],
    }),
  });
  const keepPasskey = (
    { id, attachment, transports, facts }: PresentedCredential,
    owned: Pick<Passkey, 'user_id' | 'domain' | 'user_agent'>,
    addedIn?: string,
  ): Passkey => {
    const { user_id, domain, user_agent } = owned;
    const webauthn_registration_id = state.id('webauthn-registration');
    const passkey = { ...owned, credential_id: id, webauthn_registration_id, transports };
    state.passkeys.set(id, passkey);
    const registration: WebauthnRegistration = {
      webauthn_registration_id,
      domain,
      user_agent,
      authenticator_type: attachment ?? (transports.includes('internal') ? 'platform' : 'cross-platform'),
      verified: true,
      name: defaultName(facts.aaguid, user_agent),
      created_at: state.stamp(),
      last_used_at: null,
      ...facts,
      attested: false,
      model: null,
    };
    const { webauthn_registrations: before } = readUser(state, user_id);
    change(state, user_id, { webauthn_registrations: [...before, registration] }, addedIn);
    return passkey;
  };

  answers
    .to(webauthn.registerStart, (body, caller) => {
      const owner = enroller(caller);
      const { user_id } = owner;
      const silent = body.conditional_mediation === true && 'authentication_factors' in owner;
      if (silent) checkSilent(owner);
      const { domain, authenticator_type: attachment, return_passkey_credential_options: wantsPasskey = false } = body;
      const passkey = silent || wantsPasskey;
      checkRelyingParty(domain);
      checkAttachment(attachment);
      const handle = handleOf(user_id, body.override_id);
      const user_agent = (body.user_agent ?? caller.userAgent).slice(0, 512);
      const challenge = issueChallenge({ kind: 'register', domain, user_id, user_agent, silent });
      return creationOptions({
        challenge,
        rp: { name: String(state.project['project_name']), id: domain },
        user: { id: base64url(handle), ...namesOf(readUser(state, user_id), body) },
        excludeCredentials: descriptorsOf(user_id, domain),
        authenticatorSelection: {
          ...(attachment === undefined ? {} : { authenticatorAttachment: attachment }),
          residentKey: passkey ? 'required' : 'discouraged',
          userVerification: passkey && !silent ? 'required' : 'preferred',
          requireResidentKey: passkey,
        },
      });
    })
    .to(webauthn.register, ({ public_key_credential, session_duration_minutes }, caller) => {
      const owner = enroller(caller);
      const { user_id, session_id } = owner;
      const minutes = session_duration_minutes ?? SESSION_DURATION_MINUTES;
      checkDuration(minutes);
      const credential = parseCredential(public_key_credential);
      const { id, challenge } = credential;
      const { user_id: ceremonyUserId, domain, user_agent, silent = false } = findCeremony('register', challenge);
      const session = 'authentication_factors' in owner ? owner : undefined;
      if (ceremonyUserId !== user_id || (silent && session === undefined))
        throw new Refusal('webauthn_challenge_not_found');
      verify(credential, domain);
      if (!silent && !credential.isPresent) throw new Refusal('webauthn_verification_failed');
      if (silent && session !== undefined) checkSilent(session);
      if (state.passkeys.has(id)) throw new Refusal('duplicate_webauthn_registration');
      checkRoom(readUser(state, user_id).webauthn_registrations.length);
      state.ceremonies.delete(challenge);
      const passkey = keepPasskey(credential, { user_id, domain, user_agent }, session_id);
      const { webauthn_registration_id } = passkey;
      state.addedIn.set(webauthn_registration_id, session_id);
      if (silent && session !== undefined) {
        const reply = keep(state, session);
        const tokens = session.of_jwt ? { session_token: '', session_jwt: '' } : {};
        return { ...reply, ...tokens, webauthn_registration_id };
      }
      const signedIn = logIn(state, { user_id, factor: factorOf(passkey, credential), minutes, caller });
      return { ...signedIn, webauthn_registration_id };
    })
    .to(webauthn.signUpStart, ({ domain, email, user_agent: agent }, caller) => {
      checkSignUps();
      checkRelyingParty(domain);
      checkEmail(email);
      const user_id = state.id('user');
      const unproven_email = email.normalize('NFC');
      const user_agent = (agent ?? caller.userAgent).slice(0, 512);
      const signUp = { user_id, email: unproven_email };
      return creationOptions({
        challenge: issueChallenge({ kind: 'register', domain, user_id: null, user_agent, signUp }),
        rp: { name: String(state.project['project_name']), id: domain },
        user: { id: base64url(handleOf(user_id, undefined)), ...namesOf({ user_id, unproven_email }) },
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required', requireResidentKey: true },
      });
    })
    .to(webauthn.signUp, ({ public_key_credential, session_duration_minutes: minutes }, caller) => {
      checkSignUps();
      checkDuration(minutes);
      const credential = parseCredential(public_key_credential);
      const { signUp, domain, user_agent } = findCeremony('register', credential.challenge);
      if (signUp === undefined) throw new Refusal('webauthn_challenge_not_found');
      verify(credential, domain);
      if (!credential.isPresent || !credential.isVerified) throw new Refusal('webauthn_verification_failed');
      if (state.passkeys.has(credential.id)) throw new Refusal('duplicate_webauthn_registration');
      state.ceremonies.delete(credential.challenge);
      const { user_id, email: unproven_email } = signUp;
      newMember(state, { arrival: UNPROVEN, user_id, unproven_email });
      const passkey = keepPasskey(credential, { user_id, domain, user_agent });
      const { webauthn_registration_id } = passkey;
      const signedIn = logIn(state, { user_id, factor: factorOf(passkey, credential), minutes, caller });
      const session_id = sessionIdOf(state, signedIn);
      state.addedIn.set(webauthn_registration_id, session_id);
      state.unprovenIn.set(user_id, session_id);
      return { ...signedIn, webauthn_registration_id };
    })
    .to(webauthn.authenticateStartPrimary, ({ domain, return_passkey_credential_options: wantsPasskey }, caller) => {
      checkRelyingParty(domain);
      return requestOptions(domain, null, wantsPasskey, caller);
    })
    .to(webauthn.authenticateStartSecondary, ({ domain, return_passkey_credential_options: wantsPasskey }, caller) => {
      const { user_id, login } = requireOwner(state, caller);
      requireListed(state, login, 'factors', 'webauthn');
      checkRelyingParty(domain);
      return requestOptions(domain, user_id, login !== undefined || wantsPasskey, caller);
    })
    .to(webauthn.authenticate, ({ public_key_credential, session_duration_minutes: minutes }, caller) => {
      checkDuration(minutes);
      const credential = parseCredential(public_key_credential);
      const ceremony = findCeremony('authenticate', credential.challenge);
      const { user_id: ceremonyUserId, domain } = ceremony;
      if (ceremonyUserId !== null) checkOwner(ceremony, caller);
      const passkey = state.passkeys.get(credential.id);
      if (passkey?.domain !== domain || (ceremonyUserId !== null && ceremonyUserId !== passkey.user_id)) {
        throw new Refusal('webauthn_registration_not_found');
      }
      verify(credential, domain);
      state.ceremonies.delete(credential.challenge);
      const { user_id, webauthn_registration_id } = passkey;
      if (ceremonyUserId !== null) checkOwner(ceremony, caller);
      const used = { last_used_at: state.stamp(), backed_up: credential.facts.backed_up };
      const { webauthn_registrations: before } = readUser(state, user_id);
      const isUsed = (each: WebauthnRegistration): boolean =>
        each.webauthn_registration_id === webauthn_registration_id;
      change(state, user_id, {
        webauthn_registrations: before.map((each) => (isUsed(each) ? { ...each, ...used } : each)),
      });
      const signedIn = logIn(state, { user_id, factor: factorOf(passkey, credential), minutes, caller });
      return { ...signedIn, webauthn_registration_id };
    })
    .to(webauthn.update, ({ name: rawName }, caller, { webauthn_registration_id: id }) => {
      const { user_id } = requireSession(state, caller);
      const name = nameFrom(rawName);
      if (name === null) throw new Refusal('invalid_webauthn_name');
      const { webauthn_registrations: before } = readUser(state, user_id);
      const registration = before.find((each) => each.webauthn_registration_id === id);
      if (registration === undefined) throw new Refusal('webauthn_registration_not_found');
      const renamed = { ...registration, name };
      change(state, user_id, {
        webauthn_registrations: before.map((each) => (each === registration ? renamed : each)),
      });
      return { webauthn_registration: renamed };
    });
}
