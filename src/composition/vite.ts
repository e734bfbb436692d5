/** `portico/vite`: a plugin that writes the first screen of the login into the HTML files of a Vite project, in builds and in development. */
import { withMarkup } from './tools/html-file.ts';
import { loginFiles } from './tools/package-files.ts';
import { renderLogin, type PrerenderOptions } from './prerender.tsx';

/** The options of the plugin: those of the mount call. The plugin itself serves the style sheet and the early script, unless `inline` puts them into the pages. */
export type PorticoPluginOptions = Omit<PrerenderOptions, 'stylesheet' | 'early'>;

interface BuildContext {
  emitFile(file: { readonly type: 'asset'; readonly name: string; readonly source: string }): string;
  getFileName(reference: string): string;
}
interface DevReply {
  setHeader(name: string, value: string): unknown;
  end(body: string): unknown;
}
type DevHandler = (
  request: { readonly url?: string | undefined },
  reply: DevReply,
  next: (error?: unknown) => void,
) => void;

/** A plugin of Vite 5 or later. */
export interface PorticoPlugin {
  readonly name: string;
  configResolved(config: { readonly base: string; readonly command: string }): void;
  configureServer(server: { readonly middlewares: { use(handler: DevHandler): unknown } }): Promise<void>;
  buildStart(this: BuildContext): Promise<void>;
  readonly transformIndexHtml: {
    readonly order: 'post';
    handler(html: string, context: { readonly path: string }): Promise<string>;
  };
}

const TYPES: Readonly<Record<string, string>> = { 'login.css': 'text/css', 'early.js': 'text/javascript' };

/** The path from a page to the root of the build, for a build whose `base` is relative. */
const upFrom = (path: string): string => '../'.repeat(path.replace(/^\//u, '').split('/').length - 1) || './';

/**
 * Writes the markup of `renderLogin` at each `<!--portico-login-->` of the project's HTML files. A build gets the style sheet and the early
 * script as assets with a hash in their names.
 */
export function portico(options: PorticoPluginOptions = {}): PorticoPlugin {
  let base = '/';
  let isBuild = false;
  /** The paths of the two files under the base. */
  let pathOf = (name: string): string => `portico/${name}`;
  return {
    name: 'portico',
    configResolved(config) {
      base = config.base === '' ? './' : config.base;
      isBuild = config.command === 'build';
    },
    async configureServer({ middlewares }) {
      const files = await loginFiles(options.styles);
      middlewares.use((request, reply, next) => {
        const path = request.url?.split('?', 1)[0];
        const name = Object.keys(files).find((one) => path === `/portico/${one}` || path === `${base}portico/${one}`);
        if (name === undefined) return next();
        reply.setHeader('content-type', TYPES[name] ?? '');
        reply.end(files[name] ?? '');
      });
    },
    async buildStart() {
      if (!isBuild || options.inline === true) return;
      const files = Object.entries(await loginFiles(options.styles));
      const references = new Map(
        files.map(([name, source]) => [name, this.emitFile({ type: 'asset', name, source })] as const),
      );
      pathOf = (name) => this.getFileName(references.get(name) ?? '');
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { path }) {
        const urlOf = (name: string): string => (base === './' ? upFrom(path) : base) + pathOf(name);
        const render = async (id: string | undefined): Promise<string> => {
          const files = options.inline === true ? {} : { stylesheet: urlOf('login.css'), early: urlOf('early.js') };
          return renderLogin({ id, ...options, ...files });
        };
        return (await withMarkup(html, render)) ?? html;
      },
    },
  };
}
