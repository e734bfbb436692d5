import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { basic, PUBLIC_TOKEN } from './harness.ts';

/** At most this long a client waits between two requests, so that its connection is often idle. */
const PAUSE_MS = 80;

/** What became of the requests of one client. */
export interface ClientTally {
  /** The answers by status. */
  readonly answers: Map<number, number>;
  /** Requests that were sent and got no answer, by the code of the error. */
  readonly lost: string[];
  /** Refused answers without `Retry-After`. */
  readonly untimed: number[];
  /** How often a server closed the connection after its answer. */
  closed: number;
}

/**
 * A client with one kept connection that checks its session again and again. It moves to the next of its addresses when one
 * refuses connections or closes one after an answer, as a client of several servers does.
 */
export function steadyClient(urls: readonly string[], session: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const stopping = new AbortController();
  const told: ClientTally = { answers: new Map(), lost: [], untimed: [], closed: 0 };
  let at = 0;

  const once = async (): Promise<void> => {
    const url = urls[at % urls.length] ?? '';
    try {
      const reply = await ask(url, session, agent);
      const status = reply.statusCode ?? 0;
      told.answers.set(status, (told.answers.get(status) ?? 0) + 1);
      if (status !== 200 && !(Number(reply.headers['retry-after']) > 0)) told.untimed.push(status);
      if (reply.headers.connection === 'close') {
        told.closed += 1;
        at += 1;
      }
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      // The request was not sent.
      if (code === 'ECONNREFUSED') at += 1;
      else told.lost.push(code);
    }
  };
  const done = (async () => {
    while (!stopping.signal.aborted) {
      await once();
      await sleep(Math.random() * PAUSE_MS);
    }
    agent.destroy();
  })();
  return {
    told,
    async end() {
      stopping.abort();
      await done;
      return told;
    },
  };
}

function ask(url: string, session: string, agent: Agent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: basic(PUBLIC_TOKEN, session), host: 'localhost' };
    const sending = request(`${url}/sdk/v1/sessions/authenticate`, { method: 'POST', agent, headers }, (reply) => {
      reply.resume();
      reply.once('error', reject);
      reply.once('end', () => resolve(reply));
    });
    sending.setHeader('content-type', 'application/json');
    sending.once('error', reject);
    sending.end('{"session_duration_minutes":60}');
  });
}
