/** The place of the login in an HTML file. */
export const PLACE = '<!--portico-login-->';
const END = '<!--/portico-login-->';

/**
 * The HTML with a login at its places, in place of that of an earlier time; null for HTML without a place.
 *
 * @param render gives the markup. Its argument is an id for each place after the first
 */
export async function withMarkup(
  html: string,
  render: (id: string | undefined) => Promise<string>,
): Promise<string | null> {
  const [before = '', ...rest] = html.split(PLACE);
  if (rest.length === 0) return null;
  const after = await Promise.all(
    rest.map(async (text, at) => {
      const end = text.indexOf(END);
      const markup = await render(at === 0 ? undefined : String(at + 1));
      return PLACE + markup + END + (end < 0 ? text : text.slice(end + END.length));
    }),
  );
  return before + after.join('');
}
