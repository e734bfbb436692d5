import type { LoginConfig } from 'portico';
import { back, followAccount, say } from './parts/arrival.ts';
import { loadBuild } from './parts/build.ts';
import { readChoices, type Choices } from './parts/choices.ts';
import { clientOptions, loadConfig } from './parts/config.ts';
import { exposeDemo, FINISHED, SUCCESS_MS } from './parts/demo-window.ts';
import { part } from './parts/dom.ts';
import { showEvents } from './parts/event-log.ts';
import { showInbox } from './parts/inbox.ts';
import { withOwnTheme } from './parts/theme.ts';
import { withOwnPages } from './parts/widget.ts';

/** A user without the password can also request a login link. */
const CONFIG: LoginConfig = {
  products: ['passwords', 'emailMagicLinks'],
  sessionOptions: { sessionDurationMinutes: 60 },
};

const query = new URLSearchParams(location.search);

/** The page that a reset email opens. The widget removes the token from the URL. */
async function arrive(): Promise<void> {
  const token = query.get('token');
  const choices = readChoices(location.search, location.origin);
  const [{ PorticoUIClient }, server] = await Promise.all([loadBuild(), loadConfig()]);
  const client = new PorticoUIClient(server.publicToken, clientOptions(server));
  showInbox(part('inbox'), server.provider, client);
  if (!token && !client.hasPasswordResetToken()) {
    const text = 'The mails that set a new password lead to this page. This address holds no token.';
    return say('Nothing to do here', text, back('Go to sign-in', '/?by=password'));
  }
  const log = showEvents(part('events'));
  const { screens, events } = exposeDemo(client);
  part('arrival').hidden = true;
  part('login').hidden = false;
  const widget = client.mountResetPassword({
    elementId: '#widget',
    ...lookOf(choices),
    passwordResetToken: token,
    callbacks: {
      onEvent: (event) => {
        events.push(event);
        log.event(event.type, event.data);
      },
      onError: (error) => log.error(error),
    },
  });
  widget.screen$.subscribe(({ name }) => {
    screens.push(name);
    if (!FINISHED.has(name) || choices.stay) return;
    setTimeout(() => {
      widget.unmount();
      part('login').hidden = true;
      followAccount(client);
    }, SUCCESS_MS);
  });
}

const lookOf = ({ config, styles, strings, language }: Choices) => ({
  config: withOwnPages(query.has('config') ? config : { ...CONFIG, enableShadowDOM: config.enableShadowDOM }, location),
  styles: withOwnTheme(styles),
  strings,
  language,
});

arrive().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  part('login').hidden = true;
  say('This page could not start', text, back('Back to sign-in', '/'));
});
