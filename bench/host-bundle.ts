import { build, type Rolldown } from 'vite';
import { ROOT } from '../scripts/lib/root.mjs';

const ENTRY = '\0host-page';

/** The differences of a bundle from the default host. */
export interface HostBundle {
  readonly input: string;
  readonly alias?: readonly { readonly find: RegExp; readonly replacement: string }[];
  readonly external?: readonly RegExp[];
  readonly output: Rolldown.OutputOptions;
  /** With React's build for development, which logs what differs in a hydration. Default: production. */
  readonly mode?: 'production' | 'development';
}

/** The chunks that Vite makes, for production by default, of a host's page that consists of this script. */
export async function bundleHost(
  source: string,
  { input, alias = [], external = [], output, mode = 'production' }: HostBundle,
): Promise<readonly Rolldown.OutputChunk[]> {
  const built = (await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    mode,
    publicDir: false,
    define: { 'process.env.NODE_ENV': JSON.stringify(mode) },
    resolve: { alias: [...alias] },
    plugins: [
      {
        name: 'host-page',
        resolveId: (id) => (id === ENTRY ? ENTRY : null),
        load: (id) => (id === ENTRY ? source : null),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: { input: { [input]: ENTRY }, external: [...external], output },
    },
  })) as Rolldown.RolldownOutput;
  return built.output.filter((one) => one.type === 'chunk');
}
