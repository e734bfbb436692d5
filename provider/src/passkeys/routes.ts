import { SESSION_DURATION_MINUTES } from '../../../src/domain/session.ts';
import { FACTORS } from '../../../src/domain/rules/factors.ts';
import { generateAuthenticationOptions, generateRegistrationOptions } from '@simplewebauthn/server';
import { isDelegated, ownOf } from '../../../src/domain/rules/delegates.ts';
import { checkDuration } from '../../../src/domain/rules/lifetimes.ts';
import {
  ALGORITHMS,
  checkAttachment,
  checkDomain,
  defaultName,
  handleOf,
  mayUse,
  nameFrom,
  namesOf,
} from '../../../src/domain/rules/passkeys.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { sqlState, transaction } from '../db/transaction.ts';
import type { WebauthnChallengesTable, WebauthnRegistrationsTable } from './tables.ts';
import type { Routes } from '../http/endpoints.ts';
import { uuid } from '../security/secrets.ts';
import { holdProvenSession, withProvenSession, withSession, type CurrentSession } from '../sessions/current.ts';
import { logIn } from '../sessions/log-in.ts';
import type { Services } from '../services.ts';
import { takeForNetwork } from '../security/limits.ts';
import { lockUser } from '../users/lock.ts';
import { readUser } from '../users/read-user.ts';
import { CHALLENGE_MS, findChallenge, issueChallenge, redeemChallenge } from './challenges.ts';
import { assertionFrom, attestationFrom, clientDataOf } from './credential.ts';
import { verifyAssertion, verifyAttestation, type Expected } from './verify.ts';

const UNIQUE_VIOLATION = '23505';

function registrationsOf({ db }: Services, userId: string, domain: string) {
  return db
    .selectFrom('webauthn_registrations')
    .selectAll()
    .where('user_id', '=', userId)
    .where('domain', '=', domain)
    .orderBy('created_at')
    .execute();
}

function descriptorFrom({
  credential_id,
  transports,
}: Pick<WebauthnRegistrationsTable, 'credential_id'> & { readonly transports: readonly string[] }) {
  return { id: credential_id, transports: [...transports] };
}

interface StartBody {
  readonly domain: string;
  readonly return_passkey_credential_options?: boolean | undefined;
}

/** Options for `navigator.credentials.get()`: of this user's credentials, or of any passkey when there is no user. */
async function requestOptions(services: Services, body: StartBody, userId: string | null): Promise<string> {
  // Possession of the authenticator is one factor. Without a session it must also verify its user, whatever the caller
  // requests.
  const passkey = userId === null || body.return_passkey_credential_options === true;
  const registrations = userId === null ? [] : await registrationsOf(services, userId, body.domain);
  if (userId !== null && registrations.length === 0) throw new Refusal('webauthn_registration_not_found');
  const challenge = await issueChallenge(services, {
    ceremony: 'authenticate',
    user_id: userId,
    domain: body.domain,
    user_verification: passkey,
    user_handle: null,
    user_agent: null,
  });
  const options = await generateAuthenticationOptions({
    rpID: body.domain,
    challenge,
    timeout: CHALLENGE_MS,
    userVerification: passkey ? 'required' : 'preferred',
    allowCredentials: registrations.map(descriptorFrom),
  });
  return JSON.stringify(options);
}

