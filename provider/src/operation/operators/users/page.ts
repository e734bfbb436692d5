import { html } from 'hono/html';
import { providerOf } from '#domain/rules/passkey-provider.ts';
import { waitingRecovery } from '#provider/accounts/recovery/store.ts';
import { readBackendUser } from '#provider/accounts/users/backend-user.ts';
import type { BackendUser } from '#provider/base/backend-api/reply.ts';
import type { Html } from '#provider/base/http/page-frame.ts';
import { listAudit } from '../audit/audit-list.ts';
import type { Operator } from '../desk/operator-store.ts';
import { listUsers } from './list-users.ts';
import { sessionsFor } from './actions.ts';
import { USER_COMMANDS } from './commands.ts';
import { SESSION_COMMANDS } from './session-commands.ts';
import { titleOf } from './title.ts';
import { act, dangerous, more, page, table, time, confirmField, type Fault } from '../desk/layout.ts';
import { auditTable } from '../audit/page.ts';
import { methodWords } from '../desk/words.ts';
import { mayRead } from '../desk/roles.ts';
import { PAGE_LIMIT, type PageRequest } from '../desk/route-context.ts';

type UserList = Awaited<ReturnType<typeof listUsers>>;

function contacts({ user }: Pick<UserList['users'][number], 'user'>): string {
  return [...user.emails.map(({ email }) => email), ...user.phone_numbers.map(({ phone_number }) => phone_number)].join(
    ', ',
  );
}

export async function usersPage({ services, operator, query }: PageRequest): Promise<Html> {
  const text = query('text') ?? '';
  const locked = query('locked') === '1';
  const filter = { text: query('text'), locked, after: query('after') };
  const { users, next } = await listUsers(services.db, { ...filter, limit: PAGE_LIMIT });
  const rows = users.map((each) => {
    const { user } = each;
    const { first_name, last_name } = user.name;
    return [
      html`<a href="/operators/users/${encodeURIComponent(user.user_id)}">${contacts(each) || user.user_id}</a>`,
      [first_name, last_name].filter(Boolean).join(' '),
      each.locked ? html`<strong class="locked">locked</strong>` : user.status,
      time(user.created_at),
    ];
  });
  return page({
    title: 'Users',
    section: 'users',
    operator,
    done: query('done'),
    body: html`<form method="get" action="/operators/users" role="search" class="filter">
        <span class="pair">
          <label for="text">Address, number, name or ID</label>
          <input id="text" name="text" type="search" value="${text}" maxlength="254" />
        </span>
        <label class="check">
          <input type="checkbox" name="locked" value="1" ${locked ? html`checked` : ''} /> Locked only
        </label>
        <button>Search</button>
      </form>
      ${table('Users, the oldest first', ['Address or number', 'Name', 'Status', 'Since'], rows, text !== '' || locked ? 'Nobody matches.' : 'No users yet. They appear here when they sign up or are imported.')}
      ${more('users', { text, locked: locked ? '1' : undefined }, next)}
      ${mayRead(operator, 'import') ? html`<p><a href="/operators/import">Import users</a></p>` : ''}`,
  });
}

export interface UserDetails {
  readonly user: BackendUser;
  readonly sessions: Awaited<ReturnType<typeof sessionsFor>>;
  readonly audit: Awaited<ReturnType<typeof listAudit>>;
  /** When the pending recovery can be finished; null if there is none. */
  readonly recovery: Date | null;
  readonly done?: string | undefined;
  readonly fault?: Fault | undefined;
}

/** The domain of a passkey, and the model of its authenticator: from the metadata file, else its AAGUID. */
function passkeyWords({ domain, model, aaguid, attested }: BackendUser['webauthn_registrations'][number]): string {
  const modelName = model ?? providerOf(aaguid) ?? aaguid ?? null;
  return [domain, modelName, modelName !== null && attested === true ? 'proven by attestation' : null]
    .filter((word) => word !== null)
    .join(', ');
}

