import { configSections, eventReference } from '../../scripts/config-reference.ts';
import type { Links } from '../api/reference.ts';
import { exampleOf } from '../examples/examples.ts';
import { headingId } from './markdown.ts';

const HEAD = `---
pageClass: with-playground
outline: [2, 2]
---

# Configuration

Every option of the client and its widgets, made from the types. **Try it** sets the option in the live example on this page; the link
opens the example alone in a tab of its own, too. A question mark marks what may be left out. Enumerations take their strings as well
as their members, so \`'otp'\` and \`Products.otp\` are the same.
`;

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Code with links to the types that it names. */
const typeMarkup = (type: string, base: string, links: Links): string =>
  escape(type).replaceAll(/(?<![\w&])[A-Z]\w+/gu, (name) =>
    Object.hasOwn(links, name) ? `<a href="${base}${links[name]?.slice(1)}">${name}</a>` : name,
  );

/** The reference of the configuration with a live example for each option. */
export function configurationPage(base: string, links: Links): string {
  const parts = configSections().map(({ title, about, rows }) => {
    const id = headingId(title);
    const options = rows.map(({ name: written, type, doc }) => {
      const name = written.replace('?', '');
      const { address, see } = exampleOf(title, name);
      return [
        `### ${written} {#${id}-${name.toLowerCase()}}`,
        `<p class="option-type"><code v-pre>${typeMarkup(type, base, links)}</code></p>`,
        doc,
        `<p class="try"><a href="${escape(address)}" target="live-example">Try it<span class="visually-hidden">: ${name}</span></a> <span>${escape(see)}</span></p>`,
      ].join('\n\n');
    });
    return [`## ${title}`, about, ...options].filter((part) => part !== '').join('\n\n');
  });
  const contents = configSections().map(({ title }) => `[${title}](#${headingId(title)})`);
  return `${HEAD}\n<div class="contents">\n\n${contents.join(' ')}\n\n</div>\n\n${parts.join('\n\n')}\n\n${eventReference()}`;
}
