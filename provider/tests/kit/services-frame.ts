import * as libphonenumber from 'libphonenumber-js/max';
import phoneExamples from 'libphonenumber-js/mobile/examples';
import { vi } from 'vitest';
import { LOOPBACK } from '#domain/safe-url.ts';
import { clientsideServices, type ServicesSettings } from '#provider/api/clientside/services-script.ts';

export const REGISTERED = 'https://app.example.com';

/** A message as the frame's window receives it. */
interface PostedMessage {
  readonly data: unknown;
  readonly origin: string;
  /** By default the page around the frame, or the window itself if there is none. */
  readonly source?: object | null;
  /** Whether it carries a port for the answer. */
  readonly port?: boolean;
}

interface Reply {
  readonly success: boolean;
  readonly payload?: unknown;
  readonly error?: Readonly<Record<string, unknown>>;
}

interface FrameOptions extends Partial<ServicesSettings> {
  /** Whether the page is open in a tab of its own, without a page around it. */
  readonly alone?: boolean;
}

/** The script of client-side services in a window that is made for it; globals are put back by the runner after each test. */
export function servicesFrame({ alone = false, ...settings }: FrameOptions = {}) {
  const data = JSON.stringify({ origins: [REGISTERED], hosts: LOOPBACK.source, pkce: false, ...settings });
  const target = new EventTarget();
  const frame: Record<string, unknown> = {};
  // The window of a tab is its own parent.
  const around: object = alone ? frame : {};
  frame['parent'] = around;
  const scripts: { src: string; load: (ok: boolean) => void }[] = [];
  vi.stubGlobal('window', frame);
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('document', {
    documentElement: { dataset: { settings: data } },
    createElement: () => Object.assign(new EventTarget(), { src: '', remove: () => undefined }),
    head: {
      append(script: EventTarget & { src: string }) {
        scripts.push({
          src: script.src,
          load(ok) {
            if (ok) Object.assign(frame, { libphonenumber, phoneExamples });
            script.dispatchEvent(new Event(ok ? 'load' : 'error'));
          },
        });
        if (loads) queueMicrotask(() => scripts.at(-1)?.load(true));
      },
    },
  });
  let loads = true;
  clientsideServices();

  /** Posts the message, and resolves with its answer. */
  function post({ data: message, origin, source = around, port = true }: PostedMessage): Promise<Reply> {
    const { port1, port2 } = new MessageChannel();
    const event = Object.assign(new Event('message'), { data: message, origin, source, ports: port ? [port2] : [] });
    return new Promise((resolve) => {
      port1.addEventListener('message', (answer: MessageEvent<Reply>) => {
        port1.close();
        resolve(answer.data);
      });
      port1.start();
      target.dispatchEvent(event);
    });
  }

  return {
    /** The scripts that were added to the page, oldest first. */
    scripts,
    /** Lets the tables' scripts wait for `load`, as over a slow network. */
    holdScripts: () => {
      loads = false;
    },
    call: (method: unknown, ...args: readonly unknown[]): Promise<Reply> =>
      post({ data: { method, args }, origin: REGISTERED }),
    /** Resolves with null for a message that gets no answer. */
    postAny: (message: PostedMessage): Promise<Reply | null> => Promise.race([post(message), noAnswer()]),
  };
}

/** Null, once a message that is posted now would have been answered: for calls that need no script and no server. */
async function noAnswer(): Promise<null> {
  for (let round = 0; round < 10; round++) {
    const { port1, port2 } = new MessageChannel();
    const arrived = new Promise((resolve) => {
      port1.addEventListener('message', resolve);
      port1.start();
    });
    port2.postMessage(null);
    await arrived;
    port1.close();
  }
  return null;
}
