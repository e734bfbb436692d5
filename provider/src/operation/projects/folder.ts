import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { isRecord } from '#domain/shape.ts';
import { textOfFile } from '#provider/base/text-file.ts';
import { UsageError } from '#provider/base/usage-error.ts';

/** The file names that `init` and `keys` use, and the files that belong to them. */
const PROJECT_FILE = 'portico.jsonc';
const KEY_FILE = 'portico.key';
const ENVIRONMENT_FILE = 'portico.env';
const DATA_FOLDER = 'data';

type Variables = Readonly<Record<string, string>>;

/** One project of the router, as described by its folder. */
export interface ProjectFolder {
  /** The name of the folder. */
  readonly name: string;
  readonly folder: string;
  /** The project file. */
  readonly file: string;
  /** The host of the issuer, without its port; null if the project has none. */
  readonly host: string | null;
  /** The values that identify it in a request: the public token and the project id. */
  readonly tokens: readonly string[];
  /** From its own environment file, and those that the folder implies. */
  readonly variables: Variables;
  /** The location of its database, without user names and passwords. */
  readonly database: string;
}

/** Reads JSON with comments; throws an Error that names the line. */
type ReadJson = (text: string) => unknown;

/** The names of the folders with a project file or an environment file. The router ignores all others. */
export function projectNames(root: string): readonly string[] {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
      .map(({ name }) => name)
      .filter((name) => [PROJECT_FILE, ENVIRONMENT_FILE].some((file) => existsSync(join(root, name, file))))
      .sort();
  } catch (error) {
    throw new UsageError(`Cannot read the folder ${root}: ${(error as NodeJS.ErrnoException).code ?? ''}.`);
  }
}

/** Reads one folder. Throws a UsageError that names the wrong file. The server of the project checks the other fields. */
export function readFolder(root: string, name: string, readJson: ReadJson): ProjectFolder {
  const folder = join(root, name);
  const variables = variablesOf(folder);
  const projectPath = variables['PORTICO_PROJECT'] ?? PROJECT_FILE;
  const file = isAbsolute(projectPath) ? projectPath : join(folder, projectPath);
  const json = jsonOf(file, readJson);
  const token = (field: string): string => {
    const fieldValue = json[field];
    const value = typeof fieldValue === 'string' ? fieldValue.trim() : '';
    // The other identifiers are the demo's, which all projects without their own would share.
    if (value === '') throw new UsageError(`${file}: ${field} is missing.`);
    return value;
  };
  const tokens = [token('public_token'), token('project_id')];
  const database = databaseOf(folder, variables);
  return { name, folder, file, host: hostOf(json['issuer'], file), tokens, variables, database };
}

function databaseOf(folder: string, variables: Variables): string {
  const { PORTICO_DATA: data, PORTICO_DATABASE_URL_FILE: path } = variables;
  if (data !== undefined && variables['PORTICO_DATABASE_URL'] === undefined && path === undefined) {
    // The same before and after its server has made it.
    const place = resolve(realpathSync(folder), data);
    return existsSync(place) ? realpathSync(place) : place;
  }
  const text = variables['PORTICO_DATABASE_URL'] ?? readText(resolve(folder, path ?? '')).trim();
  // The standard parser does not accept a URL with several hosts.
  if (!URL.canParse(text)) return text;
  const { hostname, port, pathname, searchParams } = new URL(text);
  return `${hostname.toLowerCase()}:${port || '5432'}${pathname} ${searchParams.get('options') ?? ''}`;
}

function jsonOf(file: string, readJson: ReadJson): Readonly<Record<string, unknown>> {
  let json: unknown;
  try {
    json = readJson(textOfFile(file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`${file}: ${code === undefined ? message : `it cannot be read (${code})`}`);
  }
  if (!isRecord(json)) throw new UsageError(`${file}: it must be an object.`);
  return json;
}

function hostOf(issuer: unknown, file: string): string | null {
  if (issuer === undefined || issuer === null) return null;
  const text = typeof issuer === 'string' ? issuer.trim() : '';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === '') throw new UsageError(`${file}: issuer must be an origin.`);
  return url.hostname;
}

function variablesOf(folder: string): Variables {
  const path = join(folder, ENVIRONMENT_FILE);
  const own = existsSync(path) ? readVariables(path) : {};
  const has = (name: string): boolean => (own[name] ?? '') !== '' || (own[`${name}_FILE`] ?? '') !== '';
  const usesDatabase = has('PORTICO_DATABASE_URL');
  return {
    PORTICO_PROJECT: PROJECT_FILE,
    ...(usesDatabase ? {} : { PORTICO_DATA: DATA_FOLDER }),
    ...(usesDatabase && !has('PORTICO_KEY') && existsSync(join(folder, KEY_FILE))
      ? { PORTICO_KEY_FILE: KEY_FILE }
      : {}),
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== '')),
  };
}

function readVariables(path: string): Variables {
  const text = readText(path);
  // A process cannot be started with such a variable.
  if (text.includes('\0')) throw new UsageError(`${path}: it cannot be read (not text).`);
  // Read in the same way as by the server of the project.
  return Object.fromEntries(Object.entries(parseEnv(text)).map(([name, value]) => [name, (value ?? '').trim()]));
}

function readText(path: string): string {
  try {
    return textOfFile(path);
  } catch (error) {
    throw new UsageError(`${path}: it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'not text'}).`);
  }
}
