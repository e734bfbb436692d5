import { Refusal } from '#domain/rules/refusal.ts';
import { actorIn } from '#provider/base/audit/record.ts';
import { transaction } from '#provider/base/db/statements/transaction.ts';
import { resumeLogin } from '../sessions/login/resume-login.ts';
import { stepOfRow } from '../sessions/factors/intermediate.ts';
import { holdSession } from '../sessions/reading/admission.ts';
import type { Routes } from '../sessions/reading/contract.ts';
import { readProfile, saveProfile } from '../users/profile.ts';
import { readUserWithRoles } from '../users/read-user.ts';

export const profile: Routes['profile'] = {
  complete: async (services, { body, caller, step }) =>
    transaction(services.db, async (tx) => {
      const { user, row } = await step.secondStep.hold(tx, step.row);
      const rules = services.project.profile;
      // Before its second factor, a login proves too little to change the account.
      const { profile: missing } = await stepOfRow(services, tx, row);
      if (rules === null || missing === undefined) throw new Refusal('mfa_factor_not_allowed');
      // Another tab of the browser has begun a login of somebody else.
      if (body.user_id !== row.user_id) throw new Refusal('intermediate_session_not_found');
      const actor = { kind: 'user', id: user.user_id } as const;
      await saveProfile(services, tx, user, { rules, body, caller, actor, isWhole: true });
      return resumeLogin(services, tx, { user, row, caller });
    }),

  get: async (services, { session: { user_id } }) => ({ profile: await readProfile(services, services.db, user_id) }),

  update: async (services, { body, session, caller }) => {
    const rules = services.project.profile;
    if (rules === null) throw new Refusal('route_not_found');
    return transaction(services.db, async (tx) => {
      const { user, session: current } = await holdSession(services, tx, session);
      const { user_id } = user;
      const actor = actorIn(current);
      await saveProfile(services, tx, user, { rules, body, caller, actor, isWhole: false });
      const after = await readProfile(services, tx, user_id);
      if (after === null) throw new Refusal('unauthorized_credentials');
      return { profile: after, __user: await readUserWithRoles(services.project, tx, user_id) };
    });
  },
};
