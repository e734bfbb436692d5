import { HELPER } from '#domain/widget/fingerprint.ts';
import type { PrerenderedWidget } from '../prerender/options.ts';

/** Marks where a widget is in an HTML file. */
export const placeholderOf = (widget: PrerenderedWidget): string => `<!--portico-${widget}-->`;
const endOf = (widget: PrerenderedWidget): string => `<!--/portico-${widget}-->`;

const idOfEnd = (widget: PrerenderedWidget): string => `portico-${widget}-end`;
/** The widget removes it together with the other helpers of the markup. */
const markOf = (widget: PrerenderedWidget): string => `<template id="${idOfEnd(widget)}" ${HELPER}=""></template>`;
/**
 * Makes the browser draw the page only when it has read the form (HTML, link type `expect`). Otherwise it computes styles and layout for
 * each part that it has read, which delays the field. A browser that does not know this type of link ignores it.
 */
const expectationOf = (widget: PrerenderedWidget): string =>
  `<link rel="expect" href="#${idOfEnd(widget)}" blocking="render">`;

/** Before the page's own scripts, which browsers would otherwise load first: the parser waits for the early script. */
const preloadOf = (early: string): string =>
  `<link rel="preload" as="script" href="${early.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`;

/** The HTML with the links at the start of its head, instead of those of an earlier run. */
function withLinks(html: string, widget: PrerenderedWidget, early: string | undefined): string {
  const expectation = expectationOf(widget);
  const links = expectation + (early === undefined ? '' : preloadOf(early));
  const pattern = new RegExp(`${expectation}(?:<link rel="preload" as="script" href="[^"]*">)?`, 'u');
  return pattern.test(html)
    ? html.replace(pattern, () => links)
    : html.replace(/<head(?:\s[^<>]*)?>/iu, (start) => start + links);
}

/**
 * The HTML with a widget at its placeholders, replacing those of an earlier run; null for HTML without a placeholder.
 *
 * @param render returns the markup. Its argument is an id for each placeholder after the first
 * @param early the URL of the early script, unless the markup contains the script
 */
export async function withMarkup(
  html: string,
  widget: PrerenderedWidget,
  render: (id: string | undefined) => Promise<string>,
  early?: string,
): Promise<string | null> {
  const start = placeholderOf(widget);
  const stop = endOf(widget);
  const [before = '', ...rest] = withLinks(html, widget, early).split(start);
  if (rest.length === 0) return null;
  const after = await Promise.all(
    rest.map(async (text, at) => {
      const end = text.indexOf(stop);
      const markup = await render(at === 0 ? undefined : String(at + 1));
      const mark = at === 0 ? markOf(widget) : '';
      return start + markup + mark + stop + (end < 0 ? text : text.slice(end + stop.length));
    }),
  );
  return before + after.join('');
}
