import * as libphonenumber from 'libphonenumber-js/max';
import phoneExamples from 'libphonenumber-js/mobile/examples';
import { vi } from 'vitest';
import { LOOPBACK_HOST } from '../../../src/domain/safe-url.ts';
import { clientsideServices, type ServicesSettings } from '../../src/clientside/services-script.ts';

export const REGISTERED = 'https://app.example.com';

/** A message as the frame's window receives it. */
interface Posted {
  readonly data: unknown;
  readonly origin: string;
  /** By default the page around the frame. */
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
  const data = JSON.stringify({ origins: [REGISTERED], hosts: LOOPBACK_HOST.source, pkce: false, ...settings });
  const target = new EventTarget();
  const around = {};
  const frame: Record<string, unknown> = {};
  frame['parent'] = alone ? frame : around;
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

  /** Resolves with the answer, or with null when there is none. */
  function post({ data: message, origin, source = around, port = true }: Posted): Promise<Reply | null> {
    const { port1, port2 } = new MessageChannel();
    const event = Object.assign(new Event('message'), { data: message, origin, source, ports: port ? [port2] : [] });
    return new Promise((resolve) => {
      port1.addEventListener('message', (answer: MessageEvent<Reply>) => {
        port1.close();
        resolve(answer.data);
      });
      port1.start();
      target.dispatchEvent(event);
      // The script that is to answer has been called: what it does not answer within the tasks that follow, it never answers.
      void settled().then(() => {
        if (answersLate) return;
        port1.close();
        resolve(null);
      });
    });
  }
  let answersLate = true;

  return {
    /** The scripts that were added to the page, oldest first. */
    scripts,
    /** Lets the tables' scripts wait for `load`, as over a slow network. */
    holdScripts: () => {
      loads = false;
    },
    call: async (method: unknown, ...args: readonly unknown[]): Promise<Reply> => {
      const reply = await post({ data: { method, args }, origin: REGISTERED });
      if (reply === null) throw new Error('no answer');
      return reply;
    },
    /** Like `call`, for messages that may get no answer: resolves with null then. */
    postAny: (message: Posted): Promise<Reply | null> => {
      answersLate = false;
      return post(message).finally(() => {
        answersLate = true;
      });
    },
  };
}

/** Until a message that was posted now has arrived, a few times over. */
async function settled(): Promise<void> {
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
}
