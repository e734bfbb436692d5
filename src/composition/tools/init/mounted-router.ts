import { posix } from 'node:path';
import type { App } from './app.ts';
import type { Change } from './change.ts';

/** How an app of a framework mounts a router. */
interface Kind {
  /** The line that makes the server, as people write it. */
  readonly line: string;
  /** The line's variable is in the first group. A line that ends in a brace goes on until the line with its end. */
  readonly pattern: RegExp;
  /** Where apps have the file. */
  readonly places: readonly string[];
  /** What mounts the router, with the server's variable. */
  readonly mounting: (router: string, variable: string) => string;
  /** Whether it takes the place of the line. Else it follows, as a statement. */
  readonly isInPlace?: true;
}

const PLACES = ['', 'src/'].flatMap((folder) =>
  ['app', 'index', 'server', 'main'].flatMap((name) => ['.js', '.mjs', '.cjs'].map((end) => `${folder}${name}${end}`)),
);

const KINDS = {
  express: {
    line: 'const app = express()',
    pattern: /^(?:const|let|var) ([\w$]{1,60}) = express\(\);?$/u,
    places: PLACES,
    mounting: (router, variable) => `${variable}.use(${router})`,
  },
  fastify: {
    line: 'const app = Fastify()',
    pattern: /^(?:const|let|var) ([\w$]{1,60}) = (?:[Ff]astify|require\(['"]fastify['"]\))\((?:\{|[^()]{0,200}\);?)$/u,
    places: PLACES,
    mounting: (router, variable) => `${variable}.register(${router})`,
  },
  hono: {
    line: 'const app = new Hono()',
    pattern: /^(?:const|let|var) ([\w$]{1,60}) = new Hono\(\);?$/u,
    places: ['src/index.ts'],
    mounting: (router, variable) => `${variable}.route('/', ${router})`,
  },
  nest: {
    line: '  imports: [],',
    pattern: /^ {2}imports: \[\],$/u,
    places: ['src/app.module.ts'],
    mounting: (router) => `  imports: [${router}],`,
    isInPlace: true,
  },
} as const satisfies Readonly<Record<string, Kind>>;

export interface Router {
  readonly kind: keyof typeof KINDS;
  /** The module in the app, as imports name it. */
  readonly file: string;
  /** The name of its export. */
  readonly name: string;
}

/** The line that makes the server. */
export const serverLine = ({ kind }: Router): string => KINDS[kind].line;

interface ServerFile {
  readonly path: string;
  readonly lines: readonly string[];
}

/** The files of the app in which its server can be. */
function serverFiles({ manifest, read }: App, { kind }: Router): readonly ServerFile[] {
  const places: readonly string[] = KINDS[kind].places;
  const paths = manifest.main === null ? places : [manifest.main, ...places];
  return paths.flatMap((path) => {
    const text = read(path);
    return text === null ? [] : [{ path, lines: text.split('\n') }];
  });
}

/** The first and the last line of the statement that makes the server; null if there is none. */
function statementIn({ lines }: ServerFile, pattern: RegExp): { readonly start: number; readonly end: number } | null {
  const start = lines.findIndex((line) => pattern.test(line.trimEnd()));
  const isLong = lines[start]?.trimEnd().endsWith('{') === true;
  const end = isLong ? lines.findIndex((line, at) => at > start && /^\}\);?$/u.test(line.trimEnd())) : start;
  return start < 0 || end < 0 ? null : { start, end };
}

const isModule = (path: string, { manifest }: App): boolean =>
  /\.(?:mjs|ts)$/u.test(path) || (manifest.isModule && !path.endsWith('.cjs'));

const importLine = (name: string, specifier: string): string => `import { ${name} } from '${specifier}'`;

/** The lines that mount the router, for people who add them by hand. */
export function mountLines({ kind, file, name }: Router): readonly string[] {
  const { mounting, isInPlace, places }: Kind = KINDS[kind];
  const from = posix.relative(places.length === 1 ? posix.dirname(places[0] ?? '') : '', file);
  return [`${importLine(name, `./${from}`)};`, isInPlace === true ? mounting(name, '') : `${mounting(name, 'app')};`];
}

/** Mounts the router where the server is made; null if that place is not found. */
export function mountChange(app: App, router: Router): Change | null {
  const { mounting, isInPlace, pattern }: Kind = KINDS[router.kind];
  const files = serverFiles(app, router);
  const change = (path: string, before: string) => ({ path, purpose: 'mounts the router', before });
  const mounted = files.find(({ lines }) => lines.some((line) => line.includes(posix.basename(router.file))));
  if (mounted !== undefined) {
    const text = mounted.lines.join('\n');
    return { ...change(mounted.path, text), after: text, added: [] };
  }
  const file = files.find((one) => statementIn(one, pattern) !== null);
  const statement = file === undefined ? null : statementIn(file, pattern);
  if (file === undefined || statement === null) return null;
  const { path, lines } = file;
  const { start, end } = statement;
  const variable = pattern.exec(lines[start]?.trimEnd() ?? '')?.[1] ?? '';
  const semicolon = lines.some((line) => line.trimEnd().endsWith(';')) ? ';' : '';
  const [before, behind] = [lines.slice(0, isInPlace === true ? end : end + 1), lines.slice(end + 1)];
  const mount = (name: string): string => mounting(name, variable) + (isInPlace === true ? '' : semicolon);
  const from = posix.relative(posix.dirname(path), router.file);
  const specifier = from.startsWith('.') ? from : `./${from}`;
  if (!isModule(path, app)) {
    const line = mount(`require('${specifier}').${router.name}`);
    return { ...change(path, lines.join('\n')), after: [...before, line, ...behind].join('\n'), added: [line] };
  }
  const importing = importLine(router.name, specifier) + semicolon;
  const line = mount(router.name);
  const top = lines[0]?.startsWith('#!') === true ? 1 : 0;
  const after = [...before.slice(0, top), importing, ...before.slice(top), line, ...behind];
  return { ...change(path, lines.join('\n')), after: after.join('\n'), added: [importing, line] };
}
