import { checkDuration } from '../../../../src/domain/rules/lifetimes.ts';
import { mayAddSilently } from '../../../../src/domain/rules/mfa-policy.ts';
import { checkDomain } from '../../../../src/domain/rules/passkeys.ts';
import type { SessionFactors } from '../../../../src/domain/rules/factors.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { SESSION_DURATION_MINUTES } from '../../../../src/domain/sessions/session.ts';
import type { Routes } from '../sessions/contract.ts';
import { actorIn, auditCall } from '../../base/audit/record.ts';
import { takeForCaller, takeForUser } from '../../base/security/limits.ts';
import { takeForVisitor } from '../../base/security/visitor-limits.ts';
import type { Services, SessionServices } from '../services.ts';
import { holdProvenSession, withProvenSession, type Caller } from '../sessions/current.ts';
import { entering } from '../sessions/entering.ts';
import { withSessionFor } from '../sessions/log-in.ts';
import type { LoginOutcome } from '../sessions/login-policy.ts';
import { mfaRulesOf } from '../sessions/policy.ts';
import { renew } from '../sessions/store.ts';
import { holdOwner, presentedStep, requireListed, stepOwner, type PresentedStep } from '../sessions/step-owner.ts';
import { authenticateCredential, startAuthentication } from './authentication.ts';
import { counted } from './funnel.ts';
import { registerCredential, startRegistration, type PasskeyRegistrationInput } from './registration.ts';
import { renameRegistration } from './registrations.ts';
import { checkSignUps, signUpByPasskey, startSignUp } from './sign-up.ts';

type StartCall = Parameters<Routes['webauthn']['registerStart']>[1];
type RegisterCall = Parameters<Routes['webauthn']['register']>[1];
type RegistrationInput = PasskeyRegistrationInput<LoginOutcome>;
type RegisterReply = Awaited<ReturnType<Routes['webauthn']['register']>>;

/** The login to which a passkey is added; undefined where it is added in a session. */
async function enrolment(
  services: Pick<Services, 'clock' | 'db' | 'project'>,
  caller: Caller,
): Promise<PresentedStep | undefined> {
  const step = await presentedStep(services, caller);
  requireListed(step, 'enrol', 'webauthn');
  return step;
}

async function startFor(
  services: SessionServices & Pick<Services, 'limits'>,
  { body, caller: { userAgent }, user_id }: Pick<StartCall, 'body' | 'caller'> & { readonly user_id: string },
) {
  await takeForUser(services, 'challenge', user_id, services.limits.challengesPerUser);
  return { public_key_credential_creation_options: await startRegistration(services, body, { user_id, userAgent }) };
}

async function registerFor(
  services: Pick<Services, 'db' | 'clock' | 'random' | 'keys' | 'dev' | 'project' | 'authenticatorMetadata'>,
  {
    body,
    caller,
    user_id,
    hold,
    silently,
  }: Pick<RegisterCall, 'body' | 'caller'> & Pick<RegistrationInput, 'user_id' | 'hold' | 'silently'>,
): Promise<RegisterReply> {
  const minutes = body.session_duration_minutes ?? SESSION_DURATION_MINUTES;
  checkDuration(minutes);
  return registerCredential(services, {
    user_id,
    credential: body.public_key_credential,
    userAgent: caller.userAgent,
    hold,
    enter: entering(services, caller, minutes),
    ...(silently === undefined ? {} : { silently }),
  });
}

/** The session as it was, in the reply to a silent registration. */
async function unchanged(services: SessionServices, { session }: Caller): Promise<LoginOutcome> {
  const reply = await renew(services, await session.requireSignedIn(), {});
  if (reply === undefined) throw new Refusal('unauthorized_credentials');
  return reply;
}

function checkSilent({ project }: Pick<Services, 'project'>, session: SessionFactors): void {
  if (!mayAddSilently(project.mfa, session.authentication_factors)) throw new Refusal('mfa_required');
}

const startInSession = withProvenSession<StartCall, Awaited<ReturnType<typeof startFor>>>(
  async (services, { session, ...call }) => {
    if (call.body.conditional_mediation === true) checkSilent(services, session);
    return startFor(services, { ...call, user_id: session.user_id });
  },
);

const registerInSession = withProvenSession<RegisterCall, RegisterReply>(async (services, { session, ...call }) =>
  registerFor(services, {
    ...call,
    user_id: session.user_id,
    hold: (tx) => holdProvenSession(services, tx, session),
    silently: {
      record: async (tx) => {
        checkSilent(services, session);
        const { user_id, session_id } = session;
        await auditCall(services, tx, call.caller, {
          user_id,
          actor: actorIn(session),
          method: 'webauthn',
          details: { session_id },
        });
      },
      reply: () => unchanged(services, call.caller),
    },
  }),
);

export const webauthn: Routes['webauthn'] = {
  async registerStart(services, call) {
    return counted(services, call.caller, 'offered', async () => {
      const step = await enrolment(services, call.caller);
      if (step === undefined) return startInSession(services, call);
      // As a second factor it must verify its user, who must be there.
      const body = { ...call.body, return_passkey_credential_options: true, conditional_mediation: false };
      return startFor(services, { ...call, body, user_id: step.row.user_id });
    });
  },

  async register(services, call) {
    return counted(services, call.caller, 'made', async () => {
      const step = await enrolment(services, call.caller);
      if (step === undefined) return registerInSession(services, call);
      const owner = { user_id: step.row.user_id, session: undefined, step };
      return registerFor(services, { ...call, user_id: owner.user_id, hold: (tx) => holdOwner(services, tx, owner) });
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

  async authenticateStartSecondary(services, { body, caller }) {
    const { user_id, step } = await stepOwner(services, caller);
    requireListed(step, 'factors', 'webauthn');
    await takeForUser(services, 'challenge', user_id, services.limits.challengesPerUser);
    // By a policy, only a passkey that verifies its user is a second factor.
    const asked = mfaRulesOf(services) === undefined ? body : { ...body, return_passkey_credential_options: true };
    return { public_key_credential_request_options: await startAuthentication(services, asked, user_id) };
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

  update: withProvenSession(async (services, { body: { name }, params, session }) => ({
    webauthn_registration: await renameRegistration(services, params.webauthn_registration_id, {
      name,
      userId: session.user_id,
    }),
  })),
};
