import { createHmac } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '#domain/shape.ts';
import type { Project } from '#provider/project/settings/project.ts';

/** The only field of what stands for a secret: its keyed hash, by which two secrets are compared. */
const HASH = '$secret';

/**
 * The settings as JSON, without secrets.
 *
 * @param secrets the secrets in the project
 * @param key both sides of a comparison have it, and nobody else
 */
export function shownSettings(project: Project, secrets: ReadonlySet<string>, key: string): unknown {
  const hashOf = (secret: string): string => createHmac('sha256', key).update(secret).digest('base64url');
  const text = JSON.stringify(project, (_, value: unknown) =>
    typeof value === 'string' && secrets.has(value) ? { [HASH]: hashOf(value) } : value,
  );
  return JSON.parse(text) as unknown;
}

const isSecret = (value: unknown): boolean =>
  isRecord(value) && typeof value[HASH] === 'string' && Object.keys(value).length === 1;

/** A field that differs. An absent value is undefined. */
interface Difference {
  /** Such as `clients[0].redirect_urls`. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** `clients.name`, or `claims["/a b"]` for a name that is no word. */
function within(path: string, name: string): string {
  if (!/^[\w-]{1,64}$/u.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === '' ? name : `${path}.${name}`;
}

/** The fields in which two settings differ, in the order of the first. Lists are compared item by item if they have objects. */
export function differences(before: unknown, after: unknown, path = ''): readonly Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isRecord(before) && isRecord(after) && !isSecret(before) && !isSecret(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => differences(before[name], after[name], within(path, name)));
  }
  if (Array.isArray(before) && Array.isArray(after) && [...before, ...after].some(isRecord)) {
    const places = Array.from({ length: Math.max(before.length, after.length) }, (_, place) => place);
    return places.flatMap((place) => differences(before[place], after[place], `${path}[${place}]`));
  }
  return [{ path, before, after }];
}

/** A value as JSON, with a note in place of each secret. */
function textOf(value: unknown): string {
  if (value === undefined) return 'absent';
  return JSON.stringify(value, (_, each: unknown) => (isSecret(each) ? '(a secret)' : each));
}

/** `name: "Shop" → "Store"`, or for two secrets `captcha_settings.secret differs`. */
export function differenceText({ path, before, after }: Difference): string {
  return isSecret(before) && isSecret(after) ? `${path} differs` : `${path}: ${textOf(before)} → ${textOf(after)}`;
}
