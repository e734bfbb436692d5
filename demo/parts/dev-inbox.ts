import type { DemoConfig } from './config.ts';

const TRIES = 40;
const PAUSE_MS = 75;

interface MessageWithCode {
  readonly id: string | number;
  readonly code?: string | null;
}

async function messagesTo({ provider }: DemoConfig, email: string): Promise<readonly MessageWithCode[]> {
  const reply = await fetch(`${provider}/dev/inbox.json?to=${encodeURIComponent(email)}`);
  return (await reply.json()) as readonly MessageWithCode[];
}

/** Requests a passcode and reads it from the dev inbox, as a visitor does by hand. */
export async function codeThatComes<Answer>(
  server: DemoConfig,
  email: string,
  ask: () => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly code: string }> {
  const before = new Set((await messagesTo(server, email)).map(({ id }) => id));
  const answer = await ask();
  for (let tries = 0; tries < TRIES; tries += 1) {
    const fresh = (await messagesTo(server, email)).find(({ id, code }) => code && !before.has(id));
    if (fresh?.code) return { answer, code: fresh.code };
    await new Promise((done) => void setTimeout(done, PAUSE_MS));
  }
  throw new Error('No code came to the dev inbox.');
}
