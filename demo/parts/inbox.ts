import type { PorticoClient } from 'portico/headless';
import { el, maybePart } from './dom.ts';
import { fly } from './flight.ts';
import { followInbox, type FeedState, type Message } from './inbox-feed.ts';
import { mainActionOf, newsOf, rowOf } from './inbox-message.ts';

const SHOWN = 20;

/**
 * The messages that the provider would have sent, newest first, live. On a wide page next to the widget. On a phone, one line at the
 * foot of the screen shows the newest message and opens the rest.
 */
export function showInbox(
  into: HTMLElement,
  provider: string,
  { session }: Pick<PorticoClient, 'session'>,
  /** Called once when the inbox is empty at the start. */
  whenEmpty: () => void = () => {},
): void {
  const state = el('p', { class: 'feed', set: { role: 'status', 'data-state': 'connecting' } });
  const news = el('p', { class: 'unseen', set: { role: 'status' } });
  const empty = el('p', { class: 'empty' }, 'Nothing yet. Ask for a code or a link, and it arrives here.');
  const list = el('ol', { class: 'messages', hidden: true, set: { 'aria-label': 'Messages, newest first' } });
  const all = el('a', { set: { href: `${provider}/dev/inbox` } }, 'All messages');
  const title = el('h2', { id: 'inbox-title' }, 'Dev inbox');
  const foot = footOf(into, news);
  // A new login means that the code or link was used. An extended session does not.
  const proofsOf = (now: ReturnType<typeof session.getSync>) => JSON.stringify(now?.authentication_factors ?? []);
  let proofs = proofsOf(session.getSync());
  session.onChange((now) => {
    if (now !== null && proofsOf(now) !== proofs) foot.settle();
    proofs = proofsOf(now);
  });
  stayAboveKeyboard(into);
  into.replaceChildren(
    foot.element,
    el(
      'div',
      { class: 'inbox-body', id: 'inbox-body' },
      el('div', { class: 'inbox-head' }, title, state),
      el('p', { class: 'hint' }, 'Mail and texts that this demo would have sent. ', all),
      empty,
      list,
    ),
    news,
  );

  const words: Readonly<Record<FeedState, string>> = {
    connecting: 'Connecting…',
    live: 'Live',
    down: `The provider at ${provider} does not answer. Trying again…`,
  };
  const setState = (next: FeedState) => {
    state.dataset['state'] = next;
    state.textContent = words[next];
    foot.setState(next);
  };
  setState('connecting');

  const rows = new Map<Message['id'], { readonly at: number; readonly row: HTMLElement }>();
  let caughtUp = false;
  followInbox(provider, SHOWN, {
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
      if (caughtUp && latest) {
        news.textContent = `${newsOf(latest)}. New message to ${latest.to}.`;
        foot.tell(latest, fresh.length);
        arrive(rows.get(latest.id)?.row, foot.element);
      }
      if (!caughtUp && list.children.length === 0) whenEmpty();
      caughtUp = true;
    },
  });
}

const millis = ({ at }: Message): number => Date.parse(at) || 0;

/** The remaining validity of a new message, from the message's own times, because the provider's clock can be moved. */
function lifetimeOf({ at, expires_at: end }: Message): number | null {
  const lifetime = end === undefined ? Number.NaN : Date.parse(end) - Date.parse(at);
  return Number.isNaN(lifetime) ? null : lifetime;
}

/** From the widget to its place in the list, or to the line of a phone. */
function arrive(row: HTMLElement | undefined, foot: HTMLElement): void {
  const from = maybePart('widget') ?? document.querySelector('.entry');
  if (!from || !row) return;
  if (row.getClientRects().length > 0) fly(from, row, row);
  else fly(from, foot, foot.querySelector('.latest') ?? foot);
}

/** An on-screen keyboard covers the foot of the page in browsers that do not shrink the page. */
function stayAboveKeyboard(inbox: HTMLElement): void {
  const view = window.visualViewport;
  const follow = () => {
    const covered = view && view.scale === 1 ? window.innerHeight - view.height - view.offsetTop : 0;
    inbox.style.setProperty('--covered', `${Math.max(0, Math.round(covered))}px`);
  };
  view?.addEventListener('resize', follow);
  view?.addEventListener('scroll', follow);
}

/** The line at the foot of a phone's screen. */
function footOf(inbox: HTMLElement, news: HTMLElement) {
  const latest = el('span', { class: 'latest' }, 'Dev inbox');
  const badge = el('span', { class: 'badge', hidden: true });
  const set = { type: 'button', 'aria-expanded': 'false', 'aria-controls': 'inbox-body' };
  const toggle = el('button', { class: 'inbox-toggle', set }, badge, latest);
  const action = el('span', { class: 'foot-action' });
  const element = el('div', { class: 'inbox-foot' }, toggle, action);
  let unread = 0;
  let expiry: ReturnType<typeof setTimeout> | undefined;
  const count = (next: number) => {
    unread = next;
    badge.hidden = unread === 0;
    badge.replaceChildren(String(unread), el('span', { class: 'unseen' }, ' new. '));
  };
  const open = (isOpen: boolean) => {
    inbox.toggleAttribute('data-open', isOpen);
    toggle.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) count(0);
  };
  toggle.addEventListener('click', () => open(!inbox.hasAttribute('data-open')));
  inbox.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !inbox.hasAttribute('data-open')) return;
    open(false);
    toggle.focus();
  });
  inbox.addEventListener('click', ({ target }) => {
    // The inbox stays open without such a field, so that the message shows the result.
    const isFilled = !inbox.contains(document.activeElement);
    if (isFilled && target instanceof Element && target.closest('.fill')) open(false);
  });
  /** Removes the offer, because the message was used or has expired. */
  const settle = (went = '') => {
    clearTimeout(expiry);
    count(0);
    latest.textContent = went || 'Dev inbox';
    if (action.contains(document.activeElement)) toggle.focus();
    action.replaceChildren();
  };
  return {
    element,
    tell(message: Message, more: number) {
      count(inbox.hasAttribute('data-open') ? 0 : unread + more);
      latest.textContent = newsOf(message);
      const done = (went: string) => {
        news.textContent = went;
        settle(went);
      };
      action.replaceChildren(...[mainActionOf(message, done)].filter((one) => one !== null));
      clearTimeout(expiry);
      const lifetime = lifetimeOf(message);
      if (lifetime !== null) expiry = setTimeout(() => settle(), lifetime);
    },
    settle,
    setState(state: FeedState) {
      if (unread > 0 || action.childElementCount > 0) return;
      latest.textContent = state === 'down' ? 'Dev inbox: the provider does not answer' : 'Dev inbox';
    },
  };
}
