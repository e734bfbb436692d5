import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';
import { vi } from 'vitest';
import { exampleNamed } from '#tests/unit/docs/examples.ts';
import { publishKeys } from './key-host.ts';
import type { DocumentHost } from './document-host.ts';
import type { Fields } from './harness.ts';

/** Tokens as hosted services of authentication sign them, by their documentation: the session of one person in one browser. */

export interface OldSystem {
  /** The id of the person there. */
  readonly subject: string;
  /** Whether the person keeps that id here; else it becomes the external id. */
  readonly isUserId: boolean;
  /** The key set that the service publishes; null for one that shares a secret with its customer. */
  readonly keys: readonly JWK[] | null;
  /** A token of the session. The clock is in milliseconds. */
  token(now: number, changes?: JWTPayload, by?: SignedBy): Promise<string>;
}

/** What differs from a good token. */
export interface SignedBy {
  readonly key?: CryptoKey | Uint8Array;
  readonly header?: Readonly<Record<string, unknown>>;
}

interface Service extends Omit<OldSystem, 'token'> {
  readonly alg: string;
  readonly kid: string;
  readonly key: CryptoKey | Uint8Array;
  /** The seconds until a token expires. */
  readonly lasts: number;
  claims(now: number): JWTPayload;
}

const signed = ({ alg, kid, key, lasts, claims, ...system }: Service): OldSystem => ({
  ...system,
  token: async (now, changes = {}, by = {}) => {
    const seconds = Math.floor(now / 1000);
    const whole = { ...claims(seconds), iat: seconds, exp: seconds + lasts, ...changes };
    const header = { alg, kid, typ: 'JWT', ...by.header };
    return new SignJWT(whole).setProtectedHeader(header).sign(by.key ?? key);
  },
});

async function pair(alg: string, kid: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  return { alg, kid, key: privateKey, keys: [jwk] };
}

/** https://clerk.com/docs/guides/sessions/session-tokens, version 2 */
export async function clerk(): Promise<OldSystem> {
  const subject = 'user_2qzTtHVBtRpqmMeoxNGLeUOgZrF';
  return signed({
    ...(await pair('RS256', 'ins_2GIoQhbUpy0hX7B2cVkuTMinXoD')),
    subject,
    isUserId: false,
    lasts: 60,
    claims: (now) => ({
      azp: 'https://app.example.com',
      fva: [4320, -1],
      iss: 'https://clerk.example.com',
      jti: randomUUID().replaceAll('-', '').slice(0, 20),
      nbf: now - 10,
      pla: 'u:free',
      sid: 'sess_2qzTuEAUZOpzLeOoXnUwOB0DS9z',
      sts: 'active',
      sub: subject,
      v: 2,
    }),
  });
}

/** https://auth0.com/docs/secure/tokens/id-tokens/id-token-structure */
export async function auth0(): Promise<OldSystem> {
  const subject = 'auth0|65a1f0c3e4b0a1b2c3d4e5f6';
  return signed({
    ...(await pair('RS256', 'NkY4QzAyRjU4MzFDRTdFRTlDNTk')),
    subject,
    isUserId: false,
    lasts: 36_000,
    claims: () => ({
      nickname: 'ada',
      name: 'Ada Lovelace',
      picture: 'https://s.gravatar.com/avatar/00.png',
      updated_at: '2026-11-01T08:00:00.000Z',
      email: 'ada@example.com',
      email_verified: true,
      iss: 'https://example.eu.auth0.com/',
      aud: 'kP3vXqZ8sYt1uWm5nBr7cDf9',
      sub: subject,
      sid: 'w9Xv4yZ1aB2cD3eF4gH5iJ6kL7mN8oP9',
      nonce: 'dGVzdC1ub25jZQ==',
    }),
  });
}

/** https://firebase.google.com/docs/auth/admin/verify-id-tokens: one key set for the projects of all customers */
export async function firebase(): Promise<OldSystem> {
  const subject = 'k5NDc8rOVdPiLqYhUQz3GfW1xT02';
  return signed({
    ...(await pair('RS256', '6f83ab6e516e718fba9ddeb6647fd5fb752a151b')),
    subject,
    isUserId: false,
    lasts: 3600,
    claims: (now) => ({
      iss: 'https://securetoken.google.com/example-app',
      aud: 'example-app',
      auth_time: now - 86_400,
      user_id: subject,
      sub: subject,
      email: 'ada@example.com',
      email_verified: false,
      firebase: { identities: { email: ['ada@example.com'] }, sign_in_provider: 'password' },
    }),
  });
}

