import { html } from 'hono/html';
import { CHANNEL_NAMES } from '#domain/contacts/channels.ts';
import { isRecord } from '#domain/shape.ts';
import type { Html } from '#provider/base/http/page-frame.ts';

/** The names of the wire and of the database in words. */

const KINDS: Readonly<Record<string, string>> = {
  first_party: 'app of this project',
  first_party_public: 'app of this project, without a secret',
  third_party: 'app of another party',
  third_party_public: 'app of another party, without a secret',
  m2m: 'machine',
};

/** The type of a connected app, or `m2m`. */
export const kindWords = (kind: string): string => KINDS[kind] ?? kind;

/** The choices of a list begin with a capital letter. */
export const choice = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `operator_enrolled` as “operator enrolled”. */
export const words = (name: string): string => name.replaceAll('_', ' ');

/** The name of an event in words. Its tooltip is the name that a filter and the command use. */
export const eventWords = (event: string): Html => html`<span title="${event}">${words(event)}</span>`;

const METHODS: Readonly<Record<string, string>> = {
  otp: 'code',
  magic_link: 'link',
  totp: 'authenticator app',
  recovery_codes: 'recovery code',
  webauthn: 'passkey',
  crypto: 'wallet',
  oauth: 'social login',
  trusted_auth_token: 'trusted token',
  ...CHANNEL_NAMES,
};

/** The type of a factor and its delivery: `otp:email` as “code by email”. */
export function methodWords(method: string): string {
  const [type = '', by] = method.split(':').map((part) => METHODS[part] ?? words(part));
  return by === undefined ? type : `${type} by ${by}`;
}

const isPlain = (value: unknown): value is string => typeof value === 'string' && !/[,:]/u.test(value);

function valueWords(value: unknown): string {
  if (isPlain(value)) return value;
  const isList = Array.isArray(value) && value.length > 0 && value.every((each) => isPlain(each) && !/\s/u.test(each));
  return isList ? value.join(' ') : JSON.stringify(value);
}

/** The details of an audit row: `{"role":"admin","scopes":["openid","email"]}` as “role: admin, scopes: openid email”. */
export function detailWords(details: unknown): string {
  if (!isRecord(details)) return String(details);
  return Object.entries(details)
    .map(([name, value]) => `${words(name)}: ${valueWords(value)}`)
    .join(', ');
}
