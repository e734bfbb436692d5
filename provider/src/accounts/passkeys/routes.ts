import { checkDuration } from '../../../../src/domain/rules/lifetimes.ts';
import { checkDomain } from '../../../../src/domain/rules/passkeys.ts';
import { SESSION_DURATION_MINUTES } from '../../../../src/domain/sessions/session.ts';
import type { Routes } from '../sessions/contract.ts';
import { takeForUser } from '../../base/security/limits.ts';
import { takeForVisitor } from '../../base/security/visitor-limits.ts';
import { holdProvenSession, withProvenSession, withSession } from '../sessions/current.ts';
import { entering } from '../sessions/entering.ts';
import { authenticateCredential, startAuthentication } from './authentication.ts';
import { registerCredential, startRegistration } from './registration.ts';
import { renameRegistration } from './registrations.ts';

export const webauthn: Routes['webauthn'] = {
  registerStart: withProvenSession(async (services, { body, caller: { userAgent }, session: { user_id } }) => {
    await takeForUser(services, 'challenge', user_id, services.limits.challengesPerUser);
    return { public_key_credential_creation_options: await startRegistration(services, body, { user_id, userAgent }) };
  }),

  register: withProvenSession(async (services, { body, caller, session }) => {
    const minutes = body.session_duration_minutes ?? SESSION_DURATION_MINUTES;
    checkDuration(minutes);
    return registerCredential(services, {
      user_id: session.user_id,
      credential: body.public_key_credential,
      userAgent: caller.userAgent,
      hold: (tx) => holdProvenSession(services, tx, session),
      enter: entering(services, caller, minutes),
    });
  }),

  async authenticateStartPrimary(services, { body, caller }) {
    checkDomain(services.project, body.domain);
    await takeForVisitor(services, 'challenge', caller, services.limits.searchesPerNetwork);
    return { public_key_credential_request_options: await startAuthentication(services, body, null) };
  },

  authenticateStartSecondary: withSession(async (services, { body, session: { user_id } }) => {
    await takeForUser(services, 'challenge', user_id, services.limits.challengesPerUser);
    return { public_key_credential_request_options: await startAuthentication(services, body, user_id) };
  }),

  async authenticate(services, { body, caller }) {
    checkDuration(body.session_duration_minutes);
    return authenticateCredential(services, {
      credential: body.public_key_credential,
      caller,
      from: 'wire',
      enter: entering(services, caller, body.session_duration_minutes),
    });
  },

  update: withProvenSession(async (services, { body: { name }, params, session }) => ({
    webauthn_registration: await renameRegistration(services, params.webauthn_registration_id, {
      name,
      userId: session.user_id,
    }),
  })),
};
