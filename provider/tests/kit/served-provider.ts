import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { systemClock } from '#provider/base/platform.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { listen, stop } from '../idp/oidcc/subject.ts';
import { makeProvider, type Fields, type Provider } from './harness.ts';
import { as, askedIn, SETTINGS } from './idp-harness.ts';

/** A provider over HTTP by the clock of this machine, for clients that run as programs of their own. */
export interface ServedProvider {
  readonly issuer: string;
  readonly provider: Provider;
  /** The person who is signed in on the project's pages. */
  readonly user: Fields;
  close(): Promise<void>;
}

/** What stands in front of the provider, such as a server of TLS. */
export interface Front {
  readonly issuer: string;
  close(): Promise<void>;
}

/**
 * The project's pages stand on loopback, too: the person allows all that an app asks for, enters each device code, and agrees to each
 * logout, as soon as a browser opens the page.
 *
 * @param settingsAt the project's settings, from its issuer
 * @param frontOf what stands at the issuer, in front of that port; absent: the provider itself
 */
export async function servedProvider(
  url: string | undefined,
  settingsAt: (issuer: string) => object,
  frontOf?: (port: number) => Promise<Front>,
): Promise<ServedProvider> {
  const [op, pages] = await Promise.all([listen(), listen()]);
  const front = await frontOf?.(Number(op.issuer.port));
  const issuer = front?.issuer ?? op.issuer.origin;
  const { origin } = pages.issuer;
  const idp = { authorization_url: `${origin}/authorize`, logout_url: `${origin}/logout` };
  const project = projectFrom({ ...SETTINGS, issuer, idp, ...settingsAt(issuer) });
  const provider = await makeProvider(url, { clock: systemClock, project });
  const listener = getRequestListener(provider.app.fetch, { overrideGlobalObjects: false });
  op.answer((request, response) => void listener(request, response));
  const user = await provider.signIn('edith@example.com');
  pages.answer((request, response) => void answerAsPage({ provider, user }, request, response));
  return {
    issuer,
    provider,
    user,
    close: async () => {
      await front?.close();
      await Promise.all([
        ...[op, pages].map(({ server }: { readonly server: Server }) => stop(server)),
        provider.close(),
      ]);
    },
  };
}

/** What the person does on the page of that address. */
async function answerAsPage(
  { provider, user }: Pick<ServedProvider, 'provider' | 'user'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const page = new URL(request.url ?? '', 'http://localhost');
  const { status, body, data } = await decided(provider, user, page);
  const target = (data['redirect_uri'] ?? '') as string;
  if (status === 200 && target !== '') response.writeHead(303, { location: target }).end();
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function decided(provider: Provider, user: Fields, page: URL) {
  const given = Object.fromEntries([...page.searchParams].filter(([, value]) => value !== ''));
  if (page.pathname === '/logout') return provider.post('/oauth/logout/start', given, as(user));
  const consent_granted = true;
  const { user_code } = given;
  return user_code === undefined
    ? provider.post('/idp/oauth/authorize/submit', { ...askedIn(page), consent_granted }, as(user))
    : provider.post('/idp/oauth/device/submit', { user_code, consent_granted }, as(user));
}
