import { BACKEND_TOTP_MINUTES, minutesIn } from '#domain/rules/lifetimes.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import type { BackendCaller, BackendRoutes } from '../sessions/reading/contract.ts';
import type { Services, SessionServices } from '../services.ts';
import { enterBackend, type BackendLogin } from '../sessions/login/backend-log-in.ts';
import type { AdmittedBy } from '../sessions/reading/admission.ts';
import type { backendGates } from '../sessions/reading/backend-gates.ts';
import { readBackendUser, userIdOf } from '../users/backend-user.ts';
import { lockUser } from '../users/lock.ts';
import { enterRecoveryCode, enterTotp, type Claimant } from './claim.ts';
import { enrol } from './enrol.ts';
import { shownRecoveryCodes } from './store.ts';

type TotpLoginCall = AdmittedBy<(typeof backendGates)['totps']['authenticate']> & {
  readonly body: BackendLogin['body'] & { readonly user_id: string };
  readonly caller: BackendCaller;
};

/** The user of the call. If a session comes with it, it must be theirs. */
async function claimantOf(services: SessionServices & Pick<Services, 'dev'>, { body, caller, ...by }: TotpLoginCall) {
  const user_id = await userIdOf(services.db, body.user_id);
  const owner = by.session === undefined && by.step === undefined ? undefined : by;
  if (owner !== undefined && owner.user_id !== user_id) throw new Refusal('session_of_another_user');
  const enter = enterBackend(services, { body, caller });
  return { caller, user_id, owner, enter } satisfies Claimant<unknown>;
}

export const totps: BackendRoutes['totps'] = {
  async create(services, { body }) {
    const minutes = minutesIn('expiration_minutes', BACKEND_TOTP_MINUTES, body.expiration_minutes);
    const user_id = await userIdOf(services.db, body.user_id);
    const totp = await enrol(services, user_id, minutes, async (tx) => {
      const user = await lockUser(tx, user_id);
      if (user === undefined) throw new Refusal('user_not_found');
      return { user, session: null };
    });
    return { ...totp, user_id, user: await readBackendUser(services.project, services.db, user_id) };
  },

  async authenticate(services, call) {
    const claimant = await claimantOf(services, call);
    const { reply, totp_id } = await enterTotp(services, claimant, call.body.totp_code);
    return { ...reply, totp_id };
  },

  async recoveryCodes(services, { body }) {
    const user_id = await userIdOf(services.db, body.user_id);
    return { user_id, totps: await shownRecoveryCodes(services, user_id) };
  },

  async recover(services, call) {
    const claimant = await claimantOf(services, call);
    const { reply, totp_id } = await enterRecoveryCode(services, claimant, call.body.recovery_code);
    return { ...reply, totp_id };
  },
};
