import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { UNTRUSTED } from './raw-smtp-server.ts';

/** A mail as Python read it. */
export interface ForeignMail {
  readonly from_: string;
  readonly to: readonly string[];
  readonly tls: boolean;
  readonly user: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly sender: string;
  readonly text: string;
  readonly html: string;
  readonly defects: readonly string[];
}

/** The login that the server accepts, as a URL spells it. */
export const FOREIGN_LOGIN = 'portico:p%40ss%3Aword';

/** Starts aiosmtpd in a process of its own. */
export async function startForeignSmtpServer(python: string) {
  const folder = mkdtempSync(join(tmpdir(), 'portico-smtp-'));
  const files = Object.entries(UNTRUSTED).map(([name, pem]): [string, string] => [join(folder, name), pem]);
  for (const [path, pem] of files) writeFileSync(path, pem, { mode: 0o600 });
  const script = fileURLToPath(new URL('foreign_smtp_server.py', import.meta.url));
  const server = spawn(python, ['-W', 'ignore', script, join(folder, 'cert'), join(folder, 'key')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const next = async (): Promise<unknown> => {
    const line = await lines.next();
    if (line.done === true) throw new Error('the mail server ended');
    return JSON.parse(line.value) as unknown;
  };
  const { port } = (await next()) as { readonly port: number };
  return {
    port,
    /** The next mail that arrives. */
    mail: async () => (await next()) as ForeignMail,
    async close(): Promise<void> {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
