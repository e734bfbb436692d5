import { execFileSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '#tests/patience-ms.ts';
import getPort from 'get-port';
import { hasProgram, type ProxyName } from '#scripts/lib/front-proxies.ts';
import { ROOT } from '#scripts/lib/root.mjs';
import { start, stop } from '#scripts/lib/run.ts';

/** The name in the configurations. */
export const HOST = 'auth.example.com';

/** What follows the address of a server in haproxy's configuration. */
const CHECKED = 'inter 1s fall 2 rise 1 pool-purge-delay 100ms';

interface Program {
  readonly config: string;
  readonly args: (file: string) => readonly string[];
  /** Puts this test's ports and files in the place of those of the configuration. Each of them must be there. */
  readonly changes: (at: ProxyPlaces) => readonly (readonly [from: string, to: string])[];
}

interface ProxyPlaces {
  readonly folder: string;
  readonly port: number;
  readonly plainPort: number;
  readonly serverPorts: readonly number[];
}

const PROGRAMS: Readonly<Record<ProxyName, Program>> = {
  nginx: {
    config: 'nginx.conf',
    args: (file) => ['-c', file, '-e', 'stderr', '-g', 'daemon off; master_process off;'],
    changes: ({ folder, port, plainPort, serverPorts }) => [
      ['pid /run/nginx.pid;', `pid ${folder}/nginx.pid;`],
      ['access_log /var/log/nginx/portico.log portico;', `access_log ${folder}/nginx.log portico;`],
      ['listen 80;', `listen 127.0.0.1:${plainPort};`],
      ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
      ['listen 443 ssl http2 default_server;', `listen 127.0.0.1:${port} ssl http2 default_server;`],
      ['/etc/ssl/auth.example.com/fullchain.pem', `${folder}/cert.pem`],
      ['/etc/ssl/auth.example.com/privkey.pem', `${folder}/key.pem`],
      ['server 127.0.0.1:4100', serverPorts.map((each) => `server 127.0.0.1:${each}`).join(' fail_timeout=3s;\n    ')],
      ['    keepalive_timeout 60s;\n    keepalive_requests', '    keepalive_timeout 100ms;\n    keepalive_requests'],
    ],
  },
  haproxy: {
    config: 'haproxy.cfg',
    args: (file) => ['-db', '-f', file],
    changes: ({ folder, port, plainPort, serverPorts }) => [
      ['bind :80', `bind 127.0.0.1:${plainPort}`],
      ['bind :443 ssl crt /etc/haproxy/auth.example.com.pem', `bind 127.0.0.1:${port} ssl crt ${folder}/both.pem`],
      ['pool-purge-delay 30s', 'pool-purge-delay 100ms'],
      [
        '  server one 127.0.0.1:4100 check',
        serverPorts.map((each, index) => `  server s${index} 127.0.0.1:${each} check`).join(` ${CHECKED}\n`),
      ],
      [
        '  server one 127.0.0.1:4100\n',
        serverPorts.map((each, index) => `  server s${index} 127.0.0.1:${each}\n`).join(''),
      ],
    ],
  },
  caddy: {
    config: 'Caddyfile',
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    changes: ({ folder, port, plainPort, serverPorts }) => [
      ['\tservers {', `\tadmin off\n\thttp_port ${plainPort}\n\tskip_install_trust\n\tservers {`],
      [`${HOST} {`, `https://${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/cert.pem ${folder}/key.pem`],
      ['reverse_proxy 127.0.0.1:4100', `reverse_proxy ${serverPorts.map((each) => `127.0.0.1:${each}`).join(' ')}`],
      ['keepalive 60s', 'keepalive 100ms'],
    ],
  },
};

export const PROXIES = Object.keys(PROGRAMS) as readonly ProxyName[];

/** Debian has these where only root looks for programs. */
process.env['PATH'] += ':/usr/sbin';

/** Why the proxy is not tested, or null. `npm test` installs it where that is allowed. */
export function missing(name: ProxyName): string | null {
  const program = ['openssl', name].find((each) => !hasProgram(each));
  return program === undefined ? null : `there is no ${program}`;
}

/** The configuration, with the places of this test. */
export function configured(name: ProxyName, at: ProxyPlaces): string {
  const { config, changes } = PROGRAMS[name];
  return changes(at).reduce(
    (text, [from, to]) => {
      if (text.split(from).length !== 2) throw new Error(`${config} does not have ${JSON.stringify(from)} once`);
      return text.replace(from, () => to);
    },
    readFileSync(join(ROOT, 'provider/deploy', config), 'utf8'),
  );
}

export interface FrontProxy {
  readonly port: number;
  readonly plainPort: number;
  output(): string;
  stop(): Promise<void>;
}

/** Starts the proxy with its configuration of `deploy/`, in front of the servers at those ports of 127.0.0.1. */
export async function startProxy(name: ProxyName, ...serverPorts: readonly number[]): Promise<FrontProxy> {
  const folder = mkdtempSync(join(tmpdir(), `portico-${name}-`));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key, '-out', cert];
  const named = ['-days', '2', '-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
  execFileSync('openssl', ['req', '-x509', ...made, ...named], { stdio: 'ignore' });
  writeFileSync(join(folder, 'both.pem'), readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
  const [port, plainPort] = [await getPort({ host: '127.0.0.1' }), await getPort({ host: '127.0.0.1' })];
  const file = join(folder, 'config');
  writeFileSync(file, configured(name, { folder, port, plainPort, serverPorts }));
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = start(name, PROGRAMS[name].args(file), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text) => (output += text));
  const end = async (): Promise<void> => {
    await stop(child);
    rmSync(folder, { recursive: true, force: true });
  };
  await untilServing(child, port, () => output).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  return { port, plainPort, output: () => output, stop: end };
}

/** Until a request gets through to the server. */
async function untilServing(child: ChildProcess, port: number, output: () => string): Promise<void> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    if (child.exitCode !== null) break;
    const reply = await visit({ port, path: '/.well-known/jwks.json' }).catch(() => null);
    if (reply?.status === 200) return;
    await sleep(25);
  }
  throw new Error(`${child.spawnfile} does not serve:\n${output()}`);
}

export interface Visit {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The visitor's address: one of 127.0.0.0/8. */
  readonly from?: string;
  readonly agent?: Agent;
}

export interface ProxyResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** A request of a browser to the proxy. */
export function visit({
  port,
  path,
  method,
  body,
  headers = {},
  from = '127.0.0.1',
  agent,
}: Visit): Promise<ProxyResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        localAddress: from,
        servername: HOST,
        rejectUnauthorized: false,
        headers: {
          host: HOST,
          ...headers,
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
        },
        agent: agent ?? false,
      },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (part: string) => (text += part));
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text }));
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
