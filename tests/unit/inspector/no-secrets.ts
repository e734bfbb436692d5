import { api } from '#application/api/api.ts';
import type { Endpoint } from '#application/api/index.ts';
import { isRecord } from '#domain/shape.ts';

const areas: readonly Readonly<Record<string, Endpoint>>[] = Object.values(api);
export const ENDPOINTS: readonly Endpoint[] = areas.flatMap((area) => Object.values(area));

/** Shorter texts stand in many words by chance. */
const LEAST = 6;

/** Every text in a value, and the parts of its URLs. */
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

/** True for what may be a word of the protocol, such as `magic_link`. Tokens, codes, addresses and passwords have other characters, too. */
export const isWord = (text: string): boolean => /^[a-z_-]+$/u.test(text);

/** The secrets that stand in the trace, in any form. */
export function leaks(trace: string, secrets: Iterable<string>): readonly string[] {
  const long = [...new Set(secrets)].filter((secret) => secret.length >= LEAST);
  return long.filter((secret) => forms(secret).some((form) => trace.includes(form)));
}
