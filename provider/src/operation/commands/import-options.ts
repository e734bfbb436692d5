import { UsageError } from '#provider/base/usage-error.ts';
import { VENDORS } from '../vendors/vendors.ts';
import { hashDefaultsFrom } from './hash-options.ts';
import type { ActionRunner } from './operate.ts';
import { checkIsFile, lineSource, vendorSource, type ImportSource } from './import-source.ts';

type Fields = Readonly<Record<string, unknown>>;
type Ask = (question: string) => Promise<string>;

const textIn = (fields: Fields, name: string): string | null => {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** The secret of the old system: never an argument, which other users of the machine can read. */
async function secretFrom(name: string | null, ask: Ask): Promise<string | null> {
  if (name === null) return null;
  const value = process.env[name] ?? '';
  if (value !== '') return value;
  if (!process.stdin.isTTY) throw new UsageError(`Nothing was imported. The variable of --secret-env, ${name}, is empty.`); // prettier-ignore
  return ask(`Value of ${name}: `);
}

const VENDOR_OPTIONS = ['also', 'rp_id', 'secret_env'] as const;

/** What an import reads, as its options say. */
export async function sourceFrom(
  project: ActionRunner['project'],
  fields: Fields,
  ask: Ask,
): Promise<{ readonly source: ImportSource; readonly paths: readonly string[] }> {
  const also = Array.isArray(fields['also']) ? (fields['also'] as readonly string[]) : [];
  const paths = [String(fields['file']), ...also];
  for (const path of paths) checkIsFile(path);
  const defaults = hashDefaultsFrom(fields);
  const name = textIn(fields, 'from');
  if (name === null) {
    const stray = VENDOR_OPTIONS.find((each) => fields[each] !== undefined);
    if (stray === undefined) return { source: lineSource(paths[0] ?? '', defaults), paths };
    throw new UsageError(`--${stray.replaceAll('_', '-')} needs --from, the product that made the file.`);
  }
  const vendor = Object.hasOwn(VENDORS, name) ? VENDORS[name] : undefined;
  if (vendor === undefined) throw new UsageError(`--from must be one of ${Object.keys(VENDORS).join(', ')}.`);
  const options = { rp_id: textIn(fields, 'rp_id'), secret: await secretFrom(textIn(fields, 'secret_env'), ask) };
  return { source: vendorSource({ name, vendor, paths, options, defaults, project }), paths };
}
