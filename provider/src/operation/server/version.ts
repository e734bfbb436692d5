import { readFileSync } from 'node:fs';
import { parseJson } from '#domain/json.ts';
import { isRecord } from '#domain/shape.ts';
import { ownFile } from '../options/own-file.ts';

/** The version of this package, or `unknown` if its manifest is missing. */
export function versionText(): string {
  const path = ownFile('package.json');
  const manifest = path === null ? null : parseJson(readFileSync(path, 'utf8'));
  const version = isRecord(manifest) ? manifest['version'] : undefined;
  return typeof version === 'string' ? version : 'unknown';
}
