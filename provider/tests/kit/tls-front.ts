import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import type { Front } from './served-provider.ts';

/** A server of TLS at `localhost`, with a certificate made for it. */
export interface TlsFront extends Front {
  /** The file of the certificate, which a client has to trust. */
  readonly certificate: string;
}

/** Passes each connection on to the port, decrypted. Needs openssl. The certificate is good for all hosts of the domain. */
export async function tlsFront(port: number, domain = 'localhost'): Promise<TlsFront> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-tls-'));
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const made = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const named = ['-subj', `/CN=${domain}`, '-addext', `subjectAltName=DNS:${domain},DNS:*.${domain}`];
  execFileSync('openssl', ['req', '-x509', ...made, ...named, '-out', certificate, '-keyout', key], {
    stdio: 'ignore',
  });
  const open = new Set<TLSSocket>();
  const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (near) => {
    const far = connect(port, '127.0.0.1');
    open.add(near);
    // Whichever side ends or fails ends the other.
    near.pipe(far).pipe(near);
    near.on('error', () => far.destroy()).on('close', () => open.delete(near) && far.destroy());
    far.on('error', () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    issuer: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate,
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
