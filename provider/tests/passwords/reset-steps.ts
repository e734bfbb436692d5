import { afterAll, beforeAll, expect } from 'vitest';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { makeProvider, WITHOUT_PKCE, type Fields, type Provider } from '../kit/harness.ts';

export const OLD = 'violet tractor moon 88';

export const NEW = 'quiet lantern orbit 41';

export const minutes = { session_duration_minutes: 30 };

/** The steps of a password reset, at a provider that requires no proof key and at a strict one that does. */
export function resetSteps(url: string | undefined) {
  let provider: Provider;
  let strict: Provider;
  beforeAll(async () => {
    provider = await makeProvider(url);
    const project = { ...DEMO_PROJECT, ...WITHOUT_PKCE, pkce_required_for_password_resets: true };
    strict = await makeProvider(url, { project });
  });
  afterAll(async () => {
    await provider.close();
    await strict.close();
  });
  const signUp = async (email: string, at = provider) =>
    (await at.post('/passwords', { email, password: OLD, ...minutes })).data;
  /** Signs up and proves the address: the first proof ends what came before it, links included. */
  const known = async (email: string, at = provider) => {
    await signUp(email, at);
    await at.signIn(email);
  };
  const start = (email: string, fields: Fields = {}, at = provider) =>
    at.post('/passwords/email/reset/start', { email, ...fields });
  /** The two links of the newest message. */
  const links = async (at = provider) => {
    const message = await at.newest();
    const [reset, login] = (message?.text.match(/http\S+/gu) ?? []).map((link) => new URL(link));
    return { reset: reset!, login: login!, message: message! };
  };
  const tokenOf = (link: URL) => link.searchParams.get('token') ?? '';
  const request = async (email: string, fields: Fields = {}, at = provider) => {
    expect((await start(email, fields, at)).status).toBe(200);
    const { reset, login } = await links(at);
    return { reset: tokenOf(reset), login: tokenOf(login) };
  };
  const redeem = (token: string, fields: Fields = {}, at = provider, session?: string) =>
    at.post(
      '/passwords/email/reset',
      { token, password: NEW, ...minutes, ...fields },
      session === undefined ? {} : { session },
    );
  const open = (token: string, fields: Fields = {}) =>
    provider.post('/magic_links/authenticate', { token, ...minutes, ...fields });
  const enter = (email: string, password: string) =>
    provider.post('/passwords/authenticate', { email, password, ...minutes });
  const me = async (session: string) => (await provider.call('GET', '/users/me', undefined, { session })).status;

  return {
    get provider() {
      return provider;
    },
    get strict() {
      return strict;
    },
    signUp,
    known,
    start,
    links,
    tokenOf,
    request,
    redeem,
    open,
    enter,
    me,
  };
}
