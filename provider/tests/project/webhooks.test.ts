import { describe, expect, it } from 'vitest';
import { projectFrom } from '#provider/project/settings/project.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const HOOK = { url: 'https://app.example.com/hooks', secret: SECRET };

describe('the webhooks of a project file', () => {
  it('have one secret or several, and all events unless they name some', () => {
    const given = [HOOK, { ...HOOK, url: 'https://other.example.com/', secret: [SECRET], events: ['user.deleted'] }];
    expect(projectFrom({ webhooks: given }).webhooks).toEqual([
      { ...HOOK, secret: [SECRET], events: null },
      { url: 'https://other.example.com/', secret: [SECRET], events: ['user.deleted'] },
    ]);
  });

  it.each([
    [{ ...HOOK, url: 'http://app.example.com/' }, 'webhooks[0].url must be an https URL'],
    [{ ...HOOK, url: 'https://me:pass@app.example.com/' }, 'webhooks[0].url must be an https URL'],
    [{ ...HOOK, secret: 'too short' }, 'webhooks[0].secret must be whsec_ and 24 to 64 bytes in base64'],
    [{ ...HOOK, secret: [SECRET, 'whsec_AAAA'] }, 'webhooks[0].secret[1] must be whsec_'],
    [{ ...HOOK, secret: [] }, 'webhooks[0].secret must be one secret, or an array of 1 to 4'],
    [{ ...HOOK, events: ['user.exploded'] }, 'webhooks[0].events[0] must be one of user.created'],
    [{ url: HOOK.url }, 'webhooks[0].secret must be'],
  ])('are refused by the name of the field: %j', (hook, message) => {
    expect(() => projectFrom({ webhooks: [hook] })).toThrow(message);
  });

  it('have their addresses without the blanks that come along when people paste', () => {
    const { webhooks } = projectFrom({ webhooks: [{ ...HOOK, url: ` ${HOOK.url}\t\r\n` }] });
    expect(webhooks.map(({ url }) => url)).toEqual([HOOK.url]);
  });

  it('have different addresses', () => {
    expect(() => projectFrom({ webhooks: [HOOK, HOOK] })).toThrow('webhooks[1].url must be unique');
  });

  it('are on this machine or in a private network only in a project that allows it', () => {
    const page = 'https://a.example/';
    const online = { redirect_urls: [page], default_login_redirect_url: page, default_signup_redirect_url: page };
    for (const url of ['http://127.0.0.1:9999/hooks', 'https://localhost/', 'https://10.0.0.1/', 'https://[::1]/']) {
      const webhooks = [{ ...HOOK, url }];
      expect(projectFrom({ webhooks }).webhooks.length).toBe(1);
      expect(() => projectFrom({ ...online, webhooks }, false)).toThrow(
        'webhooks[0].url must be https at a public address, unless allow_loopback is true',
      );
    }
  });
});
