import { createPrivateKey } from 'node:crypto';
import { OAUTH_PROVIDERS } from '#domain/social/oauth-providers.ts';
import { isOrigin } from '#domain/rules/redirects.ts';
import { isRecord } from '#domain/shape.ts';
import { emailDomains } from '../readers/email-domains.ts';
import { FieldError, Mistakes, object, textThat, type Reader } from '../readers/readers.ts';
import { secretText, secretThat } from '../readers/secret-text.ts';
import { urlIn } from '../readers/url-text.ts';

/** A client registered at a provider, with its secret. */
interface ClientSettings {
  readonly client_id: string;
  readonly client_secret: string;
}

/** Instead of a secret, Apple requires a token signed with a key. */
export interface AppleSettings {
  /** The Services ID. */
  readonly client_id: string;
  readonly team_id: string;
  readonly key_id: string;
  /** PKCS #8 in PEM, Apple's format. */
  readonly private_key: string;
}

/** A provider with separate installations, or any OpenID provider that is not built in. */
export interface IssuerSettings extends ClientSettings {
  readonly issuer: string | null;
  /** The name of the provider in messages; null for the built-in name, or the name of the field. */
  readonly name: string | null;
  /**
   * The domains whose addresses the provider verifies; `*` for all. Without them an address from it is neither linked nor stored, unless
   * the provider is built in.
   */
  readonly email_domains: readonly string[];
}

/** The client of each provider, by the provider's name. */
export interface OAuthClients {
  readonly apple?: AppleSettings;
  readonly microsoft?: ClientSettings & { readonly tenant: string };
  readonly [name: string]: OAuthClientSettings | undefined;
}

export type OAuthClientSettings = ClientSettings | AppleSettings | IssuerSettings;

export const ID = textThat('1 to 255 visible characters', (value) => /^[!-~]{1,255}$/u.test(value));
const APPLE_ID = textThat('10 capital letters and digits', (value) => /^[A-Z\d]{10}$/u.test(value));
export const ISSUER = textThat('an http or https URL without user, query and fragment', (value) => {
  const url = urlIn(value);
  return url !== null && /^https?:$/u.test(url.protocol) && url.username + url.password === '' && !/[?#]/u.test(value);
});
export const LABEL = textThat('1 to 60 visible characters', (value) => /^[^\p{C}]{1,60}$/u.test(value));
const TENANT = textThat(
  'common, organizations, consumers, or the id or domain of a tenant',
  (value) => value !== '.' && value !== '..' && /^[\w.-]{1,255}$/u.test(value),
);

/** Variables often have `\n` instead of the file's line breaks. */
const pemOf = (secret: string): string => secret.replaceAll('\\n', '\n');

function curveOf(pem: string): string | undefined {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve;
  } catch {
    return undefined;
  }
}

/** An EC key on P-256. */
const applesKey = secretThat(
  'the contents of the .p8 file that Apple made',
  (secret) => curveOf(pemOf(secret)) === 'prime256v1',
  pemOf,
);

const CLIENT = { client_id: ID, client_secret: secretText };
const client = object<ClientSettings>(CLIENT);
const atAnIssuer = object<IssuerSettings>(
  { ...CLIENT, issuer: ISSUER, name: LABEL, email_domains: emailDomains },
  { issuer: null, name: null, email_domains: [] },
);
const BUILT_IN: Readonly<Record<string, Reader<OAuthClientSettings>>> = {
  apple: object<AppleSettings>({ client_id: ID, team_id: APPLE_ID, key_id: APPLE_ID, private_key: applesKey }),
  microsoft: object<ClientSettings & { readonly tenant: string }>({ ...CLIENT, tenant: TENANT }, { tenant: 'common' }),
  gitlab: atAnIssuer,
  salesforce: atAnIssuer,
};

const NOT_BUILT_IN = 'given, because this provider is not built in';

/** A provider that is not built in needs its issuer. If it is missing, that is reported together with the mistakes of the other fields. */
const furtherClient: Reader<OAuthClientSettings> = (value, path) => {
  const mistakes = new Mistakes();
  const settings = mistakes.attempt(() => atAnIssuer(value, path));
  mistakes.refuseIf(isRecord(value) && (value['issuer'] ?? null) === null, `${path}.issuer`, NOT_BUILT_IN);
  mistakes.check(settings);
  return settings as OAuthClientSettings;
};

/** The name of an additional provider, which becomes part of URLs, names of factors and environment variables. */
const NAME = /^[a-z][a-z\d-]{0,30}[a-z\d]$/u;

