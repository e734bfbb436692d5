import { describe, expect, it } from 'vitest';
import { checkOptions, urlOf, type PrerenderMethod } from '#composition/prerender/options.ts';

const check = (method: PrerenderMethod, options: unknown) => () => checkOptions(method, options);

describe('the options of a rendering on a server', () => {
  it('name the widgets and the kinds of links that there are', () => {
    expect(check('widgetStylesheet', { widget: 'signin' })).toThrow('widget must be one of login, reset, ');
    expect(check('renderPasswordReset', { tokenType: 'magic' })).toThrow('tokenType must be one of reset, login');
    expect(check('widgetStylesheet', { widget: 'account' })).not.toThrow();
    expect(check('renderPasswordReset', { tokenType: 'login' })).not.toThrow();
  });

  it('name files only where the markup does not contain them', () => {
    for (const file of ['stylesheet', 'early']) {
      expect(check('renderLogin', { inline: true, [file]: '/a' })).toThrow(`${file} has no effect with inline`);
      expect(check('renderLogin', { inline: false, [file]: '/a' })).not.toThrow();
    }
  });

  it.each([' /a.css', '/a.css\n', '', 'javascript:alert(1)', 'data:text/css,a'])(
    'have addresses, and not %j',
    (url) => {
      expect(() => urlOf('renderLogin', 'stylesheet', url)).toThrow(
        'stylesheet must be a URL of http or https, or a path',
      );
    },
  );
});
