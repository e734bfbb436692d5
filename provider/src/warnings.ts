import { monotonicClock, type Clock } from './platform.ts';

/** Tells the operator something in one sentence, which never contains data of a request. */
export type Warn = (sentence: string) => void;

/** Repeats the same sentence at most once in the given time: a warning about an outage must not fill the log. */
export function atMostEvery(ms: number, warn: Warn, clock: Clock = monotonicClock): Warn {
  const last = new Map<string, number>();
  return (sentence) => {
    const now = clock.now();
    if (now - (last.get(sentence) ?? -Infinity) < ms) return;
    last.set(sentence, now);
    warn(sentence);
  };
}
