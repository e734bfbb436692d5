import type { MarkdownRenderer } from 'vitepress';
import type { Links } from '../api/reference.ts';
import { shownSource } from './links.ts';

/** Vue takes double braces in text for a template of its own. */
const withoutBraces = (html: string): string => html.replaceAll('{{', '&#123;&#123;');

interface MarkupOptions {
  readonly base: string;
  /** The links in the signatures of the API reference, by what their fences name. */
  readonly links: Readonly<Record<string, Links>>;
}

/** Makes links of the names in highlighted code. */
export const withLinks = (html: string, base: string, links: Links): string =>
  html.replaceAll(/>(?<text>[^<]+)</gu, (_, text: string) => {
    const linked = text.replaceAll(/(?<![\w.$&])[A-Za-z_$][\w$]*/gu, (name) =>
      Object.hasOwn(links, name) ? `<a href="${base}${links[name]?.slice(1)}">${name}</a>` : name,
    );
    return `>${linked}<`;
  });

/** What the pages have beside plain Markdown. */
export function withMarkup(markdown: MarkdownRenderer, { base, links }: MarkupOptions): void {
  const { rules } = markdown.renderer;
  for (const kind of ['text', 'code_inline'] as const) {
    const render = rules[kind];
    if (render) rules[kind] = (...given) => withoutBraces(render(...given));
  }
  // A table without headings has none: an empty one says nothing to a screen reader.
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
    const signature = /\bapi=(?<key>\S+)/u.exec(tokens[at]?.info ?? '')?.groups?.['key'];
    if (signature !== undefined) return withLinks(html, base, links[signature] ?? {});
    const file = /\b(?:from|file)=(?<name>\S+)/u.exec(tokens[at]?.info ?? '')?.groups?.['name'];
    return file === undefined ? html : `<div class="file-name">${markdown.utils.escapeHtml(file)}</div>${html}`;
  };
}
