import type { Database } from '#provider/base/db/database.ts';

/** A credential that is not a flow of one user, or has no steps: the test that plays who makes, uses and ends it. */
export interface Credential {
  readonly name: string;
  readonly tables: readonly (keyof Database)[];
  readonly madeBy: string;
  readonly usedBy: string;
  readonly endedBy: string;
  readonly test: string;
}

export const CREDENTIALS: readonly Credential[] = [
  {
    name: 'password',
    tables: ['passwords'],
    madeBy: 'a sign-up, the user, a reset by email, the app’s server',
    usedBy: 'whoever has it, with an address of the user',
    endedBy: 'a new password, a reset by email, removal of the last address, the first verification of an address',
    test: 'provider/tests/passwords/passwords.test.ts',
  },
  {
    name: 'address or number',
    tables: ['users', 'emails', 'phone_numbers'],
    madeBy: 'a message to it, a sign-up, the app’s server, an import',
    usedBy: 'whoever receives its messages',
    endedBy: 'removal, a caller who vouches for another user while it is unverified, the sweep of unproven sign-ups',
    test: 'provider/tests/attacks/unproven.test.ts',
  },
  {
    name: 'social account that waits for the second factor',
    tables: ['pending_oauth_registrations'],
    madeBy: 'a social login with a verified address of a user who has an authenticator app',
    usedBy: 'the session of that login, once it proves the second factor; its step, once it is complete',
    endedBy: 'the end of that session or step, every change of a login method',
    test: 'provider/tests/attacks/linked-accounts.test.ts',
  },
  {
    name: 'login that lacks the second factor',
    tables: ['intermediate_sessions'],
    madeBy: 'a first factor, by the project’s policy',
    usedBy: 'the browser that began it, with a second factor; the app’s server for one that it began',
    endedBy:
      'use, expiry, every change of a login method or of the user’s policy, sign-out everywhere else, lock, deletion of the user',
    test: 'provider/tests/attacks/second-step.test.ts',
  },
  {
    name: 'trusted browser',
    tables: ['trusted_devices'],
    madeBy: 'the user, as they prove the second factor',
    usedBy: 'whoever has it, with a first factor of the user',
    endedBy:
      'expiry, removal, every change of a login method, the end of its session from another session, sign-out everywhere else, deletion of the user',
    test: 'provider/tests/attacks/second-step.test.ts',
  },
  {
    name: 'link of a notice',
    tables: ['notice_links'],
    madeBy: 'a change of the account',
    usedBy: 'whoever has it',
    endedBy: 'use, expiry, removal of its address unless it is the oldest, deletion of the user',
    test: 'provider/tests/attacks/notices.test.ts',
  },
  {
    name: 'recovery of a lost or disputed second factor',
    tables: ['recoveries'],
    madeBy: 'a login that lacks the second factor, a link of a notice',
    usedBy: 'whoever has the link of a message of its end',
    endedBy: 'a link of any of its messages, a login of two factors, use, expiry, deletion of the user',
    test: 'provider/tests/attacks/recovery-starts.test.ts',
  },
  {
    name: 'secret and registration token of an agent',
    tables: ['agents'],
    madeBy: 'the agent that registers itself',
    usedBy: 'whoever has it',
    endedBy: 'deletion of the registration, the operator’s refusal, disuse',
    test: 'provider/tests/attacks/registrations.test.ts',
  },
  {
    name: 'client secret of an app',
    tables: ['connected_apps', 'oauth_client_secrets'],
    madeBy: 'the app’s server, the operator',
    usedBy: 'whoever has it',
    endedBy: 'rotation, deletion of the app',
    test: 'provider/tests/backend/connected-apps.test.ts',
  },
  {
    name: 'client secret of a machine',
    tables: ['m2m_clients'],
    madeBy: 'the app’s server',
    usedBy: 'whoever has it',
    endedBy: 'rotation, deactivation, deletion',
    test: 'provider/tests/backend/m2m.test.ts',
  },
  {
    name: 'project secret',
    tables: ['project_secrets'],
    madeBy: 'the operator',
    usedBy: 'whoever has it',
    endedBy: 'revocation',
    test: 'provider/tests/backend/credentials.test.ts',
  },
  {
    name: 'operator’s invitation, passkey and session',
    tables: ['operators', 'operator_invites', 'operator_passkeys', 'operator_challenges', 'operator_sessions'],
    madeBy: 'whoever runs the server',
    usedBy: 'the operator, at the operators’ page',
    endedBy: 'use of the invitation, expiry, sign-out, removal of the operator',
    test: 'provider/tests/operators/page.test.ts',
  },
];

/** The tables that let nobody in, each with what it holds. */
export const HOLDS_NO_ACCESS: Partial<Readonly<Record<keyof Database, string>>> = {
  known_networks: 'networks and browsers with limits apart from those of strangers',
  limit_windows: 'counts',
  notices: 'what people are told of',
  audit_log: 'what happened',
  audit_stream: 'how far the audit log was copied',
  passkey_funnel: 'how many passkeys were made and used on a day',
  audit_counts: 'how many refusals were not written down',
  backend_calls: 'calls of the backend API',
  signing_keys: 'keys of the server, sealed',
  sealed_keys: 'keys of the server, sealed',
  webhook_endpoints: 'the receivers of events',
  pushed_requests: 'what apps ask for, before anybody allowed it',
  client_key_sets: 'public keys of apps',
  connection_failures: 'what apps sent wrongly, without secrets',
  leases: 'which process does what one alone does at a time',
  app_sessions: 'the apps that are told of the end of a session',
};
