import { Hono } from 'hono';
import { transaction } from '../db/transaction.ts';
import { mediaType, readText } from '../http/body.ts';
import { remoteAddress, type AppContext, type AppEnv } from '../http/environment.ts';
import { Refusal } from '../http/refusal.ts';
import type { ConnectedAppSettings } from '../project/access.ts';
import { checkVerifier } from '../security/pkce-check.ts';
import { sameSecret, tokenHash } from '../security/secrets.ts';
import type { Services } from '../services.ts';
import { takeForNetwork } from '../store/limits.ts';
import { readUser } from '../store/users.ts';
import { findCode, redeemCode, revokeFamily, type IssuedCode } from './grants.ts';
import { issuerOf } from './issuer.ts';
import { ACCESS_TOKEN_MINUTES, issueAccessToken, signIdToken } from './tokens.ts';

/** RFC 6749, section 5.2. */
class TokenError extends Error {
  constructor(
    readonly error: 'invalid_request' | 'invalid_client' | 'invalid_grant' | 'unsupported_grant_type',
    description: string,
  ) {
    super(description);
  }
}

type Form = Readonly<Record<string, string>>;

/** The fields of a form. One that is there twice is an error (RFC 6749, section 3.2); an empty one is not there. */
async function readForm(request: Request): Promise<Form> {
  const text = await readText(request);
  if (mediaType(request) !== 'application/x-www-form-urlencoded') {
    throw new TokenError('invalid_request', 'The body must be application/x-www-form-urlencoded.');
  }
  const entries = [...new URLSearchParams(text)].filter(([, value]) => value !== '');
  const names = new Set(entries.map(([name]) => name));
  if (names.size < entries.length) throw new TokenError('invalid_request', 'A parameter is there more than once.');
  return Object.fromEntries(entries);
}

interface ClientCredentials {
  readonly id: string;
  readonly secret: string | null;
}

/** RFC 6749, section 2.3.1: by header or in the body, not both. */
function clientCredentials(header: string | undefined, form: Form): ClientCredentials {
  const { client_id = '', client_secret = null } = form;
  if (header === undefined) return { id: client_id, secret: client_secret };
  const encoded = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/iu.exec(header)?.[1] ?? '';
  const [id = '', secret = null] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (client_secret !== null) throw new TokenError('invalid_request', 'The client authenticates in two ways.');
  if (client_id !== '' && client_id !== decoded(id)) throw new TokenError('invalid_request', 'Two clients are named.');
  return { id: decoded(id), secret: secret === null ? null : decoded(secret) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new TokenError('invalid_client', 'The client is not encoded as RFC 6749 says.');
  }
}

function authenticatedClient({ project }: Services, { id, secret }: ClientCredentials): ConnectedAppSettings {
  const client = project.clients.find(({ client_id }) => client_id === id);
  const hash = client?.client_secret_hash ?? null;
  const proven = hash === null ? secret === null : secret !== null && sameSecret(tokenHash(secret), hash);
  if (client === undefined || !proven) throw new TokenError('invalid_client', 'The client is unknown, or not proven.');
  return client;
}

const USELESS = 'The code is unknown, was used, has expired or is not for this request.';

/** Refuses a code that is not for this client, redirect URI and verifier, before it is spent. */
function checkCode(code: IssuedCode | undefined, client: ConnectedAppSettings, form: Form): IssuedCode {
  const fits = code?.client_id === client.client_id && code.redirect_uri === form['redirect_uri'];
  if (code === undefined || !fits) throw new TokenError('invalid_grant', USELESS);
  try {
    checkVerifier(code.code_challenge, form['code_verifier']);
  } catch (error) {
    throw error instanceof Refusal ? new TokenError('invalid_grant', error.message) : error;
  }
  return code;
}

async function exchangeCode(services: Services, client: ConnectedAppSettings, form: Form, issuer: string) {
  const { code: secret } = form;
  if (secret === undefined) throw new TokenError('invalid_request', 'code is missing.');
  const code = checkCode(await findCode(services.db, secret), client, form);
  const tokens = await transaction(services.db, async (tx) => {
    const familyId = await redeemCode(services, tx, code);
    if (familyId === null) return null;
    const access_token = await issueAccessToken(services, tx, { code, familyId, issuer });
    const user = await readUser(tx, code.user_id);
    return {
      access_token,
      token_type: 'Bearer',
      expires_in: ACCESS_TOKEN_MINUTES * 60,
      scope: code.scopes.join(' '),
      ...(code.scopes.includes('openid') ? { id_token: await signIdToken(services, { code, user, issuer }) } : {}),
    };
  });
  if (tokens !== null) return tokens;
  // A code that comes twice was stolen by one of the two: what the first one got ends (RFC 6749, section 4.1.2).
  const spent = (await findCode(services.db, secret))?.family_id ?? null;
  if (spent !== null) await revokeFamily(services.db, spent);
  throw new TokenError('invalid_grant', USELESS);
}

async function answer(services: Services, context: AppContext): Promise<Response> {
  try {
    const form = await readForm(context.req.raw);
    const client = authenticatedClient(services, clientCredentials(context.req.header('authorization'), form));
    if (form['grant_type'] === undefined) throw new TokenError('invalid_request', 'grant_type is missing.');
    if (form['grant_type'] !== 'authorization_code') {
      throw new TokenError('unsupported_grant_type', 'grant_type must be authorization_code.');
    }
    const issuer = issuerOf(services.project, new URL(context.req.url).origin);
    return context.json(await exchangeCode(services, client, form, issuer), 200, { Pragma: 'no-cache' });
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    await takeForNetwork(services, 'failure', remoteAddress(context), services.limits.failuresPerNetwork);
    const status = error.error === 'invalid_client' ? 401 : 400;
    if (status === 401) context.header('WWW-Authenticate', 'Basic realm="token endpoint", charset="UTF-8"');
    return context.json({ error: error.error, error_description: error.message }, status);
  }
}

/** The token endpoint of this project as an authorization server (RFC 6749, section 3.2). */
export function tokenRoutes(services: Services): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.post('/token', (context) => {
    context.set('pattern', '/oauth2/token');
    return answer(services, context);
  });
  app.all('/token', (context) => {
    context.set('pattern', '/oauth2/token');
    context.header('Allow', 'POST');
    throw new Refusal('method_not_allowed');
  });
  return app;
}
