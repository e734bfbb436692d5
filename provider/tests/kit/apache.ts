import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { start, stop } from '#scripts/lib/run.ts';

const MODULES = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'dir', 'headers', 'auth_openidc'];

interface ApacheApp {
  readonly client_id: string;
  readonly client_secret: string;
  readonly issuer: string;
  readonly port: number;
}

/** Debian's Apache with mod_auth_openidc, on loopback, as a program of its own: `/` needs a login, and says who logged in. */
export async function startApache({ client_id, client_secret, issuer, port }: ApacheApp): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-apache-'));
  const pages = join(folder, 'pages');
  mkdirSync(pages);
  writeFileSync(join(pages, 'index.html'), 'A page for those who are signed in.');
  const origin = `http://localhost:${port}`;
  const config = [
    ...MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    `ServerRoot ${folder}`,
    'ServerName localhost',
    `Listen 127.0.0.1:${port}`,
    `PidFile ${folder}/pid`,
    `Mutex posixsem`,
    `ErrorLog ${folder}/error.log`,
    `DocumentRoot ${pages}`,
    `OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration`,
    `OIDCClientID ${client_id}`,
    `OIDCClientSecret "${client_secret}"`,
    `OIDCRedirectURI ${origin}/callback`,
    'OIDCScope "openid email offline_access"',
    'OIDCPKCEMethod S256',
    'OIDCRemoteUserClaim email',
    'OIDCRefreshAccessTokenBeforeExpiry 7200',
    `OIDCDefaultLoggedOutURL ${origin}/out.html`,
    'OIDCCryptoPassphrase "a secret of the cookies of this app"',
    '<Location />',
    '  AuthType openid-connect',
    '  Require valid-user',
    '  Header set X-User expr=%{REMOTE_USER}',
    '</Location>',
    '<Location /out.html>',
    '  Require all granted',
    '</Location>',
  ].join('\n');
  writeFileSync(join(pages, 'out.html'), 'Out.');
  writeFileSync(join(folder, 'apache.conf'), `${config}\n`);
  const child = start('/usr/sbin/apache2', ['-X', '-f', join(folder, 'apache.conf')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  const end = async (): Promise<void> => {
    await stop(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await vi.waitFor(() => fetch(`${origin}/out.html`));
  } catch (error) {
    await end();
    throw new Error(output, { cause: error });
  }
  return end;
}
