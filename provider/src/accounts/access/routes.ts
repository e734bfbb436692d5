import { checkDuration } from '#domain/rules/lifetimes.ts';
import { ATTESTED_MINUTES } from '#domain/sessions/session.ts';
import type { Routes } from '../sessions/reading/contract.ts';
import { logIn } from '../sessions/login/log-in.ts';
import { attest } from './attest.ts';
import { impersonate } from './impersonation.ts';

export const impersonation: Routes['impersonation'] = {
  authenticate: (services, { body, caller }) => impersonate(services, body.impersonation_token, caller),
};

export const attestation: Pick<Routes['sessions'], 'attest'> = {
  async attest(services, { body, caller }) {
    const minutes = body.session_duration_minutes ?? ATTESTED_MINUTES;
    checkDuration(minutes);
    return attest(services, body, caller, async (tx, attested) =>
      logIn(services, tx, { ...attested, minutes, caller, presented: undefined }),
    );
  },
};
