import { checkDuration } from '#domain/rules/lifetimes.ts';
import { mayAddSilently } from '#server-rules/mfa-policy.ts';
import { checkDomain } from '#server-rules/passkeys.ts';
import type { SessionFactors } from '#domain/rules/factors.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { SESSION_DURATION_MINUTES } from '#domain/sessions/session.ts';
import type { Db } from '#provider/base/db/database.ts';
import type { Routes } from '../sessions/reading/contract.ts';
import { actorIn, auditCall } from '#provider/base/audit/record.ts';
import { takeForCaller, takeForUser } from '#provider/base/security/limits.ts';
import { takeForVisitor } from '#provider/base/security/visitor-limits.ts';
import type { Services, SessionServices } from '../services.ts';
import { holdOwner, type StepOwner } from '../sessions/reading/admission.ts';
import type { Caller, CurrentSession } from '../sessions/reading/current.ts';
import { entering } from '../sessions/login/entering.ts';
import { withSessionFor } from '../sessions/login/log-in.ts';
import type { LoginOutcome } from '../sessions/login/login-policy.ts';
import { mfaRulesOf } from '../sessions/factors/policy.ts';
import { renew } from '../sessions/rows/store.ts';
import { requireListed } from '../sessions/reading/step.ts';
import { authenticateCredential, startAuthentication } from './authentication.ts';
import { counted } from './funnel.ts';
import { registerCredential, startRegistration, type PasskeyRegistrationInput } from './registration.ts';
import { renameRegistration } from './registrations.ts';
import { checkSignUps, signUpByPasskey, startSignUp } from './sign-up.ts';

type StartCall = Parameters<Routes['webauthn']['registerStart']>[1];
type RegistrationInput = PasskeyRegistrationInput<LoginOutcome>;

async function startFor(
  services: SessionServices & Pick<Services, 'limits'>,
  { body, caller: { userAgent }, ...owner }: Pick<StartCall, 'body' | 'caller'> & StepOwner,
) {
  const { user_id } = owner;
  await takeForUser(services, 'challenge', user_id, services.limits.challengesPerUser);
  const hold = (tx: Db) => holdOwner(services, tx, owner);
  const by = { user_id, userAgent, hold };
  return { public_key_credential_creation_options: await startRegistration(services, body, by) };
}

/** The unchanged session, for the reply to a silent registration. */
async function unchanged(services: SessionServices, { session }: Caller): Promise<LoginOutcome> {
  const reply = await renew(services, await session.requireSignedIn(), {});
  if (reply === undefined) throw new Refusal('unauthorized_credentials');
  return reply;
}

function checkSilent({ project }: Pick<Services, 'project'>, session: SessionFactors): void {
  if (!mayAddSilently(project.mfa, session.authentication_factors)) throw new Refusal('mfa_required');
}

/** Completes a silent registration. It proves nothing, and needs a session. */
function silentEnd(
  services: Pick<Services, 'clock' | 'keys' | 'project'> & SessionServices,
  { caller, session }: { readonly caller: Caller; readonly session: CurrentSession },
): RegistrationInput['silently'] {
  return {
    record: async (tx) => {
      checkSilent(services, session);
      const { user_id, session_id } = session;
      const entry = { user_id, actor: actorIn(session), method: 'webauthn', details: { session_id } };
      await auditCall(services, tx, caller, entry);
    },
    reply: () => unchanged(services, caller),
  };
}

export const webauthn: Routes['webauthn'] = {
  async registerStart(services, { body, caller, ...owner }) {
    const { session, step } = owner;
    return counted(services, caller, 'offered', async () => {
      requireListed(step, 'enrol', 'webauthn');
      if (session !== undefined && body.conditional_mediation === true) checkSilent(services, session);
      // A second factor must verify its user, so the user must be present.
      const second = { ...body, return_passkey_credential_options: true, conditional_mediation: false };
      return startFor(services, { caller, body: step === undefined ? body : second, ...owner });
    });
  },

  async register(services, { body, caller, ...owner }) {
    const { user_id, session, step } = owner;
    return counted(services, caller, 'made', async () => {
      requireListed(step, 'enrol', 'webauthn');
      const minutes = body.session_duration_minutes ?? SESSION_DURATION_MINUTES;
      checkDuration(minutes);
      const silently = session === undefined ? undefined : silentEnd(services, { caller, session });
      return registerCredential<LoginOutcome>(services, {
        user_id,
        credential: body.public_key_credential,
        userAgent: caller.userAgent,
        hold: (tx) => holdOwner(services, tx, owner),
        enter: entering(services, caller, minutes),
        ...(silently === undefined ? {} : { silently }),
      });
    });
  },

  async signUpStart(services, { body: { domain, email, user_agent }, caller }) {
    checkSignUps(services);
    checkDomain(services.project, domain);
    await takeForVisitor(services, 'challenge', caller, services.limits.searchesPerNetwork);
    return counted(services, caller, 'offered', async () => ({
      public_key_credential_creation_options: await startSignUp(services, {
        domain,
        email,
        userAgent: user_agent ?? caller.userAgent,
      }),
    }));
  },

  async signUp(services, { body: { public_key_credential, session_duration_minutes: minutes }, caller }) {
    checkSignUps(services);
    checkDuration(minutes);
    await takeForCaller(services, 'search', caller, services.limits.searchesPerNetwork);
    return counted(services, caller, 'made', async () =>
      signUpByPasskey(services, {
        credential: public_key_credential,
        userAgent: caller.userAgent,
        enter: withSessionFor(services, { minutes, caller }),
      }),
    );
  },

  async authenticateStartPrimary(services, { body, caller }) {
    checkDomain(services.project, body.domain);
    await takeForVisitor(services, 'challenge', caller, services.limits.searchesPerNetwork);
    return { public_key_credential_request_options: await startAuthentication(services, body, null) };
  },

  async authenticateStartSecondary(services, { body, user_id, step }) {
    requireListed(step, 'factors', 'webauthn');
    await takeForUser(services, 'challenge', user_id, services.limits.challengesPerUser);
    // If the project has a policy, a passkey counts as a second factor only if it verifies its user.
    const request = mfaRulesOf(services) === undefined ? body : { ...body, return_passkey_credential_options: true };
    return { public_key_credential_request_options: await startAuthentication(services, request, user_id) };
  },

  async authenticate(services, { body, caller }) {
    checkDuration(body.session_duration_minutes);
    return counted(services, caller, 'used', async () =>
      authenticateCredential(services, {
        credential: body.public_key_credential,
        caller,
        from: 'wire',
        enter: entering(services, caller, body.session_duration_minutes),
      }),
    );
  },

  update: async (services, { body: { name }, params, session }) => ({
    webauthn_registration: await renameRegistration(services, params.webauthn_registration_id, {
      name,
      userId: session.user_id,
    }),
  }),
};
