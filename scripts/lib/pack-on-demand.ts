/** The package as npm would publish it, for the install line of the demo's front page. */
import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { packPackage } from './pack.ts';
import { ensureBuilt } from './steps.ts';

/** The path in the install line. */
export const TARBALL_PATH = '/portico.tgz';

async function pack(): Promise<string> {
  await ensureBuilt(['description', 'entries', 'types']);
  const packed = await packPackage();
  process.once('exit', () => packed.remove());
  return packed.tarball;
}

/** Packs on the first request. A failure is not cached. */
export function packOnDemand(): () => Promise<string> {
  let made: Promise<string> | undefined;
  return () =>
    (made ??= pack().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}

export async function sendTarball(response: ServerResponse, tarball: () => Promise<string>): Promise<void> {
  try {
    createReadStream(await tarball()).pipe(response.setHeader('Content-Type', 'application/gzip'));
  } catch (error) {
    console.error(error);
    response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' }).end('The package could not be packed');
  }
}
