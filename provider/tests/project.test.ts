import { describe, expect, it } from 'vitest';
import { DEMO_PROJECT, projectFrom } from '../src/project/project.ts';

describe('a project file', () => {
  it('lies over the demo project', () => {
    expect(projectFrom({})).toEqual(DEMO_PROJECT);
    expect(projectFrom({ name: 'Mine', pkce_required_for_email_magic_links: true })).toMatchObject({
      name: 'Mine',
      pkce_required_for_email_magic_links: true,
      public_token: DEMO_PROJECT.public_token,
    });
  });

  it.each([
    [[], 'a JSON object'],
    [{ nmae: 'x' }, 'nmae'],
    [{ name: 7 }, 'name must be a string'],
    [{ origins: 'https://example.com' }, 'origins must be an array of strings'],
    [{ origins: ['https://example.com/'] }, 'https://example.com/'],
    [{ public_token: 'mine' }, 'public_token'],
    [{ public_token: 'public-token-a:b' }, 'public_token'],
    [{ default_login_redirect_url: 'https://example.com/' }, 'default_login_redirect_url'],
    [{ allow_loopback: false }, 'default_login_redirect_url'],
  ])('%j is refused, and it says why', (json, reason) => {
    expect(() => projectFrom(json)).toThrow(reason);
  });
});
