import { describe, expect, it } from 'vitest';
import { commandFrom } from '#composition/tools/command.ts';

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

  it('says what it needs where a word is missing or wrong', () => {
    expect(() => commandFrom(['prerender', '--widget', 'signin', 'a.html'])).toThrow(
      /^--widget: use one of login, .*, not signin\.$/u,
    );
    for (const args of [[], ['render', 'a.html']])
      expect(() => commandFrom(args)).toThrow(/^Unknown command\. Use npx portico init or npx portico prerender\./u);
    expect(() => commandFrom(['prerender'])).toThrow(/^Name an HTML file, or a folder with --files\./u);
    expect(commandFrom(['prerender', '--files', 'out'])).toMatchObject({ widget: 'login', files: 'out', pages: [] });
  });
});