function factorsOf(user: BackendUser): readonly (readonly [string, string, string])[] {
  const verified = (is: boolean): string => (is ? 'verified' : 'unverified');
  return [
    ...user.emails.map(({ email, verified: is }) => ['Email', email, verified(is)] as const),
    // Anybody can enter it at a sign-up with a passkey, so it is not the title, and searches do not find it.
    ...(user.unproven_email === undefined ? [] : [['Entered address', user.unproven_email, 'not proven'] as const]),
    ...user.phone_numbers.map(({ phone_number, verified: is }) => ['Phone', phone_number, verified(is)] as const),
    ...(user.password === null
      ? []
      : [['Password', '', user.password.requires_reset ? 'must be reset' : 'set'] as const]),
    ...user.totps.map(({ totp_id, verified: is }) => ['Authenticator app', totp_id, verified(is)] as const),
    ...user.webauthn_registrations.map((passkey) => ['Passkey', passkey.name, passkeyWords(passkey)] as const),
    ...user.providers.map(
      ({ provider_type, provider_subject }) => ['Social', provider_subject, provider_type] as const,
    ),
    ...user.crypto_wallets.map(
      ({ crypto_wallet_address, crypto_wallet_type }) => ['Wallet', crypto_wallet_address, crypto_wallet_type] as const,
    ),
  ];
}

export async function userPage({ services, operator, query, param, fault }: PageRequest): Promise<Html> {
  const user = await readBackendUser(services.project, services.db, param('user'));
  const sessions = await sessionsFor(services, user.user_id);
  const audit = await listAudit(services, { user_id: user.user_id, limit: PAGE_LIMIT });
  const recovery = (await waitingRecovery(services, services.db, user.user_id))?.available_at ?? null;
  return userDetails(operator, { user, sessions, audit, recovery, done: query('done'), fault });
}

export function userDetails(operator: Operator, { user, sessions, audit, recovery, done, fault }: UserDetails): Html {
  const at = `users/${encodeURIComponent(user.user_id)}`;
  const title = titleOf(user);
  const revoke = SESSION_COMMANDS['sessions revoke'];
  const rows = sessions.map(({ session_id, last_accessed_at, expires_at, attributes, authentication_factors }) => [
    time(last_accessed_at),
    time(expires_at),
    authentication_factors.map(({ type }) => methodWords(type)).join(', '),
    `${attributes.ip_address ?? ''} ${(attributes.user_agent ?? '').slice(0, 80)}`,
    act(operator, revoke, `${at}/sign-out`, 'End', { fields: { session_id } }),
  ]);
  return page({
    title,
    section: 'users',
    operator,
    done,
    body: html`<dl>
        <dt>ID</dt>
        <dd><code>${user.user_id}</code></dd>
        <dt>External ID</dt>
        <dd>${user.external_id ?? '–'}</dd>
        <dt>Name</dt>
        <dd>${[user.name.first_name, user.name.middle_name, user.name.last_name].filter(Boolean).join(' ') || '–'}</dd>
        <dt>Status</dt>
        <dd>${user.is_locked ? html`<strong class="locked">locked</strong>` : user.status}</dd>
        ${
          recovery === null
            ? ''
            : html`<dt>Recovery</dt>
                <dd>can be finished from ${time(recovery)} on</dd>`
        }
        <dt>Roles</dt>
        <dd>${user.roles.join(', ') || '–'}</dd>
      </dl>
      <div class="acts">
        ${
          user.is_locked
            ? act(operator, USER_COMMANDS['users unlock'], `${at}/unlock`, 'Unlock')
            : act(operator, USER_COMMANDS['users lock'], `${at}/lock`, 'Lock and sign out', { danger: true })
        }
        ${act(operator, revoke, `${at}/sign-out`, 'Sign out everywhere')}
        ${act(operator, USER_COMMANDS['users export'], `${at}/export`, 'Export')}
        ${recovery === null ? '' : act(operator, USER_COMMANDS['users shorten-recovery'], `${at}/shorten-recovery`, 'Let the recovery be finished now', { danger: true })}
      </div>
      ${table('Factors', ['Kind', 'What', 'State'], factorsOf(user), 'No way to log in.')}
      ${table('Sessions', ['Last used', 'Until', 'By', 'From', ''], rows, 'Not signed in anywhere.')}
      ${auditTable(operator, 'Audit log', audit.rows, true)}
      ${mayRead(operator, 'audit') ? more('audit', { user_id: user.user_id }, audit.next) : ''}
      ${dangerous(
        { operator, command: USER_COMMANDS['users delete'] },
        'Delete this user',
        `${at}/delete`,
        fault !== undefined,
        html`${confirmField({ name: 'confirm', label: html`Type <code>${title}</code> to delete the user for good`, fault })}
          <button class="danger">Delete</button>`,
      )}`,
  });
}
