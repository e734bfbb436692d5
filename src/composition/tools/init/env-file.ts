import type { App } from './app.ts';
import type { Change } from './change.ts';

export const ENV_FILE = '.env';

/** The names of the variables that a file `.env` sets. */
function namesIn(text: string): ReadonlySet<string> {
  const names = text.split('\n').map((line) => line.replace('export ', '').split('=', 1)[0]?.trim() ?? '');
  return new Set(names);
}

/** Adds the variables that `.env` does not set yet. Values that are there stay. */
export function envChange(app: App, variables: Readonly<Record<string, string>>): Change {
  const before = app.read(ENV_FILE);
  const present = namesIn(before ?? '');
  const added = Object.entries(variables)
    .filter(([name]) => !present.has(name))
    .map(([name, value]) => `${name}=${value}`);
  const start = before === null || before === '' || before.endsWith('\n') ? (before ?? '') : `${before}\n`;
  const after = added.length === 0 && before !== null ? before : start + added.map((line) => `${line}\n`).join('');
  return { path: ENV_FILE, purpose: 'the settings', before, after, added };
}

const IGNORING = new Set(['.env', '/.env', '.env*', '*.env']);

/** Whether git leaves the file out. */
export const isIgnored = (app: App): boolean =>
  (app.read('.gitignore') ?? '').split('\n').some((line) => IGNORING.has(line.trim()));
