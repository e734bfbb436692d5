import { parseJson } from '../json.ts';
import { isRecord, type Infer, type Shape } from '../shape.ts';

/** The options that determine the first screen, named as in the mount call. */
export interface ScreenOptions {
  readonly config?: unknown;
  readonly styles?: unknown;
  readonly strings?: unknown;
  /** The resolved language; undefined if the host named none. */
  readonly language?: string | undefined;
}

/** The name of the widget in the markup, except for the login. */
export const WIDGET = 'data-portico-widget';
/** The attribute with the project settings that a server adds to the markup, as JSON. */
export const PROJECT = 'data-portico-project';
/** The attribute of the element whose custom properties come from a style sheet until the widget sets them. */
export const TOKENS = 'data-portico-tokens';
/**
 * The attribute of the elements that are removed together with the markup: style sheet links, the early script, the text for pages without
 * JavaScript.
 */
export const HELPER = 'data-portico-helper';
/** The custom property with the hash of the widget's first style sheet, in a sheet that contains it. */
export const SHEET_HASH = '--p-sheet';
/** The key of the early script's function on the page's global object. */
export const EARLY = 'portico.early';

/** The project's settings that the first screen shows. */
export const PROJECT_SHAPE = { projectName: 'string?', displayWatermark: 'boolean?' } as const satisfies Shape;

/** The project's settings in the markup. A value of an unexpected type is ignored. */
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

/** A hash of 32 bits in base 36. It detects differences; it does not protect against tampering. */
export function shortHash(text: string): string {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return (hash >>> 0).toString(36);
}

const NAMES = ['config', 'styles', 'strings', 'language'] as const;

/** The fingerprint of the options: a hash of each, separated by dots. */
export function fingerprint({ config, styles, strings, language }: ScreenOptions): string {
  // If the host has its own texts and no language, the markup names no language.
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
