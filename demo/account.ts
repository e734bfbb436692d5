import { back, say } from './parts/arrival.ts';
import { openHost } from './parts/authorize-host.ts';

/** The account page. Visitors without a session are sent to the login and back. */
async function arrive(): Promise<void> {
  const host = await openHost();
  const { client, look } = host;
  const { shadow: enableShadowDOM, ...rest } = look;
  const config = {
    enableShadowDOM,
    sessionOptions: { sessionDurationMinutes: 60 },
    accountOptions: { signIn: () => host.login(set) },
  };
  const set = () => host.show((callbacks) => client.mountAccount({ elementId: '#widget', config, ...rest, callbacks }));
  set();
}

arrive().catch((error: unknown) => {
  say(
    'This page could not start',
    error instanceof Error ? error.message : String(error),
    back('To the demo page', '/'),
  );
});
