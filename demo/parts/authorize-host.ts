import type { AuthError, LoginConfig, PorticoUIClient, WidgetCallbacks, WidgetHandle } from 'portico';
import { loadBuild } from './build.ts';
import { readChoices, type Choices } from './choices.ts';
import { clientOptions, loadConfig, type DemoConfig } from './config.ts';
import { exposeDemo } from './demo-window.ts';
import { endLoading, part } from './dom.ts';
import { showEvents } from './event-log.ts';
import { showInbox } from './inbox.ts';
import { startTyping } from './start-typing.ts';
import { withOwnTheme } from './theme.ts';

/** By passcode, because that login does not leave the page, so the authorization request stays in the URL. */
const LOGIN: LoginConfig = {
  products: ['otp'],
  otpOptions: { methods: ['email'], expirationMinutes: 5 },
  sessionOptions: { sessionDurationMinutes: 60 },
};

export interface Host {
  readonly client: PorticoUIClient;
  readonly server: DemoConfig;
  /** The look of the widgets, from the URL. */
  readonly look: Pick<Choices, 'styles' | 'strings' | 'language'> & { readonly shadow: boolean };
  /** Replaces the present widget. */
  show(mount: (callbacks: WidgetCallbacks) => WidgetHandle, onEvent?: (type: string) => void): void;
  /** Shows the login until a user has logged in. */
  login(then: () => void): void;
  /** Shows the widget for signed-in users while there is a session, else the login. */
  guard(show: () => void): void;
  /** Receives the events of the widgets. */
  onError: (error: AuthError) => void;
}

/** A page for a widget that needs a signed-in user, with either build. */
export async function openHost(): Promise<Host> {
  const [{ PorticoUIClient }, server] = await Promise.all([loadBuild(), loadConfig()]);
  const client: PorticoUIClient = new PorticoUIClient(server.publicToken, clientOptions(server));
  const { config, styles, strings, language } = readChoices(location.search, location.origin);
  const look = { styles: withOwnTheme(styles), strings, language, shadow: config.enableShadowDOM === true };
  showInbox(part('inbox'), server.provider, client);
  const log = showEvents(part('events'));
  const { screens, events } = exposeDemo(client);
  let showing: WidgetHandle | null = null;

  const host: Host = {
    client,
    server,
    look,
    show: (mount, onEvent) => {
      // The next widget takes over the focus if it was in the previous one.
      showing?.unmount();
      endLoading();
      part('arrival').hidden = true;
      part('login').hidden = false;
      showing = mount({
        onEvent: (event) => {
          events.push(event);
          log.event(event.type, event.data);
          onEvent?.(event.type);
        },
        onError: (error) => {
          log.error(error);
          host.onError(error);
        },
      });
      showing.screen$.subscribe(({ name }) => screens.push(name));
    },
    login: (then) => {
      const { shadow: enableShadowDOM, ...rest } = look;
      const mount = (callbacks: WidgetCallbacks) =>
        client.mountLogin({ elementId: '#widget', config: { ...LOGIN, enableShadowDOM }, ...rest, callbacks });
      // A press in the previous widget led here. The focus of who has just arrived stays where it is.
      const isPressed = part('login').contains(document.activeElement);
      // Not inside the widget's callback, because the widget is still dispatching the event.
      host.show(mount, (type) => type === 'AUTHENTICATE_FLOW_COMPLETE' && queueMicrotask(then));
      if (isPressed) startTyping(part('widget'));
    },
    guard: (show) => {
      if (client.session.getSync() === null) host.login(show);
      else show();
      client.session.onChange((session) => {
        if (session === null) host.login(show);
      });
    },
    onError: () => undefined,
  };
  return host;
}
