import type { MarkdownEnv, MarkdownOptions, MarkdownRenderer } from 'vitepress';
import type { Links } from '../api/reference.ts';
import { shownSource } from './links.ts';

/** Vue interprets double braces in text as a template. */
const withoutBraces = (html: string): string => html.replaceAll('{{', '&#123;&#123;');

type CodeTransformer = NonNullable<MarkdownOptions['codeTransformers']>[number];

/** The parts of a text: names with a link, and the text between them. */
export function namesIn(text: string, links: Links): readonly { readonly text: string; readonly to?: string }[] {
  return text
    .split(/((?<![\w.$])[A-Za-z_$][\w$]*)/u)
    .filter((part) => part !== '')
    .map((part) => (Object.hasOwn(links, part) ? { text: part, to: links[part] } : { text: part }));
}

/** Links the names in the signatures of the API reference. The key in a fence selects its list of links. */
export const linkedNames = (base: string, links: Readonly<Record<string, Links>>): CodeTransformer => ({
  span(node) {
    const key = /\bapi=(?<key>\S+)/u.exec(this.options.meta?.__raw ?? '')?.groups?.['key'];
    if (key === undefined) return;
    node.children = node.children.flatMap<(typeof node.children)[number]>((child) =>
      child.type !== 'text'
        ? [child]
        : namesIn(child.value, links[key] ?? {}).map(({ text, to }) =>
            to === undefined
              ? { type: 'text' as const, value: text }
              : {
                  type: 'element' as const,
                  tagName: 'a',
                  properties: { href: `${base}${to.slice(1)}` },
                  children: [{ type: 'text' as const, value: text }],
                },
          ),
    );
  },
});

/** The extensions of Markdown in the pages. */
export function withMarkup(markdown: MarkdownRenderer): void {
  const { rules } = markdown.renderer;
  for (const kind of ['text', 'code_inline'] as const) {
    const render = rules[kind];
    if (render) rules[kind] = (...given) => withoutBraces(render(...given));
  }
  // Removes the empty header row of a table without headings, because it has no meaning for screen readers.
  for (const [kind, step] of [
    ['th_open', 1],
    ['th_close', -1],
  ] as const) {
    rules[kind] = (tokens, at, options) => {
      const token = tokens[at];
      if (token && tokens[at + step]?.content === '') token.tag = 'td';
      return markdown.renderer.renderToken(tokens, at, options);
    };
  }
  const link = rules['link_open'];
  rules['link_open'] = (tokens, at, ...rest) => {
    const source = shownSource(tokens[at]?.attrGet('href') ?? '');
    if (source === null) return link ? link(tokens, at, ...rest) : markdown.renderer.renderToken(tokens, at, rest[0]);
    return `<a href="${markdown.utils.escapeHtml(source)}" target="_self">`;
  };
  const fence = rules.fence;
  if (!fence) throw new TypeError('The Markdown renderer has no fences.');
  rules.fence = (tokens, at, ...rest) => {
    const html = fence(tokens, at, ...rest);
    const file = /\b(?:from|file)=(?<name>\S+)/u.exec(tokens[at]?.info ?? '')?.groups?.['name'];
    return file === undefined ? html : `<div class="file-name">${markdown.utils.escapeHtml(file)}</div>${html}`;
  };
}

/** The HTML of a page for the search index, which keeps the text alone: to colour its code takes a third of the time of the build. */
export function withoutColours(source: string, env: MarkdownEnv, markdown: MarkdownRenderer): string {
  const { highlight } = markdown.options;
  markdown.options.highlight = null;
  try {
    return markdown.render(source, env);
  } finally {
    markdown.options.highlight = highlight;
  }
}
