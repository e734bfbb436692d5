import { api } from '../../../src/application/api/api.ts';
import type { Endpoint } from '../../../src/application/api/index.ts';
import { OAUTH_PROVIDERS } from '../../../src/domain/oauth-providers.ts';
import { REFUSALS } from '../../../src/domain/rules/refusal.ts';
import { isRecord } from '../../../src/domain/shape.ts';

const areas: readonly Readonly<Record<string, Endpoint>>[] = Object.values(api);
export const ENDPOINTS: readonly Endpoint[] = areas.flatMap((area) => Object.values(area));

/** Words of the protocol, which a trace may have. Everything else that was sent or answered is taken for a secret. */
const PUBLIC: ReadonlySet<string> = new Set([
  ...ENDPOINTS.flatMap(({ path }) => path.split('/')),
  ...Object.keys(REFUSALS),
  ...Object.keys(OAUTH_PROVIDERS),
  ...Object.keys(OAUTH_PROVIDERS).map((name) => `oauth_${name}`),
  // Factors, ways of delivery, wallets; and words that stand in the names of fields, errors and shapes.
  ...(
    'password passwordless magic_link recovery_codes webauthn crypto oauth totp otp knowledge authenticator_app recovery_code webauthn_registration crypto_wallet embedded ethereum solana metamask phantom ' +
    'whatsapp cross-platform platform trusted_auth_token impersonated oauth_access_token_exchange string number object consent account session active profile callback authorize'
  ).split(' '),
]);

/** Shorter texts stand in many words by chance. */
const LEAST = 6;

/** Every text in a value: fields, names of fields, and the parts of URLs. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') {
    const parts = value.includes('://') ? value.split(/[/?&=#]/u).map(decoded) : [];
    return [value, ...parts];
  }
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const forms = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replace(/=+$/u, ''),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
];

/** The secrets among the texts that stand in the trace, in any form. */
export function leaks(trace: string, texts: Iterable<string>): readonly string[] {
  const secrets = [...new Set(texts)].filter((text) => text.length >= LEAST && !PUBLIC.has(text));
  return secrets.filter((secret) => forms(secret).some((form) => form.length >= LEAST && trace.includes(form)));
}
