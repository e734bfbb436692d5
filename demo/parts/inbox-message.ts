import { channelTitle } from './channels.ts';
import { copyAction, copyText } from './copy.ts';
import { el, timeOf } from './dom.ts';
import { typeInto } from './field.ts';
import type { Message } from './inbox-feed.ts';

/** A text message has no subject, so its text shows under its kind. */
const titleOf = ({ subject, channel }: Message): string => subject || channelTitle(channel);

/** The content of a message, in a few words. */
export function newsOf(message: Message): string {
  if (message.code) return `Your code is here: ${message.code}`;
  return isWeb(message.link) ? 'Your link is here' : titleOf(message);
}

export function rowOf(message: Message): HTMLElement {
  const channel = channelTitle(message.channel);
  const to = el('span', { class: 'to' }, el('span', { class: 'unseen' }, 'to '), message.to);
  const meta = el('p', { class: 'meta' }, el('span', {}, channel), ' ', to, ' ', timeOf(message.at, 'clock'));
  const text = el(
    'details',
    { class: 'text' },
    el('summary', {}, 'Show message', el('span', { class: 'unseen' }, ` to ${message.to}`)),
    el('p', {}, message.text),
  );
  const { code } = message;
  const action = code
    ? el(
        'div',
        { class: 'action' },
        // The subject of an email already contains it.
        message.subject.includes(code) ? null : el('code', { class: 'digits' }, code),
        fillIn(code),
        copyAction('Copy', () => code, 'quiet', ` ${code}`),
      )
    : linkOf(message);
  return el('li', { class: 'message' }, meta, el('h3', {}, titleOf(message)), action, text);
}

/** The action on the newest message, for the line on a phone, which shows the result itself. */
export const mainActionOf = (message: Message, tell: (went: string) => void): HTMLElement | null =>
  message.code ? fillIn(message.code, tell) : linkOf(message);

/** Puts the code into the field for it. Without such a field, the code is copied. */
function fillIn(code: string, tell?: (went: string) => void): HTMLElement {
  const said = el('span', { class: 'said', set: { role: 'status' } });
  const say = tell ?? ((went: string) => void (said.textContent = went));
  const press = async () => {
    if (typeInto('input[autocomplete="one-time-code"]', code)) return say('');
    const copied = await copyText(code);
    say(`The widget asks for no code now.${copied ? ' Copied instead.' : ''}`);
  };
  const label = el('button', { class: 'primary', set: { type: 'button' }, onClick: () => void press() }, 'Fill in');
  label.append(el('span', { class: 'unseen' }, ` ${code}`));
  return el('span', { class: 'fill' }, label, said);
}

function linkOf({ link, to }: Message): HTMLElement | null {
  if (!isWeb(link)) return null;
  const unseen = el('span', { class: 'unseen' }, ` for ${to}, in a new tab`);
  const set = { href: link, target: '_blank', rel: 'noopener noreferrer' };
  return el('div', { class: 'action' }, el('a', { class: 'primary', set }, 'Open the link', unseen));
}

/** A value from the wire becomes a link only if it is the URL of a page. */
function isWeb(link: string | null | undefined): link is string {
  return typeof link === 'string' && URL.canParse(link) && /^https?:$/.test(new URL(link).protocol);
}
