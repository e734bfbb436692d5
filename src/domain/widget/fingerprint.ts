import { parseJson } from '../json.ts';
import { isRecord, type Infer, type Shape } from '../shape.ts';

/** The options that determine the first screen, as the mount call names them. */
export interface ScreenOptions {
  readonly config?: unknown;
  readonly styles?: unknown;
  readonly strings?: unknown;
  /** The resolved language; undefined where the host named none. */
  readonly language?: string | undefined;
}

/** The name of the widget in the markup, except for the login. */
export const WIDGET = 'data-portico-widget';
/** Adds what a server knows of the project to the markup: JSON. */
export const PROJECT = 'data-portico-project';
/** The attribute of the element whose custom properties a style sheet sets until the widget sets them. */
export const TOKENS = 'data-portico-tokens';
/** The attribute of elements beside the markup that end with it: the links of style sheets, the early script, the sentence without JavaScript. */
export const HELPER = 'data-portico-helper';
/** The custom property with the hash of the widget's first style sheet, in a sheet that contains it. */
export const SHEET_HASH = '--p-sheet';
/** The key of the early script's function on the page's global object. */
export const EARLY = 'portico.early';

/** What the first screen shows of the project's settings. */
export const PROJECT_SHAPE = { projectName: 'string?', displayWatermark: 'boolean?' } as const satisfies Shape;

/** What the markup says of the project. A value of another type than a server writes does not count. */
export function projectOf(json: string | null): Infer<typeof PROJECT_SHAPE> {
  const value = parseJson(json ?? '');
  const entries = Object.entries(isRecord(value) ? value : {}).filter(
    ([name, one]) => `${typeof one}?` === PROJECT_SHAPE[name as keyof typeof PROJECT_SHAPE],
  );
  return Object.fromEntries(entries);
}

/** JSON with the keys in order. Null counts as absent, as in the mount call, and a preset counts as its name. */
const textOf = (value: unknown): string =>
  JSON.stringify(value ?? {}, (key, inner: unknown) => {
    if (key === 'preset' && isRecord(inner)) return inner['name'];
    if (!isRecord(inner) || Array.isArray(inner)) return inner;
    const entries = Object.entries(inner).filter(([, field]) => field !== null);
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  });

/** A hash of 32 bits in base 36. It detects differences; it is no protection. */
export function shortHash(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return (hash >>> 0).toString(36);
}

const NAMES = ['config', 'styles', 'strings', 'language'] as const;

/** The fingerprint of the options: a hash of each, separated by dots. */
export function fingerprint({ config, styles, strings, language }: ScreenOptions): string {
  // With texts of the host and no language, the markup names no language.
  const parts = [config, styles, strings, language ?? (strings ? '' : 'en')];
  return parts.map((part) => shortHash(textOf(part))).join('.');
}

/** The prefix of the ids in markup with this fingerprint. */
export const idOf = (print: string): string => `portico-${print.replaceAll('.', '-')}`;

/** The names of the options that differ between two fingerprints. */
export function differences(one: string, other: string): readonly string[] {
  const before = one.split('.');
  const after = other.split('.');
  return NAMES.filter((_, at) => before[at] !== after[at]);
}
