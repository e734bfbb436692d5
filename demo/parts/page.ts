import type { PorticoUIClient } from 'portico';
import { showAccount } from './account.ts';
import { clientOptions, loadConfig } from './config.ts';
import { el, part } from './dom.ts';
import { showEvents } from './event-log.ts';
import { showInbox } from './inbox.ts';
import { readOptions, rememberBy, type By } from './options.ts';
import { bySwitch } from './switch.ts';
import { mountWidget, type Widget } from './widget.ts';

/** How long the widget's own success stays before the account takes its place. */
const SUCCESS_MS = 800;
/** The screens after which the widget has nothing more to do. */
const FINISHED: ReadonlySet<string> = new Set(['OTPConfirmation', 'AuthenticateFlowComplete']);

declare global {
  interface Window {
    /** For the browser tests and for playing in the console: the client, and the names of the screens shown so far. */
    __demo?: { readonly client: PorticoUIClient; readonly screens: readonly string[] };
  }
}

/** The demo host page, with the widget of either build. */
export async function startPage(UIClient: typeof PorticoUIClient): Promise<void> {
  keepQueryInBuildLinks();
  try {
    const config = await loadConfig();
    const client = new UIClient(config.publicToken, clientOptions(config));
    showInbox(part('inbox'), config.provider);
    followSession(client);
  } catch (error) {
    const trouble = part('trouble');
    trouble.textContent = `The demo could not start. ${error instanceof Error ? error.message : String(error)}`;
    trouble.hidden = false;
    throw error;
  }
}

/** Shows the widget while nobody is signed in and the account while somebody is, whichever tab it happened in. */
function followSession(client: PorticoUIClient): void {
  const options = readOptions(location.search);
  const events = showEvents(part('events'));
  const screens: string[] = [];
  window.__demo = { client, screens };
  const login = part('login');
  const account = part('account');

  let { by } = options;
  let widget: Widget | null = null;
  const mount = () => {
    widget = mountWidget(client, by, options, {
      onEvent: ({ type, data }) => events.event(type, data),
      onError: (error) => events.error(error),
    });
    widget.screen$.subscribe(({ name }) => screens.push(name));
  };
  const choose = (next: By) => {
    by = next;
    rememberBy(next);
    keepQueryInBuildLinks();
    widget?.unmount();
    mount();
  };

  const openLogin = () => {
    const followed = holdsFocus(account);
    account.hidden = true;
    account.replaceChildren();
    login.replaceChildren(bySwitch(by, choose), el('div', { id: 'widget' }));
    login.hidden = false;
    mount();
    if (followed) login.focus();
  };
  const openAccount = () => {
    const followed = holdsFocus(login);
    widget?.unmount();
    widget = null;
    login.hidden = true;
    login.replaceChildren();
    account.hidden = false;
    if (followed) account.querySelector('h2')?.focus();
  };

  let leaving: ReturnType<typeof setTimeout> | undefined;
  const follow = () => {
    if (!client.session.getSync() || !client.user.getSync()) {
      clearTimeout(leaving);
      leaving = undefined;
      if (login.hidden || FINISHED.has(screens.at(-1) ?? '')) openLogin();
      return;
    }
    if (options.stay && widget) return;
    showAccount(account, client);
    if (!account.hidden || leaving !== undefined) return;
    const finishes = widget !== null && screens.at(-1) !== 'Main';
    leaving = setTimeout(
      () => {
        leaving = undefined;
        openAccount();
      },
      finishes ? SUCCESS_MS : 0,
    );
  };
  client.session.onChange(follow);
  client.user.onChange(follow);
  follow();
}

/** True when hiding `section` would drop the focus to nowhere. */
const holdsFocus = (section: HTMLElement): boolean => !section.hidden && section.contains(document.activeElement);

/** The other build's page opens with the same choices. */
function keepQueryInBuildLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-build]')) link.search = location.search;
}
