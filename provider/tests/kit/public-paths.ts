import { BACKEND_PREFIX, PUBLIC_BACKEND_PREFIX } from '#provider/base/backend-api/backend-api.ts';

interface RouteTable {
  readonly routes: readonly { readonly path: string }[];
}

/** The backend API and the operators' routes. Proxies must forward every other route, because browsers and other apps call it. */
const isPrivate = (path: string): boolean =>
  (path.startsWith(`${BACKEND_PREFIX}/`) && !path.startsWith(PUBLIC_BACKEND_PREFIX)) || path.startsWith('/admin/');

/** The routes of the server, without middleware. */
function routesOf({ routes }: RouteTable): readonly string[] {
  return [...new Set(routes.map(({ path }) => path))].filter((path) => !path.endsWith('*'));
}

/** A path of each route, with a value for each parameter. */
const examples = (routes: readonly string[]): readonly string[] =>
  routes.map((path) => path.replaceAll(/:\w+/gu, 'example'));

export const publicExamples = (app: RouteTable): readonly string[] =>
  examples(routesOf(app).filter((path) => !isPrivate(path)));

export const privateExamples = (app: RouteTable): readonly string[] => examples(routesOf(app).filter(isPrivate));

/** What a proxy must forward: folders, which end in a slash, and single paths. */
export function publicPaths(app: RouteTable): readonly string[] {
  const folders = new Map<string, string>();
  const single: string[] = [];
  for (const path of routesOf(app)) {
    if (isPrivate(path)) continue;
    const [, top = '', ...deeper] = path.split('/');
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    if (deeper.length === 0) single.push(path);
    else folders.set(top, sharedFolder(folders.get(top) ?? folder, folder));
  }
  return [...folders.values(), ...single].sort();
}

/** The deepest folder that contains both, without parameters. */
function sharedFolder(one: string, other: string): string {
  const parts = other.split('/');
  const length = one.split('/').findIndex((part, index) => part !== parts[index] || part.startsWith(':'));
  return length === -1 ? one : `${parts.slice(0, length).join('/')}/`;
}
