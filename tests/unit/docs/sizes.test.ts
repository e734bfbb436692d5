import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { saysSizes, sizeSection } from '#scripts/sizes.ts';

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const budgets = JSON.parse(read('bench/budgets.json')) as Record<string, { KiB: number; what: string }>;
const SIZE = /\d (?:KiB|MiB|kB|KB|MB)\b/u;

const part = (name: string, bytes: number) => ({ name, bytes, modules: [`../node_modules/${name}/index.js`] });
const measured = {
  widget: { bytes: 1, modules: [], lazy: [part('libphonenumber-js', 1025), part('@zxcvbn-ts/core', 1024)] },
};

describe('the sizes in the documents', () => {
  it('are the budgets, and what the heavy packages weigh', () => {
    const section = sizeSection(measured, budgets);
    for (const { KiB, what } of Object.values(budgets)) expect(section).toContain(`| ${what} | ${KiB} KiB |`);
    expect(section).toContain('| telephone numbers | 2 KiB |');
    expect(section).toContain('| password estimates | 1 KiB |');
  });

  it('are told to be old when a budget, or a package, has another size', () => {
    const text = (section: string): string => `Before\n<!-- sizes -->\n${section}<!-- /sizes -->\nAfter\n`;
    const section = sizeSection(measured, budgets);
    expect(saysSizes(text(section), section)).toBe(true);
    const grown = { widget: { ...measured.widget, lazy: [part('libphonenumber-js', 2049)] } };
    expect(saysSizes(text(section), sizeSection(grown, budgets))).toBe(false);
    expect(saysSizes('nothing of it', section)).toBe(false);
  });

  it('show the budgets of today, without a build; the size gate measures the rest', () => {
    const readme = read('README.md');
    for (const { KiB, what } of Object.values(budgets)) expect(readme).toContain(`| ${what} | ${KiB} KiB |`);
  });

  it('stand nowhere else, where nothing would keep them current', () => {
    // These pages have limits on what is sent and stored, not sizes of files; the comparison with other clients carries its date.
    const limits = new Set([
      'agents.md',
      'backend-api.md',
      'backups.md',
      'behind-a-proxy.md',
      'openapi.md',
      'operating.md',
      'scaling.md',
      'threat-model.md',
    ]);
    const pages = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md') && !limits.has(name));
    const texts = [
      ['README.md', read('README.md').replaceAll(/<!-- (sizes|peers) -->[\s\S]*?<!-- \/\1 -->/gu, '')] as const,
      ...pages.map((name) => [name, read(`docs/${name}`)] as const),
    ];
    expect(texts.filter(([, text]) => SIZE.test(text)).map(([name]) => name)).toEqual([]);
  });
});
