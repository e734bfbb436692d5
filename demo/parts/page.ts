import type { PorticoUIClient, WidgetHandle } from 'portico';
import { startFront } from '../front/front.ts';
import { welcome } from '../front/welcome.ts';
import { showAccount } from './account.ts';
import { followAddress, type Address } from './address.ts';
import { isStandalone } from './build.ts';
import { wayShown } from './choices.ts';
import { adaptersFor, clientOptions, loadConfig, type DemoConfig } from './config.ts';
import { exposeDemo, FINISHED, OFFER, SUCCESS_MS } from './demo-window.ts';
import { el, endLoading, maybePart, part } from './dom.ts';
import { showEvents } from './event-log.ts';
import { showInbox } from './inbox.ts';
import { sameJson, WAYS } from './presets.ts';
import { waySwitch } from './switch.ts';
import { mountWidget } from './widget.ts';

/** A page with the login widget of either build: the front page, or the playground. */
export async function startPage(UIClient: typeof PorticoUIClient): Promise<void> {
  const address = followAddress();
  keepQueryInLinks();
  address.onChange(keepQueryInLinks);
  try {
    const config = await loadConfig();
    await placeWallet(address);
    const client = new UIClient(config.publicToken, { ...clientOptions(config), ...(await adaptersFor(config)) });
    const isFront = maybePart('playground') === null;
    showInbox(part('inbox'), config.provider, client, () => {
      if (isFront && config.welcome === true) welcome(client);
    });
    followSession(client, address);
    await showRest(client, address, config);
  } catch (error) {
    endLoading();
    const trouble = part('trouble');
    trouble.textContent = `The demo could not start. ${error instanceof Error ? error.message : String(error)}`;
    trouble.hidden = false;
    throw error;
  }
}

/** The other parts of a page, which load independently of the widget. */
async function showRest(client: PorticoUIClient, address: Address, config: DemoConfig): Promise<void> {
  const panel = maybePart('playground');
  if (panel === null) startFront(client, config, address);
  else (await import('../playground/panel.ts')).showPanel(panel, address, config);
  const inspector = maybePart('inspector');
  if (inspector !== null) (await import('../inspector/show.ts')).showInspector(inspector, client);
  (await import('../code/view.ts')).showCode(part('code'), address, config);
}

/** Wallets must be in a page before a widget searches for them, so another choice reloads the page. */
async function placeWallet(address: Address): Promise<void> {
  const { wallet } = address.choices;
  address.onChange((before) => {
    if (before.wallet !== address.choices.wallet) location.reload();
  });
  if (wallet === 'none') return;
  const { installTestWallet } = await import('./test-wallet/install.ts');
  installTestWallet(window, { refuse: wallet === 'refuses' });
}

/** Shows the account while a user is signed in, else the widget, also after changes in other tabs. */
function followSession(client: PorticoUIClient, address: Address): void {
  const log = showEvents(part('events'));
  const { screens, events } = exposeDemo(client);
  const login = part('login');
  const account = part('account');
  const ways = waySwitch((way) => address.choose({ config: WAYS[way] }));

  let widget: WidgetHandle | null = null;
  const mount = () => {
    ways.show(wayShown(address.choices.config));
    const trouble = part('trouble');
    trouble.hidden = true;
    try {
      if (address.problem !== null) throw new Error(`This address cannot be used: ${address.problem}.`);
      const mounted = mountWidget(client, address.choices, {
        onEvent: (event) => {
          events.push(event);
          log.event(event.type, event.data);
        },
        onError: (error) => log.error(error),
      });
      if (mounted === widget) return;
      widget = mounted;
      widget.screen$.subscribe(({ name }) => {
        const isAnswered = screens.at(-1) === OFFER && name !== OFFER;
        screens.push(name);
        if (isAnswered) follow();
      });
    } catch (error) {
      widget?.unmount();
      widget = null;
      trouble.replaceChildren(error instanceof Error ? error.message : String(error));
      if (address.problem !== null) {
        trouble.append(' ', el('a', { set: { href: location.pathname } }, 'Start with the default settings'));
      }
      trouble.hidden = false;
    }
  };
  address.onChange((before) => {
    if (login.hidden) return;
    // Main is updated in place. A later screen of another configuration restarts the widget, as do wallets, for which a widget
    // searches at its start.
    const { config } = address.choices;
    const hadWallets = before.config.products?.includes('crypto') ?? false;
    const addsWallets = !hadWallets && (config.products?.includes('crypto') ?? false);
    const starts = addsWallets || (!sameJson(before.config, config) && screens.at(-1) !== 'Main');
    if (starts) widget?.unmount();
    if (starts) widget = null;
    mount();
  });

  const openLogin = () => {
    endLoading();
    const followed = holdsFocus(account);
    account.hidden = true;
    account.replaceChildren();
    login.replaceChildren(ways.element, el('div', { id: 'widget' }));
    login.hidden = false;
    mount();
    if (followed) login.focus();
  };
  const openAccount = () => {
    endLoading();
    const followed = holdsFocus(login);
    widget?.unmount();
    widget = null;
    login.hidden = true;
    login.replaceChildren();
    part('trouble').hidden = true;
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
    if (address.choices.stay && widget) return;
    showAccount(account, client);
    if (!account.hidden || leaving !== undefined) return;
    const finishes = widget !== null && screens.at(-1) !== 'Main';
    leaving = setTimeout(
      () => {
        leaving = undefined;
        if (screens.at(-1) !== OFFER) openAccount();
      },
      finishes ? SUCCESS_MS : 0,
    );
  };
  client.session.onChange(follow);
  client.user.onChange(follow);
  follow();
}

/** True when hiding `section` would lose the focus. */
const holdsFocus = (section: HTMLElement): boolean => !section.hidden && section.contains(document.activeElement);

/** Links to the other build and to the playground open with the same choices. */
function keepQueryInLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-choices]')) {
    const here = isStandalone(location);
    const standalone = link.dataset['choices'] === 'same' ? here : link.dataset['choices'] === 'standalone';
    const query = new URLSearchParams(location.search);
    query.delete('build');
    if (standalone && link.pathname !== '/standalone') query.set('build', 'standalone');
    link.search = query.toString();
    if (link.dataset['choices'] !== 'same' && standalone === here) link.setAttribute('aria-current', 'page');
  }
}