/** `{ "google": { "client_id", "client_secret" }, "my-sso": { "issuer", … }, … }` */
export const oauthClients: Reader<OAuthClients> = (value, path) => {
  if (!isRecord(value)) throw new FieldError(path, 'an object');
  const mistakes = new Mistakes();
  const entries = Object.entries(value).map(
    ([name, settings]) => [name, mistakes.attempt(() => clientOf(name, settings, path))] as const,
  );
  const clients = Object.fromEntries(entries);
  mistakes.check(clients);
  return clients;
};

function clientOf(name: string, settings: unknown, path: string): OAuthClientSettings {
  if (!NAME.test(name)) {
    throw new FieldError(path, 'an object whose names have 2 to 32 lower-case letters, digits and hyphens');
  }
  if (Object.hasOwn(BUILT_IN, name)) return (BUILT_IN[name] ?? client)(settings, `${path}.${name}`);
  if (Object.hasOwn(OAUTH_PROVIDERS, name)) return client(settings, `${path}.${name}`);
  return furtherClient(settings, `${path}.${name}`);
}

interface Addresses {
  readonly issuer: string | null;
  readonly allow_loopback: boolean;
  readonly oauth_clients: OAuthClients;
}

/** Refuses clients with which no login could succeed, or whose secrets would be sent without encryption. */
export function checkOAuthClients({ issuer, allow_loopback, oauth_clients }: Addresses): void {
  if (allow_loopback) return;
  const clients = Object.entries(oauth_clients);
  const mistakes = new Mistakes();
  const lacksIssuer = clients.length > 0 && (issuer === null || !isOrigin(issuer));
  const compared = 'given with oauth_clients, because providers compare the redirect URL exactly';
  mistakes.refuseIf(lacksIssuer, 'issuer', compared);
  for (const [name, settings] of clients) {
    const url = settings !== undefined && 'issuer' in settings ? settings.issuer : null;
    mistakes.refuseIf(url?.startsWith('http:') === true, `oauth_clients.${name}.issuer`, 'an https URL');
  }
  mistakes.check();
}

type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE =
  /^PORTICO_OAUTH_([A-Z][A-Z\d_]*?)_(CLIENT_ID|CLIENT_SECRET|ISSUER|NAME|EMAIL_DOMAINS|TENANT|TEAM_ID|KEY_ID|PRIVATE_KEY)(_FILE)?$/u;
const SECRETS: ReadonlySet<string> = new Set(['client_secret', 'private_key']);

/** True for variables that `withOAuthVariables` reads. */
export function isOAuthVariable(name: string): boolean {
  return VARIABLE.test(name);
}

/**
 * The contents of the project file with the clients from the environment. `PORTICO_OAUTH_GOOGLE_CLIENT_ID` is
 * `oauth_clients.google.client_id`, and `PORTICO_OAUTH_MY_SSO_CLIENT_SECRET_FILE` names the file that contains
 * `oauth_clients.my-sso.client_secret`. Lists are separated by commas.
 */
export function withOAuthVariables(json: unknown, env: Environment = process.env): unknown {
  if (!isRecord(json)) return json;
  const clients = new Map<string, Readonly<Record<string, unknown>>>();
  const valueOf = (variable: string): string => (env[variable] ?? '').trim();
  for (const variable of Object.keys(env)) {
    const text = valueOf(variable);
    const [, provider, upper, file] = VARIABLE.exec(variable) ?? [];
    if (provider === undefined || upper === undefined || text === '') continue;
    const [name, field] = [provider.toLowerCase().replaceAll('_', '-'), upper.toLowerCase()];
    if (file !== undefined && !SECRETS.has(field))
      throw new Error(`${variable} is not known: only secrets have a file`);
    const plain = variable.replace(/_FILE$/u, '');
    if (file !== undefined && valueOf(plain) !== '') throw new Error(`set ${plain} or ${variable}, not both`);
    const plainly = field === 'email_domains' ? text.split(',').map((domain) => domain.trim()) : text;
    const value = file === undefined ? (SECRETS.has(field) ? { env: variable } : plainly) : { file: text };
    clients.set(name, { ...clients.get(name), [field]: value });
  }
  if (clients.size === 0) return json;
  const fileClients = json['oauth_clients'] ?? {};
  if (!isRecord(fileClients)) return json;
  const merged = [...clients].map(([name, fields]) => {
    const before = Object.hasOwn(fileClients, name) ? fileClients[name] : undefined;
    return [name, { ...(isRecord(before) ? before : {}), ...fields }];
  });
  return { ...json, oauth_clients: { ...fileClients, ...(Object.fromEntries(merged) as object) } };
}