const supabaseClaims = (subject: string) => (now: number) => ({
  iss: 'https://abcdefghijklmnopqrst.supabase.co/auth/v1',
  sub: subject,
  aud: 'authenticated',
  email: 'ada@example.com',
  phone: '',
  app_metadata: { provider: 'email', providers: ['email'] },
  user_metadata: { email: 'ada@example.com', email_verified: true, phone_verified: false, sub: subject },
  role: 'authenticated',
  aal: 'aal1',
  amr: [{ method: 'password', timestamp: now - 86_400 }],
  session_id: 'a9d4ad4e-5d3f-4a8b-9b0e-8f2f4d1c7a61',
  is_anonymous: false,
});

/** https://supabase.com/docs/guides/auth/jwt-fields, with signing keys */
export async function supabase(): Promise<OldSystem> {
  const subject = '0f9b2c1e-7a64-4f3d-8d55-1c2b3a4d5e6f';
  const key = await pair('ES256', 'b81269f1-21d8-4f2e-b719-c2240a840d90');
  return signed({ ...key, subject, isUserId: false, lasts: 3600, claims: supabaseClaims(subject) });
}

/** The secret of a Supabase project. Its text is the key, although it looks like base64. */
export const SUPABASE_SECRET = 'kM8wZ0yq3u2Yb6dQ9fL1sVx7nTr4cHj5eGa0pRt2mXo6iUz8kEw1vBq3yNl5==';

/** The same with the secret of an older project. */
export function olderSupabase(): OldSystem {
  const subject = '5a1d9e02-33c7-4b1f-9c68-7e0f4a2b6d81';
  const key = new TextEncoder().encode(SUPABASE_SECRET);
  const service = { alg: 'HS256', kid: 'Yx2w8sQpK0aJvT5u', key, keys: null };
  return signed({ ...service, subject, isUserId: false, lasts: 3600, claims: supabaseClaims(subject) });
}

/** https://stytch.com/docs/consumer-auth/manage-sessions/jwts-and-tokens */
export async function stytch(): Promise<OldSystem> {
  const subject = 'user-live-16d9ba61-97a1-4ba4-9720-b03761dc50c6';
  const project = 'project-live-3f0b6f9a-1f0a-4b43-9a53-6a4b7d1c2e05';
  const at = '2026-11-01T08:00:00Z';
  return signed({
    ...(await pair('RS256', 'jwk-live-9f0f8e6a-3a1b-4b7b-8a0c-2d3e4f5a6b7c')),
    subject,
    isUserId: true,
    lasts: 300,
    claims: (now) => ({
      aud: [project],
      'https://stytch.com/session': {
        id: 'session-live-fe6c042b-6286-479f-8a4f-b046a6c46509',
        started_at: at,
        last_accessed_at: at,
        expires_at: '2026-12-31T08:00:00Z',
        attributes: { user_agent: '', ip_address: '' },
        authentication_factors: [
          {
            type: 'magic_link',
            delivery_method: 'email',
            last_authenticated_at: at,
            email_factor: {
              email_id: 'email-live-81bf03a8-86e1-4d95-bd44-bb3495224953',
              email_address: 'ada@example.com',
            },
          },
        ],
      },
      iss: `stytch.com/${project}`,
      nbf: now,
      sub: subject,
    }),
  });
}

const json = (file: string): Fields => JSON.parse(exampleNamed(file).source) as Fields;

/** Each system with its profile of the documentation, whose key set is at the host. */
export async function oldSystems(host: DocumentHost) {
  const published = (name: string, system: OldSystem) => {
    const jwks_uri = publishKeys(host, `/${name}/jwks.json`, system.keys ?? []);
    const profile: Fields = { ...json(`${name}-profile.json`), jwks_uri };
    return { system, profile };
  };
  const { jwks_uri: _, ...withoutKeys } = json('supabase-profile.json');
  const { shared_secret } = json('supabase-secret.json');
  vi.stubEnv(String(shared_secret.env), SUPABASE_SECRET);
  return {
    clerk: published('clerk', await clerk()),
    auth0: published('auth0', await auth0()),
    firebase: published('firebase', await firebase()),
    supabase: published('supabase', await supabase()),
    olderSupabase: {
      system: olderSupabase(),
      profile: { ...withoutKeys, profile_id: 'older-supabase', shared_secret } as Fields,
    },
    stytch: published('stytch', await stytch()),
  };
}

/** The line with which the person of the system is imported. */
export const importLineOf = ({ subject, isUserId }: OldSystem, email: string): Fields => ({
  ...(isUserId ? { user_id: subject } : { external_id: subject }),
  emails: [{ email, verified: true }],
  created_at: '2024-05-01T08:00:00Z',
});
