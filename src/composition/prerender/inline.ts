import { SHEET_HASH, shortHash, TOKENS } from '#domain/widget/fingerprint.ts';
import type { StyleConfig } from '#domain/widget/theme.ts';
import chinese from '#presentation/theme/parts/chinese.css?inline';
import german from '#presentation/theme/parts/german.css?inline';
import japanese from '#presentation/theme/parts/japanese.css?inline';
import base from '#presentation/theme/portico.css?inline';
import prerendered from '#presentation/theme/prerendered.css?inline';
// oxlint-disable-next-line import/default -- the query makes a text of the module (scripts/vite/early-script.ts)
import early from '../early.ts?script';
import type { FirstScreenName } from '../first-screens.ts';
import { lookOf } from './look.ts';
import type { PrerenderMethod } from './options.ts';
import { sheetsOf } from './server-parts.ts';

export { early };

/** The style sheet of a prerendered widget with these styles. */
export function sheetOf(method: PrerenderMethod, widget: FirstScreenName, styles: StyleConfig | undefined): string {
  const { tokens, preset } = lookOf(method, styles);
  const declarations = [...tokens].map(([name, value]) => `${name}:${value}`).join(';');
  const own = declarations === '' ? [] : [`[${TOKENS}]{${declarations}}`];
  // The widget recognizes its sheet by the hash, so that it does not use a file of an earlier version.
  const mark = `[data-portico]{${SHEET_HASH}:${shortHash(base)}}`;
  const languages = [german, japanese, chinese];
  return [base, mark, prerendered, ...languages, ...sheetsOf(widget), ...(preset?.sheets() ?? []), ...own].join('\n');
}

/** The same as an element's text. An end tag in a value of the host does not end the element. */
export const inlineSheetOf = (
  method: PrerenderMethod,
  widget: FirstScreenName,
  styles: StyleConfig | undefined,
): string => sheetOf(method, widget, styles).replace(/<(?=\/)/gu, '\\3c ');

/** The source expression of a policy for the text of an inline element (Content Security Policy Level 3, 2.3.1). */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}
