import { OPERATOR_TOKEN_MINUTES } from '../../../../src/domain/rules/lifetimes.ts';
import { Hono } from 'hono';
import { isRecord } from '../../../../src/domain/shape.ts';
import type { AuditEvent } from '../../base/audit/events.ts';
import { OPERATOR_COMMANDS } from '../operators/commands.ts';
import { auditOperator, meantUser, type AuditActor } from '../operators/people.ts';
import type { Infer, Shape } from '../../../../src/domain/shape.ts';
import { checkEmail } from '../../../../src/domain/rules/accounts.ts';
import { Refusal } from '../../../../src/domain/rules/refusal.ts';
import { checkBody } from '../../../../src/domain/rules/request-body.ts';
import { dumpStream } from '../backup/dump-stream.ts';
import { listCalls } from '../../api/backend/audit.ts';
import { listProjectSecrets, makeProjectSecret, revokeProjectSecret } from '../../api/backend/credentials.ts';
import { peerAddress } from '../../base/http/arrival.ts';
import { readJson } from '../../base/http/request.ts';
import { directOnly } from '../../base/http/direct.ts';
import type { AppContext, AppEnv } from '../../base/http/environment.ts';
import { isLoopbackAddress } from '../../base/peer.ts';
import { reply } from '../../base/http/replies.ts';
import { rotateClientSecret } from '../../apps/idp/client-secrets.ts';
import { sameSecret } from '../../base/security/secrets.ts';
import type { KeyPurpose } from '../../base/security/signing-key-rows.ts';
import { rotateSigningKey } from '../../base/security/signing-keys.ts';
import type { SessionServices } from '../../accounts/services.ts';
import type { Services } from '../../api/services.ts';
import { findContact } from '../../accounts/users/contacts.ts';
import { issueImpersonationToken } from '../../accounts/access/impersonation.ts';
import { isLocal, signTrustedToken } from '../../accounts/access/trusted-tokens.ts';

type AdminServices = Pick<Services, 'db' | 'clock' | 'random' | 'keys' | 'project'>;

/** Performs one action with fields that have the shape, and resolves with the text that the command prints. */
interface AdminAction {
  readonly shape: Shape;
  readonly run: (services: AdminServices, fields: unknown) => Promise<string>;
}

function action<const S extends Shape>(
  shape: S,
  run: (services: AdminServices, fields: Infer<S>) => Promise<string>,
): AdminAction {
  return { shape, run: (services, fields) => run(services, fields as Infer<S>) };
}

/** What the `admin` command can do, through a running server or without one. */
const ADMIN_ACTIONS: Readonly<Record<AdminActionName, AdminAction>> = {
  /** `user` is an email address or a user id. */
  'impersonation-token': action({ user: 'string', by: 'string?' }, async (services, { user, by = 'operator' }) => {
    const user_id = user.includes('@')
      ? (await findContact(services.db, 'email', user))?.user_id
      : (await services.db.selectFrom('users').select('user_id').where('user_id', '=', user).executeTakeFirst())
          ?.user_id;
    if (user_id === undefined) throw new Refusal('user_not_found');
    const email = by.includes('@') ? by : '';
    const issued = await issueImpersonationToken(services, {
      user_id,
      impersonator_id: by,
      impersonator_email_address: email,
    });
    return issued.impersonation_token;
  }),

  'trusted-token': action({ profile: 'string', email: 'string' }, async (services, { profile, email }) => {
    checkEmail(email);
    const found = services.project.trusted_auth_token_profiles.find(({ profile_id }) => profile_id === profile);
    if (found === undefined) throw new Refusal('trusted_auth_token_profile_not_found');
    if (!isLocal(found)) {
      throw new Refusal('unauthorized_action', 'The profile has keys of its issuer: only the issuer can sign for it.');
    }
    return signTrustedToken(services, found, email, OPERATOR_TOKEN_MINUTES);
  }),

  /** Makes a new secret for a confidential client; the previous one is accepted for another day. */
  'client-secret': action({ client: 'string' }, (services, { client }) => rotateClientSecret(services, client)),

  /** Makes a new signing key for apps or for session JWTs, and returns its id. */
  'rotate-keys': action({ purpose: 'string?' }, (services, { purpose }) => {
    const known = PURPOSES.find((each) => each === (purpose ?? 'apps'));
    if (known === undefined) throw new Refusal('bad_request', 'purpose must be apps or sessions.');
    return rotateSigningKey(services, known);
  }),

  'project-secret': action({ name: 'string' }, async (services, { name }) => {
    const { secret_id, secret } = await makeProjectSecret(services, name);
    return `${secret_id}\n${secret}`;
  }),

  'project-secrets': action({}, async (services) => {
    const secrets = await listProjectSecrets(services);
    return table(
      secrets.map(({ secret_id, name, created_at, last_used_at }) => [
        secret_id,
        `created ${created_at.toISOString()}`,
        `last used ${last_used_at?.toISOString() ?? 'never'}`,
        name,
      ]),
    );
  }),

  'revoke-project-secret': action({ id: 'string' }, async (services, { id }) => {
    await revokeProjectSecret(services, id);
    return id;
  }),

  /** `target` is the id of a user, client or session. */
  'backend-calls': action({ target: 'string?', limit: 'string?' }, async (services, { target, limit = '100' }) => {
    const most = Number(limit);
    if (!Number.isInteger(most) || most < 1 || most > 10_000) {
      throw new Refusal('bad_request', 'limit must be a whole number from 1 to 10000.');
    }
    const calls = await listCalls(services, target ?? null, most);
    return table(
      calls.map(({ created_at, secret_id, call, target, status, error_type, request_id, secret_name }) => [
        created_at.toISOString(),
        secret_id,
        call,
        target ?? '-',
        String(status ?? 'unknown'),
        error_type ?? '-',
        request_id,
        secret_name,
      ]),
    );
  }),
};

