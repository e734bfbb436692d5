import { CHANNEL_NAMES } from '#domain/contacts/channels.ts';
import type { InboxMessage } from '#provider/messages/inbox-hub.ts';

/**
 * The script of the inbox page. The page runs this function's source text (see `inboxScript`), so it must not use anything outside of
 * itself. The contents of messages are untrusted, so they are set as text, never as markup.
 */
function inboxPage(channels: typeof CHANNEL_NAMES): void {
  const COPIED_MS = 2000;
  const messageIds = new Set<string>();

  function find(selector: string, within: ParentNode = document): HTMLElement {
    const found = within.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`the page has no ${selector}`);
    return found;
  }

  const list = find('#messages');
  const empty = find('#empty');
  const clearing = find('#clear');
  const status = find('#status');
  const live = find('#live');
  const template = find('#message') as HTMLTemplateElement;

  function copyButton(code: string): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy code ${code}`);
    const copy = async (): Promise<void> => {
      await navigator.clipboard.writeText(code);
      button.textContent = 'Copied';
      live.textContent = 'Code copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, COPIED_MS);
    };
    button.addEventListener('click', () => void copy());
    return button;
  }

  function openLink(address: string): readonly HTMLElement[] {
    const url = new URL(address);
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return [];
    const link = document.createElement('a');
    link.className = 'link';
    link.href = url.href;
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    link.textContent = 'Open link';
    return [link];
  }

  /** The HTML of an email, loaded when it is opened. */
  function showHtml(message: InboxMessage, details: HTMLElement): void {
    const frame = find('iframe', details) as HTMLIFrameElement;
    details.hidden = message.channel !== 'email';
    details.addEventListener('toggle', () => {
      if (frame.src === '') frame.src = `/dev/inbox/${encodeURIComponent(message.id)}/html`;
    });
  }

  function nameOf({ channel }: InboxMessage): string {
    const name = channels[channel];
    return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  }

  function itemFor(message: InboxMessage): HTMLElement {
    const item = find('li', template.content.cloneNode(true) as DocumentFragment);
    const time = find('time', item) as HTMLTimeElement;
    time.dateTime = message.at;
    time.textContent = new Date(message.at).toLocaleTimeString();
    find('.channel', item).textContent = nameOf(message);
    find('.to', item).textContent = `to ${message.to}`;
    find('h2', item).textContent = message.subject;
    find('.text', item).textContent = message.text;
    const action = find('.action', item);
    if (message.code !== undefined) {
      const code = document.createElement('span');
      code.className = 'code';
      code.textContent = message.code;
      action.append(code, copyButton(message.code));
    }
    if (message.link !== undefined) action.append(...openLink(message.link));
    showHtml(message, find('details', item));
    return item;
  }

  function setEmpty(is: boolean): void {
    empty.hidden = !is;
    list.hidden = is;
    clearing.hidden = is;
  }

  function show(message: InboxMessage, isNew: boolean): void {
    if (messageIds.has(message.id)) return;
    messageIds.add(message.id);
    const item = itemFor(message);
    setEmpty(false);
    if (!isNew) {
      list.append(item);
      return;
    }
    item.className = 'new';
    list.prepend(item);
    live.textContent = `New message to ${message.to}: ${message.subject}`;
  }

  async function load(): Promise<void> {
    const reply = await fetch('/dev/inbox.json');
    const messages = (await reply.json()) as readonly InboxMessage[];
    list.replaceChildren();
    messageIds.clear();
    for (const message of messages) show(message, false);
    setEmpty(messages.length === 0);
  }

  async function clear(): Promise<void> {
    await fetch('/dev/inbox', { method: 'DELETE' });
    await load();
    // The pressed button is hidden.
    empty.focus();
    live.textContent = 'All messages are deleted';
  }

  const stream = new EventSource('/dev/inbox/stream');
  stream.addEventListener('open', () => {
    status.textContent = 'Live';
    // The list includes the messages that arrived while there was no connection.
    void load();
  });
  stream.addEventListener('error', () => {
    status.textContent = 'The provider does not answer. Trying again…';
  });
  stream.addEventListener('message', (event: MessageEvent<string>) => {
    show(JSON.parse(event.data) as InboxMessage, true);
  });
  clearing.addEventListener('click', () => void clear());
}

/** The page's script as text: it is type-checked with the server, and the build reduces it to JavaScript. */
export const inboxScript = `(${inboxPage.toString()})(${JSON.stringify(CHANNEL_NAMES)});\n`;
