/**
 * The client of `examples/expo` in Hermes. What React Native and Expo install into the engine is installed here; fetch, hashes, timers and
 * stored texts are the host's, by lines that are printed and evaluated (`hermes.ts`).
 */
/* global print, HOST */
globalThis.window = globalThis;
// Built into the version of Hermes that React Native has.
globalThis.TextEncoder = class {
  encode(text) {
    return Uint8Array.from(unescape(encodeURIComponent(text)), (char) => char.charCodeAt(0));
  }
};
globalThis.btoa = (latin1) => require('base64-js').fromByteArray(Uint8Array.from(latin1, (char) => char.charCodeAt(0)));
globalThis.AbortController = require('abort-controller/dist/abort-controller').AbortController;
globalThis.TextDecoder = require('expo/src/winter/TextDecoder').TextDecoder;
Object.assign(globalThis, require('whatwg-url-minimum'));

const waiting = new Map();
let calls = 0;
const send = (message) => print(`@${JSON.stringify(message)}`);
const call = (name, fields) =>
  new Promise((resolve, reject) => {
    const id = ++calls;
    waiting.set(id, { resolve, reject });
    send({ call: name, id, ...fields });
  });

globalThis.console = {
  warn: (...words) => send({ call: 'log', words: words.map(String) }),
  error: (...words) => send({ call: 'log', words: words.map(String) }),
};
const timers = new Map();
globalThis.setTimeout = (task, ms = 0) => {
  const id = ++calls;
  timers.set(id, task);
  send({ call: 'timer', id, ms });
  return id;
};
globalThis.clearTimeout = (id) => void timers.delete(id);
globalThis.fetch = async (url, { method, headers, body, signal }) => {
  const aborted = new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('Aborted')));
  });
  const reply = await Promise.race([call('fetch', { url, method, headers, body }), aborted]);
  const forEach = (visit) => reply.headers.forEach(([name, value]) => visit(value, name));
  return { status: reply.status, url: reply.url, headers: { forEach }, text: async () => reply.text };
};

const textStore = (area, stored) => {
  const values = new Map(stored);
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => {
      values.set(key, value);
      send({ call: 'store', area, key, value });
    },
    remove: (key) => {
      values.delete(key);
      send({ call: 'store', area, key, value: null });
    },
  };
};

const words = (count) => Uint32Array.from({ length: count }, () => HOST.random.pop());
const listeners = new Set();
const device = {
  secrets: textStore('secrets', HOST.secrets),
  storage: textStore('storage', HOST.storage),
  crypto: {
    words,
    uuid: () => {
      const digits = [...words(4)].map((word) => word.toString(16).padStart(8, '0')).join('');
      return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
    },
    sha256: async (text) => Uint8Array.from(await call('sha256', { text })),
  },
  timezone: 'UTC',
  openUrl: (url) => send({ call: 'open', url }),
  onActive: (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};

globalThis.host = {
  settle(id, value, problem) {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (problem === null) resolve(value);
    else reject(new TypeError(problem));
  },
  fire(id) {
    const task = timers.get(id);
    timers.delete(id);
    task?.();
  },
  activate: () => listeners.forEach((listener) => listener()),
  /** Runs a function of the client to its end, and prints what it returned. */
  run(id, work) {
    Promise.resolve()
      .then(work)
      .then(
        (value) => send({ call: 'done', id, value: value === undefined ? null : value }),
        (error) =>
          send({
            call: 'done',
            id,
            problem: { ...error, name: error.name, message: error.message, stack: error.stack },
          }),
      );
  },
};
globalThis.client = require('./src/client').createClient(device, HOST.settings);
