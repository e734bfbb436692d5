/** Starts a provider in memory with the dev server (`npm run dev`), and serves its address to the playground. */
import type { AddressInfo } from 'node:net';
import type { Plugin } from 'vite';
import { choosePort } from '../lib/net.ts';
import { packOnDemand, sendTarball, TARBALL_PATH } from '../lib/pack-on-demand.ts';
import { startProvider } from '../lib/provider-process.ts';
import { stopOnSignal } from '../lib/run.ts';
import { sourceFiles } from '../lib/source-files.ts';
import { ensureBuilt } from '../lib/steps.ts';

export function devProvider(): Plugin {
  return {
    name: 'dev-provider',
    apply: 'serve',
    configureServer({ middlewares, httpServer, config }) {
      const say = (line: string): void => config.logger.info(`  ${line}`);
      /** Needs the address of the pages, because the provider redirects to them. */
      const start = async (pages: string) => {
        await ensureBuilt(['server'], say);
        const port = await choosePort('PROVIDER_PORT', 4100, { say });
        const url = `http://localhost:${port}`;
        const known = ['--authorization-url', `${pages}/authorize`, '--demo-url', pages];
        const args = ['--dev', '--port', String(port), '--data', 'memory', ...known];
        const provider = await startProvider(args);
        httpServer?.once('close', () => void provider.stop());
        say(`Provider      ${url}\n  Dev inbox     ${url}/dev/inbox\n  Public token  ${provider.publicToken}`);
        return { provider: url, publicToken: provider.publicToken, projectId: provider.projectId };
      };
      const started = new Promise<Awaited<ReturnType<typeof start>>>((resolve, reject) => {
        httpServer?.once('listening', () => {
          const { port } = httpServer.address() as AddressInfo;
          start(`http://localhost:${port}`).then(resolve, reject);
        });
      });
      started.catch((error: unknown) => config.logger.error(String(error)));
      const tarball = packOnDemand();
      middlewares.use((request, response, next) => {
        if (request.url?.startsWith('/files/')) sourceFiles(request, response);
        else if (request.url === TARBALL_PATH) void sendTarball(response, tarball);
        else next();
      });
      middlewares.use('/config.json', (_request, response, next) => {
        started.then(
          (found) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(found)),
          next,
        );
      });
      stopOnSignal(0);
    },
  };
}