const PURPOSES: readonly KeyPurpose[] = ['apps', 'sessions'];

export type AdminActionName =
  | 'impersonation-token'
  | 'trusted-token'
  | 'client-secret'
  | 'rotate-keys'
  | 'project-secret'
  | 'project-secrets'
  | 'revoke-project-secret'
  | 'backend-calls';

/** One line for each row, its columns apart by tabs. */
function table(rows: readonly (readonly string[])[]): string {
  return rows.map((columns) => columns.join('\t')).join('\n');
}

function actionOf(name: string): AdminAction {
  const found = Object.entries(ADMIN_ACTIONS).find(([each]) => each === name);
  if (found === undefined) throw new Refusal('route_not_found');
  return found[1];
}

/** What the audit log says of an action; nothing of those that only list. */
const EVENTS: Partial<Record<string, AuditEvent>> = {
  'impersonation-token': 'impersonation_token_made',
  'trusted-token': 'trusted_token_made',
  'client-secret': 'client_secret_rotated',
  'rotate-keys': 'signing_key_rotated',
  'project-secret': 'project_secret_made',
  'revoke-project-secret': 'project_secret_revoked',
} satisfies Partial<Record<AdminActionName, AuditEvent>>;

/** Performs an operator's command; the fields are unvalidated input. */
export async function administer(
  services: SessionServices,
  name: string,
  fields: unknown,
  by: AuditActor = byOf(fields),
): Promise<{ readonly token: string }> {
  const { shape, run } = actionOf(name);
  const checked = checkBody({ body: shape, list: false }, fields);
  const token = await run(services, checked);
  const event = EVENTS[name];
  if (event !== undefined) {
    const { user, client, profile, id } = checked as Readonly<Record<string, string>>;
    const user_id = user === undefined ? null : await meantUser(services.db, user);
    const target = client ?? profile ?? id;
    // Whoever asked sees the token only once this is written.
    await auditOperator(services, services.db, by, { event, user_id, details: target === undefined ? {} : { target } });
  }
  return { token };
}

/** Performs an action, or a command such as `users list` under the name `users.list`; the fields are unvalidated input. */
export async function perform(services: Services, name: string, fields: unknown): Promise<object> {
  const managed = Object.entries(OPERATOR_COMMANDS).find(([words]) => words.replace(' ', '.') === name)?.[1];
  if (managed === undefined) return administer(services, name, fields);
  return managed.run(services, checkBody({ body: managed.options, list: false }, fields), byOf(fields));
}

/** The person at this machine who runs the command, as far as it says. */
function byOf(fields: unknown): AuditActor {
  const { operator } = isRecord(fields) ? fields : {};
  const name = typeof operator === 'string' && /^[^\p{C}]{1,120}$/u.test(operator) ? operator : 'operator';
  return { name, address: null, request_id: null };
}

/** Lets in programs of this machine that know the secret. A page is refused even when it knows the secret. */
function checkAdmin(context: AppContext, secret: string): void {
  if (context.req.header('origin') !== undefined) throw new Refusal('unregistered_origin');
  const near = context.env?.incoming === undefined || isLoopbackAddress(peerAddress(context));
  const given = /^Bearer (\S+)$/u.exec(context.req.header('authorization') ?? '')?.[1] ?? '';
  if (!near || !sameSecret(given, secret)) throw new Refusal('admin_secret_required');
}

/** Serves the `admin` command while the server runs, because only one process can open the data folder. */
export function adminRoutes(services: Services, secret: string): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use(async (context, next) => {
    context.set('pattern', '/admin/:action');
    await next();
  });
  app.use(directOnly);
  app.post('/backup', (context) => {
    checkAdmin(context, secret);
    return context.body(dumpStream(services), 200, { 'Content-Type': 'application/jsonl' });
  });
  app.post('/:action', async (context) => {
    checkAdmin(context, secret);
    return reply(context, await perform(services, context.req.param('action'), await readJson(context.req.raw)));
  });
  return app;
}
