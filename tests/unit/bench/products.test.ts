import { describe, expect, it } from 'vitest';
import { PRODUCTS } from '../../../bench/peers/product-peers.ts';
import { productReply } from '../../../bench/peers/product-stubs.ts';

describe('the stub for login forms of other products', () => {
  it.each([
    ['/hanko/login?action=register_client_capabilities', ['"google"', '"microsoft"', '"apple"']],
    ['/auth0/client/bench.js?t1', ['"google-oauth2"', '"windowslive"', '"apple"', '"email"']],
    ['/clerk/v1/environment?_clerk_js_version=6.40.0', ['"oauth_google"', '"oauth_microsoft"', '"oauth_apple"']],
  ])('names three social logins at %s', (path, names) => {
    const { body = '' } = productReply(path) ?? {};
    for (const name of names) expect(body).toContain(name);
  });

  it('answers each product below the path that its page calls, and nothing else', () => {
    for (const { source } of PRODUCTS) {
      const [, base = ''] = /api \+ '(\/\w+)'/u.exec(source) ?? [];
      expect(productReply(`${base}/x`), source).toBeDefined();
    }
    expect(productReply('/sdk/v1/projects/bootstrap/x')).toBeUndefined();
  });

  it('is reached by pages whose packages have exact versions', () => {
    for (const { packages } of PRODUCTS) {
      expect(packages).not.toEqual([]);
      for (const one of packages) expect(one).toMatch(/^@?[\w./-]+@\d+\.\d+\.\d+$/u);
    }
  });
});
