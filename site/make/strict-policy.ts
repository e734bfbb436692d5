import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const FOLDER = 'strict';
/** Matched to be replaced: it changes the copied text through markup, which Trusted Types forbid. */
const COPIES_MARKUP = String.raw`clone.innerHTML = clone.innerHTML.replace(/\n+/g, "\n");`;

const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 10);

/**
 * Moves VitePress' inline scripts and style attributes from the pages into files, so that the pages work under a policy that allows
 * nothing inline.
 */
export class StrictPolicy {
  private readonly base: string;
  private readonly scripts = new Map<string, string>();
  private readonly styles = new Map<string, string>();

  constructor(base: string) {
    this.base = base;
  }

  /** The style sheet of the moved style attributes. */
  get sheet(): string {
    return `${this.base}${FOLDER}/styles.css`;
  }

  /** A page without inline scripts and style attributes, whose scripts wait for its style sheet. */
  page(html: string): string {
    return (
      html
        // The style sheet has priority on a slow connection, because nothing shows before it.
        .replaceAll(/<(script type="module"|link rel="modulepreload")/gu, '<$1 fetchpriority="low"')
        .replaceAll(
          /<script(?<attributes>(?:\s+id="[^"]*")?)>(?<code>[\s\S]*?)<\/script>/gu,
          (_, _id: string, code: string) => {
            const name = `${nameOf(code)}.js`;
            this.scripts.set(name, code);
            return `<script src="${this.base}${FOLDER}/${name}"></script>`;
          },
        )
        .replaceAll(/(?<before><[a-z][^<>]*?)\sstyle="(?<style>[^"]*)"/gu, (_, before: string, style: string) => {
          const name = nameOf(style);
          this.styles.set(name, style);
          return `${before} data-style="${name}"`;
        })
    );
  }

  /** Writes the files that the pages load. */
  write(site: string, codeStyles: string): void {
    const folder = join(site, FOLDER);
    mkdirSync(folder, { recursive: true });
    for (const [name, code] of this.scripts) writeFileSync(join(folder, name), code);
    const rules = Array.from(this.styles, ([name, style]) => `[data-style="${name}"] { ${style} }`);
    writeFileSync(join(folder, 'styles.css'), `${codeStyles}\n${rules.join('\n')}\n`);
  }
}

/** Copies a sample's text as text. */
export function copyAsText(): Plugin {
  return {
    name: 'copy-as-text',
    transform(code, id) {
      if (!id.includes('/composables/copyCode.js')) return null;
      if (!code.includes(COPIES_MARKUP))
        throw new Error('VitePress copies samples in another way now: look at it again.');
      return code
        .replace(COPIES_MARKUP, '')
        .replace('clone.textContent || ""', String.raw`(clone.textContent || "").replace(/\n+/g, "\n")`);
    },
  };
}