export const webauthn: Routes['webauthn'] = {
  registerStart: withProvenSession(async (services, { body, caller, session }) => {
    checkDomain(services.project, body.domain);
    const { authenticator_type: attachment } = body;
    checkAttachment(attachment);
    const user = await readUser(services.db, session.user_id);
    const handle = Uint8Array.from(handleOf(session.user_id, body.override_id));
    const passkey = body.return_passkey_credential_options === true;
    const challenge = await issueChallenge(services, {
      ceremony: 'register',
      user_id: session.user_id,
      domain: body.domain,
      user_verification: passkey,
      user_handle: Buffer.from(handle).toString('base64url'),
      user_agent: (body.user_agent ?? caller.userAgent).slice(0, 512),
    });
    const { name, displayName } = namesOf(user, body);
    const options = await generateRegistrationOptions({
      rpName: services.project.name,
      rpID: body.domain,
      userID: handle,
      userName: name,
      userDisplayName: displayName,
      challenge,
      timeout: CHALLENGE_MS,
      attestationType: 'none',
      supportedAlgorithmIDs: [...ALGORITHMS],
      excludeCredentials: (await registrationsOf(services, session.user_id, body.domain)).map(descriptorFrom),
      authenticatorSelection: {
        ...(attachment === undefined ? {} : { authenticatorAttachment: attachment }),
        residentKey: passkey ? 'required' : 'discouraged',
        userVerification: passkey ? 'required' : 'preferred',
      },
    });
    return { public_key_credential_creation_options: JSON.stringify(options) };
  }),

  register: withProvenSession(async (services, { body, caller, session }) => {
    const minutes = body.session_duration_minutes ?? SESSION_DURATION_MINUTES;
    checkDuration(minutes);
    const response = attestationFrom(body.public_key_credential);
    const { challenge } = clientDataOf(response.response);
    const bound = await findChallenge(services, 'register', challenge);
    if (bound.user_id !== session.user_id) throw new Refusal('webauthn_challenge_not_found');
    const made = await verifyAttestation(response, expected(services, bound, challenge));
    const { transports } = response.response;
    const user_agent = bound.user_agent ?? caller.userAgent;
    const registration = {
      webauthn_registration_id: `webauthn-registration-test-${uuid(services.random)}`,
      user_id: session.user_id,
      domain: bound.domain,
      credential_id: made.credential_id,
      public_key: made.public_key,
      user_handle: bound.user_handle ?? '',
      sign_count: made.sign_count,
      backup_eligible: made.backup_eligible,
      transports: JSON.stringify(transports),
      user_agent,
      authenticator_type:
        response.authenticatorAttachment ?? (transports.includes('internal') ? 'platform' : 'cross-platform'),
      name: defaultName(made.aaguid, user_agent),
      created_at: new Date(services.clock.now()),
    };
    const reply = await transaction(services.db, async (tx) => {
      const { user, session: presented } = await holdProvenSession(services, tx, session);
      await redeemChallenge(tx, bound);
      await tx.insertInto('webauthn_registrations').values(registration).execute();
      const factor = FACTORS.webauthn(registration);
      return logIn(services, tx, { user, factor, minutes, caller, presented });
    }).catch((error: unknown) => {
      throw sqlState(error) === UNIQUE_VIOLATION ? new Refusal('duplicate_webauthn_registration') : error;
    });
    return { ...reply, webauthn_registration_id: registration.webauthn_registration_id };
  }),

  async authenticateStartPrimary(services, { body, caller }) {
    checkDomain(services.project, body.domain);
    await takeForNetwork(services, 'challenge', caller.address, services.limits.searchesPerNetwork);
    return { public_key_credential_request_options: await requestOptions(services, body, null) };
  },

  authenticateStartSecondary: withSession(async (services, { body, session }) => {
    checkDomain(services.project, body.domain);
    return { public_key_credential_request_options: await requestOptions(services, body, session.user_id) };
  }),

  async authenticate(services, { body, caller }) {
    checkDuration(body.session_duration_minutes);
    const response = assertionFrom(body.public_key_credential);
    const { challenge } = clientDataOf(response.response);
    const bound = await findChallenge(services, 'authenticate', challenge);
    if (bound.user_id !== null) checkOwn(bound, await caller.session.require());
    const registration = await services.db
      .selectFrom('webauthn_registrations')
      .selectAll()
      .where('credential_id', '=', response.id)
      .where('domain', '=', bound.domain)
      .executeTakeFirst();
    if (registration === undefined || (bound.user_id !== null && bound.user_id !== registration.user_id)) {
      await takeForNetwork(services, 'failure', caller.address, services.limits.failuresPerNetwork);
      throw new Refusal('webauthn_registration_not_found');
    }
    // Without a known user the authenticator must name one (WebAuthn Level 3, section 7.2, step 6).
    if (bound.user_id === null && response.response.userHandle === undefined) {
      throw new Refusal('webauthn_verification_failed');
    }
    const sign_count = await verifyAssertion(response, expected(services, bound, challenge), registration);
    return transaction(services.db, async (tx) => {
      const user = await lockUser(tx, registration.user_id);
      if (user === undefined) throw new Refusal('webauthn_registration_not_found');
      await redeemChallenge(tx, bound);
      const counted = await tx
        .updateTable('webauthn_registrations')
        .set({ sign_count })
        .where('webauthn_registration_id', '=', registration.webauthn_registration_id)
        .where((where) =>
          where.or([
            where('sign_count', '<', sign_count),
            where.and([where('sign_count', '=', 0), where.val(sign_count === 0)]),
          ]),
        )
        .returning('webauthn_registration_id')
        .executeTakeFirst();
      if (counted === undefined) throw new Refusal('webauthn_verification_failed');
      // The session may have ended during the verification; this answer must not start a new one.
      const presented = await caller.session.findIn(tx);
      if (bound.user_id !== null) checkOwn(bound, ownOf(user, presented));
      const reply = await logIn(services, tx, {
        user,
        factor: FACTORS.webauthn(registration),
        minutes: body.session_duration_minutes,
        caller,
        presented,
      });
      return {
        ...reply,
        webauthn_registration_id: registration.webauthn_registration_id,
      };
    });
  },

  update: withProvenSession(async (services, { body, params, session }) => {
    const name = nameFrom(body.name);
    if (name === null) throw new Refusal('invalid_webauthn_name');
    const renamed = await services.db
      .updateTable('webauthn_registrations')
      .set({ name })
      .where('webauthn_registration_id', '=', params.webauthn_registration_id)
      .where('user_id', '=', session.user_id)
      .returning(['webauthn_registration_id', 'domain', 'user_agent', 'authenticator_type', 'name'])
      .executeTakeFirst();
    if (renamed === undefined) throw new Refusal('webauthn_registration_not_found');
    return { webauthn_registration: { ...renamed, verified: true } };
  }),
};

/**
 * Refuses a challenge of a session's second factor outside of a live session of its user: its answer may come without
 * user verification, and must never begin a session.
 */
function checkOwn({ user_id }: Pick<WebauthnChallengesTable, 'user_id'>, session: CurrentSession | undefined): void {
  // The factor cannot join a session of an impersonator or an app: it would start a new one.
  if (session?.user_id !== user_id || isDelegated(session)) throw new Refusal('webauthn_challenge_not_found');
}

function expected(
  { project }: Services,
  bound: Pick<WebauthnChallengesTable, 'user_id' | 'domain' | 'user_verification'>,
  challenge: string,
): Expected {
  return {
    challenge,
    domain: bound.domain,
    mayUse: (origin) => mayUse(project, bound.domain, origin),
    userVerification: bound.user_verification || bound.user_id === null,
  };
}
