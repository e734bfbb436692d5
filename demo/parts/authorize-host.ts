import type { LoginConfig, PorticoUIClient, WidgetCallbacks, WidgetHandle } from 'portico';
import { loadBuild } from './build.ts';
import { readChoices, type Choices } from './choices.ts';
import { clientOptions, loadConfig, type DemoConfig } from './config.ts';
import { exposeDemo } from './demo-window.ts';
import { endLoading, part } from './dom.ts';
import { showEvents } from './event-log.ts';
import { showInbox } from './inbox.ts';

/** By passcode, because that leads to no other page: what this one was opened for stays in its address. */
const LOGIN: LoginConfig = {
  products: ['otp'],
  otpOptions: { methods: ['email'], expirationMinutes: 5 },
  sessionOptions: { sessionDurationMinutes: 60 },
};

export interface Host {
  readonly client: PorticoUIClient;
  readonly server: DemoConfig;
  /** How the address says that widgets look. */
  readonly look: Pick<Choices, 'styles' | 'strings' | 'language'> & { readonly shadow: boolean };
  /** Takes the place of the widget that shows. */
  show(mount: (callbacks: WidgetCallbacks) => WidgetHandle, onEvent?: (type: string) => void): void;
  /** Shows the login until somebody has logged in. */
  login(then: () => void): void;
  /** Shows what is for who is signed in; the login while nobody is, now and whenever the session ends. */
  guard(show: () => void): void;
  /** Hears of what widgets report. */
  onError: (error: unknown) => void;
}

/** A page for a widget that is about who is signed in, with either build. */
export async function openHost(): Promise<Host> {
  const [{ PorticoUIClient }, server] = await Promise.all([loadBuild(), loadConfig()]);
  const client: PorticoUIClient = new PorticoUIClient(server.publicToken, clientOptions(server));
  const { config, styles, strings, language } = readChoices(location.search, location.origin);
  const look = { styles, strings, language, shadow: config.enableShadowDOM === true };
  showInbox(part('inbox'), server.provider, client);
  const log = showEvents(part('events'));
  const { screens, events } = exposeDemo(client);
  let showing: WidgetHandle | null = null;

  const host: Host = {
    client,
    server,
    look,
    show: (mount, onEvent) => {
      const place = part('login');
      // Who acted in the one goes on in the next.
      const goesOn = place.contains(document.activeElement);
      showing?.unmount();
      endLoading();
      part('arrival').hidden = true;
      place.hidden = false;
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
      if (goesOn) place.focus();
    },
    login: (then) => {
      const { shadow: enableShadowDOM, ...rest } = look;
      const mount = (callbacks: WidgetCallbacks) =>
        client.mountLogin({ elementId: '#widget', config: { ...LOGIN, enableShadowDOM }, ...rest, callbacks });
      // Not from within the widget's own callback: it is still telling.
      host.show(mount, (type) => type === 'AUTHENTICATE_FLOW_COMPLETE' && queueMicrotask(then));
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
