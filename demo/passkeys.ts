import { back, onward, say } from './parts/arrival.ts';
import { openHost } from './parts/authorize-host.ts';
import { button, part } from './parts/dom.ts';

/** The page on which users manage their passkeys. Visitors who are not signed in log in first. */
async function arrive(): Promise<void> {
  const host = await openHost();
  const { client, look } = host;
  const { shadow: enableShadowDOM, ...rest } = look;
  const set = () =>
    host.show(
      (callbacks) =>
        client.mountPasskeyRegistration({ elementId: '#widget', config: { enableShadowDOM }, ...rest, callbacks }),
      (type) => {
        if (type === 'PASSKEY_DONE') queueMicrotask(leave);
      },
    );
  const leave = () => {
    part('login').hidden = true;
    say(
      'That is all',
      'Come back whenever you want to change your passkeys.',
      onward(),
      button('Back to your passkeys', 'quiet', set),
    );
  };
  host.guard(set);
}

arrive().catch((error: unknown) => {
  say(
    'This page could not start',
    error instanceof Error ? error.message : String(error),
    back('To the demo page', '/'),
  );
});
