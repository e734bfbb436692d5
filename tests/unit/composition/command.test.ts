import { describe, expect, it } from 'vitest';
import { commandFrom } from '../../../src/composition/tools/command.ts';

describe('npx portico prerender', () => {
  it.each([
    ['--option', 'There is no --option. Did you mean --options?'],
    ['--opitons=login.mjs', 'There is no --opitons. Did you mean --options?'],
    ['--file', 'There is no --file. Did you mean --files?'],
    ['--zzz', 'There is no --zzz. There are --widget, --options, --files, --help.'],
    ['-x', 'There is no -x. There are --widget, --options, --files, --help.'],
  ])('with the flag %s says which ones there are', (flag, message) => {
    expect(() => commandFrom(['prerender', 'index.html', flag])).toThrow(new Error(message));
  });

  it('takes each flag, and a path that starts like one behind --', () => {
    const args = ['prerender', '--widget', 'reset', '--options=a.mjs', '--files', 'out', '--', '--page.html'];
    expect(commandFrom(args)).toEqual({ widget: 'reset', options: 'a.mjs', files: 'out', pages: ['--page.html'] });
    expect(commandFrom(['-h'])).toBeNull();
  });
});
