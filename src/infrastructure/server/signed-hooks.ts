import { SDKUsageError } from '#domain/errors.ts';
import { valueOf, type HeaderSource } from '#domain/sessions/request-credentials.ts';
import { isRecord } from '#domain/shape.ts';
import { parseJson } from '#domain/json.ts';

/** A request of the provider to your server, which decides about a sign-up or a login (`hooks` of the project file). */
export interface HookRequest {
  /** Your answer repeats it. It is used for one request only. */
  readonly id: string;
  readonly type: 'hook.sign_up' | 'hook.login';
  /** RFC 3339. */
  readonly timestamp: string;
  readonly data: {
    readonly user: HookUser;
    /** The proofs of the person, as in a session. */
    readonly factors: readonly { readonly type: string; readonly delivery_method: string }[];
    readonly client: { readonly ip_address: string; readonly user_agent: string };
    /** Of a sign-up: whether the person was invited. */
    readonly arrival?: 'visitor' | 'invited';
  };
}

/** The person. At a sign-up the user is not stored yet, or has proven nothing before. */
export interface HookUser {
  readonly user_id: string;
  readonly external_id: string | null;
  readonly status: string;
  /** RFC 3339. */
  readonly created_at: string;
  readonly name: { readonly first_name?: string; readonly middle_name?: string; readonly last_name?: string };
  readonly emails: readonly { readonly email: string; readonly verified: boolean }[];
  readonly phone_numbers: readonly { readonly phone_number: string; readonly verified: boolean }[];
  /** The social providers of linked accounts, such as `Google`. */
  readonly providers: readonly string[];
  readonly roles: readonly string[];
  readonly trusted_metadata: Readonly<Record<string, unknown>>;
  /** Written by the user: never trust it. */
  readonly untrusted_metadata: Readonly<Record<string, unknown>>;
}

/** Your answer, as JSON with status 200. */
export type HookAnswer =
  | { readonly id: string; readonly action: 'refuse'; readonly message?: string }
  | {
      readonly id: string;
      readonly action: 'allow' | 'require_factor';
      /** Roles of `rbac_policy` that the user gets in addition. */
      readonly roles?: readonly string[];
      /** Merged into the user's trusted metadata. */
      readonly trusted_metadata?: Readonly<Record<string, unknown>>;
    };

const METHOD = 'verifyHook';
const TOLERANCE_SECONDS = 300;
const SECRET = /^whsec_([A-Za-z\d+/]+={0,2})$/u;

/** True if one of the signatures is that of the secret (Standard Webhooks 1.0). */
async function isSignedBy(
  secret: string,
  { id, seconds, body, signatures }: Readonly<Record<'id' | 'seconds' | 'body' | 'signatures', string>>,
): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', keyOf(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const signingInput = new TextEncoder().encode(`${id}.${seconds}.${body}`);
  const candidates = signatures.split(' ').flatMap((signature) => {
    const [version, value = ''] = signature.split(',');
    return version === 'v1' && /^[A-Za-z\d+/]{43}=$/u.test(value) ? [bytesOf(value)] : [];
  });
  const found = await Promise.all(
    candidates.map(async (signature) => crypto.subtle.verify('HMAC', key, signature, signingInput)),
  );
  return found.includes(true);
}

/**
 * Verifies the signature of a hook's request, and returns its content. Null for a request that the secret did not sign, or that is older
 * than five minutes: respond with status 401.
 *
 * Throws an SDKUsageError for a secret in the wrong form.
 *
 * @param body the body as it arrived, not parsed
 */
export async function verifyHook(
  body: string,
  headers: HeaderSource,
  { secret, now = Date.now() }: { readonly secret: string; readonly now?: number },
): Promise<HookRequest | null> {
  if (typeof body !== 'string') {
    throw new SDKUsageError(METHOD, 'body must be the text as it arrived: turn the parsing of JSON off for this route');
  }
  const id = valueOf(headers, 'webhook-id');
  const seconds = valueOf(headers, 'webhook-timestamp');
  const signatures = valueOf(headers, 'webhook-signature');
  const isSigned = await isSignedBy(secret, { id, seconds, body, signatures });
  const age = Math.abs(now / 1000 - (/^\d{1,12}$/u.test(seconds) ? Number(seconds) : NaN));
  if (!isSigned || !(age <= TOLERANCE_SECONDS)) return null;
  const request = parseJson(body);
  return isRecord(request) && request['id'] === id ? (request as unknown as HookRequest) : null;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  try {
    const [, text = ''] = SECRET.exec(secret) ?? [];
    const key = bytesOf(text);
    if (key.length > 0) return key;
  } catch {
    // Refused below.
  }
  throw new SDKUsageError(METHOD, 'secret must be whsec_ and base64, as in the project file');
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
