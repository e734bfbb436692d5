import type { App } from './app.ts';
import { isIgnored } from './env-file.ts';
import type { Recipe } from './recipe.ts';
import { LOCAL } from './init-options.ts';
import { mountChange, mountLines, serverLine } from './mounted-router.ts';
import type { Project } from './plan.ts';

/** The package that the files import. */
const CLIENT = 'portico';

const LOCK_FILES = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bun.lock': 'bun' };

/** The package manager of the app, by its lock file. */
function managerOf(app: App): string {
  return Object.entries(LOCK_FILES).find(([file]) => app.read(file) !== null)?.[1] ?? 'npm';
}

/** What the app lacks and `init` does not change. Empty for an app that lacks nothing. */
export function lacksOf({ router, scripts = {}, setting }: Recipe, app: App): readonly string[] {
  const lacks: string[] = [];
  if (!app.manifest.packages.has(CLIENT)) {
    lacks.push(
      `package.json does not depend on ${CLIENT}: install it as docs/getting-started.md of the package shows.`,
    );
  }
  for (const [name, script] of Object.entries(scripts)) {
    const own = app.manifest.scripts[name] ?? script;
    if (own !== script) lacks.push(`package.json has its own script ${name}. Let it run, too: ${script}`);
  }
  if (router !== undefined && mountChange(app, router) === null) {
    const lines = mountLines(router).map((line) => `\n     ${line}`);
    lacks.push(`No file has the line "${serverLine(router).trim()}". Add to your server:${lines.join('')}`);
  }
  if (setting !== undefined && !setting.files.some((file) => app.read(file)?.includes(setting.text) === true)) {
    lacks.push(`${setting.files[0]} does not set ${setting.text}, which the pages need: see the guide.`);
  }
  return lacks;
}

/** What to know about the file of settings; null if there is nothing. */
export const envReminder = (app: App): string | null =>
  isIgnored(app)
    ? null
    : '.gitignore does not list .env. These settings are public. List the file before you add a secret.';

/** What to do next, in this order. */
export function stepsOf(recipe: Recipe, app: App, { apiUrl, publicToken }: Project): readonly string[] {
  const server = recipe.router === undefined ? null : mountChange(app, recipe.router);
  const steps = recipe.steps({ manager: managerOf(app), entry: server?.path ?? 'FILE' });
  return publicToken === LOCAL.publicToken
    ? [...steps, `The codes of the local provider are at ${apiUrl}/dev/inbox`]
    : steps;
}
