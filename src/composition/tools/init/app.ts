import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '#domain/shape.ts';
import { CommandError } from '../command-error.ts';

/** The app that `init` changes. */
export interface App {
  /** The text of a file, by its path in the app; null if there is none. */
  readonly read: (path: string) => string | null;
  readonly manifest: Manifest;
}

/** What `init` reads of the app's package.json. */
export interface Manifest {
  /** The names of all packages that the app depends on. */
  readonly packages: ReadonlySet<string>;
  readonly scripts: Readonly<Record<string, unknown>>;
  /** Whether a file `.js` is a module. */
  readonly isModule: boolean;
  /** The file that the package names as its start. */
  readonly main: string | null;
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});

function manifestOf(text: string): Manifest {
  let fields: Readonly<Record<string, unknown>>;
  try {
    fields = recordOf(JSON.parse(text));
  } catch {
    throw new CommandError('package.json is not valid JSON.');
  }
  const packages = [fields['dependencies'], fields['devDependencies']].flatMap((list) => Object.keys(recordOf(list)));
  const { main } = fields;
  return {
    packages: new Set(packages),
    scripts: recordOf(fields['scripts']),
    isModule: fields['type'] === 'module',
    main: typeof main === 'string' ? main.replace('./', '') : null,
  };
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return null;
    throw new CommandError(`Cannot read ${path}: ${code ?? ''}.`);
  }
}

/** The app in the folder. Throws a `CommandError` for a folder without a package.json, and for one that is not JSON. */
export function appIn(folder: string): App {
  const read = (path: string): string | null => textOf(join(folder, path));
  const manifest = read('package.json');
  if (manifest === null) {
    throw new CommandError(`There is no package.json in ${folder}. Run the command in the folder of your app.`);
  }
  return { read, manifest: manifestOf(manifest) };
}
