/** `portico/vite`: a plugin that writes the first screen of a widget into the HTML files of a Vite project, in builds and in development. */
import { withMarkup } from './tools/html-file.ts';
import { policyLine, RENDERERS, widgetFiles, WIDGETS } from './tools/package-files.ts';
import { SDKUsageError } from '#domain/errors.ts';
import type { PasswordResetPrerenderOptions, PrerenderedWidget } from './prerender.tsx';

/** The options of the plugin: those of the mount call. */
export interface PorticoPluginOptions extends Omit<PasswordResetPrerenderOptions, 'stylesheet' | 'early' | 'inline'> {
  /**
   * The pages contain the style sheet and the early script, so that the form shows without a second request, and a build logs the hashes
   * for the policy of the pages. Otherwise the pages link to two files, which the plugin emits and serves. Default: false.
   */
  readonly inline?: boolean | undefined;
  /** The widget. Each widget needs a separate plugin. Default: `login`. */
  readonly widget?: PrerenderedWidget | undefined;
}

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
  configResolved(config: {
    readonly base: string;
    readonly command: string;
    readonly logger: { info(message: string): void };
  }): void;
  configureServer(server: { readonly middlewares: { use(handler: DevHandler): unknown } }): Promise<void>;
  buildStart(this: BuildContext): Promise<void>;
  readonly transformIndexHtml: {
    readonly order: 'post';
    handler(html: string, context: { readonly path: string }): Promise<string>;
  };
}

const typeOf = (name: string): string => (name.endsWith('.css') ? 'text/css' : 'text/javascript');

/** The path from a page to the root of the build, for builds with a relative `base`. */
const upFrom = (path: string): string => '../'.repeat(path.replace(/^\//u, '').split('/').length - 1) || './';

/**
 * Writes the markup of `renderLogin` at each `<!--portico-login-->` of the project's HTML files, or that of another widget at the comment with
 * its name, such as `<!--portico-reset-->`. Without `inline`, a build gets the style sheet and the early script as assets with a hash in their names.
 *
 * Throws an `SDKUsageError` for an unknown widget.
 */
export function portico({ widget = 'login', inline = false, ...options }: PorticoPluginOptions = {}): PorticoPlugin {
  if (!WIDGETS.includes(widget)) {
    throw new SDKUsageError('portico', `widget must be one of ${WIDGETS.join(', ')}`);
  }
  let base = '/';
  let isBuild = false;
  let log = (_message: string): void => undefined;
  /** The paths of the two files under the base. */
  let pathOf = (name: string): string => `portico/${name}`;
  return {
    name: 'portico',
    configResolved(config) {
      base = config.base === '' ? './' : config.base;
      isBuild = config.command === 'build';
      log = (message) => config.logger.info(message);
    },
    async configureServer({ middlewares }) {
      const files = await widgetFiles(widget, options.styles);
      middlewares.use((request, reply, next) => {
        const path = request.url?.split('?', 1)[0];
        const name = Object.keys(files).find((one) => path === `/portico/${one}` || path === `${base}portico/${one}`);
        if (name === undefined) return next();
        reply.setHeader('content-type', typeOf(name));
        reply.end(files[name] ?? '');
      });
    },
    async buildStart() {
      if (!isBuild) return;
      if (inline) return log(await policyLine(widget, options.styles));
      const files = Object.entries(await widgetFiles(widget, options.styles));
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
          const places = inline ? { inline } : { stylesheet: urlOf(`${widget}.css`), early: urlOf('early.js') };
          return RENDERERS[widget]({ id, ...options, ...places });
        };
        return (await withMarkup(html, widget, render, inline ? undefined : urlOf('early.js'))) ?? html;
      },
    },
  };
}
