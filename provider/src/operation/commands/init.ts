import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOrigin } from '#domain/rules/redirects.ts';
import { systemRandom } from '#provider/base/platform.ts';
import type { OptionValues } from '../options/option-values.ts';
import { DEFAULT_PORT } from '../options/options.ts';
import { makeKeyFile } from '../store/key-file.ts';
import { UsageError } from '#provider/base/usage-error.ts';

const DEFAULT_FILE = 'portico.jsonc';
const KEY_FILE = 'portico.key';
const EXAMPLE_ORIGIN = 'https://app.example.com';
const LOCAL_ADDRESS = `http://localhost:${DEFAULT_PORT}`;

/**
 * The command `init [FILE]`: writes a project file with comments and new ids, and a key if the database needs one and none exists.
 * Overwrites nothing, and leaves nothing behind if it fails.
 *
 * @returns the next steps for the operator
 */
export function initProject(
  {
    file: path = DEFAULT_FILE,
    origin: originOption,
    issuer,
  }: {
    readonly file?: string | undefined;
    readonly origin?: string | undefined;
    readonly issuer?: string | undefined;
  },
  { databaseUrl, key, keyFile }: OptionValues<'databaseUrl' | 'key' | 'keyFile'>,
): string {
  if (path === '') throw new UsageError('FILE must be the path of a file.');
  const origin = originOption ?? EXAMPLE_ORIGIN;
  if (!isOrigin(origin)) throw new UsageError('--origin must be an origin such as https://app.example.com.');
  if (issuer !== undefined && !isOrigin(issuer)) {
    throw new UsageError('--issuer must be the address of this server for browsers, such as https://auth.example.com.');
  }
  const needsKey =
    databaseUrl !== undefined && key === undefined && !(keyFile !== undefined && existsSync(keyFile.text));
  const keyPath = keyFile?.text ?? join(dirname(path), KEY_FILE);
  const ids = { publicToken: `public-token-live-${randomUUID()}`, projectId: `project-live-${randomUUID()}` };
  create(path, projectText(ids, origin, issuer));
  try {
    if (needsKey) makeKeyFile(keyPath, systemRandom);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  const address = issuer ?? LOCAL_ADDRESS;
  const start = ['npx', 'portico-provider', '--project', path];
  if (databaseUrl !== undefined && key === undefined) start.push('--key-file', keyPath);
  return [
    `${path} is your project file, with a new public token and project id.`,
    ...(needsKey ? [`${keyPath} is the key of its database. Keep a copy, apart from copies of the database: nothing else decrypts it.`] : []), // prettier-ignore
    '',
    'Next:',
    ...(originOption === undefined ? [`  1. Replace ${EXAMPLE_ORIGIN} in it by the address of your pages.`] : []),
    `  ${originOption === undefined ? 2 : 1}. Start the server: ${start.join(' ')}`,
    `  ${originOption === undefined ? 3 : 2}. Show the login on your pages, in an element <div id="login">:`,
    "     import { PorticoUIClient } from 'portico';",
    `     const client = new PorticoUIClient('${ids.publicToken}', { apiUrl: '${address}' });`,
    '     client.mountLogin({',
    "       elementId: '#login',",
    "       config: { products: ['otp'], otpOptions: { methods: ['email'] } },",
    "       styles: { preset: 'modern' },",
    '     });',
    '     In the folder of an app, this command writes a login page, a guard and a protected page:',
    `     npx portico init --api-url ${address} --public-token ${ids.publicToken} --project-id ${ids.projectId}`,
    '',
    'npx portico-provider --help lists the options, each with its environment variable.',
  ].join('\n');
}

function create(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o644 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(
      code === 'EEXIST'
        ? `${path} exists already; name another file, or remove it.`
        : `Cannot write ${path}: ${code ?? ''}.`,
    );
  }
}

function projectText(
  { publicToken, projectId }: Readonly<Record<'publicToken' | 'projectId', string>>,
  origin: string,
  issuer = '',
) {
  const text = JSON.stringify;
  return `// The project of a Portico provider: JSON with comments. Fields that are left out have the defaults that the provider's README
// lists. A secret may be a text, { "env": "NAME" } or { "file": "/run/secrets/name" }, so that this file need not hold it.
{
  "name": "My app",

  // Identify the project. Pages send the public token; the project id is the audience of session JWTs.
  "project_id": ${text(projectId)},
  "public_token": ${text(publicToken)},

  // The address of this server as browsers see it. Set it once a proxy with TLS is in front of it.
  ${issuer === '' ? `// "issuer": "https://auth.example.com"` : `"issuer": ${text(issuer)}`},

  // Your pages. Origins and redirect URLs are compared exactly.
  "origins": [${text(origin)}],
  "redirect_urls": [${text(`${origin}/`)}],

  // Where links in mails lead: each must be one of redirect_urls.
  "default_login_redirect_url": ${text(`${origin}/`)},
  "default_signup_redirect_url": ${text(`${origin}/`)},
  "default_reset_password_redirect_url": ${text(`${origin}/`)},

  // Refuses flows that another app on the user's device could finish. Portico's client always sends what they need.
  "pkce_required_for_email_magic_links": true,
  "pkce_required_for_password_resets": true,
  "pkce_required_for_oauth": true,

  // How mails are sent: so, or by PORTICO_SMTP_URL and PORTICO_MAIL_FROM; see docs/messages.md of the package portico, also for text
  // messages.
  // "delivery": { "smtp": { "url": { "env": "SMTP_URL" }, "from": "login@example.com" } },

  // Of what people are told by email, beside changes of their password and addresses.
  "notices": { "factors": true, "devices": true, "recovery_codes": true, "apps": true },

  // Whether people can delete their account by themselves; the webhook user.deleted tells your server of it.
  "account": { "deletion": true },

  // ISO 3166 codes of the countries to which text messages are sent, such as ["DE", "US"]: each message costs you money. [] sends none,
  // and nobody logs in by phone, also no user of an import.
  "sms_countries": [],

  // Your clients at social providers, such as
  // "google": { "client_id": "…", "client_secret": { "env": "PORTICO_GOOGLE_SECRET" } }; see docs/social-logins.md
  // of the package portico.
  "oauth_clients": {},
  "google_one_tap": false,
}
`;
}
