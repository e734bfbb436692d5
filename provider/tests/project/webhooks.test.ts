import { describe, expect, it } from 'vitest';
import { projectFrom } from '../../src/project/project.ts';

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

  it('have different addresses', () => {
    expect(() => projectFrom({ webhooks: [HOOK, HOOK] })).toThrow('webhooks[1].url must be unique');
  });

  it('are on this machine only in a project for this machine', () => {
    const webhooks = [{ ...HOOK, url: 'http://127.0.0.1:9999/hooks' }];
    expect(projectFrom({ webhooks }).webhooks.length).toBe(1);
    const online = {
      webhooks,
      default_login_redirect_url: 'https://a.example/',
      redirect_urls: ['https://a.example/'],
    };
    const live = { ...online, default_signup_redirect_url: 'https://a.example/' };
    expect(() => projectFrom(live, false)).toThrow('webhooks[0].url must be on another machine');
  });
});
