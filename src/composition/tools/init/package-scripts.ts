import type { App } from './app.ts';
import type { Change } from './change.ts';

const FILE = 'package.json';

/** The white space before the first field, such as two spaces. */
const indentOf = (text: string): string => /^\{\r?\n([ \t]{1,8})"/u.exec(text)?.[1] ?? '  ';

/** Adds the scripts that package.json does not have yet. Scripts of the same name stay. */
export function scriptsChange(app: App, scripts: Readonly<Record<string, string>>): Change {
  const before = app.read(FILE) ?? '';
  const missing = Object.entries(scripts).filter(([name]) => !(name in app.manifest.scripts));
  const added = missing.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const change = { path: FILE, purpose: 'the scripts', before, added };
  if (missing.length === 0) return { ...change, after: before };
  const fields = JSON.parse(before) as Record<string, unknown>;
  const changed = { ...fields, scripts: { ...app.manifest.scripts, ...Object.fromEntries(missing) } };
  return { ...change, after: `${JSON.stringify(changed, null, indentOf(before))}\n` };
}
