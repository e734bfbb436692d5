import { OPERATOR_TOKEN_MINUTES } from '../../../src/domain/rules/lifetimes.ts';
import { Hono } from 'hono';
import { hasShape, type Shape } from '../../../src/domain/shape.ts';
import { checkEmail } from '../../../src/domain/rules/accounts.ts';
import { Refusal } from '../../../src/domain/rules/refusal.ts';
import { checkBody } from '../../../src/domain/rules/request-body.ts';
import { readJson, remoteAddress } from '../http/request.ts';
import { directOnly } from '../http/direct.ts';
import type { AppContext, AppEnv } from '../http/environment.ts';
import { isLoopbackAddress } from '../http/peer.ts';
import { reply } from '../http/replies.ts';
import { rotateClientSecret } from '../idp/client-secrets.ts';
import { sameSecret } from '../security/secrets.ts';
import type { KeyPurpose } from '../security/signing-key-rows.ts';
import { rotateSigningKey } from '../security/signing-keys.ts';
import type { Services } from '../services.ts';
import { findEmail } from '../users/store.ts';
import { issueImpersonationToken } from './impersonation.ts';
import { isLocal, signTrustedToken } from './trusted-tokens.ts';

type Acting = Pick<Services, 'db' | 'clock' | 'random' | 'keys' | 'project'>;

/** The results of the `admin` command, through a running server or without one. */
export const ADMIN_ACTIONS = {
  /** @param user an email address or a user id */
  'impersonation-token': async (services: Acting, { user, by = 'operator' }: { user: string; by?: string }) => {
    const user_id = user.includes('@')
      ? (await findEmail(services.db, user))?.user_id
      : (await services.db.selectFrom('users').select('user_id').where('user_id', '=', user).executeTakeFirst())
          ?.user_id;
    if (user_id === undefined) throw new Refusal('user_not_found');
    const email = by.includes('@') ? by : '';
    const issued = await issueImpersonationToken(services, {
      user_id,
      impersonator_id: by,
      impersonator_email_address: email,
    });
    return { token: issued.impersonation_token };
  },

  'trusted-token': async (services: Acting, { profile, email }: { profile: string; email: string }) => {
    checkEmail(email);
    const found = services.project.trusted_auth_token_profiles.find(({ profile_id }) => profile_id === profile);
    if (found === undefined) throw new Refusal('trusted_auth_token_profile_not_found');
    if (!isLocal(found)) {
      throw new Refusal('unauthorized_action', 'The profile has keys of its issuer: only the issuer can sign for it.');
    }
    return { token: await signTrustedToken(services, found, email, OPERATOR_TOKEN_MINUTES) };
  },

  /** Makes a new secret for a confidential client; the previous one is accepted for another day. */
  'client-secret': async (services: Acting, { client }: { client: string }) => ({
    token: await rotateClientSecret(services, client),
  }),

  /** Makes a new signing key for apps or for session JWTs, and returns its id. */
  'rotate-keys': async (services: Acting, { purpose }: { purpose: KeyPurpose }) => ({
    token: await rotateSigningKey(services, purpose),
  }),
} as const;

export type AdminAction = keyof typeof ADMIN_ACTIONS;

const SHAPES = {
  'impersonation-token': { user: 'string', by: 'string?' },
  'trusted-token': { profile: 'string', email: 'string' },
  'client-secret': { client: 'string' },
  'rotate-keys': { purpose: 'string?' },
} as const satisfies Record<AdminAction, Shape>;

function isAction(name: string): name is AdminAction {
  return Object.hasOwn(SHAPES, name);
}

/** Performs an operator's command; the fields are unvalidated input. */
export async function administer(
  services: Acting,
  action: string,
  fields: unknown,
): Promise<{ readonly token: string }> {
  if (action === 'impersonation-token' && hasShape(SHAPES[action], fields)) {
    return ADMIN_ACTIONS[action](services, { user: fields.user, ...(fields.by ? { by: fields.by } : {}) });
  }
  if (action === 'trusted-token' && hasShape(SHAPES[action], fields)) return ADMIN_ACTIONS[action](services, fields);
  if (action === 'client-secret' && hasShape(SHAPES[action], fields)) return ADMIN_ACTIONS[action](services, fields);
  if (action === 'rotate-keys' && hasShape(SHAPES[action], fields)) {
    const { purpose = 'apps' } = fields;
    if (purpose === 'apps' || purpose === 'sessions') return ADMIN_ACTIONS[action](services, { purpose });
  }
  throw new Refusal('route_not_found');
}

/** Lets in programs of this machine that know the secret. A page is refused even when it knows the secret. */
function checkAdmin(context: AppContext, secret: string): void {
  if (context.req.header('origin') !== undefined) throw new Refusal('unregistered_origin');
  const near = context.env?.incoming === undefined || isLoopbackAddress(remoteAddress(context));
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
  app.post('/:action', async (context) => {
    checkAdmin(context, secret);
    const action = context.req.param('action');
    if (!isAction(action)) throw new Refusal('route_not_found');
    const fields = checkBody({ body: SHAPES[action], list: false }, await readJson(context.req.raw));
    return reply(context, await administer(services, action, fields));
  });
  return app;
}
