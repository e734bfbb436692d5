import { HELPER } from '../../domain/widget/fingerprint.ts';

/** Marks where the login is in an HTML file. */
export const PLACEHOLDER = '<!--portico-login-->';
const END = '<!--/portico-login-->';

const FORM_END = 'portico-login-end';
/** The widget removes it with the other helpers of the markup. */
const MARK = `<template id="${FORM_END}" ${HELPER}=""></template>`;
/**
 * The browser draws the page when it has read the form (HTML, link type `expect`). Otherwise it computes styles and layout for each part
 * that it has read, which delays the field. A browser that does not know this type of link ignores it.
 */
const EXPECT = `<link rel="expect" href="#${FORM_END}" blocking="render">`;

/** The HTML with the link in its head, where it counts. An earlier run may have written it. */
const withExpectation = (html: string): string =>
  html.includes(EXPECT) ? html : html.replace(/<head(?:\s[^>]*)?>/iu, (start) => start + EXPECT);

/**
 * The HTML with a login at its placeholders, instead of those of an earlier run; null for HTML without a placeholder.
 *
 * @param render gives the markup. Its argument is an id for each placeholder after the first
 */
export async function withMarkup(
  html: string,
  render: (id: string | undefined) => Promise<string>,
): Promise<string | null> {
  const [before = '', ...rest] = withExpectation(html).split(PLACEHOLDER);
  if (rest.length === 0) return null;
  const after = await Promise.all(
    rest.map(async (text, at) => {
      const end = text.indexOf(END);
      const markup = await render(at === 0 ? undefined : String(at + 1));
      return PLACEHOLDER + markup + (at === 0 ? MARK : '') + END + (end < 0 ? text : text.slice(end + END.length));
    }),
  );
  return before + after.join('');
}
