import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PRODUCT } from '#scripts/lib/product.ts';
import { WALKS } from './walks.ts';

const text = readFileSync('docs/architecture.md', 'utf8');

/** The first cells of a table, which are names. */
const cellsAfter = (heading: string): readonly string[] => {
  const [, section = ''] = text.split(heading);
  const [table = ''] = /^\|[\s\S]*?\n\n/mu.exec(section) ?? [];
  return [...table.matchAll(/^\| `([^`]+)` \|/gmu)].map(([, name = '']) => name);
};

describe('docs/architecture.md', () => {
  it('names the layers, the highest import last', () => {
    const layers = ['src/domain', 'src/application', 'src/infrastructure', 'src/presentation', 'src/composition'];
    expect(cellsAfter('# Architecture\n')).toEqual([...layers, 'server-rules', 'kit', 'provider']);
  });

  it('names the wings of the provider, the lowest last', () => {
    const wings = cellsAfter('## The provider\n');
    expect([...wings].sort()).toEqual(readdirSync('provider/src').sort());
    expect(wings.slice(0, 2)).toEqual(['main.ts', 'operation']);
    expect(wings.at(-1)).toBe('base');
  });

  it('leads a newcomer to files and folders that are there', () => {
    const [, section = ''] = text.split('## I want to change …\n');
    const [table = ''] = section.split('\n## ');
    const places = [...table.matchAll(/`([^`]+)`/gu)]
      .map(([, name = '']) => name)
      .filter((name) => name.includes('/') && !name.includes('<'));
    expect(places.length).toBeGreaterThan(15);
    const isThere = (name: string): boolean =>
      existsSync(name) || existsSync(`src/${name}`) || existsSync(`provider/src/${name}`);
    expect(places.filter((name) => !isThere(name))).toEqual([]);
  });

  it('names the folders of the accounts', () => {
    const [, row = ''] = /^\| `accounts` \|([^\n]*)/mu.exec(text) ?? [];
    const methods = new Set(['links', 'passcodes', 'passkeys', 'passwords', 'social', 'totps', 'wallets']);
    const others = readdirSync('provider/src/accounts', { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !methods.has(entry.name))
      .map(({ name }) => name);
    expect(new Set(Array.from(row.matchAll(/`([^`]+)`/gu), ([, name]) => name))).toEqual(new Set(others));
  });

  it('derives a channel of passcodes from few files', () => {
    const naming = [...PRODUCT, 'demo'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(
          (name) =>
            /\.tsx?$/u.test(name) &&
            !/presentation\/messages|db\/(?:baseline|migrations)|composition\/compat/u.test(name),
        )
        .map((name) => `${folder}/${name}`)
        .filter((file) => /whatsapp/iu.test(readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/gu, ''))),
    );
    expect(naming.sort()).toEqual([
      'demo/parts/channels.ts',
      // The preset with all channels.
      'demo/parts/presets.ts',
      // Twilio's sender and template, and its prefix of such numbers.
      'provider/src/messages/mail/twilio-carrier.ts',
      'provider/src/operation/options/delivery.ts',
      'provider/src/operation/options/option-table.ts',
      // A public type's name.
      'src/application/use-cases/passcodes/otp-login.ts',
      'src/composition/headless.ts',
      'src/domain/contacts/channels.ts',
    ]);
  });

  it('has six walks, each of which a test counts', () => {
    expect(WALKS).toHaveLength(6);
    expect(WALKS.filter(({ stations }) => new Set(stations).size < stations.length)).toEqual([]);
  });
});
