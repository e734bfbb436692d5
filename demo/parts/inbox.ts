import { copyAction } from './copy.ts';
import { el, timeOf } from './dom.ts';
import { followInbox, type FeedState, type Message } from './inbox-feed.ts';

const SHOWN = 20;
const CHANNELS: Readonly<Record<string, string>> = { email: 'Email', sms: 'Text', whatsapp: 'WhatsApp' };

/** The messages that the provider would have sent, newest first, live. */
export function showInbox(into: HTMLElement, provider: string): void {
  const state = el('p', { class: 'feed', set: { role: 'status', 'data-state': 'connecting' } });
  const news = el('p', { class: 'unseen', set: { role: 'status' } });
  const empty = el('p', { class: 'empty' }, 'Nothing yet. Ask for a passcode or a link, and it arrives here.');
  const list = el('ol', { class: 'messages', hidden: true, set: { 'aria-label': 'Messages, newest first' } });
  const all = el('a', { set: { href: `${provider}/dev/inbox` } }, 'All messages');
  const title = el('h2', { id: 'inbox-title' }, 'Dev inbox');
  into.replaceChildren(
    el('div', { class: 'inbox-head' }, title, state),
    el('p', { class: 'hint' }, 'Messages the provider would have sent. ', all),
    news,
    empty,
    list,
  );

  const words: Readonly<Record<FeedState, string>> = {
    connecting: 'Connecting…',
    live: 'Live',
    down: `The provider at ${provider} does not answer. Trying again…`,
  };
  const setState = (next: FeedState) => {
    state.dataset['state'] = next;
    state.textContent = words[next];
  };
  setState('connecting');

  const rows = new Map<Message['id'], { readonly at: number; readonly row: HTMLElement }>();
  let caughtUp = false;
  followInbox(provider, {
    state: setState,
    messages(messages) {
      const fresh = messages.filter(({ id }) => !rows.has(id)).sort((a, b) => millis(a) - millis(b));
      for (const message of fresh) {
        const row = rowOf(message);
        const at = millis(message);
        const older = [...rows.values()].filter((other) => other.at <= at).sort((a, b) => b.at - a.at)[0];
        list.insertBefore(row, older?.row ?? null);
        rows.set(message.id, { at, row });
      }
      while (list.children.length > SHOWN) list.lastElementChild?.remove();
      list.hidden = list.children.length === 0;
      empty.hidden = !list.hidden;
      const latest = fresh.at(-1);
      if (caughtUp && latest) news.textContent = `New message to ${latest.to}: ${titleOf(latest)}`;
      caughtUp = true;
    },
  });
}

/** A text has no subject: what it says stands under what it is. */
const titleOf = ({ subject, channel }: Message): string => subject || (CHANNELS[channel] ?? channel);

const millis = ({ at }: Message): number => Date.parse(at) || 0;

function rowOf(message: Message): HTMLElement {
  const channel = CHANNELS[message.channel] ?? message.channel;
  const whom = el('span', {}, `${channel} to `, el('span', { class: 'to' }, message.to));
  const meta = el('p', { class: 'meta' }, whom, ' ', timeOf(message.at, 'clock'));
  const text = el(
    'details',
    { class: 'text' },
    el('summary', {}, 'Show message', el('span', { class: 'unseen' }, ` to ${message.to}`)),
    el('p', {}, message.text),
  );
  return el('li', { class: 'message' }, meta, el('h3', {}, titleOf(message)), actionOf(message), text);
}

function actionOf(message: Message): HTMLElement | null {
  if (message.link && isWeb(message.link)) {
    const unseen = el('span', { class: 'unseen' }, ` for ${message.to}, in a new tab`);
    const set = { href: message.link, target: '_blank', rel: 'noopener noreferrer' };
    return el('div', { class: 'action' }, el('a', { class: 'primary', set }, 'Open the link', unseen));
  }
  const { code } = message;
  return code ? copyAction(`Copy ${code}`, () => code) : null;
}

/** What came over the wire becomes a link only when it leads to a page. */
function isWeb(link: string): boolean {
  return URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
}
