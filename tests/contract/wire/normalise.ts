import type { SIMPLIFICATIONS } from '#kit/server/state/simplifications.ts';
import { isRecord } from '#domain/shape.ts';
import type { WireExchange } from './wire.ts';

type Normalise = (value: unknown, names: Names) => unknown;

/** Names random values by the order in which they are seen: who is the same, and who is not, is compared. */
export class Names {
  private readonly seen = new Map<string, string>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly began: number) {}

  of(kind: string, value: string): string {
    const known = this.seen.get(value);
    if (known !== undefined) return known;
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    const name = `<${kind} ${count}>`;
    this.seen.set(value, name);
    return name;
  }

  time(text: string): string {
    return `<${(Date.parse(text) - this.began) / 1000} s>`;
  }
}

const opaque =
  (kind: string): Normalise =>
  (value, names) =>
    typeof value === 'string' && value !== '' ? names.of(kind, value) : value;

/** What the fake cannot know is left out, when it has the type that it should have. */
const left =
  (simplification: keyof typeof SIMPLIFICATIONS): Normalise =>
  (value) =>
    `<${simplification}: ${Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value}>`;

const each =
  (one: Normalise): Normalise =>
  (value, names) =>
    Array.isArray(value) ? value.map((item) => one(item, names)) : value;

/** JSON in a text, such as the options of a passkey's ceremony. */
const json: Normalise = (value, names) =>
  typeof value === 'string' ? normalised(JSON.parse(value), names, OPTIONS) : value;

const ID = /^([a-z-]+)-test-(?!flows$|planner$|dashboard$)/u;
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu;

/** A message for a wallet to sign, or a passkey's challenge. */
const challenge: Normalise = (value, names) =>
  typeof value !== 'string'
    ? value
    : value.replace(/^Nonce: (.*)$/mu, 'Nonce: <nonce>').replaceAll(TIMES, (time) => names.time(time));

/** A URL with what is random in its query. */
const target: Normalise = (value, names) => {
  if (typeof value !== 'string') return value;
  return value.replace(/([?&])(code|token)=([^&]*)/gu, (_, mark: string, name: string, token: string) => {
    return `${mark}${name}=${names.of(name, token)}`;
  });
};

/** Fields whose values differ from server to server, by name. */
const FIELDS: Readonly<Record<string, Normalise>> = {
  request_id: (value) => (typeof value === 'string' && value.startsWith('request-id-') ? '<request id>' : value),
  session_token: opaque('session token'),
  session_jwt: opaque('session JWT'),
  secret: opaque('secret'),
  qr_code: (value) =>
    typeof value === 'string' ? value.replace(/^data:image\/(?:png|gif);base64,.*$/u, '<image>') : value,
  recovery_codes: each(opaque('recovery code')),
  challenge,
  public_key_credential_creation_options: json,
  public_key_credential_request_options: json,
  oauth_callback_id: opaque('callback'),
  oauth_attach_token: opaque('attach token'),
  google_client_id: left('social tokens'),
  provider_subject: opaque('subject'),
  profile_picture_url: left('social profiles'),
  access_token: opaque('access token'),
  id_token: opaque('ID token'),
  token_id: opaque('token id'),
  redirect_uri: target,
  redirect_url: target,
  authorization_code: opaque('code'),
  user_code: opaque('user code'),
  // The advice of zxcvbn.
  score: left('password strength'),
  warning: left('password strength'),
  suggestions: left('password strength'),
};

const OPTIONS: typeof FIELDS = {
  ...FIELDS,
  challenge: opaque('passkey challenge'),
  id: (value, names) => {
    if (typeof value !== 'string') return value;
    const handle = Buffer.from(value, 'base64url').toString();
    if (ID.test(handle)) return normalised(handle, names);
    return value.length > 40 ? names.of('credential', value) : value;
  },
};

/** The value with what is random, or a time, under names that are the same on every server. */
function normalised(value: unknown, names: Names, fields: typeof FIELDS = FIELDS): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => normalised(item, names, fields));
  if (isRecord(value)) {
    const entries = Object.keys(value)
      .sort()
      .map((field) => [field, fieldOf(value, field, names, fields)] as const);
    return Object.fromEntries(entries);
  }
  if (typeof value !== 'string') return value;
  const [, kind] = ID.exec(value) ?? [];
  if (kind !== undefined) return names.of(kind, value);
  return value.replaceAll(TIMES, (time) => names.time(time));
}

function fieldOf(
  record: Readonly<Record<string, unknown>>,
  field: string,
  names: Names,
  fields: typeof FIELDS,
): unknown {
  // What is wrong with a weak password is what zxcvbn says of it.
  if (field === 'error_message' && record['error_type'] === 'weak_password') {
    return left('password strength')(record[field], names);
  }
  const normalise = fields[field];
  return normalise === undefined ? normalised(record[field], names, fields) : normalise(record[field], names);
}

/** The replies of a script as they can be compared with those of another server. */
export function comparable(exchanged: readonly WireExchange[], names: Names): unknown {
  return exchanged.map(({ call, status, body }) => ({ call, status, body: normalised(body, names) }));
}
