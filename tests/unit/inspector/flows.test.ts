import { afterAll, describe, expect, it } from 'vitest';
import { record, type Recording } from '#composition/inspector.ts';
import { parseJson } from '#domain/json.ts';
import { allFlows } from '../../contract/flows/all.ts';
import { makeFakeWorld } from '../../contract/flows/on-fakes.ts';
import { someOf } from '../../contract/flows/some-of.ts';
import type { MakeFlowWorld } from '../../contract/flows/world.ts';
import { SOAK } from '../../soak.ts';
import { isWord, leaks, textsIn } from './no-secrets.ts';

const texts = new Set<string>();
const recordings: Recording[] = [];
const keep = (value: unknown): void => textsIn(value).forEach((text) => texts.add(text));

/** The world of the flows, in which every client is recorded, and everything that is sent and answered is kept. */
const recordedWorld: MakeFlowWorld = async (wanted) => {
  const world = await makeFakeWorld(wanted);
  return {
    ...world,
    newBrowser: () => {
      const browser = world.newBrowser();
      return {
        tab: () => {
          const tab = browser.tab();
          const send: typeof tab.transport.send = async (request) => {
            keep(request.url);
            keep(parseJson(request.body ?? ''));
            keep(Object.entries(request.headers).filter(([name]) => name === 'authorization'));
            const answered = await tab.transport.send(request);
            keep(parseJson(answered.text));
            return answered;
          };
          return { ...tab, transport: { send } };
        },
      };
    },
    opened: (client) => void recordings.push(record(client, { capacity: 10_000 })),
  };
};

describe('the trace', () => {
  afterAll(() => recordings.forEach((recording) => recording.close()));
  // The suites pass with the recording as without it.
  allFlows(someOf({ describe, it, expect }, 4), 'recorded', recordedWorld);

  it('of every flow has none of the texts that were sent and answered', () => {
    const traces = recordings.map((recording) => recording.export());
    expect(recordings.length).toBeGreaterThan(SOAK ? 130 : 30);
    const calls = recordings.flatMap((recording) => recording.trace().entries).filter(({ kind }) => kind === 'request');
    expect(calls.length).toBeGreaterThan(SOAK ? 500 : 120);
    const secrets = [...texts].filter((text) => !isWord(text));
    expect(secrets.length).toBeGreaterThan(SOAK ? 700 : 150);
    expect(leaks(traces.join('\n'), secrets)).toEqual([]);
  });
});
