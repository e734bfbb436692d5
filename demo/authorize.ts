import { back, onward, say } from './parts/arrival.ts';
import { openHost, type Host } from './parts/authorize-host.ts';
import { el } from './parts/dom.ts';

const query = new URLSearchParams(location.search);
const isLogout = query.has('post_logout_redirect_uri');
/** A request with `prompt=none` is completed without a page, signed in or not. */
const isSilent = query.get('prompt')?.split(' ').includes('none') === true;
const isEmpty = !['client_id', 'redirect_uri', 'post_logout_redirect_uri'].some((name) => query.has(name));

function explain({ server }: Host): void {
  const text = 'Other apps send people here, to sign in there with their account here. This address names no app.';
  const app = server.app ? [el('a', { class: 'primary', set: { href: server.app } }, 'Try it with another app')] : [];
  say('Sign in to another app', text, ...app, onward());
}

/** The page to which connected apps send users. Visitors who are not signed in log in first, at the same URL. */
async function arrive(): Promise<void> {
  const host = await openHost();
  if (isEmpty) return explain(host);
  const { client, look } = host;
  const { shadow: enableShadowDOM, ...rest } = look;
  const ask = () =>
    host.show((callbacks) =>
      client.mountIdentityProvider({
        elementId: '#widget',
        config: { enableShadowDOM },
        accountUrl: '/account',
        ...rest,
        callbacks,
      }),
    );
  // The app requires a new login (OpenID Connect Core, section 3.1.2.1).
  host.onError = (error) => {
    if (error.error_type === 'login_required') queueMicrotask(() => host.login(ask));
  };
  if (isLogout || isSilent) ask();
  else host.guard(ask);
}

arrive().catch((error: unknown) => {
  say(
    'This page could not start',
    error instanceof Error ? error.message : String(error),
    back('To the demo page', '/'),
  );
});
