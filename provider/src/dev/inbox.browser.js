// The inbox page. Everything in a message is text from outside: it is set as text, never as markup.

const list = document.getElementById('messages');
const empty = document.getElementById('empty');
const status = document.getElementById('status');
const live = document.getElementById('live');
const template = document.getElementById('message');
const shown = new Set();

const CHANNELS = { email: 'Email', sms: 'Text', whatsapp: 'WhatsApp' };
const COPIED_MS = 2000;

function copyButton(code) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy code ${code}`);
  const copy = async () => {
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

function openLink(address) {
  const url = new URL(address);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  const link = document.createElement('a');
  link.className = 'link';
  link.href = url.href;
  link.target = '_blank';
  link.rel = 'noopener noreferrer';
  link.textContent = 'Open link';
  return link;
}

function itemFor(message) {
  const item = template.content.cloneNode(true).querySelector('li');
  const at = new Date(message.at);
  item.querySelector('.channel').textContent = CHANNELS[message.channel] ?? message.channel;
  item.querySelector('.to').textContent = `to ${message.to}`;
  item.querySelector('time').dateTime = message.at;
  item.querySelector('time').textContent = at.toLocaleTimeString();
  item.querySelector('h2').textContent = message.subject;
  item.querySelector('.text').textContent = message.text;
  const action = item.querySelector('.action');
  if (message.code) {
    const code = document.createElement('span');
    code.className = 'code';
    code.textContent = message.code;
    action.append(code, copyButton(message.code));
  }
  const link = message.link ? openLink(message.link) : null;
  if (link) action.append(link);
  return item;
}

function show(message, isNew) {
  if (shown.has(message.id)) return;
  shown.add(message.id);
  const item = itemFor(message);
  if (isNew) {
    item.className = 'new';
    list.prepend(item);
    live.textContent = `New message to ${message.to}: ${message.subject}`;
  } else {
    list.append(item);
  }
  empty.hidden = true;
}

async function load() {
  const reply = await fetch('/dev/inbox.json');
  const messages = await reply.json();
  list.replaceChildren();
  shown.clear();
  for (const message of messages) show(message, false);
  empty.hidden = messages.length > 0;
}

const stream = new EventSource('/dev/inbox/stream');
stream.addEventListener('open', () => {
  status.textContent = 'Live';
  // What came while there was no connection is in the list.
  void load();
});
stream.addEventListener('error', () => {
  status.textContent = 'The provider does not answer. Trying again…';
});
stream.addEventListener('message', (event) => show(JSON.parse(event.data), true));

async function clear() {
  await fetch('/dev/inbox', { method: 'DELETE' });
  await load();
  live.textContent = 'Inbox emptied';
}

document.getElementById('clear').addEventListener('click', () => void clear());
