import { describe, expect, it } from 'vitest';
import { GoogleOneTap } from '#infrastructure/social/google-one-tap.ts';
import { FakeOneTap } from '#kit/ports/fake-one-tap.ts';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { ScriptLoader } from '#infrastructure/risk/script-loader.ts';
import { StandInGoogle } from '../unit/infrastructure/support/google-identity.ts';
import { ScriptPage } from '../unit/infrastructure/support/script-page.ts';
import { oneTapContract } from './one-tap.contract.ts';

const runner = { describe, it, expect };
const SCRIPT = 'https://accounts.google.com/gsi/client';

oneTapContract(runner, 'FakeOneTap', () => {
  const oneTap = new FakeOneTap();
  return {
    oneTap,
    fate: (fate) => void (oneTap.refusal = fate === 'comes' ? null : 'not_displayed'),
    shown: () => (oneTap.isShown ? 1 : 0),
    place: () => oneTap.prompts.at(-1)?.parentId ?? null,
    choose: (idToken) => oneTap.choose(idToken),
    cancel: () => oneTap.cancel(),
    pass: () => undefined,
  };
});

for (const fedcm of [true, false]) {
  oneTapContract(runner, `GoogleOneTap on a stand-in of the library, ${fedcm ? 'with' : 'without'} FedCM`, () => {
    const [page, clock, google] = [new ScriptPage(), new VirtualClock(), new StandInGoogle(fedcm)];
    const run = google.run.bind(google);
    page.served.set(SCRIPT, run);
    const loader = new ScriptLoader(page.window, clock, { 'https://accounts.google.com': 'no-cors' });
    return {
      oneTap: new GoogleOneTap(page.window, clock, loader),
      fate: (fate) => {
        google.refusal = fate === 'does not come' ? 'opt_out_or_no_session' : null;
        page.served.set(SCRIPT, fate === 'is blocked' ? 'blocked' : fate === 'does not answer' ? 'hangs' : run);
      },
      shown: () => google.shown,
      place: () => google.place,
      choose: (idToken) => google.choose(idToken),
      cancel: () => google.cancel(),
      pass: async (ms) => {
        await clock.advance(ms);
      },
    };
  });
}
