import type { WidgetHandle } from 'portico';
import { readShown } from './embed/address.ts';
import { optionsOf } from './embed/clients.ts';
import { showFacts } from './embed/facts.ts';
import { SHOWN } from './embed/shown.ts';
import { signInAsAda } from './front/ada.ts';
import { followAddress, type Address } from './parts/address.ts';
import { loadBuild } from './parts/build.ts';
import { loadConfig, type DemoConfig } from './parts/config.ts';
import { exposeDemo } from './parts/demo-window.ts';
import { button, el, part } from './parts/dom.ts';
import { showEvents } from './parts/event-log.ts';
import { showInbox } from './parts/inbox.ts';

/** One example of an option: the widget with it, and its effects. The documentation shows it in a frame. */
async function start(): Promise<void> {
  const address = followAddress();
  if (address.problem !== null) throw new Error(`This address cannot be used: ${address.problem}.`);
  const { widget, client: name } = readShown(location.search);
  part('whole').setAttribute('href', `/playground${location.search}`);
  const [{ PorticoUIClient }, server] = await Promise.all([loadBuild(), loadConfig()]);
  const facts = showFacts(part('facts'));
  const client = new PorticoUIClient(server.publicToken, optionsOf(name, { server, log: facts.log }));
  showInbox(part('inbox'), server.provider, client);
  const log = showEvents(part('events'));
  const { screens, events } = exposeDemo(client);
  const { needsSession, mount } = SHOWN[widget];

  let handle: WidgetHandle | null = null;
  const show = () => {
    if (handle === null) part('login').replaceChildren(el('div', { id: 'widget' }));
    const mounted = mount({
      client,
      server,
      choices: address.choices,
      callbacks: {
        onEvent: (event) => {
          events.push(event);
          log.event(event.type, event.data);
          facts.update();
        },
        onError: (error) => log.error(error),
      },
    });
    if (mounted === handle) return;
    handle = mounted;
    handle.screen$.subscribe(({ name: screen }) => screens.push(screen));
  };
  const ask = () => {
    handle?.unmount();
    handle = null;
    const said = el('p', { class: 'said', set: { role: 'status' } });
    const signIn = button('Sign in as Ada', 'primary', async () => {
      await signInAsAda(client, server).catch((error: unknown) => {
        said.textContent = error instanceof Error ? error.message : String(error);
      });
    });
    part('login').replaceChildren(el('p', {}, 'This widget is for people who are signed in.'), signIn, said);
  };
  const follow = () => {
    facts.update();
    if (!needsSession) return;
    if (client.session.getSync() === null) ask();
    else if (handle === null) show();
  };
  client.session.onChange(follow);
  if (!needsSession) show();
  follow();
  if (widget !== 'login') return;
  address.onChange(() => {
    part('whole').setAttribute('href', `/playground${location.search}`);
    show();
  });
  await showRest(address, server);
}

/** The controls of the playground, and the code for the choices. */
async function showRest(address: Address, server: DemoConfig): Promise<void> {
  (await import('./playground/panel.ts')).showPanel(part('playground'), address, server);
  (await import('./code/view.ts')).showCode(part('code'), address, server);
  part('sample').hidden = false;
}

start().catch((error: unknown) => {
  const trouble = part('trouble');
  trouble.textContent = `This example could not start. ${error instanceof Error ? error.message : String(error)}`;
  trouble.hidden = false;
});
