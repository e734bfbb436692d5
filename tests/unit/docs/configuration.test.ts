import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configReference, dataInWords, describeInterface, eventReference } from '#scripts/config-reference.ts';
import { ROOT } from '#scripts/lib/root.mjs';

it('the configuration page says what the types say; `npx jiti scripts/config-reference.ts --write` brings it up to date', () => {
  expect(readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8')).toBe(configReference());
});

it('an interface is read with its docstrings, and without what stands between others', () => {
  const source = `
    /** No docstring of what follows. */
    const other = 1;
    /** How it
     * looks. */
    export interface Look {
      /** In pixels | or not. */
      readonly size?: number;
      // A comment of ours.
      readonly of: readonly string[];
    }`;
  expect(describeInterface(source, 'Look')).toEqual({
    about: 'How it looks.',
    rows: [
      { name: 'size?', type: 'number', doc: 'In pixels | or not.' },
      { name: 'of', type: 'string[]', doc: '' },
    ],
  });
  expect(() => describeInterface(source, 'Missing')).toThrow('There is no interface Missing.');
});

it('the data of an event are described without types of the package', () => {
  expect(dataInWords('ReplyFor<typeof magicLinks.loginOrCreate> & { email: string }')).toBe(
    'the reply of `magicLinks.email.loginOrCreate`, with `email`',
  );
  expect(eventReference()).not.toMatch(/ReplyFor|typeof|EmptyData/u);
  expect(() => dataInWords('ReplyOf<Call>')).toThrow('has no words: add them to DATA_WORDS');
});
