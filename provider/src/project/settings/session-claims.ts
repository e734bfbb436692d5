import type { User } from '#domain/users/user.ts';
import { isRecord } from '#domain/shape.ts';
import { FieldError, Mistakes, text, within, type Reader } from '../readers/readers.ts';
import { claimsFrom, pathsIn, templateError } from './token-templates.ts';

/** The template without claims. */
export const NO_CLAIMS = '{}';

/** The fields of a user that a claim can show. An unproven address is not among them: anybody can enter any. */
const USER_FIELDS = {
  user_id: true,
  created_at: true,
  status: true,
  roles: true,
  name: true,
  trusted_metadata: true,
  untrusted_metadata: true,
  emails: true,
  phone_numbers: true,
  providers: true,
  webauthn_registrations: true,
  biometric_registrations: true,
  totps: true,
  crypto_wallets: true,
  password: true,
} as const satisfies Record<keyof Omit<User, 'unproven_email'>, true>;

/** The most bytes of the names and constants of a template, so that room is left for the values. */
const MOST_BYTES = 1024;

/** The mistake in a template of the claims of session JWTs, or null. */
function mistakeIn(template: string): string | null {
  const wrong = templateError(template, 'user');
  if (wrong !== null) return wrong;
  const isStrange = pathsIn(template).some(([, field = '']) => !Object.hasOwn(USER_FIELDS, field));
  if (isStrange) return `made from fields of the user: ${Object.keys(USER_FIELDS).join(', ')}`;
  const claims = claimsFrom(template, {});
  if (Object.hasOwn(claims, '')) return 'given under a name';
  const bytes = Buffer.byteLength(JSON.stringify(claims));
  return bytes > MOST_BYTES ? `at most ${MOST_BYTES} bytes without its values, so that a JWT fits into a cookie` : null;
}

/** The additional claims of session JWTs: an object, or a string with one, whose values may be paths such as `{{ user.name.first_name }}`. */
export const sessionClaims: Reader<string> = (value, path) => {
  if (typeof value !== 'string' && !isRecord(value))
    throw new FieldError(path, 'an object of claims, or a string with one');
  const template = isRecord(value) ? JSON.stringify(value) : text(value, path);
  const mistakes = new Mistakes();
  // One mistake for each claim, which it names.
  for (const [claim, inner] of isRecord(value) ? Object.entries(value) : []) {
    const wrong = mistakeIn(JSON.stringify({ [claim]: inner }));
    if (wrong !== null) mistakes.refuseIf(true, within(path, claim), wrong);
  }
  mistakes.check();
  const wrong = mistakeIn(template);
  if (wrong !== null) throw new FieldError(path, wrong);
  return template;
};
